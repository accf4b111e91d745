/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What every pass needs: statements whose failure is remembered, growing
 * arrays, and the run's threads and sources in memory.
 *
 * Small tables a pass reads and writes by SQL.  Those that may have as many
 * rows as there are events it may read by SQL, but faster by
 * sql/store/table.h; and it writes them by gaspdb_table_writer_open(): then
 * they are complete, and SQL sees them, when the pass is over.  Such a table is
 * filled by one pass, and changed by none after it; size_total gets more rows
 * by SQL.  What passes by in large numbers between the two, and needs sorting,
 * goes through analysis/rows/sorter.h, not a temporary table.
 *
 * The first failure sticks in run->status; after it every function does
 * nothing, gaspdb_row() is false, and the pass falls through to its end.  So
 * passes read like the analysis they are, and check once.
 */
#ifndef GASPDB_ANALYSIS_ENGINE_RUN_H
#define GASPDB_ANALYSIS_ENGINE_RUN_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "common/interrupt.h"
#include "sql/store/table.h"
#include "common/map.h"

#define GASPDB_NONE INT64_MIN /* stands for NULL */

enum gaspdb_type {
#define TYPE(ident, category, doc) GASPDB_TYPE_##ident,
#include "collector/events/types.tbl.h"
	GASPDB_N_TYPES /* also: a type that only the log knows */
};

struct gaspdb_sorter;

struct gaspdb_run_thread {
	int64_t process; /* its process's first thread; -1: there is no such
			    thread */
	int64_t rank;
	int64_t first_ns, last_ns;	 /* NONE without a log */
	int64_t first_event, last_event; /* NONE without events */
	bool to_the_end;		 /* fragments.sql: to_the_end */
	bool stopped; /* a process's first thread: recording of one of its
		      threads stopped early, at the log's size limit */
	int64_t damage_end_ns; /* likewise: of the last damaged blocks of its
				  threads; 0: there are none */
};

struct gaspdb_run_source {
	int64_t operation; /* -1: there is no such source */
	enum gaspdb_type type;
	bool synchronizes;	 /* its category is synchronization */
	bool allocates;		 /* ... allocation */
	bool keeps_time;	 /* ... allocation or io: an ideal network does
				    not shorten it */
	bool allocates_with_all; /* or frees shared memory, and completes what
				    is on a context: with a barrier of all */
	bool call;		 /* into a runtime: neither the program's own
				    functions nor user events */
	bool computes;		 /* the program's own: a function, a loop */
	bool writes;		 /* others' memory: a put, an atomic that does
				    more than to fetch */
	bool blocking_access;	 /* get, put or atomic that has read or may be
				    overwritten when it returns: not one on a
				    window or a request, or whose result comes
				    later */
};

/* Rows that passes leave to later ones: sorters (shared_sorter.h), made when
   needed. */
struct gaspdb_shared_rows {
	struct gaspdb_sorter *wait_proposals;	/* waits.c */
	struct gaspdb_sorter *polled_proposals; /* waits.c */
	struct gaspdb_sorter *wait_causes;	/* waits.h */
	struct gaspdb_sorter *syncs;		/* syncs.h */
	struct gaspdb_sorter *barriers;		/* barriers.h */
	struct gaspdb_sorter *arrivals;		/* arrivals.h */
	struct gaspdb_sorter *arrival_cuts;	/* arrivals.h */
	struct gaspdb_sorter *unknown_waits;	/* unknown_waits.h */
	struct gaspdb_sorter *deliveries;	/* deliveries.h */
	struct gaspdb_sorter *path_blame;	/* blame.c */
};

/* Passes use it one after another, in one thread. */
struct gaspdb_run {
	sqlite3 *db;
	struct gaspdb_error *err;
	enum gaspdb_status status;
	struct gaspdb_run_thread *threads; /* by id */
	struct gaspdb_run_source *sources; /* by id */
	int64_t n_threads, n_sources;
	struct gaspdb_shared_rows shared;
	sqlite3_stmt *quality;	     /* quality.c, made when needed */
	struct gaspdb_tables tables; /* sql/store/table.h, on db */
	/* How far the pass is, if anybody wants to know. */
	void (*progress)(struct gaspdb_run *run);
	const struct gaspdb_passes_watch *watch;
	const struct gaspdb_pass *pass;
	uint64_t pages; /* that the pass has read, made or written */
};

/* --- open.c ----------------------------------------------------------------
 */

/* Read threads and sources.  gaspdb_run_close() whatever became of it. */
void gaspdb_run_open(struct gaspdb_run *run, sqlite3 *db,
		     struct gaspdb_error *err);
/* Write what waits in tables, and free all; whatever a pass has
   prepared is finalized by now.  Returns the status. */
enum gaspdb_status gaspdb_run_close(struct gaspdb_run *run);

/* --- run.c -----------------------------------------------------------------
 */

/* NULL where there is none of that id. */
const struct gaspdb_run_thread *gaspdb_run_thread(const struct gaspdb_run *run,
						  int64_t id);
static inline const struct gaspdb_run_source *
gaspdb_run_source(const struct gaspdb_run *run, int64_t id)
{
	if (id < 0 || id >= run->n_sources || run->sources[id].operation < 0)
		return NULL;
	return &run->sources[id];
}

/* Is it a collective that moves data between all members of a team? */
bool gaspdb_moves_data_of_all(enum gaspdb_type type);
/* Does a call without a number take part in its runtime's order of calls? */
bool gaspdb_counts_by_order(enum gaspdb_type type);
/* Does a thread synchronize by it?  After it an access may find something else,
   or what it did must have arrived. */
bool gaspdb_source_separates(const struct gaspdb_run_source *source);
/* Of a call that allocates or frees shared memory: has it nothing to do?  Then
   it does not meet the others either.  NONE: not known. */
bool gaspdb_is_of_nothing(enum gaspdb_type type, int64_t bytes, int64_t address,
			  int64_t old_address);
/* The first thread of a thread's process; NONE of NONE or an unknown one. */
int64_t gaspdb_run_process(const struct gaspdb_run *run, int64_t thread);
/* How many processes there are: looks at each thread. */
int64_t gaspdb_run_processes(const struct gaspdb_run *run);
/* May a damaged block of the thread's process have held what came after at_ns?
 */
bool gaspdb_run_damaged_after(const struct gaspdb_run *run, int64_t thread,
			      int64_t at_ns);
/* The first thread of the process of a rank; NONE: there is none. */
int64_t gaspdb_run_rank(const struct gaspdb_run *run, int64_t rank);

/* Of each thread: were some of its calls masked, and so are missing?  For
   free(); NULL: a failure. */
bool *gaspdb_run_masked(struct gaspdb_run *run);

/* Is there an operation of one of these types? */
bool gaspdb_run_has(const struct gaspdb_run *run, const enum gaspdb_type *types,
		    size_t n_types);

/* Part of gaspdb_run_stopped(): there was an interrupt. */
void gaspdb_run_interrupted(struct gaspdb_run *run);
/* Has it failed?  An interrupt is a failure; long loops ask now and then. */
static inline bool gaspdb_run_stopped(struct gaspdb_run *run)
{
	if (gaspdb_interrupted)
		gaspdb_run_interrupted(run);
	return run->status != GASPDB_OK;
}

/* The pass has read, made or written pages of tables. */
static inline void gaspdb_run_count_pages(struct gaspdb_run *run, uint64_t n)
{
	enum { NOW_AND_THEN = 64 };
	const uint64_t before = run->pages;

	run->pages += n;
	if (run->progress && before / NOW_AND_THEN < run->pages / NOW_AND_THEN)
		run->progress(run);
}

void gaspdb_exec(struct gaspdb_run *run, const char *sql);
/* Owned by the caller, for sqlite3_finalize(); NULL after a failure. */
sqlite3_stmt *gaspdb_prepare(struct gaspdb_run *run, const char *sql);
/* The next row; false at the end. */
bool gaspdb_row(struct gaspdb_run *run, sqlite3_stmt *stmt);
/* NONE where the column is NULL. */
int64_t gaspdb_column(sqlite3_stmt *stmt, int column);
/* Bind parameters 1 .. n, NONE as NULL, after a reset. */
void gaspdb_bind(struct gaspdb_run *run, sqlite3_stmt *stmt, size_t n,
		 const int64_t *values);
/*
 * Execute a statement without result: parameters 1 .. n are values, NONE as
 * NULL, those after them texts.
 */
void gaspdb_write_texts(struct gaspdb_run *run, sqlite3_stmt *stmt, size_t n,
			const int64_t *values, size_t n_texts,
			const char *const *texts);
/* The same with one text, or none: NULL. */
void gaspdb_write(struct gaspdb_run *run, sqlite3_stmt *stmt, size_t n,
		  const int64_t *values, const char *text);

/* Part of gaspdb_grow(): there is no room. */
bool gaspdb_grow_now(struct gaspdb_run *run, void *array, size_t *room,
		     size_t size);
/*
 * Make room in *array for one more than its n elements of that size.  False,
 * and a failure, without memory.
 */
static inline bool gaspdb_grow(struct gaspdb_run *run, void *array, size_t n,
			       size_t *room, size_t size)
{
	return run->status == GASPDB_OK &&
	       (n < *room || gaspdb_grow_now(run, array, room, size));
}

/* The same for so many more. */
static inline bool gaspdb_grow_by(struct gaspdb_run *run, void *array, size_t n,
				  size_t more, size_t *room, size_t size)
{
	while (run->status == GASPDB_OK && n + more > *room)
		gaspdb_grow_now(run, array, room, size);
	return run->status == GASPDB_OK;
}

/* An array of n elements, as realloc does it; NULL: a failure, and it is as it
   was. */
void *gaspdb_resized(struct gaspdb_run *run, void *array, size_t n,
		     size_t size);

/* The same for calloc. */
void *gaspdb_zeroed(struct gaspdb_run *run, size_t n, size_t size);

/* Make room in the map for one more.  False, and a failure, without memory. */
bool gaspdb_map_grow(struct gaspdb_run *run, struct gaspdb_map *map);

#endif
