/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which operations are recorded: the lists of globs in GASPDB_ONLY and
 * GASPDB_EXCEPT.  What is masked is counted and not written.
 */
#ifndef GASPDB_COLLECTOR_CORE_MASK_H
#define GASPDB_COLLECTOR_CORE_MASK_H

#include <stdbool.h>
#include <stddef.h>

#include "collector/core/compiler.h"

struct gaspdb_masks {
	bool any; /* is there a list at all? */
	char only[4096], except[4096];
};

/* As the environment was when the collector was loaded. */
extern struct gaspdb_masks gaspdb_masks GASPDB_HIDDEN;

/* What an operation is called, in all ways: the lists are held against each. */
struct gaspdb_names {
	const char *symbol, *name, *type, *category;
};

bool gaspdb_is_masked(const struct gaspdb_names *names);

/* Does a glob (* ? [a-z] [!a-z], \ before a character that is to be itself),
   length bytes of it, match all of text?  Without case. */
bool gaspdb_glob(const char *glob, size_t length, const char *text);

#endif
