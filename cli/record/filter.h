/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Score-P's filter files, for record --filter: blocks of rules that exclude and
 * include source files, and functions and user events (regions).  By default
 * all is included; of the rules that match the last one decides.  A function
 * also needs its file to be included.
 */
#ifndef GASPDB_CLI_RECORD_FILTER_H
#define GASPDB_CLI_RECORD_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

struct gaspdb_filter_rule {
	char *glob; /* of fnmatch(3) */
	bool excludes;
	bool mangled; /* compared with a function's symbol */
};

struct gaspdb_filter_rules {
	struct gaspdb_filter_rule *rule;
	size_t n, capacity;
};

/* Zeroed: nothing is excluded. */
struct gaspdb_filter {
	struct gaspdb_filter_rules files, regions;
};

/* Names of a function that rules are compared with; none is NULL. */
struct gaspdb_filter_names {
	const char *const *names; /* ends with NULL; without the symbol */
	const char *symbol;
	const char *const *files; /* ends with NULL */
};

/* Parses the n bytes of a file. FAILED: err says "NAME:LINE: what is wrong". */
enum gaspdb_status gaspdb_filter_parse(struct gaspdb_filter *f,
				       const char *name, const char *text,
				       size_t n, struct gaspdb_error *err);
/* The same of the file at path. */
enum gaspdb_status gaspdb_filter_read(struct gaspdb_filter *f, const char *path,
				      struct gaspdb_error *err);

bool gaspdb_filter_excludes(const struct gaspdb_filter *f,
			    const struct gaspdb_filter_names *function);

void gaspdb_filter_free(struct gaspdb_filter *f);

#endif
