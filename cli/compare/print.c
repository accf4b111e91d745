/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output of a comparison: as a page, or as rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare/compare.h"
#include "cli/output/human.h"
#include "cli/report/table.h"
#include "cli/output/text.h"

#define T     GASPDB_REPORT_TEXT
#define P     GASPDB_REPORT_PLACE
#define NS    GASPDB_REPORT_TIME /* or in the row's unit */
#define SHARE GASPDB_REPORT_SHARE

/* clang-format off */
#define SIDES \
	{ "a", "A", NS }, { "b", "B", NS }, { "mad", "+-", SHARE }
#define SHARED \
	{ "a", "A", NS }, { "a_share", "share", SHARE }, { "b", "B", NS }, \
	{ "b_share", "share", SHARE }, { "mad", "+-", SHARE }
#define RESULT \
	{ "difference", "difference", NS }, { "change", "change", NS }, \
	{ "of_run", "of run", SHARE }, { NULL, NULL, T }

static const struct section {
	const char *name, *title;
	struct gaspdb_report_column columns[10];
} sections[] = {
{ "run", "The runs", { { "name", "what", T }, SIDES, RESULT } },
{ "category", "Time by category", {
	{ "name", "category", T }, SHARED, RESULT } },
{ "wait", "Waiting, by kind", { { "name", "kind", T }, SHARED, RESULT } },
{ "cause", "What was waited for, and small accesses", {
	{ "name", "kind", T }, { "location", "line", P }, SIDES, RESULT } },
{ "line", "Calls", {
	{ "operation", "call", T }, { "location", "line", P }, SIDES, RESULT } },
};
/* clang-format on */

static enum gaspdb_status fail(struct gaspdb_compare *c,
			       struct gaspdb_error *err)
{
	return gaspdb_fail(err, GASPDB_FAILED, "cannot compare: %s",
			   sqlite3_errmsg(c->db.sql));
}

static int find_column(sqlite3_stmt *stmt, const char *name)
{
	int i = sqlite3_column_count(stmt) - 1;

	while (i > 0 && strcmp(sqlite3_column_name(stmt, i), name))
		i--;
	return i;
}

/* Adds a time, or a percentage by the unit; differences have a sign. */
static void add_figure(struct gaspdb_report_table *t, double value,
		       bool is_share, bool is_difference)
{
	char human[GASPDB_HUMAN_BYTES];
	double size = fabs(value);

	if (is_share)
		snprintf(human, sizeof human,
			 size < 1e6 ? "%.1f %%" : "%.3g %%", size);
	else
		gaspdb_human_time(human,
				  size < 9.2e18 ? (int64_t)size : INT64_MAX);
	/* a figure shown as 0 has no sign */
	bool is_zero = is_share ? size < 0.05 : value == 0;
	const char *sign = is_zero	   ? ""
			   : value < 0	   ? "-"
			   : is_difference ? "+"
					   : "";
	char *cell = gaspdb_text_format("%s%s", sign, human);
	gaspdb_report_table_text(t, cell);
	free(cell);
}

static void add_cell(struct gaspdb_report_table *t, sqlite3_stmt *stmt,
		     const struct gaspdb_report_column *column)
{
	const char *name = column->name;
	int i = find_column(stmt, name), type = sqlite3_column_type(stmt, i);
	const char *unit = (const char *)sqlite3_column_text(
		stmt, find_column(stmt, "unit"));
	bool is_difference =
		!strcmp(name, "difference") || !strcmp(name, "of_run");

	if (type == SQLITE_INTEGER || type == SQLITE_FLOAT)
		add_figure(t, sqlite3_column_double(stmt, i),
			   column->kind == SHARE || *unit == '%',
			   is_difference);
	else
		gaspdb_report_table_text(
			t, (const char *)sqlite3_column_text(stmt, i));
}

/* Prints a section's first `limit` rows; returns SQLite's last result. */
static int print_section(sqlite3_stmt *stmt, FILE *out, const struct section *s,
			 const struct gaspdb_run_words *words, int64_t limit)
{
	struct gaspdb_report_table *t =
		gaspdb_report_table_new(s->columns, words);
	int64_t n = 0;
	int rc;

	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		if (limit >= 0 && n >= limit) {
			n++;
			continue;
		}
		for (int i = 0; s->columns[i].name; i++)
			add_cell(t, stmt, &s->columns[i]);
		n++;
	}
	if (n == 0 || limit == 0) {
		gaspdb_report_table_free(t);
		return rc;
	}
	gaspdb_report_rule(out, s->title);
	gaspdb_report_table_print(t, out);
	if (limit >= 0 && n > limit)
		fprintf(out, "  ... %lld more (--limit)\n",
			(long long)(n - limit));
	return rc;
}

/* Prints the runs, a line each. */
static void print_runs(struct gaspdb_compare *c, FILE *out,
		       const struct gaspdb_run_words *words)
{
	static const struct gaspdb_report_column columns[] = {
		{ "", "", T },
		{ "", "file", P },
		{ "", "{threads}", GASPDB_REPORT_COUNT },
		{ "", "took", NS },
		{ "", "started", T },
		{ "", "command", T },
		{ NULL, NULL, T }
	};
	struct gaspdb_report_table *t = gaspdb_report_table_new(columns, words);
	sqlite3_stmt *stmt = NULL;

	sqlite3_prepare_v2(c->db.sql,
			   "SELECT upper(side), file, threads, duration_ns, "
			   "start_time, arguments FROM run ORDER BY side, id",
			   -1, &stmt, NULL);
	while (sqlite3_step(stmt) == SQLITE_ROW)
		for (int i = 0; columns[i].name; i++)
			gaspdb_report_table_value(t, stmt, i);
	sqlite3_finalize(stmt);
	fputs("gaspdb compare\n", out);
	gaspdb_report_table_print(t, out);
}

static void print_sentence(FILE *out, char *sentence)
{
	if (*sentence) {
		fputs("  ", out);
		gaspdb_report_wrap(out, sentence, 2, 2);
	}
	free(sentence);
}

char *gaspdb_compare_scale(struct gaspdb_compare *c)
{
	return gaspdb_database_text(
		&c->db, "SELECT iif((SELECT count(DISTINCT threads) > 1 FROM "
			"run), 'The numbers of ' || threads || ' differ: what "
			"is a sum over ' || threads || ' is divided by their "
			"number.', '') FROM run_word");
}

char *gaspdb_compare_noise(struct gaspdb_compare *c)
{
	return gaspdb_database_text(
		&c->db,
		"SELECT iif(count(*) > 2, 'Medians of repeated runs; +- is the "
		"median distance of a run from them.  * marks a difference "
		"beyond the noise: all runs of one side are above all of the "
		"other, and it is more than three times that distance.', "
		"'One run of each: how much runs differ by chance is not "
		"known.  Give several of each, with commas between.') "
		"|| iif(max(is_profile), '  Waiting is not compared: '"
		"|| iif(min(is_profile), 'the runs were', 'a run was') || "
		"' recorded as a profile.', '') FROM run");
}

/* Rows for the page: new and vanished figures have no change, and calls with a
   line have no name. */
static const char page[] =
	"SELECT unit, iif(name = 'time of all threads', iif((SELECT "
	"  count(DISTINCT threads) > 1 FROM run), 'time of a ' || (SELECT thread "
	"  FROM run_word), 'time of all ' || (SELECT threads FROM run_word)), "
	"  name) AS name, operation, a, a_share, b, b_share, "
	"  100.0 * mad / coalesce(nullif(a, 0), b) AS mad, "
	"  coalesce(location || iif(was IS NULL, '', ' (was ' || "
	"    iif(a_file = b_file AND was LIKE '%:' || a_line, a_line, was) || "
	"    ')'), "
	"    iif(section = 'line', NULL, operation)) AS location, "
	"  difference, ltrim(coalesce(state, iif(change IS NULL, '', "
	"    printf('%+.1f %%', change))) || iif(noise = 'beyond', ' *', '')) "
	"    AS change, of_run "
	"FROM ranked WHERE section = ?1 ORDER BY nth";

enum gaspdb_status gaspdb_compare_print(struct gaspdb_compare *c, FILE *out,
					int64_t limit, struct gaspdb_error *err)
{
	struct gaspdb_run_words words;
	sqlite3_stmt *stmt = NULL;
	int rc = sqlite3_prepare_v2(c->db.sql, page, -1, &stmt, NULL);

	gaspdb_run_words_read(c->db.sql, &words);
	if (rc == SQLITE_OK) {
		print_runs(c, out, &words);
		print_sentence(out, gaspdb_compare_scale(c));
		print_sentence(out, gaspdb_compare_noise(c));
		rc = SQLITE_DONE;
	}
	for (size_t i = 0;
	     i < sizeof sections / sizeof *sections && rc == SQLITE_DONE; i++) {
		sqlite3_bind_text(stmt, 1, sections[i].name, -1, SQLITE_STATIC);
		rc = print_section(stmt, out, &sections[i], &words, limit);
		sqlite3_reset(stmt);
	}
	enum gaspdb_status status =
		rc == SQLITE_DONE ? GASPDB_OK : fail(c, err);
	sqlite3_finalize(stmt);
	gaspdb_run_words_free(&words);
	return status;
}

static const char list[] =
	"SELECT section, name, operation, location, function, was, state, "
	"  unit, a, a_mad, b, b_mad, mad, difference, change, of_run, a_share, "
	"  b_share, noise "
	"FROM ranked WHERE ?1 < 0 OR nth <= ?1 ORDER BY "
	"instr('run category wait cause line operation function', section), "
	"nth";

enum gaspdb_status gaspdb_compare_write(struct gaspdb_compare *c, FILE *out,
					const struct gaspdb_output_style *style,
					int64_t limit,
					struct gaspdb_error *err)
{
	enum { MOST_COLUMNS = 32 };
	struct gaspdb_output_column columns[MOST_COLUMNS] = { 0 };
	sqlite3_stmt *stmt = NULL;

	if (sqlite3_prepare_v2(c->db.sql, list, -1, &stmt, NULL) != SQLITE_OK)
		return fail(c, err);
	sqlite3_bind_int64(stmt, 1, limit);
	int n = sqlite3_column_count(stmt);
	for (int i = 0; i < n; i++)
		columns[i].name = sqlite3_column_name(stmt, i);
	struct gaspdb_output *o =
		gaspdb_output_open(out, style, columns, n);
	gaspdb_output_fit(o);
	int rc = gaspdb_output_statement(o, stmt, NULL);
	gaspdb_output_close(o);
	enum gaspdb_status status =
		rc == SQLITE_DONE ? GASPDB_OK : fail(c, err);
	sqlite3_finalize(stmt);
	return status;
}
