/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The SQL of analyses in three forms for programs other than gaspdb: one SELECT
 * over the tables and views of a file, temporary views, and rows of table
 * analysis.
 */
#include <ctype.h>
#include <string.h>

#include "sql/sql.h"
#include "sql/sql_text.h"

/* --- parameters ----------------------------------------------------------- */

/* A parameter's default as SQL. The limit is -1: an analysis in SQL returns all
   rows. */
static void put_value(sqlite3_str *out, const struct gaspdb_analysis_param *p)
{
	if (!strcmp(p->name, "limit"))
		sqlite3_str_appendall(out, "(-1)");
	else if (!p->value)
		sqlite3_str_appendall(out, "NULL");
	else if (!strcmp(p->type, "TEXT"))
		sqlite3_str_appendf(out, "%Q", p->value);
	else
		sqlite3_str_appendf(out, "(%s)", p->value);
}

static const struct gaspdb_analysis_param *
find_param(const struct gaspdb_analysis *a, const char *name, size_t n)
{
	const struct gaspdb_analysis_param *p = a->params;

	while (p->name &&
	       (strlen(p->variable) != n || memcmp(p->variable, name, n)))
		p++;
	return p->name ? p : NULL;
}

/* The analysis' SQL with each parameter replaced by its default. */
static void put_query(sqlite3_str *out, const struct gaspdb_analysis *a)
{
	const char *s = a->sql, *from = s;

	while (*(s += strcspn(s, ":;" GASPDB_SQL_OPAQUE)) && *s != ';') {
		const size_t name = *s == ':' ? gaspdb_sql_word(s + 1) : 0;
		const struct gaspdb_analysis_param *p =
			name ? find_param(a, s + 1, name) : NULL;

		if (!p) {
			const size_t n = gaspdb_sql_opaque(s);

			s += n ? n : 1;
			continue;
		}
		sqlite3_str_append(out, from, (int)(s - from));
		put_value(out, p);
		s = from = s + name + 1;
	}
	while (s > from && isspace((unsigned char)s[-1]))
		s--;
	sqlite3_str_append(out, from, (int)(s - from));
}

/* --- temporary views ------------------------------------------------------ */

/* The CREATE TEMP VIEW statement of an analysis; for sqlite3_free(). */
static char *make_view(const struct gaspdb_analysis *a)
{
	sqlite3_str *out = sqlite3_str_new(NULL);

	sqlite3_str_appendall(out, "CREATE TEMP VIEW IF NOT EXISTS analysis_");
	for (const char *p = a->name; *p; p++)
		sqlite3_str_appendchar(out, 1, *p == '-' ? '_' : *p);
	for (int i = 0; a->columns[i].name; i++)
		sqlite3_str_appendf(out, "%s%s", i ? ", " : "(",
				    a->columns[i].name);
	sqlite3_str_appendf(out, ") AS -- %s\n", a->summary);
	put_query(out, a);
	return sqlite3_str_finish(out);
}

int gaspdb_analysis_make_view(sqlite3 *db, const struct gaspdb_analysis *a)
{
	char *view = make_view(a);
	const int rc = view ? sqlite3_exec(db, view, NULL, NULL, NULL)
			    : SQLITE_NOMEM;

	sqlite3_free(view);
	return rc;
}

int gaspdb_analyses_make_views(sqlite3 *db)
{
	int rc = SQLITE_OK;

	for (const struct gaspdb_analysis *a = gaspdb_analyses;
	     a->name && rc == SQLITE_OK; a++)
		rc = gaspdb_analysis_make_view(db, a);
	return rc;
}

char *gaspdb_analyses_script(void)
{
	sqlite3_str *out = sqlite3_str_new(NULL);
	const char *text = gaspdb_derived;
	char *statement;

	sqlite3_str_appendall(
		out, "-- The analyses of gaspdb " GASPDB_VERSION
		     " as temporary views of one of its databases, analysis_"
		     "NAME with '_' for '-', for SQLite 3.35\n"
		     "-- and later: sqlite3 -init analyses.sql FILE\n");
	while (gaspdb_sql_statement(&text, &statement) && statement) {
		sqlite3_str_appendf(out, "CREATE TEMP %s;\n",
				    statement + strlen("CREATE "));
		sqlite3_free(statement);
	}
	for (const struct gaspdb_analysis *a = gaspdb_analyses; a->name; a++) {
		char *view = make_view(a);

		sqlite3_str_appendf(out, "%s;\n", view ? view : "");
		sqlite3_free(view);
	}
	return sqlite3_str_finish(out);
}

/* --- one SELECT ----------------------------------------------------------- */

enum { DERIVED_MAX = 64 };

/* The derived views, which no file stores. needed: the query reads them. */
struct derived {
	int n;
	struct {
		char *statement;
		const char *name, *body;
		size_t name_length;
		bool needed;
	} views[DERIVED_MAX];
};

static void read_derived(struct derived *d)
{
	const char *text = gaspdb_derived;
	char *statement;

	d->n = 0;
	while (d->n < DERIVED_MAX && gaspdb_sql_statement(&text, &statement) &&
	       statement) {
		const char *name = statement + strlen("CREATE VIEW ");

		d->views[d->n].statement = statement;
		d->views[d->n].name = name;
		d->views[d->n].name_length = gaspdb_sql_word(name);
		d->views[d->n++].body = strstr(name, " AS") + strlen(" AS");
	}
}

static void free_derived(struct derived *d)
{
	while (d->n > 0)
		sqlite3_free(d->views[--d->n].statement);
}

static bool is_word(const char *s, size_t n, const char *word)
{
	return strlen(word) == n && !sqlite3_strnicmp(s, word, (int)n);
}

static void need(struct derived *d, const char *text);

static void need_view(struct derived *d, const char *name, size_t n)
{
	for (int i = 0; i < d->n; i++)
		if (d->views[i].name_length == n &&
		    !memcmp(d->views[i].name, name, n) && !d->views[i].needed) {
			d->views[i].needed = true;
			need(d, d->views[i].body);
		}
}

/* Mark the derived views after FROM and JOIN, and the views in their bodies. */
static void need(struct derived *d, const char *text)
{
	bool is_table = false;

	for (const char *s = text; *s;) {
		const size_t skipped = gaspdb_sql_opaque(s),
			     n = skipped ? 0 : gaspdb_sql_word(s);

		if (is_table && n)
			need_view(d, s, n);
		if (n)
			is_table = is_word(s, n, "FROM") ||
				   is_word(s, n, "JOIN");
		else if (!isspace((unsigned char)*s) && *s != '-')
			is_table = false;
		s += skipped ? skipped : n ? n : 1;
	}
}

/* Write the needed views as common table expressions. NOT MATERIALIZED lets
   SQLite plan them like views. */
static bool put_derived(sqlite3_str *out, const struct derived *d)
{
	bool any = false;

	for (int i = 0; i < d->n; i++) {
		if (!d->views[i].needed)
			continue;
		sqlite3_str_appendf(out, "%s%.*s AS NOT MATERIALIZED (%s\n)",
				    any ? ", " : "WITH ",
				    (int)(d->views[i].body - strlen(" AS") -
					  d->views[i].name),
				    d->views[i].name, d->views[i].body);
		any = true;
	}
	return any;
}

/* For sqlite3_free(). */
static char *one_select(struct derived *d, const struct gaspdb_analysis *a)
{
	static const char with[] = "WITH ", recursive[] = "RECURSIVE ";
	sqlite3_str *out = sqlite3_str_new(NULL), *own = sqlite3_str_new(NULL);
	char *query;
	const char *rest;

	put_query(own, a);
	query = sqlite3_str_finish(own);
	for (int i = 0; i < d->n; i++)
		d->views[i].needed = false;
	need(d, query ? query : "");
	rest = query ? query : "";
	if (put_derived(out, d)) {
		const bool has_own = !strncmp(rest, with, strlen(with));

		rest += has_own ? strlen(with) : 0;
		if (!strncmp(rest, recursive, strlen(recursive)))
			rest += strlen(recursive);
		sqlite3_str_appendall(out, has_own ? ", " : "\n");
	}
	sqlite3_str_appendall(out, rest);
	sqlite3_free(query);
	return sqlite3_str_finish(out);
}

char *gaspdb_analysis_sql(const struct gaspdb_analysis *a)
{
	struct derived d;
	char *sql;

	read_derived(&d);
	sql = one_select(&d, a);
	free_derived(&d);
	return sql;
}

/* --- rows of table analysis ----------------------------------------------- */

/* The minor version of SQLite 3 that introduced the word: a keyword in upper
   case, a function in lower case with '(' after it. 0: any version. */
static int version_of(const char *word, size_t n)
{
	static const struct {
		const char *word;
		int version;
		bool is_function;
	} since[] = {
		{ "FILTER", 30, false },     { "NULLS", 30, false },
		{ "GENERATED", 31, false },  { "VIRTUAL", 31, false },
		{ "iif", 32, true },	     { "sqlite_schema", 33, false },
		{ "MATERIALIZED", 35, false }, { "RETURNING", 35, false },
		{ "sqrt", 35, true },	     { "pow", 35, true },
		{ "STRICT", 37, false },     { "ANY", 37, false },
		{ "format", 38, true },	     { "unixepoch", 38, true },
		{ "FULL", 39, false },	     { "RIGHT", 39, false },
	};

	for (size_t i = 0; i < sizeof since / sizeof *since; i++)
		if (*since[i].word == *word &&
		    strlen(since[i].word) == n &&
		    !memcmp(word, since[i].word, n) &&
		    (!since[i].is_function || word[n] == '('))
			return since[i].version;
	return 0;
}

int gaspdb_sql_min_version(const char *sql)
{
	int least = 26;

	while (*sql) {
		const size_t skipped = gaspdb_sql_opaque(sql),
			     n = skipped ? 0 : gaspdb_sql_word(sql);
		const int version = version_of(sql, n);

		least = version > least ? version : least;
		sql += skipped ? skipped : n ? n : 1;
	}
	return least;
}

static const char *unit_of(const char *unit)
{
	return *unit && *unit != ':' ? unit : "-";
}

/* The help text of an analysis: its description and its columns. For
   sqlite3_free(). */
static char *make_help(const struct gaspdb_analysis *a)
{
	sqlite3_str *out = sqlite3_str_new(NULL);

	sqlite3_str_appendf(out, "%s\ncolumns:\n", a->doc);
	for (int i = 0; a->columns[i].name; i++)
		sqlite3_str_appendf(out, "  %s %s %s: %s\n",
				    a->columns[i].name, a->columns[i].type,
				    unit_of(a->columns[i].unit),
				    a->columns[i].doc);
	return sqlite3_str_finish(out);
}

static int add_row(sqlite3_stmt *insert, struct derived *d,
		   const struct gaspdb_analysis *a)
{
	char *sql = one_select(d, a), *help = make_help(a);
	char *version = sqlite3_mprintf("3.%d",
					gaspdb_sql_min_version(sql ? sql : ""));
	int rc = sql && help && version ? SQLITE_OK : SQLITE_NOMEM;

	sqlite3_bind_text(insert, 1, a->name, -1, SQLITE_STATIC);
	sqlite3_bind_text(insert, 2, a->summary, -1, SQLITE_STATIC);
	sqlite3_bind_text(insert, 3, help, -1, sqlite3_free);
	sqlite3_bind_text(insert, 4, version, -1, sqlite3_free);
	sqlite3_bind_text(insert, 5, sql, -1, sqlite3_free);
	if (rc == SQLITE_OK) {
		sqlite3_step(insert);
		rc = sqlite3_reset(insert);
	}
	return rc;
}

int gaspdb_analyses_add(sqlite3 *db)
{
	sqlite3_stmt *insert = NULL;
	int rc = sqlite3_prepare_v2(
		db, "INSERT INTO main.analysis VALUES(?1, ?2, ?3, ?4, ?5)", -1,
		&insert, NULL);
	struct derived d;

	read_derived(&d);
	for (const struct gaspdb_analysis *a = gaspdb_analyses;
	     a->name && rc == SQLITE_OK; a++)
		rc = add_row(insert, &d, a);
	free_derived(&d);
	sqlite3_finalize(insert);
	return rc;
}
