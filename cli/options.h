/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Command lines: parsing, and --help. */
#ifndef GASPDB_CLI_OPTIONS_H
#define GASPDB_CLI_OPTIONS_H

#include <stdbool.h>

#include "cli/command.h"

enum {
	GASPDB_OPTIONS_DONE = -1, /* operands follow */
	GASPDB_OPTIONS_HELP = -2, /* --help was given */
	GASPDB_OPTIONS_WRONG = -3 /* an error, reported; exit with USAGE */
};

/* State of parsing. The caller sets the first three or four fields. */
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

/* Frees the state, if parsing ends early. */
void gaspdb_options_fini(struct gaspdb_options *o);

/*
 * Parses all options: calls take() for each with its index and argument; it
 * returns false after reporting an error. take may be NULL if there is only
 * --help. Returns true to go on with the operands, false to exit with *status.
 */
bool gaspdb_options_take(struct gaspdb_options *o,
			 bool (*take)(void *user, int option,
				      const char *argument),
			 void *user, int *status);

/* Reports a usage error; returns GASPDB_EXIT_USAGE. */
int gaspdb_options_usage(const struct gaspdb_command *command, const char *fmt,
			 ...) __attribute__((format(printf, 2, 3)));

/* Prints the command's help; returns GASPDB_EXIT_DONE. */
int gaspdb_options_help(const struct gaspdb_command *command);

/* Row of an option in --help, the man page and completion: "-o, --output=FILE".
   The caller frees it. */
char *gaspdb_options_row(const struct gaspdb_option *option);

/* The option that every command has: --help. */
extern const struct gaspdb_option gaspdb_option_help;

#endif
