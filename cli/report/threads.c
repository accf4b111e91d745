/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Report: threads. If there are many, only the extreme ones: with most and
 * least computation and waiting, blamed by a finding, or without a whole log.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/output/human.h"
#include "cli/report/report.h"
#include "cli/output/text.h"

struct row {
	int64_t thread, computation_ns, waiting_ns; /* -1: unknown */
	bool whole;
	char *why; /* reason to show it; "": hidden */
};

struct rows {
	struct row *list;
	size_t n;
};

/* Threads with their figures; computation as in the categories. */
static const char query[] =
	"SELECT t.id AS thread, t.rank AS rank, iif(m.models > 1, t.model, "
	"  NULL) AS model, t.host AS host, t.first_ns AS first_ns, "
	"  t.last_ns - t.first_ns AS total_ns, iif(t.first_ns IS NULL, NULL, "
	"  coalesce(c.time_ns, 0)) AS computation_ns, iif(t.first_ns IS NULL, NULL, "
	"  coalesce(w.ns, n.ns)) AS waiting_ns, "
	"  coalesce(t.last_event - t.first_event + 1, n.ns) AS events, "
	"  t.complete AS whole "
	"FROM (SELECT count(DISTINCT model) AS models FROM thread) m "
	"CROSS JOIN no_wait n CROSS JOIN thread t "
	"LEFT JOIN category_time c ON c.thread_id = t.id "
	"  AND c.category = 'computation' "
	"LEFT JOIN (SELECT thread_id, sum(time_ns) AS ns FROM wait_total "
	"  GROUP BY 1) w ON w.thread_id = t.id ORDER BY t.id";

sqlite3_stmt *gaspdb_report_threads_query(struct gaspdb_report *r)
{
	sqlite3_stmt *stmt = NULL;

	if (sqlite3_prepare_v2(r->db->sql, query, -1, &stmt, NULL) != SQLITE_OK)
		gaspdb_fail(&r->err, GASPDB_FAILED,
			    "cannot read the threads of '%s': %s", r->db->path,
			    sqlite3_errmsg(r->db->sql));
	return stmt;
}

static void read_rows(struct gaspdb_report *r, struct rows *rows)
{
	sqlite3_stmt *stmt = gaspdb_report_threads_query(r);
	size_t room = 0;

	*rows = (struct rows){ .n = 0 };
	while (stmt && sqlite3_step(stmt) == SQLITE_ROW) {
		if (rows->n == room) {
			room = 2 * room + 64;
			rows->list = gaspdb_memory_grow(rows->list, room,
							sizeof *rows->list);
		}
		rows->list[rows->n++] = (struct row){
			.thread = gaspdb_report_integer(stmt, "thread"),
			.computation_ns =
				gaspdb_report_integer(stmt, "computation_ns"),
			.waiting_ns = gaspdb_report_integer(stmt, "waiting_ns"),
			.whole = gaspdb_report_integer(stmt, "whole") > 0,
			.why = gaspdb_text_copy("", 0),
		};
	}
	sqlite3_finalize(stmt);
}

static void free_rows(struct rows *rows)
{
	for (size_t i = 0; i < rows->n; i++)
		free(rows->list[i].why);
	free(rows->list);
}

static void add_why(struct row *row, const char *why)
{
	char *longer = gaspdb_text_format("%s%s%s", row->why,
					  *row->why ? ", " : "", why);

	free(row->why);
	row->why = longer;
}

static int64_t computation(const struct row *row)
{
	return row->computation_ns;
}

static int64_t waiting(const struct row *row)
{
	return row->waiting_ns;
}

static int by_value(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Median of a figure over threads. */
static int64_t median(const struct rows *rows,
		      int64_t (*figure)(const struct row *))
{
	int64_t *values = gaspdb_memory_new(rows->n, sizeof *values);

	for (size_t i = 0; i < rows->n; i++)
		values[i] = figure(&rows->list[i]);
	qsort(values, rows->n, sizeof *values, by_value);
	const int64_t middle = values[rows->n / 2];
	free(values);
	return middle;
}

/* The thread with the least or most of a figure, except `taken`; NULL: none
   differs from the middle, or unknown. */
static struct row *extreme(struct rows *rows,
			   int64_t (*figure)(const struct row *),
			   int64_t middle, bool low, const struct row *taken)
{
	struct row *best = NULL;

	for (size_t i = 0; i < rows->n; i++) {
		struct row *row = &rows->list[i];
		const int64_t value = figure(row);

		if (value < 0 || row == taken ||
		    (low ? value >= middle : value <= middle))
			continue;
		if (!best ||
		    (low ? value < figure(best) : value > figure(best)))
			best = row;
	}
	return best;
}

/* Marks two threads with the least, and two with the most. */
static void mark_extremes(struct rows *rows,
			  int64_t (*figure)(const struct row *),
			  const char *least, const char *most)
{
	const int64_t middle = median(rows, figure);

	for (int low = 0; low < 2; low++) {
		const char *why = low ? least : most;
		struct row *first = extreme(rows, figure, middle, low, NULL);
		struct row *second =
			first ? extreme(rows, figure, middle, low, first)
			      : NULL;

		if (first)
			add_why(first, why);
		if (second)
			add_why(second, why);
	}
}

static void mark_thread(struct rows *rows, int64_t thread, const char *why)
{
	for (size_t i = 0; i < rows->n; i++)
		if (rows->list[i].thread == thread)
			add_why(&rows->list[i], why);
}

/* Marks threads blamed by findings, and the first ones without a whole log. */
static void mark_others(struct gaspdb_report *r, struct rows *rows)
{
	enum { BLAMED = 3, BROKEN = 2 };
	const struct gaspdb_findings *all = gaspdb_report_findings(r);
	int n = 0;

	for (size_t i = 0; i < all->n_leads && i < BLAMED; i++) {
		char *why = gaspdb_text_format("finding %zu", i + 1);

		mark_thread(rows, all->list[i].thread, why);
		free(why);
	}
	for (size_t i = 0; i < rows->n && n < BROKEN; i++)
		if (!rows->list[i].whole && ++n)
			add_why(&rows->list[i], "no whole log");
	for (size_t i = 0; i < rows->n; i++)
		if (*rows->list[i].why)
			return;
	add_why(&rows->list[0], "as all others");
}

/* Is the column left out? Ranks equal to ids; the only host; some figures if
   there are reasons. */
static bool is_left_out(const struct gaspdb_report *r, const char *name,
			const char *why)
{
	const bool ids = !strcmp(r->words.thread, r->words.process) &&
			 strcmp(r->words.process, "process");

	if (!strcmp(name, "rank"))
		return ids;
	if (!strcmp(name, "host"))
		return r->n_hosts <= 1;
	return why && (!strcmp(name, "first_ns") || !strcmp(name, "events"));
}

/* Adds a thread's row; why NULL: all threads are shown. */
static void add_row(struct gaspdb_report *r, struct gaspdb_report_table *t,
		    sqlite3_stmt *stmt, const char *why)
{
	for (int k = 0; k < sqlite3_column_count(stmt); k++) {
		const char *name = sqlite3_column_name(stmt, k);

		if (is_left_out(r, name, why))
			gaspdb_report_table_text(t, "");
		else
			gaspdb_report_table_value(t, stmt, k);
	}
	gaspdb_report_table_text(t, why ? why : "");
}

/* Adds all rows, or those with a reason; returns the number left out. */
static size_t add_table(struct gaspdb_report *r, const struct rows *rows,
			struct gaspdb_report_table *t, bool all)
{
	sqlite3_stmt *stmt = gaspdb_report_threads_query(r);
	size_t left_out = 0;

	for (size_t i = 0; stmt && i < rows->n; i++) {
		if (sqlite3_step(stmt) != SQLITE_ROW)
			break;
		if (!all && !*rows->list[i].why) {
			left_out++;
			continue;
		}
		add_row(r, t, stmt, all ? NULL : rows->list[i].why);
	}
	sqlite3_finalize(stmt);
	return left_out;
}

bool gaspdb_report_threads(struct gaspdb_report *r,
			   const struct gaspdb_report_section *section)
{
	char count[GASPDB_HUMAN_BYTES];
	struct gaspdb_report_table *t;
	struct rows rows;
	size_t left_out;

	read_rows(r, &rows);
	const bool all = rows.n <= (size_t)section->rows;
	if (rows.n) {
		if (!all) {
			mark_extremes(&rows, computation, "least computing",
				      "most computing");
			mark_extremes(&rows, waiting, "least waiting",
				      "most waiting");
			mark_others(r, &rows);
		}
		t = gaspdb_report_table_new(section->columns, &r->words);
		left_out = add_table(r, &rows, t, all);
		gaspdb_report_head(r, section, NULL);
		gaspdb_report_table_print(t, r->out);
		if (left_out)
			fprintf(r->out, "  ... and %s more %s\n",
				gaspdb_human_count(count, (int64_t)left_out),
				gaspdb_run_words_threads(&r->words,
							 (int64_t)left_out));
		gaspdb_report_more(r, section);
	}
	free_rows(&rows);
	return rows.n > 0;
}
