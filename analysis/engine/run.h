/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run: the state that all passes share. It has statements with a sticky
 * failure, growing arrays, and the run's threads and sources in memory. A pass
 * reads and writes small tables by SQL. It reads large tables, with a row per
 * event or so, by SQL or faster by sql/store/table.h. It writes them by
 * gaspdb_table_writer_open(); then SQL sees the rows after the pass. One pass
 * fills such a table and no later pass changes it, except that size_total gets
 * more rows by SQL. Large intermediate rows that need an order go through
 * analysis/rows/sorter.h, not through a temporary table. The first failure
 * sticks in run->status: after it every function has no effect and gaspdb_row()
 * returns false, so a pass runs to its end. Passes check for failures once.
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

#define GASPDB_NONE INT64_MIN /* NULL */

enum gaspdb_type {
#define TYPE(ident, category, doc) GASPDB_TYPE_##ident,
#include "collector/events/types.tbl.h"
	GASPDB_N_TYPES /* also: a type unknown here */
};

struct gaspdb_sorter;

struct gaspdb_run_thread {
	int64_t process; /* first thread of the process; -1: no such thread */
	int64_t rank;
	int64_t first_ns, last_ns;	 /* NONE: no log */
	int64_t first_event, last_event; /* NONE: no events */
	bool to_the_end;		 /* fragments.sql: to_the_end */
	bool stopped; /* for the first thread of a process: a thread's log
			 reached its size limit */
	int64_t damage_end_ns; /* for the first thread of a process: end of the
				  last damaged block; 0: none */
};

struct gaspdb_run_source {
	int64_t operation; /* -1: no such source */
	enum gaspdb_type type;
	bool synchronizes;	 /* its category is synchronization */
	bool allocates;		 /* ... allocation */
	bool keeps_time;	 /* ... allocation or io: an ideal network does
				    not shorten it */
	bool allocates_with_all; /* ... with a barrier of all members, which
				    completes the operations of contexts */
	bool call; /* call into a runtime, not a program function or user event
		    */
	bool computes; /* a function or loop of the program */
	bool writes; /* writes remote memory: a put, or an atomic that does more
			than fetch */
	bool blocking_access; /* get, put or atomic that is complete locally at
				 its return: not on a window or a request, and
				 without a later result */
};

/* Rows from passes for later passes: sorters (shared_sorter.h), created on
   demand. */
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

/* A run. Passes use it one after another in one thread. */
struct gaspdb_run {
	sqlite3 *db;
	struct gaspdb_error *err;
	enum gaspdb_status status;
	struct gaspdb_run_thread *threads; /* by id */
	struct gaspdb_run_source *sources; /* by id */
	int64_t n_threads, n_sources;
	struct gaspdb_shared_rows shared;
	sqlite3_stmt *quality;	     /* quality.c, prepared on demand */
	struct gaspdb_tables tables; /* sql/store/table.h, on db */
	/* Progress callback; NULL: none. */
	void (*progress)(struct gaspdb_run *run);
	const struct gaspdb_passes_watch *watch;
	const struct gaspdb_pass *pass;
	uint64_t pages; /* read, built or written by the pass */
};

/* --- open.c --------------------------------------------------------------- */

/* Open a run: read threads and sources. Close it in any case. */
void gaspdb_run_open(struct gaspdb_run *run, sqlite3 *db,
		     struct gaspdb_error *err);
/* Write the buffered rows of tables and free the run. The pass has finalized
   its statements by then. Returns the status. */
enum gaspdb_status gaspdb_run_close(struct gaspdb_run *run);

/* --- run.c ---------------------------------------------------------------- */

/* The thread or source of an id; NULL: none. */
const struct gaspdb_run_thread *gaspdb_run_thread(const struct gaspdb_run *run,
						  int64_t id);
static inline const struct gaspdb_run_source *
gaspdb_run_source(const struct gaspdb_run *run, int64_t id)
{
	if (id < 0 || id >= run->n_sources || run->sources[id].operation < 0)
		return NULL;
	return &run->sources[id];
}

/* The type of a source's operation; GASPDB_N_TYPES: no such source. */
static inline enum gaspdb_type gaspdb_source_type(const struct gaspdb_run *run,
						  int64_t id)
{
	const struct gaspdb_run_source *source = gaspdb_run_source(run, id);

	return source ? source->type : GASPDB_N_TYPES;
}

/* Is it a collective that moves data between all members of a team? */
bool gaspdb_moves_data_of_all(enum gaspdb_type type);
/* Is a call without a number matched by its order on each thread? */
bool gaspdb_counts_by_order(enum gaspdb_type type);
/* Does a call synchronize? After it an access may read new data, and earlier
   effects may have to be complete. */
bool gaspdb_source_separates(const struct gaspdb_run_source *source);
/* Is it an allocation or free of no shared memory? Such a call has no barrier.
   NONE: unknown. */
bool gaspdb_is_of_nothing(enum gaspdb_type type, int64_t bytes, int64_t address,
			  int64_t old_address);
/* The first thread of a thread's process; NONE: thread is NONE or unknown. */
int64_t gaspdb_run_process(const struct gaspdb_run *run, int64_t thread);
/* The number of processes; inspects each thread. */
int64_t gaspdb_run_processes(const struct gaspdb_run *run);
/* Does a damaged block of the thread's process end after at_ns, so that later
   events may be lost? */
bool gaspdb_run_damaged_after(const struct gaspdb_run *run, int64_t thread,
			      int64_t at_ns);
/* The first thread of the process of a rank; NONE: no such rank. */
int64_t gaspdb_run_rank(const struct gaspdb_run *run, int64_t rank);

/* For each thread: were some of its calls masked, and so not recorded? For
   free(); NULL: failed. */
bool *gaspdb_run_masked(struct gaspdb_run *run);

/* Does the run have an operation of one of these types? */
bool gaspdb_run_has(const struct gaspdb_run *run, const enum gaspdb_type *types,
		    size_t n_types);

/* The interrupt case of gaspdb_run_stopped(). */
void gaspdb_run_interrupted(struct gaspdb_run *run);
/*
 * Has the run failed? An interrupt is a failure. Long loops check it regularly.
 */
static inline bool gaspdb_run_stopped(struct gaspdb_run *run)
{
	if (gaspdb_interrupted)
		gaspdb_run_interrupted(run);
	return run->status != GASPDB_OK;
}

/* Count pages that the pass has read, built or written. */
static inline void gaspdb_run_count_pages(struct gaspdb_run *run, uint64_t n)
{
	enum { NOW_AND_THEN = 64 };
	const uint64_t before = run->pages;

	run->pages += n;
	if (run->progress && before / NOW_AND_THEN < run->pages / NOW_AND_THEN)
		run->progress(run);
}

void gaspdb_exec(struct gaspdb_run *run, const char *sql);
/* Prepare a statement, for sqlite3_finalize(); NULL: failed. */
sqlite3_stmt *gaspdb_prepare(struct gaspdb_run *run, const char *sql);
/* Step to the next row; false: the end. */
bool gaspdb_row(struct gaspdb_run *run, sqlite3_stmt *stmt);
/* The integer that a statement selects; 0: no row, or NULL. */
int64_t gaspdb_select_number(struct gaspdb_run *run, const char *sql);
/* An integer column; NONE: NULL. */
int64_t gaspdb_column(sqlite3_stmt *stmt, int column);
/* Reset a statement and bind parameters 1 .. n; NONE is NULL. */
void gaspdb_bind(struct gaspdb_run *run, sqlite3_stmt *stmt, size_t n,
		 const int64_t *values);
/* Execute a statement without result. Parameters 1 .. n are values, NONE for
   NULL; the following parameters are texts. */
void gaspdb_write_texts(struct gaspdb_run *run, sqlite3_stmt *stmt, size_t n,
			const int64_t *values, size_t n_texts,
			const char *const *texts);
/* Execute a statement without result, with one text; NULL: none. */
void gaspdb_write(struct gaspdb_run *run, sqlite3_stmt *stmt, size_t n,
		  const int64_t *values, const char *text);

/* The slow path of gaspdb_grow(): no room. */
bool gaspdb_grow_now(struct gaspdb_run *run, void *array, size_t *room,
		     size_t size);
/* Make room in *array for one more than its n elements of that size. false: out
   of memory, a failure. */
static inline bool gaspdb_grow(struct gaspdb_run *run, void *array, size_t n,
			       size_t *room, size_t size)
{
	return run->status == GASPDB_OK &&
	       (n < *room || gaspdb_grow_now(run, array, room, size));
}

/* Make room for `more` elements. */
static inline bool gaspdb_grow_by(struct gaspdb_run *run, void *array, size_t n,
				  size_t more, size_t *room, size_t size)
{
	while (run->status == GASPDB_OK && n + more > *room)
		gaspdb_grow_now(run, array, room, size);
	return run->status == GASPDB_OK;
}

/* realloc() for n elements. NULL: failed, and the array is unchanged. */
void *gaspdb_resized(struct gaspdb_run *run, void *array, size_t n,
		     size_t size);

/* calloc() for n elements. */
void *gaspdb_zeroed(struct gaspdb_run *run, size_t n, size_t size);

/* Make room in the map for one more. false: out of memory, a failure. */
bool gaspdb_map_grow(struct gaspdb_run *run, struct gaspdb_map *map);

#endif
