/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Windows of time, and the events in them. */
#include "cli/html/windows.h"

#include <stdlib.h>

#include "cli/html/chunk.h"
#include "sql/columns.h"
#include "sql/page/page.h"
#include "sql/store/btree/page_reader.h"
#include "sql/store/table.h"

/* Windows at most, and events expected in each. */
enum { WINDOWS_MAX = 48, WINDOW_EVENTS = 20000 };

struct window {
	int64_t from_ns, until_ns;
};

struct choice {
	struct gaspdb_report *r;
	struct window list[WINDOWS_MAX];
	size_t n;
	int64_t span_ns;    /* length of the run in which WINDOW_EVENTS lie */
	int64_t in_list_ns; /* of all windows */
	int64_t most_ns;    /* in_list_ns at most */
	sqlite3_stmt *add;
};

static sqlite3_stmt *prepare(struct gaspdb_report *r, const char *sql)
{
	sqlite3_stmt *stmt = NULL;

	if (sqlite3_prepare_v2(r->db->sql, sql, -1, &stmt, NULL))
		gaspdb_fail(&r->err, GASPDB_FAILED, "the page: %s",
			    sqlite3_errmsg(r->db->sql));
	return stmt;
}

static void execute(struct gaspdb_report *r, const char *sql)
{
	if (sqlite3_exec(r->db->sql, sql, NULL, NULL, NULL))
		gaspdb_fail(&r->err, GASPDB_FAILED, "the page: %s",
			    sqlite3_errmsg(r->db->sql));
}

/* --- the windows -----------------------------------------------------------
 */

/* Unites a window with those that it touches. */
static void unite(struct choice *c, struct window w)
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
		w.until_ns = o->until_ns > w.until_ns ? o->until_ns
						      : w.until_ns;
	}
	c->list[kept++] = w;
	c->in_list_ns += w.until_ns - w.from_ns;
	c->n = kept;
}

/* A column's time, within the run also in a damaged file. */
static int64_t time_of(const struct choice *c, sqlite3_stmt *stmt, int i)
{
	const int64_t ns = sqlite3_column_int64(stmt, i);

	return ns < 0 ? 0 : ns > c->r->duration_ns ? c->r->duration_ns : ns;
}

/* Adds windows round intervals, while there is room: round the end, where the
   cause is; of short ones the whole. */
static void add_windows(struct choice *c, const char *sql)
{
	sqlite3_stmt *stmt = prepare(c->r, sql);

	while (stmt && c->n < WINDOWS_MAX &&
	       c->in_list_ns + c->span_ns <= c->most_ns &&
	       sqlite3_step(stmt) == SQLITE_ROW) {
		const int64_t start_ns = time_of(c, stmt, 0);
		const int64_t end_ns = time_of(c, stmt, 1);
		const int64_t around = c->span_ns / 4;

		unite(c, (struct window){
				 end_ns - start_ns < c->span_ns / 2
					 ? start_ns - around
					 : end_ns - 3 * around,
				 end_ns + around });
	}
	sqlite3_finalize(stmt);
}

static void write_windows(struct choice *c, FILE *out)
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

/* --- their events ----------------------------------------------------------
 */

static bool add_event(void *user, const int64_t *e)
{
	struct choice *c = user;
	const int64_t start_ns = e[GASPDB_EVENT_START];
	const int64_t end_ns = start_ns + e[GASPDB_EVENT_DURATION];

	for (size_t i = 0; i < c->n; i++)
		if (start_ns < c->list[i].until_ns &&
		    end_ns >= c->list[i].from_ns) {
			sqlite3_bind_int64(c->add, 1, e[GASPDB_EVENT_ID]);
			sqlite3_step(c->add);
			sqlite3_reset(c->add);
			break;
		}
	return true;
}

static void add_events(struct choice *c)
{
	enum gaspdb_status status = GASPDB_OK;
	struct gaspdb_tables in = { .db = c->r->db->sql,
				    .err = &c->r->err,
				    .status = &status };
	struct gaspdb_table events;

	c->add = prepare(c->r, gaspdb_sql_page_add_event);
	gaspdb_pages_allow(in.db);
	gaspdb_table_open(&events, &in, GASPDB_TABLE(event));
	execute(c->r, "SAVEPOINT page");
	if (c->add)
		gaspdb_table_scan(&events, add_event, c);
	execute(c->r, "RELEASE page");
	gaspdb_table_close(&events);
	sqlite3_finalize(c->add);
}

enum gaspdb_status gaspdb_windows_choose(struct gaspdb_report *r, FILE *out)
{
	struct choice c = { .r = r };
	const int64_t events = gaspdb_database_integer(
		r->db, "SELECT sum(last_event - first_event + 1) FROM thread",
		0);

	execute(r, gaspdb_sql_page_make_events);
	if (events <= GASPDB_PAGE_EVENTS) {
		c.list[c.n++] = (struct window){ -1, r->duration_ns + 1 };
		execute(r, gaspdb_sql_page_all_events);
	} else {
		const double ns_each = (double)r->duration_ns / (double)events;

		c.span_ns = (int64_t)(ns_each * WINDOW_EVENTS) + 1;
		c.most_ns = (int64_t)(ns_each * GASPDB_PAGE_EVENTS * 0.8);
		add_windows(&c, gaspdb_sql_page_window_waits);
		add_windows(&c, gaspdb_sql_page_window_segments);
		add_events(&c);
	}
	if (r->err.status == GASPDB_OK)
		write_windows(&c, out);
	return r->err.status;
}
