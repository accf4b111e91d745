/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Command lines: what is typed, and what --help says of it. */
#ifndef GASPDB_CLI_OPTIONS_H
#define GASPDB_CLI_OPTIONS_H

#include <stdbool.h>

#include "cli/command.h"

enum {
	GASPDB_OPTIONS_DONE = -1, /* operands follow */
	GASPDB_OPTIONS_HELP = -2, /* --help was asked for */
	GASPDB_OPTIONS_WRONG = -3 /* complained; exit with USAGE */
};

/* A walk through a command's arguments.  Set the first three or four. */
struct gaspdb_options {
	const struct gaspdb_command *command;
	int argc;
	char **argv;
	bool in_order;	      /* the first operand ends the options */
	const char *argument; /* of the option just returned */
	char **operands;      /* when DONE (or HELP) */
	int n_operands;
	struct option *table; /* getopt's; NULL until the first call */
};

/* Index of the next option in the command's table, or one of the above. */
int gaspdb_options_next(struct gaspdb_options *o);

/* For leaving before the end: free what gaspdb_options_next needed. */
void gaspdb_options_fini(struct gaspdb_options *o);

/*
 * All of them at once: each is taken, with its index and argument; false: it is
 * wrong, which take has told.  take may be NULL where there is none but --help.
 * Returns true to go on with the operands, false to exit with *status.
 */
bool gaspdb_options_take(struct gaspdb_options *o,
			 bool (*take)(void *user, int option,
				      const char *argument),
			 void *user, int *status);

/* Complain about the command line; returns GASPDB_EXIT_USAGE. */
int gaspdb_options_usage(const struct gaspdb_command *command, const char *fmt,
			 ...) __attribute__((format(printf, 2, 3)));

/* Print the command's help; returns GASPDB_EXIT_DONE. */
int gaspdb_options_help(const struct gaspdb_command *command);

/*
 * One row of --help, of the man page and of completion: "-o, --output=FILE".
 * The caller frees it.
 */
char *gaspdb_options_row(const struct gaspdb_option *option);

/* What every command has besides its own: --help. */
extern const struct gaspdb_option gaspdb_option_help;

#endif
