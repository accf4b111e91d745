/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Report as one JSON object: the figures of the page, with units in the names
   of keys. docs/report-json.md has every key. */
#include "cli/report/json.h"

#include <stdlib.h>
#include <string.h>

#include "cli/database/analysis.h"
#include "cli/output/output.h"
#include "cli/database/remarks.h"
#include "cli/report/report.h"
#include "cli/report/categories.h"
#include "cli/report/facts.h"
#include "cli/report/verdict.h"
#include "cli/output/text.h"

static void put_text(FILE *out, const char *text)
{
	const struct gaspdb_output_cell cell =
		gaspdb_output_text(text && *text ? text : NULL);

	gaspdb_output_json(out, &cell);
}

/* Writes "key": with a comma before it, unless it is the first of an object. */
static void put_key(FILE *out, const char *key, bool *first)
{
	fputs(*first ? "" : ", ", out);
	*first = false;
	put_text(out, key);
	fputs(": ", out);
}

/* Writes a fact, and frees the text. */
static void put_fact(FILE *out, const char *key, char *text, bool *first)
{
	put_key(out, key, first);
	put_text(out, text);
	free(text);
}

static void put_number(FILE *out, const char *key, int64_t value, bool *first)
{
	put_key(out, key, first);
	fprintf(out, "%lld", (long long)value);
}

static void put_ratio(FILE *out, const char *key, double part, double whole,
		      bool *first)
{
	put_key(out, key, first);
	if (whole > 0)
		fprintf(out, "%.15g", part / whole);
	else
		fputs("null", out);
}

static void put_flag(FILE *out, const char *key, bool value, bool *first)
{
	put_key(out, key, first);
	fputs(value ? "true" : "false", out);
}

static bool ends_with(const char *name, const char *end)
{
	const size_t n = strlen(name), n_end = strlen(end);

	return n >= n_end && !strcmp(name + n - n_end, end);
}

/* Key of a column: its name with its unit. The caller frees it. */
static char *key_of(const char *name, const char *unit)
{
	size_t n = strlen(name);

	if (!strcmp(unit, "%"))
		return gaspdb_text_format(
			"%.*s_ratio",
			(int)(ends_with(name, "_pct") ? n - 4 : n), name);
	if (!strcmp(unit, "B") && !ends_with(name, "bytes"))
		return gaspdb_text_format("%s_bytes", name);
	if (!strcmp(unit, "ns") && !ends_with(name, "_ns"))
		return gaspdb_text_format("%s_ns", name);
	return gaspdb_text_copy(name, n);
}

static void put_column(FILE *out, sqlite3_stmt *stmt, int i, const char *unit,
		       bool *first)
{
	struct gaspdb_output_cell cell = gaspdb_output_column(stmt, i);
	char *key = key_of(sqlite3_column_name(stmt, i), unit);

	if (!strcmp(unit, "%") && cell.type != SQLITE_NULL) {
		put_ratio(out, key, sqlite3_column_double(stmt, i), 100, first);
	} else {
		put_key(out, key, first);
		gaspdb_output_json(out, &cell);
	}
	free(key);
}

/* Writes a row; a NULL: the columns' names have their units. */
static void put_row(FILE *out, sqlite3_stmt *stmt,
		    const struct gaspdb_analysis *a, int n)
{
	bool first = true;

	fputs(n ? ",\n {" : "\n {", out);
	for (int i = 0; i < sqlite3_column_count(stmt); i++)
		put_column(out, stmt, i, a ? a->columns[i].unit : "", &first);
	putc('}', out);
}

/* Writes the rows of the page's table; for sections with their own form, all
   rows of the analysis. */
static void put_rows(struct gaspdb_report *r, struct gaspdb_report_rows *rows)
{
	const struct gaspdb_report_section *s = rows->section;
	const bool threads = s->print == gaspdb_report_threads;
	const bool all = s->print && s->print != gaspdb_report_traffic;
	const struct gaspdb_analysis *a =
		threads ? NULL : gaspdb_analysis_find(s->analysis);

	rows->most = all ? -1 : s->rows;
	rows->stmt = threads ? gaspdb_report_threads_query(r)
			     : gaspdb_report_query(r, s->analysis, s->params,
						   all || s->skip ? -1
								  : s->rows + 1);
	while (gaspdb_report_rows_next(r, rows))
		put_row(r->out, rows->stmt, a, rows->n - 1);
}

static void put_categories(struct gaspdb_report *r,
			   struct gaspdb_report_rows *rows)
{
	struct gaspdb_report_categories c;

	gaspdb_report_categories_read(r, &c);
	for (int i = 0; i < c.n; i++) {
		const struct gaspdb_report_category *one = &c.list[i];
		bool first = true;

		if (one->most <= 0)
			continue;
		fputs(rows->n++ ? ",\n {" : "\n {", r->out);
		put_key(r->out, "category", &first);
		put_text(r->out, one->name);
		put_number(r->out, "time_ns", one->sum, &first);
		put_ratio(r->out, "share_ratio", (double)one->sum,
			  (double)c.total_ns, &first);
		put_number(r->out, "least_ns", one->least, &first);
		put_number(r->out, "least_thread", one->least_thread, &first);
		put_ratio(r->out, "mean_ns", (double)one->sum, c.n_threads,
			  &first);
		put_number(r->out, "most_ns", one->most, &first);
		put_number(r->out, "most_thread", one->most_thread, &first);
		putc('}', r->out);
	}
	gaspdb_report_categories_free(&c);
}

/* Writes the causes: the first findings of section worst. */
static void put_causes(struct gaspdb_report *r, bool hangs, bool *first)
{
	const size_t n = hangs ? 0 : gaspdb_verdict_causes(r);

	put_key(r->out, "causes", first);
	putc('[', r->out);
	for (size_t i = 0; i < n; i++) {
		char *text = gaspdb_verdict_cause(
			r, &gaspdb_report_findings(r)->list[i]);

		fputs(i ? ", " : "", r->out);
		put_text(r->out, text);
		free(text);
	}
	putc(']', r->out);
}

static void put_summary(struct gaspdb_report *r)
{
	const bool hangs = gaspdb_report_is_hung(r);
	FILE *out = r->out;
	bool first = true;
	double percent;

	putc('{', out);
	put_fact(out, "program", gaspdb_facts_program(r), &first);
	put_fact(out, "model", gaspdb_facts_model(r), &first);
	put_fact(out, "library", gaspdb_facts_library(r), &first);
	put_number(out, "processes", r->n_processes, &first);
	put_number(out, "threads", r->n_threads, &first);
	put_key(out, "thread_word", &first);
	put_text(out, r->words.thread);
	put_key(out, "process_word", &first);
	put_text(out, r->words.process);
	put_fact(out, "hosts", gaspdb_facts_hosts(r), &first);
	put_number(out, "duration_ns", r->duration_ns, &first);
	put_flag(out, "cut", r->is_cut, &first);
	percent = gaspdb_report_efficiencies(r)->parallel;
	put_ratio(out, "parallel_efficiency_ratio", percent,
		  percent < 0 ? 0 : 100, &first);
	put_flag(out, "hangs", hangs, &first);
	put_causes(r, hangs, &first);
	put_fact(out, "limits", gaspdb_facts_limits(r), &first);
	putc('}', out);
}

#define META(key) "SELECT value FROM meta WHERE key = '" key "'"

static void put_run(struct gaspdb_report *r)
{
	int64_t ns, of_ns;
	const bool known = gaspdb_report_overhead_sums(r, &ns, &of_ns);
	const int64_t status =
		gaspdb_database_integer(r->db, META("exit_status"), -1);
	bool first = true;

	putc('{', r->out);
	put_fact(r->out, "program", gaspdb_remarks_values(r->db, "program"),
		 &first);
	put_fact(r->out, "arguments", gaspdb_remarks_values(r->db, "arguments"),
		 &first);
	put_fact(r->out, "start_time",
		 gaspdb_database_text(r->db, META("start_time")), &first);
	put_key(r->out, "exit_status", &first);
	if (status < 0)
		fputs("null", r->out);
	else
		fprintf(r->out, "%lld", (long long)status);
	put_number(r->out, "events",
		   gaspdb_database_integer(r->db,
					   "SELECT sum(last_event - "
					   "first_event + 1) FROM thread",
					   0),
		   &first);
	put_number(r->out, "left_out_events",
		   gaspdb_database_integer(
			   r->db, "SELECT sum(masked) FROM recording", 0),
		   &first);
	put_number(r->out, "events_off",
		   gaspdb_database_integer(r->db,
					   "SELECT sum(count) FROM quality "
					   "WHERE kind = 'recording off'",
					   0),
		   &first);
	put_ratio(r->out, "recording_ratio", (double)ns,
		  known ? (double)of_ns : 0, &first);
	putc('}', r->out);
}

/* Writes the remarks below the section's title, if it has rows. */
static void put_remarks(struct gaspdb_report *r,
			const struct gaspdb_report_rows *rows, bool *first)
{
	const struct gaspdb_report_section *s = rows->section;
	const char *unseen[GASPDB_UNSEEN_SENTENCES];
	const size_t n =
		rows->n ? gaspdb_report_unseen(r, s->unseen, unseen) : 0;
	char *remark =
		rows->n ? gaspdb_report_remark(r, s, rows->remark) : NULL;

	put_key(r->out, "remarks", first);
	putc('[', r->out);
	if (gaspdb_report_needs_trace(r, s))
		put_text(r->out, "needs a trace: the run was recorded as a "
				 "profile");
	else if (remark)
		put_text(r->out, remark);
	for (size_t i = 0; i < n; i++) {
		fputs(remark || i ? ", " : "", r->out);
		put_text(r->out, unseen[i]);
	}
	putc(']', r->out);
	free(remark);
}

static void put_section(struct gaspdb_report *r,
			const struct gaspdb_report_section *s)
{
	char *title = gaspdb_run_words_fill(&r->words, s->title);
	struct gaspdb_report_rows rows = { .section = s };
	bool first = true;

	putc('{', r->out);
	put_fact(r->out, "title", title, &first);
	put_key(r->out, "analysis", &first);
	put_text(r->out, s->analysis);
	put_key(r->out, "rows", &first);
	putc('[', r->out);
	if (s->print == gaspdb_report_categories)
		put_categories(r, &rows);
	else
		put_rows(r, &rows);
	putc(']', r->out);
	put_flag(r->out, "more", rows.more, &first);
	put_remarks(r, &rows, &first);
	putc('}', r->out);
	gaspdb_report_rows_free(&rows);
}

void gaspdb_report_json(struct gaspdb_report *r, const bool *wanted)
{
	bool first = true;

	fputs("{\"version\": 1, \"file\": ", r->out);
	put_text(r->out, r->db->path);
	fputs(", \"sections\": {", r->out);
	for (size_t i = 0; gaspdb_report_sections[i].title; i++) {
		const struct gaspdb_report_section *s =
			&gaspdb_report_sections[i];

		if (wanted && !wanted[i])
			continue;
		fputs(first ? "\n" : ",\n", r->out);
		first = true;
		put_key(r->out, gaspdb_report_section_name(s), &first);
		if (s->print == gaspdb_report_summary)
			put_summary(r);
		else if (s->print == gaspdb_report_run)
			put_run(r);
		else
			put_section(r, s);
	}
	fputs("\n}}\n", r->out);
}
