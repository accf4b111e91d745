/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Windows of time, and the events in them. */
#include "cli/html/windows.h"

#include <stdlib.h>
#include <string.h>

#include "cli/html/chunk.h"
#include "cli/html/longest.h"
#include "cli/output/text.h"
#include "sql/columns.h"
#include "sql/page/page.h"

/* Windows at most, and events expected in each. */
enum { WINDOWS_MAX = 48, WINDOW_EVENTS = GASPDB_PAGE_WINDOW_EVENTS / 3 };
/* Events that wait longest: those whose arguments a page of many has. */
enum { WAITING_MAX = 3000 };

/* Events of a run, by far: a bit of each is kept. */
static const int64_t EVENTS_MAX = (int64_t)1 << 32;

struct window {
	int64_t from_ns, until_ns;
};

/* Events with consecutive ids, and their waits. */
struct range {
	int64_t first, last, first_wait, last_wait;
};

struct gaspdb_windows {
	struct gaspdb_report *r;
	bool all;
	struct window list[WINDOWS_MAX]; /* in the order of time */
	size_t n;
	int64_t span_ns;    /* length of the run in which WINDOW_EVENTS lie */
	int64_t in_list_ns; /* of all windows */
	int64_t most_ns;    /* in_list_ns at most */
	/* Of the scan. */
	size_t next; /* the first window that ends after the last event */
	struct range *ranges;
	size_t n_ranges, room;
	struct gaspdb_longest waiting;
	/* Of messages and collectives. */
	uint8_t *chosen; /* a bit an event id */
	int64_t n_chosen;
	sqlite3_stmt *add;
};

/* --- the windows -----------------------------------------------------------
 */

/* Unites a window with those that it touches. */
static void unite(struct gaspdb_windows *c, struct window w)
{
	size_t kept = 0;

	for (size_t i = 0; i < c->n; i++) {
		const struct window *o = &c->list[i];

		if (o->from_ns > w.until_ns || o->until_ns < w.from_ns) {
			c->list[kept++] = *o;
			continue;
		}
		c->in_list_ns -= o->until_ns - o->from_ns;
		w.from_ns = o->from_ns < w.from_ns ? o->from_ns : w.from_ns;
		w.until_ns =
			o->until_ns > w.until_ns ? o->until_ns : w.until_ns;
	}
	c->list[kept++] = w;
	c->in_list_ns += w.until_ns - w.from_ns;
	c->n = kept;
}

/* A column's time, within the run also in a damaged file. */
static int64_t time_of(const struct gaspdb_windows *c, sqlite3_stmt *stmt, int i)
{
	const int64_t ns = sqlite3_column_int64(stmt, i);

	return ns < 0 ? 0 : ns > c->r->duration_ns ? c->r->duration_ns : ns;
}

/* The window round an interval: what the page shows of a finding's instance
   (showFinding() of findings.js), or, of a long one, its end, where the cause
   is. */
static struct window window_round(const struct gaspdb_windows *c,
				  int64_t start_ns, int64_t end_ns)
{
	const int64_t ns = end_ns - start_ns, beside = ns - ns / 4;
	const int64_t around =
		beside > c->span_ns / 4 ? beside : c->span_ns / 4;

	if (ns + 2 * around > 3 * c->span_ns)
		return (struct window){ end_ns - c->span_ns,
					end_ns + c->span_ns / 4 };
	return (struct window){ start_ns - around, end_ns + around };
}

/* Adds windows round intervals, while there is room. */
static void add_windows(struct gaspdb_windows *c, const char *sql)
{
	sqlite3_stmt *stmt = gaspdb_chunk_prepare(c->r, sql);

	while (stmt && c->n < WINDOWS_MAX && sqlite3_step(stmt) == SQLITE_ROW) {
		const struct window w =
			window_round(c, time_of(c, stmt, 0),
				     time_of(c, stmt, 1));

		if (!c->n ||
		    c->in_list_ns + w.until_ns - w.from_ns <= c->most_ns)
			unite(c, w);
	}
	sqlite3_finalize(stmt);
}

static void write_windows(struct gaspdb_windows *c, FILE *out)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *chunk = gaspdb_chunk_text(&text, &bytes);

	fputs("{\"rows\":0,\"columns\":[],\"list\":[", chunk);
	for (size_t i = 0; i < c->n; i++)
		fprintf(chunk, "%s[%lld,%lld]", i ? "," : "",
			(long long)c->list[i].from_ns,
			(long long)c->list[i].until_ns);
	fputs("]}\n", chunk);
	gaspdb_chunk_text_end(chunk);
	gaspdb_chunk_write(out, "windows", text, bytes, &c->r->err);
	free(text);
}

static int by_time(const void *a, const void *b)
{
	const struct window *x = a, *y = b;

	return (x->from_ns > y->from_ns) - (x->from_ns < y->from_ns);
}

struct gaspdb_windows *gaspdb_windows_new(struct gaspdb_report *r)
{
	struct gaspdb_windows *c = gaspdb_memory_new(1, sizeof *c);
	const int64_t events = gaspdb_database_integer(
		r->db, "SELECT sum(last_event - first_event + 1) FROM thread",
		0);

	c->r = r;
	c->waiting = gaspdb_longest_new(WAITING_MAX);
	gaspdb_chunk_execute(r, gaspdb_sql_page_make_ranges);
	gaspdb_chunk_execute(r, gaspdb_sql_page_make_waiting);
	gaspdb_chunk_execute(r, gaspdb_sql_page_make_messages);
	gaspdb_chunk_execute(r, gaspdb_sql_page_make_collectives);
	c->all = events <= GASPDB_PAGE_EVENTS;
	if (c->all) {
		c->list[c->n++] = (struct window){ -1, r->duration_ns + 1 };
	} else {
		const double ns_each = (double)r->duration_ns / (double)events;

		c->span_ns = (int64_t)(ns_each * WINDOW_EVENTS) + 1;
		c->most_ns = (int64_t)(ns_each * GASPDB_PAGE_WINDOW_EVENTS);
		add_windows(c, gaspdb_sql_page_window_waits);
		add_windows(c, gaspdb_sql_page_window_segments);
		qsort(c->list, c->n, sizeof *c->list, by_time);
	}
	return c;
}

/* --- their events ----------------------------------------------------------
 */

/* Events of a thread are in the order of their starts: so are windows. */
static bool is_in_window(struct gaspdb_windows *c, int64_t start_ns,
			 int64_t end_ns)
{
	if (c->next && start_ns < c->list[c->next - 1].until_ns)
		c->next = 0; /* another thread */
	while (c->next < c->n && c->list[c->next].until_ns <= start_ns)
		c->next++;
	return c->next < c->n && c->list[c->next].from_ns <= end_ns;
}

static void add_range(struct gaspdb_windows *c, int64_t id)
{
	if (c->n_ranges == c->room) {
		c->room = 2 * c->room + 64;
		c->ranges = gaspdb_memory_grow(c->ranges, c->room,
					       sizeof *c->ranges);
	}
	c->ranges[c->n_ranges++] = (struct range){
		.first = id, .last = id, .first_wait = 0, .last_wait = -1
	};
}

void gaspdb_windows_take(struct gaspdb_windows *c, const int64_t *event,
			 const struct gaspdb_event_waits *waits)
{
	const int64_t id = event[GASPDB_EVENT_ID];
	const int64_t start_ns = event[GASPDB_EVENT_START];
	struct range *range;

	if (c->all ||
	    !is_in_window(c, start_ns, start_ns + event[GASPDB_EVENT_DURATION]))
		return;
	if (!c->n_ranges || c->ranges[c->n_ranges - 1].last + 1 != id)
		add_range(c, id);
	range = &c->ranges[c->n_ranges - 1];
	range->last = id;
	if (!waits->n)
		return;
	if (range->last_wait < range->first_wait)
		range->first_wait = waits->first;
	range->last_wait = waits->first + waits->n - 1;
	gaspdb_longest_add(&c->waiting, waits->longest_ns, id);
}

static void insert_ranges(struct gaspdb_windows *c)
{
	sqlite3_stmt *add = gaspdb_chunk_prepare(c->r, gaspdb_sql_page_add_range);

	for (size_t i = 0; add && i < c->n_ranges; i++) {
		const struct range *range = &c->ranges[i];

		sqlite3_bind_int64(add, 1, range->first);
		sqlite3_bind_int64(add, 2, range->last);
		sqlite3_bind_int64(add, 3, range->first_wait);
		sqlite3_bind_int64(add, 4, range->last_wait);
		sqlite3_step(add);
		sqlite3_reset(add);
	}
	sqlite3_finalize(add);
}

/* --- their messages and collectives ----------------------------------------
 */

/* Ids count events, so the last one says how many there are. */
static void mark_events(struct gaspdb_windows *c)
{
	const int64_t last = c->n_ranges ? c->ranges[c->n_ranges - 1].last : -1;

	if (last < 0)
		return;
	if (last >= EVENTS_MAX || c->ranges[0].first < 0) {
		gaspdb_fail(&c->r->err, GASPDB_FAILED,
			    "ids of events are out of range: '%s' is damaged",
			    c->r->db->path);
		return;
	}
	c->n_chosen = last + 1;
	c->chosen = gaspdb_memory_new((size_t)c->n_chosen / 8 + 1, 1);
	for (size_t i = 0; i < c->n_ranges; i++)
		for (int64_t id = c->ranges[i].first; id <= c->ranges[i].last;
		     id++)
			c->chosen[id / 8] |= (uint8_t)(1 << id % 8);
}

static bool is_chosen(const struct gaspdb_windows *c, int64_t id)
{
	return id >= 0 && id < c->n_chosen && c->chosen[id / 8] >> id % 8 & 1;
}

static bool add_id(struct gaspdb_windows *c, int64_t id)
{
	sqlite3_bind_int64(c->add, 1, id);
	sqlite3_step(c->add);
	sqlite3_reset(c->add);
	return true;
}

static bool add_message(void *user, const int64_t *m)
{
	struct gaspdb_windows *c = user;

	return (!is_chosen(c, m[GASPDB_MESSAGE_SEND_EVENT]) &&
		!is_chosen(c, m[GASPDB_MESSAGE_RECEIVE_EVENT])) ||
	       add_id(c, m[GASPDB_MESSAGE_ID]);
}

static bool add_collective(void *user, const int64_t *row)
{
	struct gaspdb_windows *c = user;

	return !is_chosen(c, row[GASPDB_COLLECTIVE_LAST_EVENT]) ||
	       add_id(c, row[GASPDB_COLLECTIVE_ID]);
}

/* No index leads from events to the rows of the table: one scan of their first
   columns. sql inserts an id. */
static void insert_ids(struct gaspdb_windows *c, const char *sql,
		       const char *name, unsigned all, unsigned columns,
		       gaspdb_row_fn fn)
{
	c->add = gaspdb_chunk_prepare(c->r, sql);
	if (c->add && c->n_chosen)
		gaspdb_chunk_scan(c->r, name, all, columns, fn, c);
	sqlite3_finalize(c->add);
}

static void insert_chosen(struct gaspdb_windows *c)
{
	insert_ranges(c);
	gaspdb_longest_insert(&c->waiting, c->r, gaspdb_sql_page_add_waiting);
	mark_events(c);
	insert_ids(c, gaspdb_sql_page_add_message, GASPDB_TABLE(message),
		   GASPDB_MESSAGE_RECEIVE_EVENT + 1, add_message);
	insert_ids(c, gaspdb_sql_page_add_collective, GASPDB_TABLE(collective),
		   GASPDB_COLLECTIVE_LAST_EVENT + 1, add_collective);
}

enum gaspdb_status gaspdb_windows_write(struct gaspdb_windows *c, FILE *out)
{
	gaspdb_chunk_execute(c->r, "SAVEPOINT page");
	if (c->all) {
		gaspdb_chunk_execute(c->r, gaspdb_sql_page_all_ranges);
		gaspdb_chunk_execute(c->r, gaspdb_sql_page_all_waiting);
		gaspdb_chunk_execute(c->r, gaspdb_sql_page_all_messages);
		gaspdb_chunk_execute(c->r, gaspdb_sql_page_all_collectives);
	} else {
		insert_chosen(c);
	}
	gaspdb_chunk_execute(c->r, "RELEASE page");
	if (c->r->err.status == GASPDB_OK)
		write_windows(c, out);
	return c->r->err.status;
}

void gaspdb_windows_free(struct gaspdb_windows *c)
{
	free(c->waiting.list);
	free(c->ranges);
	free(c->chosen);
	free(c);
}
