/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A subcommand of gaspdb. */
#ifndef GASPDB_CLI_COMMAND_H
#define GASPDB_CLI_COMMAND_H

/* An option: source of getopt, --help, the man page and completion. */
struct gaspdb_option {
	char letter;	      /* 0: long only */
	const char *name;     /* without the dashes */
	const char *argument; /* "FILE"; NULL: takes none */
	const char *doc;
};

struct gaspdb_command {
	const char *name;
	const char *synopsis; /* "import [-o FILE] [--force] RUN" */
	const char *summary;  /* one line */
	const struct gaspdb_option *options; /* ends with a NULL name */
	const char *doc;      /* further lines of --help, or NULL */
	int (*run)(int argc, char **argv); /* argv[0] is the name; returns
					      the exit status */
};

/* cli/commands.c, alphabetical; ends with NULL. */
extern const struct gaspdb_command *const gaspdb_commands[];

enum gaspdb_exit {
	GASPDB_EXIT_DONE = 0,
	GASPDB_EXIT_FAILED = 1,
	GASPDB_EXIT_USAGE = 2,
	GASPDB_EXIT_DAMAGED = 3, /* done, but recorded data is missing */
	GASPDB_EXIT_WORSE = 4	 /* done, and a condition of compare holds */
};

#endif
