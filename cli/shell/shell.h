/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of gaspdb shell. */
#ifndef GASPDB_CLI_SHELL_SHELL_H
#define GASPDB_CLI_SHELL_SHELL_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/database/database.h"
#include "cli/output/output.h"

/* A file, or a command, that output goes to instead of the terminal. */
struct gaspdb_shell_sink {
	FILE *file; /* NULL: there is none */
	char *name;
	bool is_pipe;
	int error; /* of writing; 0: none */
	bool once, used; /* only the next output; something was written */
};

struct gaspdb_shell {
	struct gaspdb_database db;
	struct gaspdb_output_style style;
	int *widths;	  /* those of style */
	bool *has_view;	  /* of each analysis: it was made; NULL: none was */
	bool interactive; /* a person types, on a terminal */
	bool terminal;	  /* stdout is one */
	bool safe;	  /* no other files than the database */
	bool pager, timer;
	bool quit;  /* no more lines of this input */
	bool leave; /* nor of any other; with exit_code */
	int exit_code;
	const struct gaspdb_shell_dot *dot; /* the command that runs */
	const char *source; /* file that .read runs; NULL: none */
	int depth;	    /* of these in each other */
	int n_lines;	    /* of the input so far, for messages */
	struct gaspdb_shell_sink sink;
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

/* run.c */
/* Ctrl-C stops what runs now, not the shell. */
void gaspdb_shell_catch_interrupts(void);
bool gaspdb_shell_is_interrupted(void);	 /* did it come? */
bool gaspdb_shell_was_interrupted(void); /* the same, and forget it */
/* Run all lines of the input, up to the first that fails. */
bool gaspdb_shell_run_lines(struct gaspdb_shell *s, FILE *in);

/* views.c */
/*
 * Prepare the text's first statement, as sqlite3_prepare_v2(), when the views of
 * analyses that the text may read are there.  Returns SQLite's result.
 */
int gaspdb_shell_prepare(struct gaspdb_shell *s, const char *text,
			 sqlite3_stmt **stmt, const char **rest);

/* errors.c */
/* The error of the connection, told as suits the shell. */
void gaspdb_shell_complain(struct gaspdb_shell *s, const char *text,
			   const char *statement);
/* An error of the command that runs, with the place that it stands at. */
void gaspdb_shell_error(struct gaspdb_shell *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* files.c */
/* A command has ended: so does the output of .once.  Returns false if a file
   could not be written. */
bool gaspdb_shell_end_command(struct gaspdb_shell *s);
/* Back to the terminal: the end of all output elsewhere.  Likewise. */
bool gaspdb_shell_end_output(struct gaspdb_shell *s);

/* parameters.c */
/* Give the statement's parameters the values that they have been set to. */
void gaspdb_shell_bind(struct gaspdb_shell *s, sqlite3_stmt *stmt);

/* names.c */
/*
 * Call each table that the text names, with the alias that follows it, if one
 * does ("event e", "event AS e"), else its own name.
 */
void gaspdb_shell_each_table(struct gaspdb_shell *s, const char *text,
			     void (*call)(void *user, const char *table,
					  const char *alias),
			     void *user);
/* Call the text of each row's first column; ?1 is argument, or NULL. */
void gaspdb_shell_each_row(struct gaspdb_shell *s, const char *query,
			   const char *argument,
			   void (*call)(void *user, const char *name),
			   void *user);
bool gaspdb_shell_is_word(char c);
/* The next word of the text at *p, or NULL.  The caller frees it. */
char *gaspdb_shell_next_name(const char **p);
/* Has the query one with a name? */
bool gaspdb_shell_has_row(struct gaspdb_shell *s, const char *query,
			  const char *argument);

/* Queries for gaspdb_shell_each_row: tables and views; the columns of one;
 * those of all. */
extern const char gaspdb_shell_all_tables[], gaspdb_shell_columns[],
	gaspdb_shell_all_columns[];
/*
 * The error of a statement names a table, column or function that is not
 * there: "; did you mean ...", else "".  The caller frees it.
 */
char *gaspdb_shell_hint(struct gaspdb_shell *s, const char *error,
			const char *statement);
/* The same for .schema and .tables: the table that was meant. */
char *gaspdb_shell_table_hint(struct gaspdb_shell *s, const char *name);

/* dot.c */
bool gaspdb_shell_dot(struct gaspdb_shell *s, const char *line);

/* pager.c */
/*
 * Where to write: what .output or .once named, else stdout, through a pager
 * where a person would otherwise see the end only.  Close it with
 * gaspdb_shell_close_out.
 */
FILE *gaspdb_shell_open_out(struct gaspdb_shell *s);
void gaspdb_shell_close_out(struct gaspdb_shell *s, FILE *out);

/* input.c */
/* Read lines from a person until the end. */
void gaspdb_shell_interact(struct gaspdb_shell *s);

/* complete.c */
/*
 * What the word text could become, as readline asks for it: words for each
 * state 0, 1 ... until NULL.  before: what stands before it in the statement.
 */
char **gaspdb_shell_completions(struct gaspdb_shell *s, const char *before,
				const char *text);

#endif
