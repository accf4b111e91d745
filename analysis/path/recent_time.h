/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a thread has spent its time on lately.  Mostly it does what it has just
 * done before: so its time is added up here, line by line, before who wants to
 * know is told.
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
	GASPDB_SPENT_SLOTS = 128, /* by hash */
	GASPDB_SPENT_LINES = 64,  /* no more than are told at a time */
	GASPDB_SPENT_PAYS = 4 * GASPDB_SPENT_LINES, /* times, at least */
	GASPDB_SPENT_ALONE = 4096 /* else so many are told one by one */
};

struct gaspdb_spent_line {
	enum gaspdb_doing doing;
	int64_t from, to; /* sources, as in struct gaspdb_piece */
	int64_t ns[GASPDB_PATH_SIDES];
};

typedef void (*gaspdb_spent_fn)(void *user,
				const struct gaspdb_spent_line *line);

struct gaspdb_spent {
	gaspdb_spent_fn fn;
	void *user;
	enum gaspdb_path_side side; /* of what is added */
	bool pays;		    /* telling costs more than adding up */
	size_t alone;		    /* so many more */
	size_t times;		    /* added to lines */
	size_t n;
	struct gaspdb_spent_line lines[GASPDB_SPENT_LINES];
	unsigned char slots[GASPDB_SPENT_SLOTS]; /* a line, + 1; 0: free */
};

/* Each line is told by fn. */
void gaspdb_spent_init(struct gaspdb_spent *spent, gaspdb_spent_fn fn,
		       void *user);
/* Tell all, in the order in which the lines came, and forget it. */
void gaspdb_spent_tell(struct gaspdb_spent *spent);
/* Parts of gaspdb_spent_add(): a line that is not there, and one by one. */
void gaspdb_spent_add_line(struct gaspdb_spent *spent, enum gaspdb_doing doing,
			   int64_t from, int64_t to, int64_t ns);
void gaspdb_spent_tell_one(struct gaspdb_spent *spent, enum gaspdb_doing doing,
			   int64_t from, int64_t to, int64_t ns);

/* Where a line is looked for first: those of few sources have different ones,
   mostly. */
static inline size_t gaspdb_spent_place(enum gaspdb_doing doing, int64_t from,
					int64_t to)
{
	const uint64_t line =
		((((uint64_t)from << 6) + (uint64_t)to) << 3) + doing;

	return line * 0x9e3779b97f4a7c15u >> 57;
}

/* So long the thread did that. */
static inline void gaspdb_spent_add(struct gaspdb_spent *spent,
				    enum gaspdb_doing doing, int64_t from,
				    int64_t to, int64_t ns)
{
	size_t at = gaspdb_spent_place(doing, from, to);
	struct gaspdb_spent_line *line;

	if (spent->alone) {
		gaspdb_spent_tell_one(spent, doing, from, to, ns);
		return;
	}
	spent->times++;
	for (; spent->slots[at]; at = (at + 1) % GASPDB_SPENT_SLOTS) {
		line = &spent->lines[spent->slots[at] - 1];
		if (line->from == from && line->to == to &&
		    line->doing == doing) {
			gaspdb_add_to(&line->ns[spent->side], ns);
			return;
		}
	}
	gaspdb_spent_add_line(spent, doing, from, to, ns);
}

#endif
