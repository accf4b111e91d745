/* SPDX-License-Identifier: BSD-2-Clause */
/* Masks: the lists of globs in GASPDB_ONLY and GASPDB_EXCEPT that choose the
   recorded operations.  Masked ones are counted, not written. */
#ifndef GASPDB_COLLECTOR_CORE_SELECTION_MASK_H
#define GASPDB_COLLECTOR_CORE_SELECTION_MASK_H

#include <stdbool.h>
#include <stddef.h>

#include "collector/base/compiler.h"

struct gaspdb_masks {
	bool any; /* whether there is a list */
	char only[4096], except[4096];
};

/* From the environment at load time. */
extern struct gaspdb_masks gaspdb_masks GASPDB_HIDDEN;

/* The names of an operation that globs are matched against. */
struct gaspdb_names {
	const char *symbol, *name, *type, *category;
};

bool gaspdb_is_masked(const struct gaspdb_names *names);

/* Whether a glob of length bytes matches all of text, without case: * ? [a-z]
   [!a-z], and \ before a literal character. */
bool gaspdb_glob(const char *glob, size_t length, const char *text);

#endif
