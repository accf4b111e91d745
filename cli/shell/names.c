/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shell: names of tables, columns and functions, for completion and for hints
   about unknown names. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/nearest.h"
#include "cli/shell/shell.h"
#include "cli/output/text.h"

const char gaspdb_shell_all_tables[] =
	"SELECT name FROM (SELECT name, type FROM sqlite_schema "
	"  UNION SELECT name, type FROM sqlite_temp_schema) "
	"WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite~_%' "
	"  ESCAPE '~' ORDER BY name";
const char gaspdb_shell_columns[] = "SELECT name FROM pragma_table_xinfo(?1)";
const char gaspdb_shell_all_columns[] =
	"SELECT DISTINCT c.name FROM sqlite_schema AS t, "
	"pragma_table_xinfo(t.name) AS c WHERE t.type IN ('table', 'view') "
	"ORDER BY c.name";

void gaspdb_shell_each_row(struct gaspdb_shell *s, const char *query,
			   const char *argument,
			   void (*call)(void *user, const char *name),
			   void *user)
{
	sqlite3_stmt *stmt;

	if (gaspdb_shell_prepare(s, query, &stmt, NULL) != SQLITE_OK)
		return;
	if (argument)
		sqlite3_bind_text(stmt, 1, argument, -1, SQLITE_STATIC);
	while (sqlite3_step(stmt) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(stmt, 0);

		if (name)
			call(user, name);
	}
	sqlite3_finalize(stmt);
}

static void set_true(void *user, const char *name)
{
	(void)name;
	*(bool *)user = true;
}

bool gaspdb_shell_has_row(struct gaspdb_shell *s, const char *query,
			  const char *argument)
{
	bool has = false;

	gaspdb_shell_each_row(s, query, argument, set_true, &has);
	return has;
}

static bool is_table(struct gaspdb_shell *s, const char *name)
{
	return gaspdb_shell_has_row(s, gaspdb_shell_columns, name);
}

bool gaspdb_shell_is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

char *gaspdb_shell_next_name(const char **p)
{
	const char *start = *p;

	while (*start && !gaspdb_shell_is_word(*start))
		start++;
	const char *end = start;
	while (gaspdb_shell_is_word(*end))
		end++;
	*p = end;
	return end > start ? gaspdb_text_copy(start, (size_t)(end - start))
			   : NULL;
}

void gaspdb_shell_each_table(struct gaspdb_shell *s, const char *text,
			     void (*call)(void *user, const char *table,
					  const char *alias),
			     void *user)
{
	char *table = NULL, *word;

	while ((word = gaspdb_shell_next_name(&text))) {
		bool is_as = !strcasecmp(word, "AS");
		bool is = !is_as && is_table(s, word);
		if (table && !is_as) {
			call(user, table, table);
			if (!is)
				call(user, table, word);
			free(table);
			table = NULL;
		}
		if (!is) {
			free(word);
			continue;
		}
		free(table);
		table = word;
	}
	if (table)
		call(user, table, table);
	free(table);
}

/* Search for the nearest name, among names valid only during a callback. */
struct search {
	struct gaspdb_shell *s;
	struct gaspdb_nearest nearest;
	char *name;	   /* copy of nearest.name */
	const char *alias; /* only columns of this alias; NULL: any */
	bool any_table;
};

/* Tries a name by a compared text, which may be a part of it. */
static void try_as(struct search *search, const char *compared,
		   const char *name)
{
	gaspdb_nearest_try(&search->nearest, compared);
	if (search->nearest.name != compared)
		return;
	free(search->name);
	search->nearest.name = search->name =
		gaspdb_text_copy(name, strlen(name));
}

static void try_name(void *user, const char *name)
{
	try_as(user, name, name);
}

static void find_table(struct search *search, const char *statement)
{
	char *view = gaspdb_text_format("analysis_%s", search->nearest.typed);

	(void)statement;
	/* an analysis NAME has a view analysis_NAME */
	if (is_table(search->s, view)) {
		search->name = view;
		return;
	}
	free(view);
	gaspdb_shell_each_row(search->s, gaspdb_shell_all_tables, NULL,
			      try_name, search);
}

/* Tries a column with and without its unit, which users omit: duration_ns. */
static void try_column(void *user, const char *name)
{
	struct search *search = user;
	const char *unit = strrchr(name, '_');
	char *stem = gaspdb_text_copy(name, unit ? (size_t)(unit - name) : 0);

	try_name(search, name);
	try_as(search, stem, name);
	free(stem);
}

static void try_columns(void *user, const char *table, const char *alias)
{
	struct search *search = user;

	if (search->alias && strcasecmp(search->alias, alias))
		return;
	search->any_table = true;
	gaspdb_shell_each_row(search->s, gaspdb_shell_columns, table,
			      try_column, search);
}

static void find_column(struct search *search, const char *statement)
{
	gaspdb_shell_each_table(search->s, statement, try_columns, search);
	if (!search->any_table)
		gaspdb_shell_each_row(search->s, gaspdb_shell_all_columns, NULL,
				      try_column, search);
}

static void find_function(struct search *search, const char *statement)
{
	(void)statement;
	gaspdb_shell_each_row(search->s,
			      "SELECT DISTINCT name FROM pragma_function_list "
			      "ORDER BY name",
			      NULL, try_name, search);
}

/* SQLite's messages, and the search for each. */
static const struct {
	const char *error, *where;
	void (*find)(struct search *search, const char *statement);
} errors[] = {
	{ "no such table: ", "'.tables' lists them", find_table },
	{ "no such column: ", "'.schema TABLE' lists them", find_column },
	{ "no such function: ", "'.help' has what SQL adds", find_function },
};

/* Hint "; did you mean 'NAME'? ..."; the name is searched without its
   qualifier. */
static char *hint_of(struct gaspdb_shell *s, const char *name,
		     const char *statement, size_t kind)
{
	const char *dot = strrchr(name, '.');
	char *alias = dot ? gaspdb_text_copy(name, (size_t)(dot - name)) : NULL;
	struct search search = { .s = s,
				 .nearest.typed = dot ? dot + 1 : name,
				 .alias = alias };

	errors[kind].find(&search, statement ? statement : "");
	char *hint = search.name ? gaspdb_text_format("; did you mean '%s'? %s",
						      search.name,
						      errors[kind].where)
				 : gaspdb_text_copy("", 0);
	free(search.name);
	free(alias);
	return hint;
}

char *gaspdb_shell_hint(struct gaspdb_shell *s, const char *error,
			const char *statement)
{
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
		const size_t n = strlen(errors[i].error);

		if (!strncmp(error, errors[i].error, n))
			return hint_of(s, error + n, statement, i);
	}
	return gaspdb_text_copy("", 0);
}

char *gaspdb_shell_table_hint(struct gaspdb_shell *s, const char *name)
{
	return hint_of(s, name, NULL, 0);
}
