/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collectives made by hand: between two of its synchronizations a thread gets
 * from, or puts to, all other processes once each, the same number of bytes, by
 * one line, while half of the others or more wait for it.
 */
#ifndef GASPDB_ANALYSIS_ACCESS_HAND_MADE_H
#define GASPDB_ANALYSIS_ACCESS_HAND_MADE_H

#include "analysis/rows/groups.h"
#include "analysis/access/rereads.h"
#include "analysis/rows/sorter.h"

/* With fewer processes one of them is no root. */
enum { GASPDB_HAND_MADE_MIN_PEERS = 3 };

struct gaspdb_hand_made {
	struct gaspdb_run *run;
	int64_t peers;		    /* all processes but one */
	bool wanted;		    /* something can be found */
	int64_t thread;		    /* whose accesses come */
	struct gaspdb_groups lines; /* source: since the synchronization */
	struct gaspdb_groups seen;  /* source, peer: accessed since */
	struct gaspdb_sorter edges; /* of what was found, and of waits */
	bool *found;		    /* by thread: something */
	bool any;
	int64_t broken; /* a line that goes for something else */
};

/* All waiting is known. */
void gaspdb_hand_made_open(struct gaspdb_hand_made *hand,
			   struct gaspdb_run *run);
/* Can there be any?  Else there is no need to add something. */
static inline bool gaspdb_hand_made_wanted(const struct gaspdb_hand_made *hand)
{
	return hand->wanted;
}
/* A blocking get or put of another process's memory. */
void gaspdb_hand_made_add(struct gaspdb_hand_made *hand,
			  const struct gaspdb_access *access, int64_t start_ns);
/* The thread synchronized, or another thread's events follow. */
void gaspdb_hand_made_separate(struct gaspdb_hand_made *hand);
/* Write hand_made_total, but for line_ns. */
void gaspdb_hand_made_close(struct gaspdb_hand_made *hand);

#endif
