/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The longest of many times: a list that is cut where it is twice too long. */
#ifndef GASPDB_CLI_HTML_LONGEST_H
#define GASPDB_CLI_HTML_LONGEST_H

#include <stddef.h>
#include <stdint.h>

#include "cli/report/report.h"

struct gaspdb_longest {
	struct gaspdb_long {
		int64_t ns, id;
	} *list; /* room for twice as many as are kept */
	size_t n, most;
	int64_t least_ns; /* shorter ones are too short */
};

/* The caller frees the list. */
struct gaspdb_longest gaspdb_longest_new(size_t most);
/* Adds a time, in the order of ids: of equal times the first are kept. */
void gaspdb_longest_add(struct gaspdb_longest *longest, int64_t ns, int64_t id);
/* Executes a statement for each id of the longest, which it has as ?1. */
void gaspdb_longest_insert(struct gaspdb_longest *longest,
			   struct gaspdb_report *r, const char *sql);

#endif
