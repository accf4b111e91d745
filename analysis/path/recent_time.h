/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recent time of a thread by line: a cache of sums.  A thread mostly repeats
 * its last lines, so pieces are added up here before they are passed on.
 */
#ifndef GASPDB_ANALYSIS_PATH_RECENT_TIME_H
#define GASPDB_ANALYSIS_PATH_RECENT_TIME_H

#include <stdbool.h>
#include <stddef.h>

#include "common/sum.h"

enum gaspdb_doing {
	GASPDB_COMPUTING, /* no function is open */
	GASPDB_IN_FUNCTION,
	GASPDB_CALLING,
	GASPDB_WAITING,
	GASPDB_NOT_RECORDED
};

/* Where a time lies: an index. */
enum gaspdb_path_side { GASPDB_BESIDE_PATH, GASPDB_ON_PATH, GASPDB_PATH_SIDES };

enum {
	GASPDB_RECENT_TIME_SLOTS = 128, /* by hash */
	GASPDB_RECENT_TIME_LINES = 64,	/* no more than are told at a time */
	GASPDB_RECENT_TIME_PAYS =
		4 * GASPDB_RECENT_TIME_LINES, /* times, at least */
	GASPDB_RECENT_TIME_ALONE = 4096 /* else so many are told one by one */
};

struct gaspdb_recent_time_line {
	enum gaspdb_doing doing;
	int64_t from, to; /* sources, as in struct gaspdb_piece */
	int64_t ns[GASPDB_PATH_SIDES];
};

typedef void (*gaspdb_recent_time_fn)(
	void *user, const struct gaspdb_recent_time_line *line);

struct gaspdb_recent_time {
	gaspdb_recent_time_fn fn;
	void *user;
	enum gaspdb_path_side side; /* of what is added */
	bool pays;		    /* telling costs more than adding up */
	size_t alone;		    /* so many more */
	size_t times;		    /* added to lines */
	size_t n;
	struct gaspdb_recent_time_line lines[GASPDB_RECENT_TIME_LINES];
	unsigned char
		slots[GASPDB_RECENT_TIME_SLOTS]; /* a line, + 1; 0: free */
};

/* Each line is told by fn. */
void gaspdb_recent_time_init(struct gaspdb_recent_time *spent,
			     gaspdb_recent_time_fn fn, void *user);
/* Tell all, in the order in which the lines came, and forget it. */
void gaspdb_recent_time_emit(struct gaspdb_recent_time *spent);
/* Parts of gaspdb_recent_time_add(): a line that is not there, and one by one.
 */
void gaspdb_recent_time_add_line(struct gaspdb_recent_time *spent,
				 enum gaspdb_doing doing, int64_t from,
				 int64_t to, int64_t ns);
void gaspdb_recent_time_emit_one(struct gaspdb_recent_time *spent,
				 enum gaspdb_doing doing, int64_t from,
				 int64_t to, int64_t ns);

/* Where a line is looked for first: those of few sources have different ones,
   mostly. */
static inline size_t gaspdb_recent_time_place(enum gaspdb_doing doing,
					      int64_t from, int64_t to)
{
	const uint64_t line =
		((((uint64_t)from << 6) + (uint64_t)to) << 3) + doing;

	return line * 0x9e3779b97f4a7c15u >> 57;
}

/* So long the thread did that. */
static inline void gaspdb_recent_time_add(struct gaspdb_recent_time *spent,
					  enum gaspdb_doing doing, int64_t from,
					  int64_t to, int64_t ns)
{
	size_t at = gaspdb_recent_time_place(doing, from, to);
	struct gaspdb_recent_time_line *line;

	if (spent->alone) {
		gaspdb_recent_time_emit_one(spent, doing, from, to, ns);
		return;
	}
	spent->times++;
	for (; spent->slots[at]; at = (at + 1) % GASPDB_RECENT_TIME_SLOTS) {
		line = &spent->lines[spent->slots[at] - 1];
		if (line->from == from && line->to == to &&
		    line->doing == doing) {
			gaspdb_add_to(&line->ns[spent->side], ns);
			return;
		}
	}
	gaspdb_recent_time_add_line(spent, doing, from, to, ns);
}

#endif
