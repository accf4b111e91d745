/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Interface between the preload library and an adapter that it has loaded.  An
 * adapter calls its runtime's functions through slots, which next.awk generates
 * for the names that its objects use.  Linked with a program, a slot holds the
 * symbol of its name.  Loaded by the preload library, which exports that symbol
 * itself, it holds the definition after that library.
 */
#ifndef GASPDB_COLLECTOR_PROCESS_HANDOVER_H
#define GASPDB_COLLECTOR_PROCESS_HANDOVER_H

#include <stddef.h>
#include <stdint.h>

struct gaspdb_next {
	const char *name; /* NULL: the end of the table */
	void **slot;
	/* 0: the definition of name; else the wrapper of another tool, and NULL
	   where name is the runtime's own */
	uint64_t others;
};

/* The adapter's table of slots. */
#define GASPDB_NEXT_TABLE "gaspdb_next_table"

/*
 * Functions of libc, which libgaspdb-io.so has trampolines for (preload/io/),
 * and libgaspdb-posix.so wrappers.
 */
struct gaspdb_libc_function {
	const char *name;
	void **next; /* gets the definition after the trampoline */
	void (*wrapper)(void);
};

/* In libgaspdb-posix.so: its functions, n of them; NULL: no memory. */
#define GASPDB_POSIX_BEGIN "gaspdb_posix_begin"
typedef const struct gaspdb_libc_function *gaspdb_posix_begin_fn(size_t *n);

/* In libgaspdb-io.so: begins to record calls on files, once a process.  Returns
   NULL, or why it cannot. */
#define GASPDB_IO_START "gaspdb_io_start"
typedef const char *gaspdb_io_start_fn(void);

struct gaspdb_stderr; /* collector/base/stderr_line.h */

/*
 * Called in the collector when the preload library has loaded the adapter.
 * first: stderr at the program's start.  Returns the offset from the thread
 * pointer of the byte that marks a call by a profiling name.
 */
#define GASPDB_PRELOADED "gaspdb_preloaded"
typedef int64_t gaspdb_preloaded_fn(const struct gaspdb_stderr *first);

#endif
