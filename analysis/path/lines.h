/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What all threads did at which lines of the program, and how much of it on the
 * critical path: calls by their line, computation by those of what is before
 * and after it, and of the function that it is in.
 *
 * The two sources of computation are those of the calls or functions before and
 * after it, NONE at a thread's ends.  In a function the first stands for both
 * the function and what came before in it: it is the function's, if it computes
 * from its beginning to its end, else a number beyond all sources
 * (gaspdb_path_lines_after()), and the second is what comes next in it, NONE if
 * it ends.
 */
#ifndef GASPDB_ANALYSIS_PATH_LINES_H
#define GASPDB_ANALYSIS_PATH_LINES_H

#include "analysis/rows/groups.h"
#include "analysis/path/recent_time.h"

/* A line, by source: what it is, and ns in its calls, or computing in its
   function and not in one that this one calls. */
struct gaspdb_line {
	bool call;		       /* into a runtime */
	bool function;		       /* a function or loop of the program's
					  own; neither: all below is 0 */
	int64_t ns[GASPDB_PATH_SIDES]; /* without waiting */
	int64_t before_ns;	       /* of threads before: calls on the path,
					  functions on either side */
	int64_t waiting_ns;	       /* on the path */
	int64_t next;		       /* what followed it last ... */
	uint32_t next_row; /* ... and the row of that pair, + 1; 0: none */
};

/* Computation of which is to be added to its pair's. */
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
	bool on_path;		      /* a part of this thread may be */
	struct gaspdb_groups calls;   /* source, thread: ns on the path */
	struct gaspdb_groups pairs;   /* from, to: ns of each side; of threads
					 before */
	struct gaspdb_groups threads; /* thread, function, from, to: ns */
	uint32_t recent[GASPDB_RECENT_AFTERS]; /* rows of `afters`, some of
						  which are wanted again */
	struct gaspdb_groups afters;	   /* function, what came before: what
					      came next last, and the row of
					      that pair, + 1 */
	int64_t others[GASPDB_PATH_SIDES]; /* of pairs without a row */
	int64_t not_recorded[GASPDB_PATH_SIDES]; /* ns */
	uint16_t *row_of; /* by pair of sources: its row, + 1; NULL: too many
			     sources */
	struct gaspdb_line_addend addends[GASPDB_LINE_ADDENDS];
	size_t n_addends;
};

void gaspdb_path_lines_open(struct gaspdb_path_lines *lines,
			    struct gaspdb_run *run);
void gaspdb_path_lines_close(struct gaspdb_path_lines *lines);

/* All of the thread has been added. */
void gaspdb_path_lines_end_thread(struct gaspdb_path_lines *lines,
				  int64_t thread);

/* Write path_line, path_call and thread_computation; ns on the path where
   threads had not started yet, and after their ends. */
void gaspdb_path_lines_write(struct gaspdb_path_lines *lines,
			     int64_t not_started_ns, int64_t ended_ns);

/* Parts of gaspdb_path_lines_compute(). */
void gaspdb_path_lines_add_up(struct gaspdb_path_lines *lines);
void gaspdb_path_lines_find(struct gaspdb_path_lines *lines, int64_t from,
			    int64_t to, enum gaspdb_path_side side, int64_t ns);

/* What the thread does from now on is on that side of the path: said before the
   first of it, and when it changes. */
static inline void gaspdb_path_lines_reach(struct gaspdb_path_lines *lines,
					   enum gaspdb_path_side side)
{
	lines->on_path |= side == GASPDB_ON_PATH;
}

/* So long a thread did that. */
void gaspdb_path_lines_add(struct gaspdb_path_lines *lines,
			   const struct gaspdb_recent_time_line *spent);

/* NULL: there is no such source. */
static inline struct gaspdb_line *
gaspdb_path_line(struct gaspdb_path_lines *lines, int64_t source)
{
	return source < 0 || source >= lines->n_lines ? NULL
						      : &lines->lines[source];
}

/* What stands for the first source of computation in a function that calls
   others.  after: NONE, nothing came before.  The function's own, if there are
   too many. */
int64_t gaspdb_path_lines_after(struct gaspdb_path_lines *lines,
				int64_t function, int64_t after);
/* What it stands for. */
void gaspdb_path_lines_emit(const struct gaspdb_path_lines *lines, int64_t from,
			    int64_t *function, int64_t *after);
/* The same of a call ... */
static inline void gaspdb_path_lines_call(struct gaspdb_path_lines *lines,
					  int64_t source,
					  enum gaspdb_path_side side,
					  int64_t ns)
{
	gaspdb_add_to(&lines->lines[source].ns[side], ns);
}

/*
 * ... and of computation between calls or functions of two sources, NONE at a
 * thread's ends.  The table of pairs is larger than caches, and a
 * pair anywhere in it: so it is asked for some time before it is needed.
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
		gaspdb_path_lines_find(lines, from, to, side, ns);
		return;
	}
	__builtin_prefetch(&lines->row_of[pair]);
	lines->addends[lines->n_addends++] =
		(struct gaspdb_line_addend){ pair, side, ns };
	if (lines->n_addends == GASPDB_LINE_ADDENDS)
		gaspdb_path_lines_add_up(lines);
}

#endif
