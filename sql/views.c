/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The schema's statements, one by one: its tables, its views, and the analyses
 * as views, of the same text that `gaspdb analyze` runs.
 */
#include <ctype.h>
#include <string.h>

#include "sql/sql.h"

/* The value of a parameter, as SQL; in a view nothing limits the rows. */
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

#define OPAQUE "'\"-" /* what may begin that */

/* Bytes of the string, quoted name or comment that begins at s; 0: none does */
static size_t opaque_length(const char *s)
{
	const char *end = NULL;

	if (*s == '\'' || *s == '"')
		end = strchr(s + 1, *s);
	else if (s[0] == '-' && s[1] == '-')
		end = strchr(s, '\n');
	else
		return 0;
	return end ? (size_t)(end - s) + 1 : strlen(s);
}

static size_t word_length(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_')
		n++;
	return n;
}

/* The analysis' SQL with the parameters' values in their places. */
static void put_query(sqlite3_str *out, const struct gaspdb_analysis *a)
{
	const char *s = a->sql, *from = s;

	while (*(s += strcspn(s, ":;" OPAQUE)) && *s != ';') {
		const size_t name = *s == ':' ? word_length(s + 1) : 0;
		const struct gaspdb_analysis_param *p =
			name ? find_param(a, s + 1, name) : NULL;

		if (!p) {
			const size_t n = opaque_length(s);

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

/* The statement that makes it a view; for sqlite3_free(). */
static char *make_view(const struct gaspdb_analysis *a, bool temporary)
{
	sqlite3_str *out = sqlite3_str_new(NULL);

	sqlite3_str_appendf(out, "CREATE%s VIEW analysis_",
			    temporary ? " TEMP" : "");
	for (const char *p = a->name; *p; p++)
		sqlite3_str_appendchar(out, 1, *p == '-' ? '_' : *p);
	for (int i = 0; a->columns[i].name; i++)
		sqlite3_str_appendf(out, "%s%s", i ? ", " : "(",
				    a->columns[i].name);
	sqlite3_str_appendf(out, ") AS -- %s\n", a->summary);
	put_query(out, a);
	return sqlite3_str_finish(out);
}

int gaspdb_analyses_make_views(sqlite3 *db)
{
	int rc = SQLITE_OK;

	for (const struct gaspdb_analysis *a = gaspdb_analyses;
	     a->name && rc == SQLITE_OK; a++) {
		char *view = make_view(a, true);
		rc = view ? sqlite3_exec(db, view, NULL, NULL, NULL)
			  : SQLITE_NOMEM;
		sqlite3_free(view);
	}
	return rc;
}

/* --- statements ----------------------------------------------------------- */

/* Where a statement begins, after blanks and comments. */
static const char *skip_blank(const char *s)
{
	for (;; s++) {
		if (s[0] == '-' && s[1] == '-')
			s += opaque_length(s) - 1;
		else if (!isspace((unsigned char)*s))
			return s;
	}
}

/* The next statement of a text, without its semicolon, as SQLite keeps it (NULL
   without memory); false at the end. */
static bool next_statement(const char **text, char **statement)
{
	const char *from = skip_blank(*text), *s = from;

	while (*(s += strcspn(s, ";" OPAQUE)) && *s != ';') {
		const size_t n = opaque_length(s);

		s += n ? n : 1;
	}
	*text = *s ? s + 1 : s;
	if (*s)
		*statement = sqlite3_mprintf("%.*s", (int)(s - from), from);
	return *s;
}

/* What a whole schema is made of. */
struct statements {
	const char *tables, *views;
	const struct gaspdb_analysis *analysis;
};

/* SQLITE_ROW: there is a statement, for sqlite3_free(); SQLITE_DONE at the end,
   SQLITE_NOMEM. */
static int next(struct statements *s, char **statement)
{
	*statement = NULL;
	if (!next_statement(&s->tables, statement) &&
	    !next_statement(&s->views, statement)) {
		if (!s->analysis->name)
			return SQLITE_DONE;
		*statement = make_view(s->analysis++, false);
	}
	return *statement ? SQLITE_ROW : SQLITE_NOMEM;
}

static const char create_view[] = "CREATE VIEW ";

/* The name of the view that a statement makes; its end. */
static const char *view_name(const char *statement, size_t *length)
{
	const char *name = statement + strlen(create_view);

	*length = word_length(name);
	return name;
}

/* --- views as tables ------------------------------------------------------ */

/* What is lost is computed in many steps, each of which asks for several of
   those before. */
static const char *const steps[] = {
	"processors",	   "unserved_call",  "needless_access", "owned_access",
	"starved",	   "hand_made",	     "hot_owner",	"hot_access",
	"completion_cost", "exposed_line",   "exposed_cost",	"exposed",
	"plain_access",	   "close_barriers", "loss_all",	"loss",
	"loss_line"
};

#define COUNT(list) (sizeof(list) / sizeof *(list))

static bool is_in(const char *const *list, size_t length, const char *name,
		  size_t n)
{
	for (size_t i = 0; i < length; i++)
		if (strlen(list[i]) == n && !memcmp(list[i], name, n))
			return true;
	return false;
}

/* What they are made of besides: views, as each asks for a few columns. */
static const char *const bases[] = { "place", "spots" };

char *gaspdb_views_hold(const char *view)
{
	sqlite3_str *out = sqlite3_str_new(NULL);
	const char *text = gaspdb_views;
	bool found = false;
	char *statement;

	while (!found && next_statement(&text, &statement) && statement) {
		size_t n;
		const char *name = view_name(statement, &n);

		found = strlen(view) == n && !memcmp(view, name, n);
		if (is_in(steps, COUNT(steps), name, n))
			sqlite3_str_appendf(
				out, "CREATE TEMP TABLE IF NOT EXISTS %s;",
				name);
		else if (is_in(bases, COUNT(bases), name, n))
			sqlite3_str_appendf(
				out, "CREATE TEMP VIEW IF NOT EXISTS %s;",
				name);
		sqlite3_free(statement);
	}
	return sqlite3_str_finish(out);
}

char *gaspdb_views_words(void)
{
	static const char *const words[] = { "model_word", "run_word" };
	sqlite3_str *out = sqlite3_str_new(NULL);
	const char *text = gaspdb_views;
	char *statement;

	while (next_statement(&text, &statement) && statement) {
		size_t n;
		const char *name = view_name(statement, &n);

		if (is_in(words, COUNT(words), name, n))
			sqlite3_str_appendf(
				out, "CREATE TEMP VIEW IF NOT EXISTS %s;",
				name);
		sqlite3_free(statement);
	}
	return sqlite3_str_finish(out);
}

/* --- the schema of a file ------------------------------------------------- */

static int insert_views(sqlite3 *db)
{
	struct statements views = { "", gaspdb_views, gaspdb_analyses };
	sqlite3_stmt *stmt = NULL;
	char *view;
	int rc;

	rc = sqlite3_prepare_v2(
		db,
		"INSERT INTO main.sqlite_schema VALUES('view', ?1, ?1, 0, ?2)",
		-1, &stmt, NULL);
	while (rc == SQLITE_OK && (rc = next(&views, &view)) == SQLITE_ROW) {
		size_t n;
		const char *name = view_name(view, &n);

		sqlite3_bind_text(stmt, 1, name, (int)n, SQLITE_STATIC);
		sqlite3_bind_text(stmt, 2, view, -1, SQLITE_STATIC);
		sqlite3_step(stmt);
		rc = sqlite3_reset(stmt);
		sqlite3_free(view);
	}
	sqlite3_finalize(stmt);
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

int gaspdb_views_add(sqlite3 *db)
{
	int rc;

	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
	rc = sqlite3_exec(db, "PRAGMA writable_schema = ON", NULL, NULL, NULL);
	if (rc == SQLITE_OK)
		rc = insert_views(db);
	if (rc == SQLITE_OK)
		rc = sqlite3_exec(db, "PRAGMA writable_schema = OFF", NULL,
				  NULL, NULL);
	return rc;
}

const char *gaspdb_table_sql(const char *name)
{
	static const char create_table[] = "CREATE TABLE ";
	const size_t n = strlen(name);
	const char *at = gaspdb_schema;

	while ((at = strstr(at, create_table))) {
		const char *sql = at;

		at += strlen(create_table);
		if (!strncmp(at, name, n) && at[n] == '(')
			return sql;
	}
	return NULL;
}

bool gaspdb_schema_is_ours(sqlite3 *db)
{
	struct statements ours = { gaspdb_schema, gaspdb_views,
				   gaspdb_analyses };
	char *statement;
	sqlite3_stmt *stmt = NULL;
	int rc = next(&ours, &statement);

	sqlite3_prepare_v2(db, "SELECT sql FROM main.sqlite_schema", -1, &stmt,
			   NULL);
	while (rc == SQLITE_ROW && sqlite3_step(stmt) == SQLITE_ROW) {
		const char *sql = (const char *)sqlite3_column_text(stmt, 0);

		if (!sql || strcmp(sql, statement))
			continue;
		sqlite3_free(statement);
		rc = next(&ours, &statement);
	}
	sqlite3_finalize(stmt);
	sqlite3_free(statement);
	return rc == SQLITE_DONE;
}
