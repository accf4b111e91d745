/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The passes' proposals become table wait, event by event, and wait_total.
 * Here the rules of that table are kept, whatever a pass proposed: a wait lies
 * in its event, and those of one event never overlap.
 */
#include "analysis/waits.h"

#include <stdlib.h>

#include "analysis/groups.h"
#include "sum.h"

static const char *const kind_names[] = {
#define KIND(ident, name) name,
	GASPDB_WAIT_KINDS(KIND)
#undef KIND
};

const char *gaspdb_wait_kind_name(enum gaspdb_wait_kind kind)
{
	return kind_names[kind];
}

#define PROPOSALS                                                           \
	"CREATE TEMP TABLE IF NOT EXISTS gaspdb_wait(event, kind, thread, " \
	"start_ns, end_ns, cause_thread, cause_event, cause_ns, clamped, "  \
	"bound)"

void gaspdb_wait_writer_open(struct gaspdb_wait_writer *writer,
			     struct gaspdb_run *run)
{
	writer->run = run;
	gaspdb_exec(run, PROPOSALS);
	writer->insert = gaspdb_prepare(run, "INSERT INTO temp.gaspdb_wait "
					     "VALUES(?,?,?,?,?,?,?,?,?,?)");
}

void gaspdb_wait_propose(struct gaspdb_wait_writer *writer,
			 const struct gaspdb_wait *wait)
{
	const int64_t values[] = { wait->event,	      wait->kind,
				   wait->thread,      wait->start_ns,
				   wait->end_ns,      wait->cause_thread,
				   wait->cause_event, wait->cause_ns,
				   wait->clamped,     wait->bound };

	if (wait->end_ns > wait->start_ns)
		gaspdb_write(writer->run, writer->insert, 10, values, NULL);
}

void gaspdb_wait_writer_close(struct gaspdb_wait_writer *writer)
{
	sqlite3_finalize(writer->insert);
}

/* The proposals of one event, and what is needed to write them. */
struct settle {
	struct gaspdb_run *run;
	sqlite3_stmt *event, *insert;
	struct gaspdb_wait *waits;
	size_t n, room;
	int64_t last_id;
	struct gaspdb_groups totals; /* kind, source, thread, cause, cause's
					source: waits, ns, longest, its id */
};

static int64_t length(const struct gaspdb_wait *w)
{
	return w->end_ns - w->start_ns;
}

static int by_start(const void *a, const void *b)
{
	const struct gaspdb_wait *x = a, *y = b;

	return x->start_ns != y->start_ns
		       ? (x->start_ns < y->start_ns ? -1 : 1)
		       : (x->end_ns > y->end_ns) - (x->end_ns < y->end_ns);
}

static int by_length(const void *a, const void *b)
{
	const struct gaspdb_wait *x = a, *y = b;

	if (length(x) != length(y))
		return length(x) > length(y) ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return (x->cause_event > y->cause_event) -
	       (x->cause_event < y->cause_event);
}

static bool any_overlap(const struct gaspdb_wait *w, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (w[i].start_ns < w[i - 1].end_ns)
			return true;
	return false;
}

/*
 * A call that completes several messages waited for the late sender; what
 * its sends waited for their receivers is hidden by that.
 */
static void drop_late_receivers(struct settle *s)
{
	size_t kept = 0;
	bool late_sender = false;

	for (size_t i = 0; i < s->n; i++)
		late_sender |= s->waits[i].kind == GASPDB_WAIT_LATE_SENDER;
	for (size_t i = 0; late_sender && i < s->n; i++)
		if (s->waits[i].kind != GASPDB_WAIT_LATE_RECEIVER)
			s->waits[kept++] = s->waits[i];
	if (late_sender)
		s->n = kept;
}

static void keep_longest(struct settle *s)
{
	size_t kept = 0;

	qsort(s->waits, s->n, sizeof(*s->waits), by_length);
	for (size_t i = 0; i < s->n; i++) {
		bool clear = true;

		for (size_t k = 0; k < kept && clear; k++)
			clear = s->waits[i].start_ns >= s->waits[k].end_ns ||
				s->waits[i].end_ns <= s->waits[k].start_ns;
		if (clear)
			s->waits[kept++] = s->waits[i];
	}
	s->n = kept;
}

static int64_t source_of(struct settle *s, int64_t event)
{
	int64_t source = GASPDB_NONE;

	if (event == GASPDB_NONE)
		return GASPDB_NONE;
	gaspdb_bind(s->run, s->event, 1, &event);
	if (gaspdb_row(s->run, s->event))
		source = sqlite3_column_int64(s->event, 0);
	return source;
}

static void write_wait(struct settle *s, const struct gaspdb_wait *w,
		       int64_t source)
{
	const int64_t values[] = { ++s->last_id,   w->thread,	w->event,
				   w->start_ns,	   w->end_ns,	w->cause_thread,
				   w->cause_event, w->cause_ns, w->clamped,
				   w->bound };
	const int64_t keys[] = { w->kind, source, w->thread, w->cause_thread,
				 source_of(s, w->cause_event) };
	int64_t *total = gaspdb_group(s->run, &s->totals, keys);

	gaspdb_write(s->run, s->insert, 10, values, kind_names[w->kind]);
	if (!total)
		return;
	total[0]++;
	gaspdb_add_to(&total[1], length(w));
	if (length(w) > total[2]) {
		total[2] = length(w);
		total[3] = s->last_id;
	}
}

/* Cut a wait to its event; what a pass got wrong must not get further. */
static void cut(struct gaspdb_wait *w, int64_t start_ns, int64_t end_ns)
{
	if (w->start_ns < start_ns) {
		w->start_ns = start_ns;
		w->clamped = true;
	}
	if (w->end_ns > end_ns) {
		w->end_ns = end_ns;
		w->clamped = true;
	}
}

/* Write what is left of one event's proposals. */
static void settle_event(struct settle *s)
{
	int64_t source, start_ns, end_ns;

	if (!s->n)
		return;
	source = source_of(s, s->waits[0].event);
	if (source == GASPDB_NONE)
		return;
	start_ns = sqlite3_column_int64(s->event, 1);
	end_ns = sqlite3_column_int64(s->event, 2);
	drop_late_receivers(s);
	for (size_t i = 0; i < s->n; i++)
		cut(&s->waits[i], start_ns, end_ns);
	qsort(s->waits, s->n, sizeof(*s->waits), by_start);
	if (any_overlap(s->waits, s->n)) {
		keep_longest(s);
		qsort(s->waits, s->n, sizeof(*s->waits), by_start);
	}
	for (size_t i = 0; i < s->n; i++)
		if (length(&s->waits[i]) > 0)
			write_wait(s, &s->waits[i], source);
}

static void settle_all(struct settle *s)
{
	struct gaspdb_run *run = s->run;
	sqlite3_stmt *stmt = gaspdb_prepare(
		run, "SELECT event, kind, thread, start_ns, end_ns, "
		     "cause_thread, cause_event, cause_ns, clamped, bound "
		     "FROM temp.gaspdb_wait ORDER BY event");

	while (gaspdb_row(run, stmt)) {
		int64_t event = sqlite3_column_int64(stmt, 0);

		if (s->n && s->waits[0].event != event) {
			settle_event(s);
			s->n = 0;
		}
		if (!gaspdb_grow(run, &s->waits, s->n, &s->room,
				 sizeof(*s->waits)))
			break;
		s->waits[s->n++] = (struct gaspdb_wait){
			.event = event,
			.kind = (enum gaspdb_wait_kind)sqlite3_column_int(stmt,
									  1),
			.thread = sqlite3_column_int64(stmt, 2),
			.start_ns = sqlite3_column_int64(stmt, 3),
			.end_ns = sqlite3_column_int64(stmt, 4),
			.cause_thread = gaspdb_column(stmt, 5),
			.cause_event = gaspdb_column(stmt, 6),
			.cause_ns = gaspdb_column(stmt, 7),
			.clamped = sqlite3_column_int(stmt, 8),
			.bound = sqlite3_column_int(stmt, 9)
		};
	}
	settle_event(s);
	sqlite3_finalize(stmt);
}

static void write_totals(struct settle *s)
{
	sqlite3_stmt *stmt = gaspdb_prepare(
		s->run, "INSERT INTO wait_total(source_id, thread_id, "
			"cause_thread_id, cause_source_id, waits, time_ns, "
			"longest_ns, longest_wait_id, kind) "
			"VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)");

	gaspdb_groups_sort(&s->totals);
	for (size_t i = 0; i < s->totals.n; i++) {
		const int64_t *row = gaspdb_groups_row(&s->totals, i);

		gaspdb_write(s->run, stmt, 8, row + 1, kind_names[row[0]]);
	}
	sqlite3_finalize(stmt);
}

enum gaspdb_status gaspdb_pass_waits(sqlite3 *db, struct gaspdb_error *err)
{
	struct gaspdb_run run;
	struct settle s = { .run = &run };

	gaspdb_run_open(&run, db, err);
	gaspdb_exec(&run, PROPOSALS);
	gaspdb_groups_init(&s.totals, 5, 4);
	s.event = gaspdb_prepare(&run, "SELECT source_id, start_ns, "
				       "start_ns + duration_ns FROM event "
				       "WHERE id = ?");
	s.insert = gaspdb_prepare(
		&run, "INSERT INTO wait(id, thread_id, event_id, start_ns, "
		      "end_ns, cause_thread_id, cause_event_id, cause_ns, "
		      "clamped, bound, kind) "
		      "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
	settle_all(&s);
	write_totals(&s);
	sqlite3_finalize(s.event);
	sqlite3_finalize(s.insert);
	gaspdb_exec(&run, "DROP TABLE temp.gaspdb_wait");
	gaspdb_groups_fini(&s.totals);
	free(s.waits);
	return gaspdb_run_close(&run);
}
