/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shell: dot-commands, and the functions that run them. */
#ifndef GASPDB_CLI_SHELL_DOTS_H
#define GASPDB_CLI_SHELL_DOTS_H

#include "cli/shell/shell.h"
#include "sql/sql.h"

/* Groups of commands in .help. */
enum gaspdb_shell_group {
	GASPDB_SHELL_DATA,
	GASPDB_SHELL_ROWS,
	GASPDB_SHELL_FILES,
	GASPDB_SHELL_SESSION
};

/* Kind of a command's argument, for completion. */
enum gaspdb_shell_argument {
	GASPDB_SHELL_NOTHING,
	GASPDB_SHELL_ANALYSIS, /* and its parameters */
	GASPDB_SHELL_SQL,      /* or an analysis */
	GASPDB_SHELL_TABLE,
	GASPDB_SHELL_MODE,
	GASPDB_SHELL_SWITCH,
	GASPDB_SHELL_FILE,
	GASPDB_SHELL_PARAMETER,
	GASPDB_SHELL_HELP
};

struct gaspdb_shell_dot {
	enum gaspdb_shell_group group;
	const char *name, *arguments, *doc;
	const char *more; /* addition for .help NAME; or NULL */
	enum gaspdb_shell_argument argument;
	bool reaches_files; /* accesses other files: refused with --safe */
	/* argument: "" if none; may be written to */
	bool (*run)(struct gaspdb_shell *s, char *argument);
};
extern const struct gaspdb_shell_dot gaspdb_shell_dots[]; /* NULL name ends */

/* The command that begins a line, by its name or an unambiguous prefix; NULL:
   none, or several. */
const struct gaspdb_shell_dot *gaspdb_shell_find_dot(const char *line);

/* Commands of .parameter, i = 0, 1 ...; NULL: no more. */
const char *gaspdb_shell_parameter_command(int i);

/* words.c */
/* The next word, in place; quotes permit blanks and are removed. NULL: none. */
char *gaspdb_shell_word(char **rest);
/* Splits all words; missing ones are NULL. false: fewer than least or more than
   most, reported with the usage. */
bool gaspdb_shell_words(struct gaspdb_shell *s, char *argument, char **words,
			int least, int most);
/* "NAME ARGUMENTS", for free(). */
char *gaspdb_shell_usage_of(const struct gaspdb_shell_dot *dot);
/* Reports the usage of the running command. */
void gaspdb_shell_usage(struct gaspdb_shell *s);

/* The analysis named by the argument's first word; *rest: the rest. NULL:
   unknown, reported. */
const struct gaspdb_analysis *
gaspdb_shell_find_analysis(struct gaspdb_shell *s, char *argument, char **rest);

/* show.c */
bool gaspdb_shell_tables(struct gaspdb_shell *s, char *argument);
bool gaspdb_shell_schema(struct gaspdb_shell *s, char *argument);
bool gaspdb_shell_explain(struct gaspdb_shell *s, char *argument);
/* analyze.c */
bool gaspdb_shell_analyses(struct gaspdb_shell *s, char *argument);
bool gaspdb_shell_analyze(struct gaspdb_shell *s, char *argument);
/* settings.c */
bool gaspdb_shell_mode(struct gaspdb_shell *s, char *argument);
bool gaspdb_shell_headers(struct gaspdb_shell *s, char *argument);
bool gaspdb_shell_width(struct gaspdb_shell *s, char *argument);
bool gaspdb_shell_pager(struct gaspdb_shell *s, char *argument);
bool gaspdb_shell_timer(struct gaspdb_shell *s, char *argument);
/* files.c */
bool gaspdb_shell_once(struct gaspdb_shell *s, char *argument);
bool gaspdb_shell_output(struct gaspdb_shell *s, char *argument);
bool gaspdb_shell_read(struct gaspdb_shell *s, char *argument);
/* parameters.c */
bool gaspdb_shell_parameter(struct gaspdb_shell *s, char *argument);

#endif
