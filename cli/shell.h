/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of gaspdb shell. */
#ifndef GASPDB_CLI_SHELL_H
#define GASPDB_CLI_SHELL_H

#include <stdbool.h>
#include <stdio.h>

#include "database.h"
#include "output.h"

struct gaspdb_shell {
	struct gaspdb_database db;
	struct gaspdb_output_style style; /* terminal: stdout is one */
	bool interactive;		  /* a person types, on a terminal */
	bool pager, timer;
	bool quit;
	int n_lines; /* of the input so far, for messages */
	/* The statement that is being typed. */
	char *pending;
	size_t n_pending;
	int first_line; /* of pending */
};

/*
 * Take one more line, without its newline: runs the statements that are now
 * complete, or the dot-command.  Returns false if one failed.
 */
bool gaspdb_shell_line(struct gaspdb_shell *s, const char *line);
/* Run what is still pending; a last semicolon is not asked for. */
bool gaspdb_shell_finish(struct gaspdb_shell *s);
void gaspdb_shell_forget_pending(struct gaspdb_shell *s);

/* shell_run.c */
/* Ctrl-C stops what runs now, not the shell. */
void gaspdb_shell_catch_interrupts(void);
bool gaspdb_shell_is_interrupted(void);	 /* did it come? */
bool gaspdb_shell_was_interrupted(void); /* the same, and forget it */
/* The error of the connection, told as suits the shell. */
void gaspdb_shell_complain(struct gaspdb_shell *s, const char *text,
			   const char *statement);

/* shell_dot.c */
bool gaspdb_shell_dot(struct gaspdb_shell *s, const char *line);
struct gaspdb_shell_dot {
	const char *name, *arguments, *doc;
	/* argument: "" if none; may be written to */
	bool (*run)(struct gaspdb_shell *s, char *argument);
};
extern const struct gaspdb_shell_dot gaspdb_shell_dots[]; /* NULL name ends */

/* shell_pager.c */
/*
 * Where to write: stdout, through a pager where a person would otherwise see
 * the end only.  Close it with gaspdb_shell_close_out.
 */
FILE *gaspdb_shell_open_out(struct gaspdb_shell *s);
void gaspdb_shell_close_out(struct gaspdb_shell *s, FILE *out);

/* shell_input.c */
/* Read lines from a person until the end.  Returns the exit status. */
int gaspdb_shell_interact(struct gaspdb_shell *s);

/* shell_complete.c */
/*
 * What the word text could become, as readline asks for it: words for each
 * state 0, 1 ... until NULL.  before: what stands before it in the statement.
 */
char **gaspdb_shell_completions(struct gaspdb_shell *s, const char *before,
				const char *text);

#endif
