/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shell: its state and parts. */
#ifndef GASPDB_CLI_SHELL_SHELL_H
#define GASPDB_CLI_SHELL_SHELL_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/database/database.h"
#include "cli/output/output.h"

/* Sink of output: a file or command in place of the terminal. */
struct gaspdb_shell_sink {
	FILE *file; /* NULL: none */
	char *name;
	bool is_pipe;
	int error; /* of writing; 0: none */
	bool once, used; /* only for the next output; something was written */
};

struct gaspdb_shell {
	struct gaspdb_database db;
	struct gaspdb_output_style style;
	int *widths;	  /* widths of style */
	bool *has_view;	  /* of each analysis: it was made; NULL: none was */
	bool interactive; /* input from a terminal */
	bool terminal;	  /* stdout is one */
	bool safe;	  /* no other files than the database */
	bool pager, timer;
	bool quit;  /* end this input */
	bool leave; /* end all inputs, with exit_code */
	int exit_code;
	const struct gaspdb_shell_dot *dot; /* the running command */
	const char *source; /* file that .read runs; NULL: none */
	int depth;	    /* nesting of .read */
	int n_lines;	    /* of the input so far, for messages */
	struct gaspdb_shell_sink sink;
	/* Statement being typed. */
	char *pending;
	size_t n_pending;
	int first_line; /* of pending */
};

/* Processes a line, without its newline: runs the statements now complete, or
   the dot-command. Returns false if one failed. */
bool gaspdb_shell_line(struct gaspdb_shell *s, const char *line);
/* Runs the pending statement; a final semicolon is optional. */
bool gaspdb_shell_finish(struct gaspdb_shell *s);
void gaspdb_shell_forget_pending(struct gaspdb_shell *s);

/* run.c */
/* Makes Ctrl-C stop the running statement, not the shell. */
void gaspdb_shell_catch_interrupts(void);
bool gaspdb_shell_is_interrupted(void);	 /* has it come? */
bool gaspdb_shell_was_interrupted(void); /* the same, and clears it */
/* Runs the lines of an input, up to the first that fails. */
bool gaspdb_shell_run_lines(struct gaspdb_shell *s, FILE *in);

/* views.c */
/*
 * Prepare the text's first statement, as sqlite3_prepare_v2(), when the views of
 * analyses that the text may read are there.  Returns SQLite's result.
 */
int gaspdb_shell_prepare(struct gaspdb_shell *s, const char *text,
			 sqlite3_stmt **stmt, const char **rest);

/* errors.c */
/* Reports an error of the connection. */
void gaspdb_shell_complain(struct gaspdb_shell *s, const char *text,
			   const char *statement);
/* Reports an error of the running command, with its place. */
void gaspdb_shell_error(struct gaspdb_shell *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* files.c */
/*
 * Ends a command, and the output of .once. false: a file could not be written.
 */
bool gaspdb_shell_end_command(struct gaspdb_shell *s);
/* Ends output to a sink. false: a file could not be written. */
bool gaspdb_shell_end_output(struct gaspdb_shell *s);

/* parameters.c */
/* Binds the parameters of a statement to their set values. */
void gaspdb_shell_bind(struct gaspdb_shell *s, sqlite3_stmt *stmt);

/* names.c */
/* Calls call() for each table named in a text, with its alias ("event e",
   "event AS e") or its own name. */
void gaspdb_shell_each_table(struct gaspdb_shell *s, const char *text,
			     void (*call)(void *user, const char *table,
					  const char *alias),
			     void *user);
/* Calls call() with the first column of each row; ?1: argument, or NULL. */
void gaspdb_shell_each_row(struct gaspdb_shell *s, const char *query,
			   const char *argument,
			   void (*call)(void *user, const char *name),
			   void *user);
bool gaspdb_shell_is_word(char c);
/* The next word at *p, or NULL. The caller frees it. */
char *gaspdb_shell_next_name(const char **p);
/* Does the query have a row with a name? */
bool gaspdb_shell_has_row(struct gaspdb_shell *s, const char *query,
			  const char *argument);

/* Queries for gaspdb_shell_each_row(): tables and views; columns of one;
   columns of all. */
extern const char gaspdb_shell_all_tables[], gaspdb_shell_columns[],
	gaspdb_shell_all_columns[];
/* Hint for an error about an unknown table, column or function: "; did you mean
   ...", or "". The caller frees it. */
char *gaspdb_shell_hint(struct gaspdb_shell *s, const char *error,
			const char *statement);
/* The same for an unknown table of .schema and .tables. */
char *gaspdb_shell_table_hint(struct gaspdb_shell *s, const char *name);

/* dot.c */
bool gaspdb_shell_dot(struct gaspdb_shell *s, const char *line);

/* pager.c */
/* Output stream: the sink of .output or .once, otherwise stdout, through a
   pager if longer than the screen. Close it with gaspdb_shell_close_out(). */
FILE *gaspdb_shell_open_out(struct gaspdb_shell *s);
void gaspdb_shell_close_out(struct gaspdb_shell *s, FILE *out);

/* input.c */
/* Runs the interactive shell until its end. */
void gaspdb_shell_interact(struct gaspdb_shell *s);

/* complete.c */
/* Completions of the word text, as a NULL-terminated list for readline; before:
   the text before it in the statement. */
char **gaspdb_shell_completions(struct gaspdb_shell *s, const char *before,
				const char *text);

#endif
