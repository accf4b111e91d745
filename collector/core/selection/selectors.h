/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Selectors: what --only and --except list, separated by commas.  A selector is
 * a glob, compared without case, or QUALIFIER:GLOB:
 *
 *	name:      an operation's or a user event's name
 *	type:      its type
 *	model:     its model; besides "functions", "shmem", "user"
 *	function:  a function's names
 *	file:      its source file: as compiled, the whole path, or, if the
 *	           glob has no slash, without folders
 *
 * An unqualified glob is compared with an operation's symbol, name, type and
 * category, and with a function's names.  "function:" and "file:" choose among
 * functions only, and leave other operations alone.
 */
#ifndef GASPDB_COLLECTOR_CORE_SELECTION_SELECTORS_H
#define GASPDB_COLLECTOR_CORE_SELECTION_SELECTORS_H

#include <stdbool.h>
#include <stddef.h>

/* Names of an operation.  None is NULL. */
struct gaspdb_names {
	const char *symbol, *name, *type, *category, *model;
};

/* Names and files of a function; both lists end with NULL. */
struct gaspdb_function_names {
	const char *const *names, *const *files;
};

/* What a user lists; "": all, none. */
struct gaspdb_lists {
	const char *only, *except;
};

/* Whether the lists exclude an operation. */
bool gaspdb_lists_exclude(const struct gaspdb_lists *lists,
			  const struct gaspdb_names *operation);
/* Whether they exclude one function of an operation. */
bool gaspdb_lists_exclude_function(
	const struct gaspdb_lists *lists, const struct gaspdb_names *operation,
	const struct gaspdb_function_names *function);

/* Whether a selector depends on a function's names or file. */
bool gaspdb_lists_have_functions(const struct gaspdb_lists *lists);
/* Whether one is qualified so: "function:" or "file:". */
bool gaspdb_lists_name_functions(const struct gaspdb_lists *lists);

#endif
