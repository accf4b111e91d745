/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shell: completion of tables, columns (of the tables that the statement
   names), aliases, analyses, their parameters, dot-commands and keywords. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/shell/dots.h"
#include "sql/sql.h"
#include "cli/output/text.h"

/* Words found so far, as readline expects them: malloc'ed, NULL-terminated. */
struct words {
	char **list;
	size_t n;
};

static void add(struct words *w, const char *prefix, const char *word,
		const char *typed)
{
	char *whole = gaspdb_text_format("%s%s", prefix, word);

	if (strncasecmp(whole, typed, strlen(typed))) {
		free(whole);
		return;
	}
	for (size_t i = 0; i < w->n; i++)
		if (!strcmp(w->list[i], whole)) {
			free(whole);
			return;
		}
	w->list = gaspdb_memory_grow(w->list, w->n + 2, sizeof *w->list);
	w->list[w->n++] = whole;
	w->list[w->n] = NULL;
}

/* Conversion of a query's rows to words with a prefix. */
struct rows {
	struct words *words;
	const char *prefix, *typed;
};

static void add_row(void *user, const char *name)
{
	const struct rows *r = user;

	add(r->words, r->prefix, name, r->typed);
}

static void add_query(struct words *w, struct gaspdb_shell *s,
		      const char *query, const char *name, const char *prefix,
		      const char *typed)
{
	struct rows r = { w, prefix, typed };

	gaspdb_shell_each_row(s, query, name, add_row, &r);
}

static void add_tables(struct words *w, struct gaspdb_shell *s,
		       const char *typed)
{
	add_query(w, s, gaspdb_shell_all_tables, NULL, "", typed);
}

static void add_columns(struct words *w, struct gaspdb_shell *s,
			const char *table, const char *prefix,
			const char *typed)
{
	add_query(w, s, gaspdb_shell_columns, table, prefix, typed);
}

struct column_search {
	struct gaspdb_shell *s;
	struct words *words;
	const char *typed;
	char *alias; /* columns of this alias; NULL: of all */
	bool found;
};

static void columns_of(void *user, const char *table, const char *alias)
{
	struct column_search *c = user;

	if (c->alias && strcasecmp(c->alias, alias))
		return;
	c->found = true;
	char *prefix = c->alias ? gaspdb_text_format("%s.", c->alias)
				: gaspdb_text_copy("", 0);
	add_columns(c->words, c->s, table, prefix, c->typed);
	free(prefix);
}

/* Adds columns for "e.du", wherever the statement defines alias e. */
static void add_qualified(struct words *w, struct gaspdb_shell *s,
			  const char *statement, const char *typed)
{
	size_t n = strcspn(typed, ".");
	struct column_search c = { .s = s,
				   .words = w,
				   .typed = typed,
				   .alias = gaspdb_text_copy(typed, n) };

	gaspdb_shell_each_table(s, statement, columns_of, &c);
	if (!c.found)
		columns_of(&c, c.alias, c.alias);
	free(c.alias);
}

static void add_keywords(struct words *w, const char *typed)
{
	/* in the case of the typed letters */
	bool lower = islower((unsigned char)*typed);

	for (int i = 0; i < sqlite3_keyword_count(); i++) {
		const char *keyword;
		int n;
		sqlite3_keyword_name(i, &keyword, &n);
		char *word = gaspdb_text_copy(keyword, (size_t)n);
		for (char *p = word; lower && *p; p++)
			*p = (char)tolower((unsigned char)*p);
		add(w, "", word, typed);
		free(word);
	}
}

/* Does the text end with a keyword that a table follows? */
static bool expects_table(const char *before)
{
	const char *p = before;
	char *last = NULL, *word;

	while ((word = gaspdb_shell_next_name(&p))) {
		free(last);
		last = word;
	}
	size_t n = strlen(before);
	bool expects = last &&
		       (n == 0 || !gaspdb_shell_is_word(before[n - 1])) &&
		       (!strcasecmp(last, "FROM") || !strcasecmp(last, "JOIN"));
	free(last);
	return expects;
}

static void add_sql(struct words *w, struct gaspdb_shell *s, const char *before,
		    const char *typed)
{
	char *statement = gaspdb_text_format(
		"%s %s", s->pending ? s->pending : "", before);
	struct column_search c = { .s = s, .words = w, .typed = typed };

	if (expects_table(statement)) {
		add_tables(w, s, typed);
	} else if (strchr(typed, '.')) {
		add_qualified(w, s, statement, typed);
	} else if (*typed) {
		gaspdb_shell_each_table(s, statement, columns_of, &c);
		if (!c.found)
			add_query(w, s, gaspdb_shell_all_columns, NULL, "",
				  typed);
		add_tables(w, s, typed);
		for (int i = 0; gaspdb_sql_functions[i].name; i++)
			add(w, "", gaspdb_sql_functions[i].name, typed);
		add_keywords(w, typed);
	} else {
		gaspdb_shell_each_table(s, statement, columns_of, &c);
	}
	free(statement);
}

static void add_analyses(struct words *w, const char *typed)
{
	for (const struct gaspdb_analysis *a = gaspdb_analyses; a->name; a++)
		add(w, "", a->name, typed);
}

/* Adds "NAME=" until that is typed, then the possible values. */
static void add_parameter(struct words *w,
			  const struct gaspdb_analysis_param *param,
			  const char *typed)
{
	char *name = gaspdb_text_format("%s=", param->name);
	bool is_named = !strncmp(typed, name, strlen(name));
	const char *choices = is_named ? param->choices : NULL;

	if (!is_named)
		add(w, "", name, typed);
	while (choices) {
		size_t n = strcspn(choices, "|");
		char *value = gaspdb_text_copy(choices, n);
		/* values with blanks would need quotes */
		if (!strchr(value, ' '))
			add(w, name, value, typed);
		free(value);
		choices = choices[n] ? choices + n + 1 : NULL;
	}
	free(name);
}

/* Adds parameters of the analysis that is .analyze's first argument. */
static void add_parameters(struct words *w, const char *arguments,
			   const char *typed)
{
	char *name = gaspdb_text_copy(arguments, strcspn(arguments, " \t"));
	const struct gaspdb_analysis *a = gaspdb_analysis_find(name);

	for (int i = 0; a && a->params[i].name; i++)
		add_parameter(w, &a->params[i], typed);
	free(name);
}

static void add_dots(struct words *w, const char *typed)
{
	for (int i = 0; gaspdb_shell_dots[i].name; i++)
		add(w, "", gaspdb_shell_dots[i].name, typed);
}

static void add_modes(struct words *w, const char *typed)
{
	for (int i = 0; gaspdb_output_modes[i].name; i++)
		add(w, "", gaspdb_output_modes[i].name, typed);
}

static void add_switch(struct words *w, const char *typed)
{
	add(w, "", "on", typed);
	add(w, "", "off", typed);
}

static void add_parameter_commands(struct words *w, const char *typed)
{
	for (int i = 0; gaspdb_shell_parameter_command(i); i++)
		add(w, "", gaspdb_shell_parameter_command(i), typed);
}

/* Completes an argument; before: the command and the previous arguments. */
static void add_dot(struct words *w, struct gaspdb_shell *s, const char *before,
		    const char *typed)
{
	const struct gaspdb_shell_dot *d = gaspdb_shell_find_dot(before);
	const char *arguments = before + strcspn(before, " \t");

	arguments += strspn(arguments, " \t");
	if (!d || (*arguments && d->argument != GASPDB_SHELL_ANALYSIS &&
		   d->argument != GASPDB_SHELL_SQL))
		return;
	switch (d->argument) {
	case GASPDB_SHELL_ANALYSIS:
		if (*arguments)
			add_parameters(w, arguments, typed);
		else
			add_analyses(w, typed);
		break;
	case GASPDB_SHELL_SQL:
		if (!*arguments)
			add_analyses(w, typed);
		add_sql(w, s, arguments, typed);
		break;
	case GASPDB_SHELL_TABLE:
		add_tables(w, s, typed);
		break;
	case GASPDB_SHELL_MODE:
		add_modes(w, typed);
		break;
	case GASPDB_SHELL_SWITCH:
		add_switch(w, typed);
		break;
	case GASPDB_SHELL_PARAMETER:
		add_parameter_commands(w, typed);
		break;
	case GASPDB_SHELL_HELP:
		add_dots(w, typed);
		add_analyses(w, typed);
		break;
	case GASPDB_SHELL_FILE: /* completed by readline */
	case GASPDB_SHELL_NOTHING:
		break;
	}
}

/* Puts the longest common prefix before the words, as readline expects. */
static char **finish(struct words *w, const char *typed)
{
	if (w->n == 0)
		return NULL;
	size_t n = strlen(w->list[0]);
	for (size_t i = 1; i < w->n; i++) {
		size_t k = 0;
		while (k < n && tolower((unsigned char)w->list[i][k]) ==
					tolower((unsigned char)w->list[0][k]))
			k++;
		n = k;
	}
	char *common = gaspdb_text_copy(w->list[0], n);
	if (n < strlen(typed)) {
		free(common);
		common = gaspdb_text_copy(typed, strlen(typed));
	}
	w->list = gaspdb_memory_grow(w->list, w->n + 2, sizeof *w->list);
	memmove(w->list + 1, w->list, (w->n + 1) * sizeof *w->list);
	w->list[0] = common;
	if (w->n == 1) { /* a single word is its own prefix */
		free(w->list[1]);
		w->list[1] = NULL;
	}
	return w->list;
}

char **gaspdb_shell_completions(struct gaspdb_shell *s, const char *before,
				const char *text)
{
	struct words w = { 0 };

	before += strspn(before, " \t");
	if (s->pending || (*before && *before != '.')) {
		add_sql(&w, s, before, text);
	} else if (*before == '.') {
		add_dot(&w, s, before, text);
	} else if (*text == '.') {
		add_dots(&w, text);
	} else {
		add_sql(&w, s, before, text);
	}
	return finish(&w, text);
}
