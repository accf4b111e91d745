/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Report: queries, titles and rows of sections. */
#include <stdlib.h>
#include <string.h>

#include "cli/database/analysis.h"
#include "cli/database/remarks.h"
#include "cli/report/report.h"
#include "cli/output/text.h"

void gaspdb_report_title(struct gaspdb_report *r, const char *title)
{
	char *words = gaspdb_run_words_fill(&r->words, title);

	gaspdb_report_rule(r->out, words);
	free(words);
}

void gaspdb_report_more(struct gaspdb_report *r,
			const struct gaspdb_report_section *section)
{
	int n = fprintf(r->out, "  more: gaspdb analyze %s %s",
			section->analysis, r->file);

	for (const char *p = section->params; p && *p;) {
		int length = (int)strcspn(p, " ");
		n += fprintf(r->out, " --%.*s", length, p);
		p += length + strspn(p + length, " ");
	}
	if (section->also &&
	    n + (int)strlen(section->also) + 8 > gaspdb_report_width(r->out))
		fputs("\n       ", r->out);
	if (section->also)
		fprintf(r->out, " (also %s)", section->also);
	putc('\n', r->out);
}

const char *
gaspdb_report_section_name(const struct gaspdb_report_section *section)
{
	return section->name ? section->name : section->analysis;
}

/* Binds "name=value name=value". */
static enum gaspdb_status bind_params(struct gaspdb_report *r,
				      const struct gaspdb_analysis *a,
				      sqlite3_stmt *stmt, const char *params)
{
	char *copy = gaspdb_text_copy(params, strlen(params)), *rest = copy;
	enum gaspdb_status status = GASPDB_OK;
	char *word;

	while (status == GASPDB_OK && (word = strsep(&rest, " "))) {
		char *value = strchr(word, '=');
		*value++ = '\0';
		const struct gaspdb_analysis_param *param =
			gaspdb_analysis_param_find(a, word);
		status = param ? gaspdb_analysis_bind(stmt, a, param, value,
						      &r->err)
			       : gaspdb_fail(&r->err, GASPDB_FAILED,
					     "analysis '%s' has no '%s'",
					     a->name, word);
	}
	free(copy);
	return status;
}

/* The findings, kept in a temporary table: several sections ask for them, and
   they take longest. */
static sqlite3_stmt *query_findings(struct gaspdb_report *r,
				    const struct gaspdb_analysis *a)
{
	static const char select[] = "SELECT * FROM report_findings "
				     "ORDER BY rowid";
	sqlite3_stmt *stmt = NULL, *rows = NULL;

	if (!sqlite3_prepare_v2(r->db->sql, select, -1, &rows, NULL) ||
	    gaspdb_analysis_prepare(r->db, a, &stmt, &r->err) != GASPDB_OK)
		return rows;
	gaspdb_analysis_bind(stmt, a, gaspdb_analysis_param_find(a, "limit"),
			     "-1", &r->err);
	char *sql = sqlite3_expanded_sql(stmt);
	char *make = gaspdb_text_format("CREATE TEMP TABLE report_findings AS "
					"%s",
					sql ? sql : "");
	if (sqlite3_exec(r->db->sql, make, NULL, NULL, NULL) ||
	    sqlite3_prepare_v2(r->db->sql, select, -1, &rows, NULL))
		gaspdb_fail(&r->err, GASPDB_FAILED, "analysis '%s': %s",
			    a->name, sqlite3_errmsg(r->db->sql));
	free(make);
	sqlite3_free(sql);
	sqlite3_finalize(stmt);
	return rows;
}

sqlite3_stmt *gaspdb_report_query(struct gaspdb_report *r, const char *analysis,
				  const char *params, int limit)
{
	const struct gaspdb_analysis *a = gaspdb_analysis_find(analysis);
	sqlite3_stmt *stmt = NULL;

	if (!a) {
		gaspdb_fail(&r->err, GASPDB_FAILED, "there is no analysis '%s'",
			    analysis);
		return NULL;
	}
	if (limit < 0 && !params && !strcmp(analysis, "worst"))
		return query_findings(r, a);
	if (gaspdb_analysis_prepare(r->db, a, &stmt, &r->err) != GASPDB_OK)
		return NULL;
	const struct gaspdb_analysis_param *param =
		gaspdb_analysis_param_find(a, "limit");
	char *text = gaspdb_text_format("%d", limit);
	if (param)
		gaspdb_analysis_bind(stmt, a, param, text, &r->err);
	free(text);
	if (params && bind_params(r, a, stmt, params) != GASPDB_OK) {
		sqlite3_finalize(stmt);
		return NULL;
	}
	return stmt;
}

int gaspdb_report_find_column(sqlite3_stmt *stmt, const char *name)
{
	for (int i = 0; i < sqlite3_column_count(stmt); i++)
		if (!strcmp(sqlite3_column_name(stmt, i), name))
			return i;
	return -1;
}

const char *gaspdb_report_text(sqlite3_stmt *stmt, const char *name)
{
	int i = gaspdb_report_find_column(stmt, name);
	const char *s =
		i < 0 ? NULL : (const char *)sqlite3_column_text(stmt, i);

	return s ? s : "";
}

int64_t gaspdb_report_integer(sqlite3_stmt *stmt, const char *name)
{
	int i = gaspdb_report_find_column(stmt, name);

	return i < 0 || sqlite3_column_type(stmt, i) == SQLITE_NULL
		       ? -1
		       : sqlite3_column_int64(stmt, i);
}

/* Indices of the section's columns in the statement; false: one is missing. */
static bool find_columns(struct gaspdb_report *r,
			 const struct gaspdb_report_section *s,
			 sqlite3_stmt *stmt, int *places)
{
	for (int i = 0; s->columns[i].name; i++) {
		places[i] = gaspdb_report_find_column(stmt, s->columns[i].name);
		if (places[i] < 0) {
			gaspdb_fail(&r->err, GASPDB_FAILED,
				    "analysis '%s' has no column '%s'",
				    s->analysis, s->columns[i].name);
			return false;
		}
	}
	return true;
}

char *gaspdb_report_coverage(struct gaspdb_report *r)
{
	return gaspdb_remarks_coverage(r->db);
}

char *gaspdb_report_late(struct gaspdb_report *r)
{
	static const char text[] =
		"waiting: of all members, added up; worst: largest single "
		"instance; itself: from the last arrival to the first "
		"departure; late: the {thread} that is waited for most; "
		"share: how much of the waiting is for it";

	return gaspdb_run_words_fill(&r->words, text);
}

char *gaspdb_report_open(struct gaspdb_report *r)
{
	return gaspdb_text_format(
		"%s: how many were in the call when their recording "
		"ended%s; first: one of them; came at, last at: when the "
		"first and the last of them came to it",
		r->words.threads,
		r->is_cut ? ", which does not tell for how long" : "");
}

char *gaspdb_report_imbalance(struct gaspdb_report *r)
{
	static const char text[] =
		"computation first, then calls and functions by how far the "
		"slowest exceeds the mean; calls that wait are uneven because "
		"something else was before them";

	return gaspdb_run_words_fill(&r->words, text);
}

char *gaspdb_report_thread(struct gaspdb_report *r, int64_t id)
{
	char *query, *rank, *name;

	if (r->n_processes == r->n_threads)
		return gaspdb_text_format("%s %lld", r->words.thread,
					  (long long)id);
	query = gaspdb_text_format("SELECT rank FROM thread WHERE id = %lld",
				   (long long)id);
	rank = gaspdb_database_text(r->db, query);
	name = gaspdb_text_format("%s %lld%s%s%s%s", r->words.thread,
				  (long long)id, *rank ? " of " : "",
				  *rank ? r->words.process : "",
				  *rank ? " " : "", rank);
	free(rank);
	free(query);
	return name;
}

char *gaspdb_report_remark(struct gaspdb_report *r,
			   const struct gaspdb_report_section *s,
			   const char *of_row)
{
	char *own = s->remark ? s->remark(r) : NULL;

	if (!own && of_row)
		own = gaspdb_text_copy(of_row, strlen(of_row));
	if (own && *own)
		return own;
	free(own);
	return NULL;
}

void gaspdb_report_head(struct gaspdb_report *r,
			const struct gaspdb_report_section *s,
			const char *remark)
{
	char *text = gaspdb_report_remark(r, s, remark);

	gaspdb_report_title(r, s->title);
	if (text) {
		fputs("  ", r->out);
		gaspdb_report_wrap(r->out, text, 2, 2);
	}
	if (!r->has_top || s->print != gaspdb_report_worst)
		gaspdb_report_unseen_print(r, s->unseen);
	free(text);
}

/* Is the text in a list separated by "|"? */
static bool is_listed(const char *text, const char *list)
{
	const size_t length = strlen(text);

	for (const char *one = list; *one;) {
		size_t n = strcspn(one, "|");
		if (n == length && !memcmp(one, text, n))
			return true;
		one += n + (one[n] == '|');
	}
	return false;
}

static bool is_skipped(const struct gaspdb_report_section *s, sqlite3_stmt *stmt)
{
	if (!s->skip)
		return false;
	size_t n = strcspn(s->skip, "=");
	char *name = gaspdb_text_copy(s->skip, n);
	int i = gaspdb_report_find_column(stmt, name);
	const char *value =
		i < 0 ? NULL : (const char *)sqlite3_column_text(stmt, i);

	free(name);
	return value && is_listed(value, s->skip + n + 1);
}

static bool is_small(const struct gaspdb_report_section *s, sqlite3_stmt *stmt,
		     int n)
{
	enum { FEW = 3 };
	int i = s->least > 0 ? gaspdb_report_find_column(stmt, "share") : -1;

	return i >= 0 && n >= FEW && sqlite3_column_double(stmt, i) < s->least;
}

bool gaspdb_report_rows_next(struct gaspdb_report *r,
			     struct gaspdb_report_rows *rows)
{
	const struct gaspdb_report_section *s = rows->section;
	int rc = SQLITE_DONE;

	while (rows->stmt && (rc = sqlite3_step(rows->stmt)) == SQLITE_ROW) {
		if (s->row_remark && !rows->remark)
			rows->remark = s->row_remark(r, rows->stmt);
		if (is_skipped(s, rows->stmt))
			continue;
		rows->more = rows->n == rows->most ||
			     is_small(s, rows->stmt, rows->n);
		rows->n += !rows->more;
		return !rows->more;
	}
	if (rc != SQLITE_DONE)
		gaspdb_fail(&r->err, GASPDB_FAILED,
			    "analysis '%s' of '%s' failed: %s", s->analysis,
			    r->db->path, sqlite3_errmsg(r->db->sql));
	return false;
}

void gaspdb_report_rows_free(struct gaspdb_report_rows *rows)
{
	sqlite3_finalize(rows->stmt);
	free(rows->remark);
}

/* Fills the table with the section's rows. */
static void add_rows(struct gaspdb_report *r, struct gaspdb_report_table *t,
		     struct gaspdb_report_rows *rows, const int *places)
{
	while (gaspdb_report_rows_next(r, rows))
		for (int i = 0; rows->section->columns[i].name; i++)
			gaspdb_report_table_value(t, rows->stmt, places[i]);
}

static void print_rows(struct gaspdb_report *r,
		       struct gaspdb_report_table *t,
		       const struct gaspdb_report_rows *rows)
{
	gaspdb_report_head(r, rows->section, rows->remark);
	gaspdb_report_table_print(t, r->out);
	if (rows->more)
		fputs("  ...\n", r->out);
	gaspdb_report_more(r, rows->section);
}

static bool print_table(struct gaspdb_report *r,
			const struct gaspdb_report_section *s)
{
	enum { MOST_COLUMNS = 16 };
	int places[MOST_COLUMNS];
	struct gaspdb_report_rows rows = {
		.section = s,
		.stmt = gaspdb_report_query(r, s->analysis, s->params,
					    s->skip ? -1 : s->rows + 1),
		.most = s->rows,
	};

	if (rows.stmt && find_columns(r, s, rows.stmt, places)) {
		struct gaspdb_report_table *t =
			gaspdb_report_table_new(s->columns, &r->words);

		add_rows(r, t, &rows, places);
		if (rows.n > 0)
			print_rows(r, t, &rows);
		else
			gaspdb_report_table_free(t);
	}
	gaspdb_report_rows_free(&rows);
	return rows.n > 0;
}

bool gaspdb_report_section_print(struct gaspdb_report *r,
				 const struct gaspdb_report_section *s)
{
	return s->print ? s->print(r, s) : print_table(r, s);
}
