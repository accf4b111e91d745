/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shell: dot-commands, in one table for execution, .help and completion. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/analysis_help.h"
#include "cli/database/analysis.h"
#include "cli/nearest.h"
#include "cli/report/table.h"
#include "cli/shell/dots.h"
#include "cli/output/text.h"

static bool help(struct gaspdb_shell *s, char *argument);

static bool quit(struct gaspdb_shell *s, char *argument)
{
	char *words[1];

	if (!gaspdb_shell_words(s, argument, words, 0, 0))
		return false;
	s->quit = true;
	return true;
}

static bool leave(struct gaspdb_shell *s, char *argument)
{
	char *words[1], *end = NULL;

	if (!gaspdb_shell_words(s, argument, words, 0, 1))
		return false;
	const long code = words[0] ? strtol(words[0], &end, 10) : 0;
	if (code < 0 || code > 255 || (words[0] && *end)) {
		gaspdb_shell_error(s, "'%s' is no exit status", words[0]);
		return false;
	}
	s->exit_code = (int)code;
	s->quit = s->leave = true;
	return true;
}

static const char *const groups[] = {
	[GASPDB_SHELL_DATA] = "What there is, and analyses",
	[GASPDB_SHELL_ROWS] = "How rows are shown",
	[GASPDB_SHELL_FILES] = "Files (not with --safe)",
	[GASPDB_SHELL_SESSION] = "The session",
};

#define PIPE_DOC                                                           \
	"After | stands a command of the system's shell; all of the line " \
	"belongs to it."

const struct gaspdb_shell_dot gaspdb_shell_dots[] = {
	{ GASPDB_SHELL_DATA, ".analyses", "", "list the analyses", NULL,
	  GASPDB_SHELL_NOTHING, false, gaspdb_shell_analyses },
	{ GASPDB_SHELL_DATA, ".analyze", "NAME [PARAMETER=VALUE...]",
	  "run an analysis",
	  "Values with blanks stand in quotes. '.help NAME' lists the "
	  "parameters and columns of an analysis.",
	  GASPDB_SHELL_ANALYSIS, false, gaspdb_shell_analyze },
	{ GASPDB_SHELL_DATA, ".explain", "NAME|SQL",
	  "show how an analysis or a query would be run", NULL,
	  GASPDB_SHELL_SQL, false, gaspdb_shell_explain },
	{ GASPDB_SHELL_DATA, ".schema", "[PATTERN]",
	  "show how tables and views were made, and what columns mean",
	  "PATTERN is one of LIKE (% and _), or of GLOB if it has one of *?[. "
	  "It may be the name of a table, a view or an index.",
	  GASPDB_SHELL_TABLE, false, gaspdb_shell_schema },
	{ GASPDB_SHELL_DATA, ".tables", "[--all|PATTERN]",
	  "list tables and views with their columns",
	  "Those that only analyses and reports are made of come last, with "
	  "--all or a PATTERN alone. PATTERN is one of LIKE (% and _), or of GLOB if it has one of *?[.",
	  GASPDB_SHELL_TABLE, false, gaspdb_shell_tables },
	{ GASPDB_SHELL_ROWS, ".headers", "on|off",
	  "show the names of columns above the rows, or not",
	  "Unless set, table, csv, box, markdown and column have them; box and "
	  "markdown always do.",
	  GASPDB_SHELL_SWITCH, false, gaspdb_shell_headers },
	{ GASPDB_SHELL_ROWS, ".mode", "[NAME [--wrap N]]",
	  "set the format of rows",
	  "In box, markdown and column, texts are broken after N columns (60; "
	  "0: not at all).",
	  GASPDB_SHELL_MODE, false, gaspdb_shell_mode },
	{ GASPDB_SHELL_ROWS, ".pager", "[on|off]",
	  "show long output through $PAGER, or not", NULL, GASPDB_SHELL_SWITCH,
	  false, gaspdb_shell_pager },
	{ GASPDB_SHELL_ROWS, ".timer", "[on|off]",
	  "show how long each statement took, or not", NULL,
	  GASPDB_SHELL_SWITCH, false, gaspdb_shell_timer },
	{ GASPDB_SHELL_ROWS, ".width", "[N...]",
	  "set the least widths of the first columns, where rows are aligned",
	  "Longer texts are broken to it, in mode table cut. Negative: to the "
	  "right; 0: as wide as need be. Without numbers all are.",
	  GASPDB_SHELL_NOTHING, false, gaspdb_shell_width },
	{ GASPDB_SHELL_FILES, ".once", "FILE or |COMMAND",
	  "write the next output to a file or a command", PIPE_DOC,
	  GASPDB_SHELL_FILE, true, gaspdb_shell_once },
	{ GASPDB_SHELL_FILES, ".output", "[FILE or |COMMAND]",
	  "write all further output there; alone: to the terminal again",
	  "FILE off discards it. " PIPE_DOC, GASPDB_SHELL_FILE, true,
	  gaspdb_shell_output },
	{ GASPDB_SHELL_FILES, ".read", "FILE or |COMMAND",
	  "run the lines of a file, or of a command's output",
	  "The first that fails ends it, and .quit does. " PIPE_DOC,
	  GASPDB_SHELL_FILE, true, gaspdb_shell_read },
	{ GASPDB_SHELL_SESSION, ".exit", "[CODE]", "leave, with an exit status",
	  NULL, GASPDB_SHELL_NOTHING, false, leave },
	{ GASPDB_SHELL_SESSION, ".help", "[NAME]",
	  "this list, or all about a command, an analysis or a function", NULL,
	  GASPDB_SHELL_HELP, false, help },
	{ GASPDB_SHELL_SESSION, ".parameter",
	  "set NAME VALUE|unset NAME|list|clear|init",
	  "set the values of :name, @name and $name in statements",
	  "VALUE is an SQL expression, else a text; with blanks it stands in "
	  "quotes. NAME has its sign; without one it is that of :, @ and $. "
	  "What is not set is NULL. init makes temp.sqlite_parameters, the "
	  "table that holds them.",
	  GASPDB_SHELL_PARAMETER, false, gaspdb_shell_parameter },
	{ GASPDB_SHELL_SESSION, ".quit", "",
	  "leave, or end the file that .read runs; Ctrl-D leaves too", NULL,
	  GASPDB_SHELL_NOTHING, false, quit },
	{ 0, NULL, NULL, NULL, NULL, GASPDB_SHELL_NOTHING, false, NULL },
};

/* Column of descriptions, after "NAME ARGUMENTS". */
enum { DOC_AT = 31 };

static void help_row(FILE *out, const char *what, const char *doc)
{
	int at = fprintf(out, "  %s", what);

	if (at >= DOC_AT) {
		putc('\n', out);
		at = 0;
	}
	fprintf(out, "%*s", DOC_AT - at, "");
	gaspdb_report_wrap(out, doc, DOC_AT, DOC_AT);
}

static void help_functions(FILE *out)
{
	for (int i = 0; gaspdb_sql_functions[i].name; i++) {
		char *call = gaspdb_text_format("%s(X)",
						gaspdb_sql_functions[i].name);

		help_row(out, call, gaspdb_sql_functions[i].doc);
		free(call);
	}
}

static void help_all(FILE *out)
{
	const struct gaspdb_shell_dot *d = gaspdb_shell_dots;

	for (; d->name; d++) {
		if (d == gaspdb_shell_dots || d->group != d[-1].group)
			fprintf(out, "%s:\n", groups[d->group]);
		char *usage = gaspdb_shell_usage_of(d);
		help_row(out, usage, d->doc);
		free(usage);
	}
	fputs("Functions that SQLite does not have:\n", out);
	help_functions(out);
	gaspdb_report_wrap(out,
			   "A command's name may be cut short. Anything else "
			   "is SQL, ended by a semicolon. Times are ns since "
			   "the run's start. TAB completes; Ctrl-C stops a "
			   "query.",
			   0, 0);
}

static void help_modes(FILE *out)
{
	for (int i = 0; gaspdb_output_modes[i].name; i++)
		help_row(out, gaspdb_output_modes[i].name,
			 gaspdb_output_modes[i].doc);
}

static void help_dot(FILE *out, const struct gaspdb_shell_dot *d)
{
	char *usage = gaspdb_shell_usage_of(d);
	fprintf(out, "usage: %s\n\n", usage);
	free(usage);
	char *text = gaspdb_text_format("%s.%s%s", d->doc, d->more ? " " : "",
					d->more ? d->more : "");
	*text = (char)toupper((unsigned char)*text);
	gaspdb_report_wrap(out, text, 0, 0);
	free(text);
	if (d->argument == GASPDB_SHELL_MODE)
		help_modes(out);
}

static const struct gaspdb_sql_function *find_function(const char *name)
{
	for (int i = 0; gaspdb_sql_functions[i].name; i++)
		if (!strcmp(name, gaspdb_sql_functions[i].name))
			return &gaspdb_sql_functions[i];
	return NULL;
}

static bool help(struct gaspdb_shell *s, char *argument)
{
	const struct gaspdb_sql_function *f = find_function(argument);
	/* the dot is optional */
	char *dotted = gaspdb_text_format("%s%s", *argument == '.' ? "" : ".",
					  argument);
	const struct gaspdb_shell_dot *d = gaspdb_shell_find_dot(dotted);
	const struct gaspdb_analysis *a = NULL;

	free(dotted);
	if (*argument && !f && !d &&
	    !(a = gaspdb_shell_find_analysis(s, argument, &argument)))
		return false;
	FILE *out = gaspdb_shell_open_out(s);
	if (a)
		gaspdb_analysis_help(out, a);
	else if (f)
		fprintf(out, "%s(X): %s\n", f->name, f->doc);
	else if (d)
		help_dot(out, d);
	else
		help_all(out);
	gaspdb_shell_close_out(s, out);
	return true;
}

const struct gaspdb_shell_dot *gaspdb_shell_find_dot(const char *line)
{
	const struct gaspdb_shell_dot *found = NULL;
	const size_t n = strcspn(line, " \t");
	int n_found = 0;

	for (const struct gaspdb_shell_dot *d = gaspdb_shell_dots; d->name;
	     d++) {
		if (n < 2 || strncmp(d->name, line, n))
			continue;
		if (!d->name[n])
			return d;
		found = d;
		n_found++;
	}
	return n_found == 1 ? found : NULL;
}

/* Reports an unknown command: those it is a prefix of, or the nearest. */
static void complain_unknown(struct gaspdb_shell *s, const char *name)
{
	struct gaspdb_nearest nearest = { .typed = name };
	char *several = gaspdb_text_copy("", 0);
	const size_t n = strlen(name);

	for (const struct gaspdb_shell_dot *d = gaspdb_shell_dots; d->name;
	     d++) {
		gaspdb_nearest_try(&nearest, d->name);
		if (n < 2 || strncmp(d->name, name, n))
			continue;
		char *more = gaspdb_text_format("%s%s%s", several,
						*several ? ", " : "", d->name);
		free(several);
		several = more;
	}
	char *hint =
		gaspdb_nearest_hint(&nearest, "'.help' lists what there is");
	if (*several)
		gaspdb_shell_error(s, "'%s' may be %s", name, several);
	else
		gaspdb_shell_error(s, "there is no '%s'; %s", name, hint);
	free(hint);
	free(several);
}

/* Runs a command; .read runs others within it. */
static bool run(struct gaspdb_shell *s, const struct gaspdb_shell_dot *d,
		char *argument)
{
	const struct gaspdb_shell_dot *before = s->dot;

	s->dot = d;
	const bool good = d->run(s, argument);
	s->dot = before;
	return good;
}

bool gaspdb_shell_dot(struct gaspdb_shell *s, const char *line)
{
	char *copy = gaspdb_text_copy(line, strlen(line)), *argument = copy;
	size_t n = strlen(copy);
	bool good = false;

	while (n > 0 &&
	       (isspace((unsigned char)copy[n - 1]) || copy[n - 1] == ';'))
		copy[--n] = '\0';
	const char *name = strsep(&argument, " \t");
	const struct gaspdb_shell_dot *d = gaspdb_shell_find_dot(name);
	argument = argument ? argument + strspn(argument, " \t") : copy + n;
	if (!d)
		complain_unknown(s, name);
	else if (s->safe && d->reaches_files)
		gaspdb_shell_error(s, "'%s' is refused, as --safe asks for",
				   d->name);
	else
		good = run(s, d, argument);
	free(copy);
	return good;
}
