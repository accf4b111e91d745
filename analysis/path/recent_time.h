/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recent time of a thread by line: a cache of sums. A thread mostly repeats its
 * last lines, so time is added up here before it is passed on.
 */
#ifndef GASPDB_ANALYSIS_PATH_RECENT_TIME_H
#define GASPDB_ANALYSIS_PATH_RECENT_TIME_H

#include <stdbool.h>
#include <stddef.h>

#include "common/sum.h"

/* Activity of a thread. */
enum gaspdb_activity_kind {
	GASPDB_COMPUTING, /* no function is open */
	GASPDB_IN_FUNCTION,
	GASPDB_CALLING,
	GASPDB_WAITING,
	GASPDB_NOT_RECORDED
};

/* Side of the critical path; also an index. */
enum gaspdb_path_side { GASPDB_BESIDE_PATH, GASPDB_ON_PATH, GASPDB_PATH_SIDES };

enum {
	GASPDB_RECENT_TIME_SLOTS = 128, /* of the hash table */
	GASPDB_RECENT_TIME_LINES = 64,	/* limit of lines; then it is emitted */
	/* With fewer additions before it is full, the cache does not pay: it is
	   bypassed for the next GASPDB_RECENT_TIME_BYPASS additions. */
	GASPDB_RECENT_TIME_PAYS = 4 * GASPDB_RECENT_TIME_LINES,
	GASPDB_RECENT_TIME_BYPASS = 4096
};

struct gaspdb_recent_time_line {
	enum gaspdb_activity_kind kind;
	int64_t from, to; /* sources, as in struct gaspdb_activity_piece */
	int64_t ns[GASPDB_PATH_SIDES];
};

typedef void (*gaspdb_recent_time_fn)(
	void *user, const struct gaspdb_recent_time_line *line);

struct gaspdb_recent_time {
	gaspdb_recent_time_fn fn;
	void *user;
	enum gaspdb_path_side side; /* of the additions */
	bool pays;		    /* emitting is expensive: use the cache */
	size_t bypass;		    /* additions that still bypass the cache */
	size_t times;		    /* additions since the last emit */
	size_t n;
	struct gaspdb_recent_time_line lines[GASPDB_RECENT_TIME_LINES];
	unsigned char slots[GASPDB_RECENT_TIME_SLOTS]; /* line + 1; 0: free */
};

/* fn gets the lines when they are emitted. */
void gaspdb_recent_time_init(struct gaspdb_recent_time *recent,
			     gaspdb_recent_time_fn fn, void *user);
/* Pass all lines to fn, in the order of their first addition, and empty the
   cache. */
void gaspdb_recent_time_emit(struct gaspdb_recent_time *recent);
/* Parts of gaspdb_recent_time_add(): a new line; an addition that bypasses the
   cache. */
void gaspdb_recent_time_add_line(struct gaspdb_recent_time *recent,
				 enum gaspdb_activity_kind kind, int64_t from,
				 int64_t to, int64_t ns);
void gaspdb_recent_time_add_bypassing(struct gaspdb_recent_time *recent,
				      enum gaspdb_activity_kind kind,
				      int64_t from, int64_t to, int64_t ns);

/* The first slot of a line: mostly different for a few sources. */
static inline size_t gaspdb_recent_time_place(enum gaspdb_activity_kind kind,
					      int64_t from, int64_t to)
{
	const uint64_t line =
		((((uint64_t)from << 6) + (uint64_t)to) << 3) + kind;

	return line * 0x9e3779b97f4a7c15u >> 57;
}

/* Add time of the thread. */
static inline void gaspdb_recent_time_add(struct gaspdb_recent_time *recent,
					  enum gaspdb_activity_kind kind,
					  int64_t from, int64_t to, int64_t ns)
{
	size_t at = gaspdb_recent_time_place(kind, from, to);
	struct gaspdb_recent_time_line *line;

	if (recent->bypass) {
		gaspdb_recent_time_add_bypassing(recent, kind, from, to, ns);
		return;
	}
	recent->times++;
	for (; recent->slots[at]; at = (at + 1) % GASPDB_RECENT_TIME_SLOTS) {
		line = &recent->lines[recent->slots[at] - 1];
		if (line->from == from && line->to == to &&
		    line->kind == kind) {
			gaspdb_add_to(&line->ns[recent->side], ns);
			return;
		}
	}
	gaspdb_recent_time_add_line(recent, kind, from, to, ns);
}

#endif
