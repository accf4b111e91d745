/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Search for the name that a mistyped one may mean. */
#ifndef GASPDB_CLI_NEAREST_H
#define GASPDB_CLI_NEAREST_H

#include <stddef.h>

/* Starts as { .typed = "..." }; name: the nearest one, or NULL. Both are
   borrowed. */
struct gaspdb_nearest {
	const char *typed, *name;
	size_t score;
};

void gaspdb_nearest_try(struct gaspdb_nearest *nearest, const char *name);

/* "did you mean 'NAME'? ", if there is one, followed by who_lists. The caller
   frees it. */
char *gaspdb_nearest_hint(const struct gaspdb_nearest *nearest,
			  const char *who_lists);

#endif
