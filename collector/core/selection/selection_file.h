/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The selection file: what `gaspdb record` found out for the collector, because
 * it reads the programs' debug information: functions whose selection differs
 * from that of functions about which nothing is known, and the filter's rules
 * for user events.  In the run directory; docs/log-format.md describes it.
 */
#ifndef GASPDB_COLLECTOR_CORE_SELECTION_SELECTION_FILE_H
#define GASPDB_COLLECTOR_CORE_SELECTION_SELECTION_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GASPDB_SELECTION_FILE  "selection.txt"
#define GASPDB_SELECTION_FIRST "gaspdb selection 1" /* its first line */

/* Whether the run has one (GASPDB_SELECTION). */
bool gaspdb_selection_is_given(void);

/* Reads the run directory's, once.  The process's lock is held, and its run
   directory is known. */
void gaspdb_selection_read(void);

/* Whether a function's selection is the opposite of its operation's mask. */
bool gaspdb_selection_has(const void *function);
/* Whether the last rule that matches a user event excludes it. */
bool gaspdb_selection_excludes_event(const char *name);

/* --- parts of it, for tests ----------------------------------------------- */

/* A set of addresses; zeroed: empty. */
struct gaspdb_address_set {
	uintptr_t *slots; /* 0: free */
	size_t size, n;	  /* size: 0, or a power of two */
};

bool gaspdb_address_set_has(const struct gaspdb_address_set *s,
			    uintptr_t address);

/* Bias of the loaded module that a line "module BUILD-ID PATH" means; false: it
   is not loaded. */
typedef bool gaspdb_find_module_fn(const char *line, size_t n, uintptr_t *bias);

struct gaspdb_selection {
	struct gaspdb_address_set functions;
	const char *rules, *end; /* lines of rules */
};

/* Parses the file's text, which stays in use.  false: it is no selection file,
   or there is no memory. */
bool gaspdb_selection_parse(struct gaspdb_selection *s, const char *text,
			    size_t n, gaspdb_find_module_fn *find);
/* Whether the last matching rule excludes the name. */
bool gaspdb_selection_rules_exclude(const struct gaspdb_selection *s,
				    const char *name);

#endif
