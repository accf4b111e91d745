/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shell: values of :name, @name and $name in statements, in the temporary table
   sqlite_parameters, as in sqlite3. */
#include <stdlib.h>
#include <string.h>

#include "cli/shell/dots.h"
#include "cli/output/text.h"

static bool has_table(struct gaspdb_shell *s)
{
	return sqlite3_table_column_metadata(
		       s->db.sql, "temp", "sqlite_parameters", "key", NULL,
		       NULL, NULL, NULL, NULL) == SQLITE_OK;
}

/* Runs and frees a statement; false: failed, reported. */
static bool run_sql(struct gaspdb_shell *s, char *sql)
{
	const bool good =
		sqlite3_exec(s->db.sql, sql, NULL, NULL, NULL) == SQLITE_OK;

	sqlite3_free(sql);
	if (!good)
		gaspdb_shell_complain(s, sqlite3_errmsg(s->db.sql), NULL);
	return good;
}

/* Creates the table. SQLite reserves its name, unless configured otherwise. */
static bool make_table(struct gaspdb_shell *s)
{
	if (has_table(s))
		return true;
	sqlite3_db_config(s->db.sql, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
	sqlite3_db_config(s->db.sql, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, NULL);
	const bool good = run_sql(
		s, sqlite3_mprintf("CREATE TEMP TABLE sqlite_parameters("
				   "key TEXT PRIMARY KEY, value) "
				   "WITHOUT ROWID"));
	sqlite3_db_config(s->db.sql, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0, NULL);
	sqlite3_db_config(s->db.sql, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	return good;
}

/* Sets a parameter; the value is an SQL expression, or a text if invalid as
   such. */
static bool set(struct gaspdb_shell *s, char **words)
{
	static const char replace[] =
		"REPLACE INTO temp.sqlite_parameters VALUES(%Q, %s)";
	sqlite3_stmt *stmt = NULL;

	if (!make_table(s))
		return false;
	char *sql = sqlite3_mprintf(replace, words[1], words[2]);
	const int rc = gaspdb_shell_prepare(s, sql, &stmt, NULL);
	sqlite3_finalize(stmt);
	if (rc != SQLITE_OK) {
		sqlite3_free(sql);
		char *text = sqlite3_mprintf("%Q", words[2]);
		sql = sqlite3_mprintf(replace, words[1], text);
		sqlite3_free(text);
	}
	return run_sql(s, sql);
}

static bool unset(struct gaspdb_shell *s, char **words)
{
	return !has_table(s) ||
	       run_sql(s, sqlite3_mprintf("DELETE FROM temp.sqlite_parameters "
					  "WHERE key = %Q",
					  words[1]));
}

static bool clear(struct gaspdb_shell *s, char **words)
{
	(void)words;
	return !has_table(s) ||
	       run_sql(s, sqlite3_mprintf("DROP TABLE temp.sqlite_parameters"));
}

static bool init(struct gaspdb_shell *s, char **words)
{
	(void)words;
	return make_table(s);
}

static bool list(struct gaspdb_shell *s, char **words)
{
	sqlite3_stmt *stmt = NULL;

	(void)words;
	if (sqlite3_prepare_v2(s->db.sql,
			       "SELECT printf('%-*s ', max(length(key)) OVER "
			       "(), key) || quote(value) "
			       "FROM temp.sqlite_parameters ORDER BY key",
			       -1, &stmt, NULL) != SQLITE_OK)
		return true; /* no parameters */
	FILE *out = gaspdb_shell_open_out(s);
	while (sqlite3_step(stmt) == SQLITE_ROW) {
		const char *row = (const char *)sqlite3_column_text(stmt, 0);
		char *safe = gaspdb_text_safe(
			row ? row : "", (size_t)sqlite3_column_bytes(stmt, 0));

		fprintf(out, "%s\n", safe);
		free(safe);
	}
	gaspdb_shell_close_out(s, out);
	sqlite3_finalize(stmt);
	return true;
}

static const struct {
	const char *name;
	int n_words; /* including its name */
	bool (*run)(struct gaspdb_shell *s, char **words);
} commands[] = {
	{ "clear", 1, clear }, { "init", 1, init },   { "list", 1, list },
	{ "set", 3, set },     { "unset", 2, unset },
};

enum { N_COMMANDS = sizeof commands / sizeof *commands };

const char *gaspdb_shell_parameter_command(int i)
{
	return i < N_COMMANDS ? commands[i].name : NULL;
}

bool gaspdb_shell_parameter(struct gaspdb_shell *s, char *argument)
{
	char *words[3];

	if (!gaspdb_shell_words(s, argument, words, 1, 3))
		return false;
	const int n = words[2] ? 3 : words[1] ? 2 : 1;
	for (int i = 0; i < N_COMMANDS; i++)
		if (n == commands[i].n_words &&
		    !strcmp(words[0], commands[i].name))
			return commands[i].run(s, words);
	gaspdb_shell_usage(s);
	return false;
}

void gaspdb_shell_bind(struct gaspdb_shell *s, sqlite3_stmt *stmt)
{
	const int n = sqlite3_bind_parameter_count(stmt);
	sqlite3_stmt *find = NULL;

	/* a name set without sign applies to all three signs */
	if (n > 0 && has_table(s))
		sqlite3_prepare_v2(s->db.sql,
				   "SELECT value FROM temp.sqlite_parameters "
				   "WHERE key IN (?1, substr(?1, 2)) "
				   "ORDER BY key <> ?1",
				   -1, &find, NULL);
	for (int i = 1; find && i <= n; i++) {
		const char *name = sqlite3_bind_parameter_name(stmt, i);
		char *key = name ? gaspdb_text_copy(name, strlen(name))
				 : gaspdb_text_format("?%d", i);

		sqlite3_bind_text(find, 1, key, -1, SQLITE_STATIC);
		if (sqlite3_step(find) == SQLITE_ROW)
			sqlite3_bind_value(stmt, i,
					   sqlite3_column_value(find, 0));
		sqlite3_reset(find);
		free(key);
	}
	sqlite3_finalize(find);
}
