/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Report: where a killed program hung. Reported if threads wait for each other,
 * or if at least half of them waited, for at least a tenth of the run, in calls
 * that never ended.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/output/human.h"
#include "cli/output/text.h"
#include "cli/report/report.h"

enum { LISTED_MAX = 6 }; /* threads listed one by one */

/* A row of analysis hangs; texts for free(). */
struct blocked {
	int64_t thread, waits_for, waiting_ns;
	bool circle, sends, receives; /* a message, without its other end */
	char *call, *waited_for;
};

struct hangs {
	struct blocked *rows;
	size_t n, room, in_circle;
	int64_t longest_ns;
};

/* "MPI_Recv at a.c:10 (tag 7)"; NULL: in none. tag: column; NULL: none. */
static char *call(sqlite3_stmt *stmt, const char *operation,
		  const char *location, const char *tag)
{
	const char *o = gaspdb_report_text(stmt, operation);
	const char *l = gaspdb_report_text(stmt, location);
	const char *t = tag ? gaspdb_report_text(stmt, tag) : "";

	return *o ? gaspdb_text_format("%s%s%s%s%s%s", o, *l ? " at " : "", l,
				       *t ? " (tag " : "", t, *t ? ")" : "")
		  : NULL;
}

static bool is_kind(sqlite3_stmt *stmt, const char *kind)
{
	return !strcmp(gaspdb_report_text(stmt, "kind"), kind);
}

static void read_row(struct hangs *h, sqlite3_stmt *stmt)
{
	struct blocked *b;

	if (h->n == h->room) {
		const size_t room = h->room ? 2 * h->room : 16;
		void *rows = realloc(h->rows, room * sizeof *h->rows);

		if (!rows)
			return;
		h->rows = rows;
		h->room = room;
	}
	b = &h->rows[h->n++];
	*b = (struct blocked){
		.thread = gaspdb_report_integer(stmt, "thread"),
		.waits_for = gaspdb_report_integer(stmt, "waits_for"),
		.waiting_ns = gaspdb_report_integer(stmt, "waiting_ns"),
		.circle = gaspdb_report_integer(stmt, "circle") > 0,
		.sends = is_kind(stmt, "late receiver"),
		.receives = is_kind(stmt, "late sender"),
		.call = call(stmt, "operation", "location", "tag"),
		.waited_for = call(stmt, "waited_for_operation",
				   "waited_for_location", NULL),
	};
	h->in_circle += b->circle;
	if (b->waiting_ns > h->longest_ns)
		h->longest_ns = b->waiting_ns;
}

static void print_line(struct gaspdb_report *r, char *line)
{
	fputs("  ", r->out);
	gaspdb_report_wrap(r->out, line, 2, 4);
	free(line);
}

static const struct blocked *find(const struct hangs *h, int64_t thread)
{
	for (size_t i = 0; i < h->n; i++)
		if (h->rows[i].thread == thread)
			return &h->rows[i];
	return NULL;
}

/* Prints "thread 0, in MPI_Recv at a.c:10, waits for thread 1" for each thread
   along the circle. */
static void print_circle(struct gaspdb_report *r, const struct hangs *h)
{
	const struct blocked *first = h->rows, *b = first;
	const char *thread = r->words.thread;
	size_t n = 0;

	print_line(r, gaspdb_run_words_fill(
			      &r->words, "{Threads} wait for each other in a "
					 "circle, which can never end:"));
	do {
		print_line(r, gaspdb_text_format("  %s %lld, in %s, waits for "
						 "%s %lld",
						 thread, (long long)b->thread,
						 b->call, thread,
						 (long long)b->waits_for));
		b = find(h, b->waits_for);
	} while (b && b != first && ++n < LISTED_MAX);
	if (b && b != first)
		print_line(r, gaspdb_text_format("  ... and so on, back to "
						 "%s %lld",
						 thread,
						 (long long)first->thread));
}

/* Prints the activity of the thread at the end of the chain of waits. */
static void print_waited_for(struct gaspdb_report *r, const struct hangs *h)
{
	const struct blocked *b = h->rows, *next = b;
	const char *thread = r->words.thread;

	for (size_t i = 0; next && i < h->n; i++) {
		b = next;
		next = find(h, b->waits_for);
	}
	if (b->waits_for < 0)
		print_line(r, gaspdb_text_format("Whom %s %lld waits for, in "
						 "%s, is not known.",
						 thread, (long long)b->thread,
						 b->call));
	else if (b->waited_for)
		print_line(r, gaspdb_text_format(
				      "In the end they wait for %s %lld, "
				      "which was in %s.",
				      thread, (long long)b->waits_for,
				      b->waited_for));
	else
		print_line(r, gaspdb_text_format(
				      "In the end they wait for %s %lld, "
				      "which was in no call that is recorded: "
				      "it computed, has ended, or its log is "
				      "missing.",
				      thread, (long long)b->waits_for));
}

/* Do two wait for each other, of which one sends and the other receives? */
static bool miss_each_other(const struct hangs *h)
{
	const struct blocked *a = h->rows, *b = find(h, a->waits_for);

	return b && b->waits_for == a->thread &&
	       ((a->sends && b->receives) || (a->receives && b->sends));
}

static void print_blocked(struct gaspdb_report *r, const struct hangs *h)
{
	char time[GASPDB_HUMAN_BYTES], count[GASPDB_HUMAN_BYTES];

	print_line(r, gaspdb_text_format(
			      "%s of %lld %s waited, for up to %s, in calls "
			      "that had not ended when the program was.",
			      gaspdb_human_count(count, (int64_t)h->n),
			      (long long)r->n_threads, r->words.threads,
			      gaspdb_human_time(time, h->longest_ns)));
	if (h->in_circle) {
		print_circle(r, h);
		print_line(r,
			   gaspdb_text_format(
				   "try: %s",
				   miss_each_other(h)
					   ? "compare the tags and "
					     "communicators of both calls: the "
					     "message is not the one that is "
					     "received"
					   : "let one of them make these calls "
					     "in another order"));
	} else {
		print_waited_for(r, h);
	}
}

static void read_hangs(struct gaspdb_report *r, struct hangs *h)
{
	sqlite3_stmt *stmt = gaspdb_report_query(r, "hangs", NULL, -1);

	*h = (struct hangs){ .n = 0 };
	while (stmt && sqlite3_step(stmt) == SQLITE_ROW)
		read_row(h, stmt);
	sqlite3_finalize(stmt);
}

static void free_hangs(struct hangs *h)
{
	for (size_t i = 0; i < h->n; i++) {
		free(h->rows[i].call);
		free(h->rows[i].waited_for);
	}
	free(h->rows);
}

static bool hangs(const struct gaspdb_report *r, const struct hangs *h)
{
	return h->in_circle || (h->n && 2 * (int64_t)h->n >= r->n_threads &&
				10 * h->longest_ns >= r->duration_ns);
}

/* Most runs have no open call: the analysis need not look at each thread. */
static bool has_open_calls(struct gaspdb_report *r)
{
	return gaspdb_database_integer(
		       r->db,
		       "SELECT count(*) FROM quality WHERE kind = 'open event'",
		       1) > 0;
}

/* Threads of a profile that were in a call of the runtime for at least a tenth
   of the run when they ended. */
#define LONG_OPEN                                                     \
	"FROM last_call WHERE 10.0 * (end_ns - start_ns) >= (SELECT " \
	"max(last_ns) - min(first_ns) FROM thread)"

/* A profile has no waits: whom they wait for is not known. */
static bool hangs_in_profile(struct gaspdb_report *r)
{
	return 2 * gaspdb_database_integer(
			   r->db, "SELECT count(*) " LONG_OPEN, 0) >=
	       r->n_threads;
}

/* Prints which calls they were in, most threads first. */
static void print_profile_hang(struct gaspdb_report *r)
{
	char time[GASPDB_HUMAN_BYTES], count[GASPDB_HUMAN_BYTES];
	const int64_t n = gaspdb_database_integer(
		r->db, "SELECT count(*) " LONG_OPEN, 0);
	const int64_t ns = gaspdb_database_integer(
		r->db, "SELECT max(end_ns - start_ns) " LONG_OPEN, 0);
	char *where = gaspdb_database_text(
		r->db,
		"SELECT group_concat(n || ' in ' || call, ', ') FROM (SELECT "
		"count(*) AS n, operation || coalesce(' at ' || location, '') "
		"AS call " LONG_OPEN
		" GROUP BY 2 ORDER BY 1 DESC, 2 LIMIT 6)");

	print_line(r, gaspdb_text_format(
			      "%s of %lld %s were, for up to %s, in calls that "
			      "had not ended when the program was: %s.",
			      gaspdb_human_count(count, n),
			      (long long)r->n_threads, r->words.threads,
			      gaspdb_human_time(time, ns), where));
	print_line(r, r->is_profile
			      ? gaspdb_text_format(
					"Whom they waited for needs a trace "
					"(gaspdb record --mode=trace).")
			      : gaspdb_text_format(
					"Whom they waited for is not known: "
					"their logs were full "
					"(--max-log-size)."));
	free(where);
}

/* Are the last calls known from sums, without waits? */
static bool ends_in_sums(struct gaspdb_report *r)
{
	return gaspdb_database_integer(
		       r->db, "SELECT EXISTS (SELECT 1 FROM open_call)", 0) > 0;
}

bool gaspdb_report_is_hung(struct gaspdb_report *r)
{
	struct hangs h;

	if (r->hung == GASPDB_UNKNOWN && !has_open_calls(r))
		r->hung = GASPDB_NOT_HUNG;
	if (r->hung == GASPDB_UNKNOWN && ends_in_sums(r))
		r->hung = hangs_in_profile(r) ? GASPDB_HUNG : GASPDB_NOT_HUNG;
	if (r->hung == GASPDB_UNKNOWN) {
		read_hangs(r, &h);
		r->hung = hangs(r, &h) ? GASPDB_HUNG : GASPDB_NOT_HUNG;
		free_hangs(&h);
	}
	return r->hung == GASPDB_HUNG;
}

bool gaspdb_report_hangs(struct gaspdb_report *r,
			 const struct gaspdb_report_section *section)
{
	struct hangs h;

	if (!gaspdb_report_is_hung(r))
		return false;
	gaspdb_report_head(r, section, NULL);
	if (ends_in_sums(r)) {
		print_profile_hang(r);
		fprintf(r->out, "  more: gaspdb analyze open-calls %s\n",
			r->file);
		return true;
	}
	read_hangs(r, &h);
	print_blocked(r, &h);
	gaspdb_report_more(r, section);
	free_hangs(&h);
	return true;
}
