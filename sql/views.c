/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The statements of the schema: tables, stored views and derived views. */
#include <ctype.h>
#include <string.h>

#include "sql/sql.h"
#include "sql/sql_text.h"

/* --- statements ----------------------------------------------------------- */

/* The first byte after blanks and comments. */
static const char *skip_blank(const char *s)
{
	for (;; s++) {
		if (s[0] == '-' && s[1] == '-')
			s += gaspdb_sql_opaque(s) - 1;
		else if (!isspace((unsigned char)*s))
			return s;
	}
}

bool gaspdb_sql_statement(const char **text, char **statement)
{
	const char *from = skip_blank(*text), *s = from;

	while (*(s += strcspn(s, ";" GASPDB_SQL_OPAQUE)) && *s != ';') {
		const size_t n = gaspdb_sql_opaque(s);

		s += n ? n : 1;
	}
	*text = *s ? s + 1 : s;
	if (*s)
		*statement = sqlite3_mprintf("%.*s", (int)(s - from), from);
	return *s;
}

/* Two texts of statements, read in sequence. */
struct statements {
	const char *first, *second;
};

/* The next statement. SQLITE_ROW: a statement, for sqlite3_free(); SQLITE_DONE:
   the end; or SQLITE_NOMEM. */
static int next(struct statements *s, char **statement)
{
	*statement = NULL;
	if (!gaspdb_sql_statement(&s->first, statement) &&
	    !gaspdb_sql_statement(&s->second, statement))
		return SQLITE_DONE;
	return *statement ? SQLITE_ROW : SQLITE_NOMEM;
}

static const char create_view[] = "CREATE VIEW ";

/* The name and its length in a CREATE VIEW statement. */
static const char *view_name(const char *statement, size_t *length)
{
	const char *name = statement + strlen(create_view);

	*length = gaspdb_sql_word(name);
	return name;
}

/* --- views as tables ------------------------------------------------------ */

/* Views to materialize: the steps of the loss computation. Each step reads
   several earlier steps. */
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

/* Views under these steps that stay views: each step reads only a few of their
   columns. */
static const char *const bases[] = { "place", "spots" };

static void hold(sqlite3_str *out, const char *name, size_t n, bool replace)
{
	if (is_in(steps, COUNT(steps), name, n)) {
		if (replace)
			sqlite3_str_appendf(out,
					    "DROP VIEW IF EXISTS temp.%.*s;",
					    (int)n, name);
		sqlite3_str_appendf(
			out, "CREATE TEMP TABLE IF NOT EXISTS %s;", name);
	} else if (is_in(bases, COUNT(bases), name, n)) {
		sqlite3_str_appendf(out, "CREATE TEMP VIEW IF NOT EXISTS %s;",
				    name);
	}
}

char *gaspdb_views_hold(const char *view, bool replace)
{
	sqlite3_str *out = sqlite3_str_new(NULL);
	struct statements views = { gaspdb_views, gaspdb_derived };
	bool found = false;
	char *statement;

	while (!found && next(&views, &statement) == SQLITE_ROW) {
		size_t n;
		const char *name = view_name(statement, &n);

		found = strlen(view) == n && !memcmp(view, name, n);
		hold(out, name, n, replace);
		sqlite3_free(statement);
	}
	return sqlite3_str_finish(out);
}

int gaspdb_views_make_temporary(sqlite3 *db, bool stored)
{
	struct statements views = { stored ? gaspdb_views : "",
				    gaspdb_derived };
	char *statement;
	int rc;

	while ((rc = next(&views, &statement)) == SQLITE_ROW) {
		char *sql = sqlite3_mprintf("CREATE TEMP %s",
					    statement + strlen("CREATE "));

		sqlite3_free(statement);
		rc = sql ? sqlite3_exec(db, sql, NULL, NULL, NULL)
			 : SQLITE_NOMEM;
		sqlite3_free(sql);
		if (rc != SQLITE_OK)
			return rc;
	}
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

char *gaspdb_views_words(void)
{
	static const char *const words[] = { "model_word", "run_word" };
	struct statements views = { gaspdb_views, gaspdb_derived };
	sqlite3_str *out = sqlite3_str_new(NULL);
	char *statement;

	while (next(&views, &statement) == SQLITE_ROW) {
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

static char *find_word(sqlite3 *db, const char *model)
{
	sqlite3_stmt *stmt = NULL;
	const char *text = NULL;
	char *word;

	sqlite3_prepare_v2(db, "SELECT one FROM model_word WHERE model = "
			   "substr(?1, 1, instr(?1 || '+', '+') - 1)", -1,
			   &stmt, NULL);
	sqlite3_bind_text(stmt, 1, model, -1, SQLITE_STATIC);
	if (sqlite3_step(stmt) == SQLITE_ROW)
		text = (const char *)sqlite3_column_text(stmt, 0);
	word = text ? strdup(text) : NULL;
	sqlite3_finalize(stmt);
	return word;
}

char *gaspdb_model_word(const char *model)
{
	char *views = gaspdb_views_words(), *word = NULL;
	sqlite3 *db = NULL;

	if (views && !sqlite3_open(":memory:", &db) &&
	    !sqlite3_exec(db, views, NULL, NULL, NULL))
		word = find_word(db, model);
	sqlite3_close(db);
	sqlite3_free(views);
	return word;
}

/* --- the schema of a file ------------------------------------------------- */

static int insert_views(sqlite3 *db)
{
	struct statements views = { gaspdb_views, "" };
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
	rc = gaspdb_analyses_add(db);
	if (rc == SQLITE_OK)
		rc = sqlite3_exec(db, "PRAGMA writable_schema = ON", NULL, NULL,
				  NULL);
	if (rc == SQLITE_OK)
		rc = insert_views(db);
	if (rc == SQLITE_OK)
		rc = sqlite3_exec(db, "PRAGMA writable_schema = OFF", NULL,
				  NULL, NULL);
	return rc;
}

bool gaspdb_view_is_derived(const char *name)
{
	const size_t n = strlen(name);
	const char *at = gaspdb_derived;

	while ((at = strstr(at, create_view))) {
		at += strlen(create_view);
		if (gaspdb_sql_word(at) == n && !memcmp(at, name, n))
			return true;
	}
	return false;
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
	struct statements ours = { gaspdb_schema, gaspdb_views };
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
