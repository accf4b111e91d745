/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sums of activity by line of the program, on the critical path and beside it:
 * calls by their line; computation by its function and the lines before and
 * after it.
 *
 * Computation has two sources: the call or function before it and the one after
 * it; NONE at a thread's start and end. Within a function, the first source is
 * the function itself if it computes from its start to its end. Otherwise it is
 * a number above all sources, which stands for the function and the source
 * before (gaspdb_path_lines_after()), and the second source is the next one in
 * the function; NONE: its end.
 */
#ifndef GASPDB_ANALYSIS_PATH_LINES_H
#define GASPDB_ANALYSIS_PATH_LINES_H

#include "analysis/path/recent_time.h"
#include "analysis/rows/groups.h"

/* A line, by source: time in its calls, or exclusive time of its function. */
struct gaspdb_line {
	bool call;		       /* call into a runtime */
	bool function;		       /* function or loop of the program; if
					  neither, all below is 0 */
	int64_t ns[GASPDB_PATH_SIDES]; /* without waiting */
	int64_t before_ns;	       /* of earlier threads: calls on the path,
					  functions on both sides */
	int64_t waiting_ns;	       /* on the path */
	int64_t next;	   /* cache: the source that followed last */
	uint32_t next_row; /* ... and the pair's row + 1; 0: none */
};

/* A batched addition to the computation of a pair. */
struct gaspdb_line_addend {
	size_t pair;
	enum gaspdb_path_side side;
	int64_t ns;
};

enum { GASPDB_LINE_ADDENDS = 64, GASPDB_RECENT_AFTERS = 64 };

struct gaspdb_path_lines {
	struct gaspdb_run *run;
	struct gaspdb_line *lines;    /* by source */
	int64_t n_lines;	      /* 0 after a failure */
	bool on_path;		      /* the thread has been on the path */
	struct gaspdb_groups calls;   /* source, thread: ns on the path */
	struct gaspdb_groups pairs;   /* from, to: ns of each side; of earlier
					 threads */
	struct gaspdb_groups threads; /* thread, function, from, to: ns */
	uint32_t recent[GASPDB_RECENT_AFTERS]; /* cache of `afters` */
	struct gaspdb_groups afters; /* function, source before: cache of the
					source that followed last, and the
					pair's row + 1 */
	int64_t others[GASPDB_PATH_SIDES];	 /* pairs without a row: ns */
	int64_t not_recorded[GASPDB_PATH_SIDES]; /* ns */
	uint16_t *row_of; /* by pair of sources: its row + 1; NULL: too many
			     sources */
	struct gaspdb_line_addend addends[GASPDB_LINE_ADDENDS]; /* batch */
	size_t n_addends;
};

void gaspdb_path_lines_open(struct gaspdb_path_lines *lines,
			    struct gaspdb_run *run);
void gaspdb_path_lines_close(struct gaspdb_path_lines *lines);

/* End a thread: sum up its calls and computation. */
void gaspdb_path_lines_end_thread(struct gaspdb_path_lines *lines,
				  int64_t thread);

/* Write path_line, path_call and thread_computation. not_started_ns, ended_ns:
   time of the path before the start and after the end of a thread. */
void gaspdb_path_lines_write(struct gaspdb_path_lines *lines,
			     int64_t not_started_ns, int64_t ended_ns);

/* Parts of gaspdb_path_lines_compute(): process the batch; add at once. */
void gaspdb_path_lines_flush(struct gaspdb_path_lines *lines);
void gaspdb_path_lines_compute_slowly(struct gaspdb_path_lines *lines,
				      int64_t from, int64_t to,
				      enum gaspdb_path_side side, int64_t ns);

/* Set the side of the path, before the thread's first activity and at each
   change. */
static inline void gaspdb_path_lines_set_side(struct gaspdb_path_lines *lines,
					      enum gaspdb_path_side side)
{
	lines->on_path |= side == GASPDB_ON_PATH;
}

/* Add recent time of a thread. */
void gaspdb_path_lines_add(struct gaspdb_path_lines *lines,
			   const struct gaspdb_recent_time_line *recent);

/* The line of a source; NULL: no such source. */
static inline struct gaspdb_line *
gaspdb_path_line(struct gaspdb_path_lines *lines, int64_t source)
{
	return source < 0 || source >= lines->n_lines ? NULL
						      : &lines->lines[source];
}

/* The first source of computation in a function after another source. after
   NONE: at the function's start. The function itself if there are too many. */
int64_t gaspdb_path_lines_after(struct gaspdb_path_lines *lines,
				int64_t function, int64_t after);
/* The function and the source before it of such a first source. */
void gaspdb_path_lines_resolve(const struct gaspdb_path_lines *lines,
			       int64_t from, int64_t *function, int64_t *after);
/* Add time of a call. */
static inline void gaspdb_path_lines_call(struct gaspdb_path_lines *lines,
					  int64_t source,
					  enum gaspdb_path_side side,
					  int64_t ns)
{
	gaspdb_add_to(&lines->lines[source].ns[side], ns);
}

/*
 * Add computation between the calls or functions of two sources, NONE at a
 * thread's start and end. The table of pairs is larger than the caches, so
 * additions are batched and their entries prefetched.
 */
static inline void gaspdb_path_lines_compute(struct gaspdb_path_lines *lines,
					     int64_t from, int64_t to,
					     enum gaspdb_path_side side,
					     int64_t ns)
{
	const size_t row = from == GASPDB_NONE ? 0 : (size_t)from + 1;
	const size_t column = to == GASPDB_NONE ? 0 : (size_t)to + 1;
	const size_t pair = row * ((size_t)lines->n_lines + 1) + column;

	if (!lines->row_of) {
		gaspdb_path_lines_compute_slowly(lines, from, to, side, ns);
		return;
	}
	__builtin_prefetch(&lines->row_of[pair]);
	lines->addends[lines->n_addends++] =
		(struct gaspdb_line_addend){ pair, side, ns };
	if (lines->n_addends == GASPDB_LINE_ADDENDS)
		gaspdb_path_lines_flush(lines);
}

#endif
