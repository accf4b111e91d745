/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that start another command, and their options. */
#ifndef GASPDB_CLI_RECORD_LAUNCHERS_H
#define GASPDB_CLI_RECORD_LAUNCHERS_H

#include <stdbool.h>

struct gaspdb_launcher {
	const char *names;  /* each between blanks */
	const char *flags;  /* options without a value; likewise */
	const char *values; /* ... with one, as the next word */
	const char *pairs;  /* ... with two */
	const char *files;  /* ... with the name of a file of further words */
	int operands;	    /* words before the command */
	bool is_parallel;   /* ":" separates commands */
};

/* A launcher by name, with or without path; NULL: none. */
const struct gaspdb_launcher *gaspdb_launcher_find(const char *word);
/* Number of values of an option; -1: unknown. */
int gaspdb_launcher_values(const struct gaspdb_launcher *l, const char *option);
/* Is the word in a list of words between blanks? */
bool gaspdb_launcher_lists(const char *list, const char *word);

#endif
