/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What UPC's runtime says of each blocking get and put in further arguments:
 * `relaxed`, which is 0 of a strict access (some say 1 of strict ones, too:
 * docs/upc.md), and of gets the pointer `source`.
 */
#ifndef GASPDB_ANALYSIS_ACCESS_ARGUMENTS_H
#define GASPDB_ANALYSIS_ACCESS_ARGUMENTS_H

#include "analysis/scan.h"
#include "analysis/table.h"

struct gaspdb_access_told {
	bool strict;
	int64_t word; /* equal pointers have the same; NONE: not known */
};

struct gaspdb_access_arguments {
	struct gaspdb_cursor rows;
	unsigned char *declares; /* by source */
	unsigned char *what;	 /* by argument.id */
	int64_t n;
};

void gaspdb_access_arguments_open(struct gaspdb_access_arguments *a,
				  struct gaspdb_run *run);
/* Is it said of calls of a source (one that is there) whether they are
   strict? */
bool gaspdb_access_tells_strict(const struct gaspdb_access_arguments *a,
				int64_t source);
/* Events in the order of their ids. */
struct gaspdb_access_told gaspdb_access_told(struct gaspdb_access_arguments *a,
					     const struct gaspdb_event *e);
void gaspdb_access_arguments_close(struct gaspdb_access_arguments *a);

#endif
