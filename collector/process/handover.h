/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Between the preload library and an adapter that it has loaded.
 *
 * An adapter calls the functions of its runtime through slots, which next.awk
 * generates for the names that its objects ask for.  Linked with a program, a
 * slot leads to the symbol of its name.  Loaded by the preload library, which
 * exports that symbol itself, the adapter gets what comes after that library.
 */
#ifndef GASPDB_COLLECTOR_PROCESS_HANDOVER_H
#define GASPDB_COLLECTOR_PROCESS_HANDOVER_H

#include <stdint.h>

struct gaspdb_next {
	const char *name; /* NULL: the end of the table */
	void **slot;
	/* 0: the definition of name; else that of a tool which wraps the
	   function, and NULL where name leads to the runtime itself */
	uint64_t others;
};

/* The adapter's table of them. */
#define GASPDB_NEXT_TABLE "gaspdb_next_table"

struct gaspdb_stderr; /* collector/log/stderr_line.h */

/*
 * The collector's: the preload library has loaded the adapter.  first: what
 * stderr was when the program began.  Returns where, from the thread pointer,
 * the byte lies in which a call by a profiling name is marked.
 */
#define GASPDB_PRELOADED "gaspdb_preloaded"
typedef int64_t gaspdb_preloaded_fn(const struct gaspdb_stderr *first);

/* The collector's, before and after a dlclose (collector.h). */
#define GASPDB_UNLOAD_BEGIN "gaspdb_unload_begin"
#define GASPDB_UNLOAD_END   "gaspdb_unload_end"
typedef void gaspdb_unload_fn(void);

#endif
