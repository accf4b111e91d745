/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hand-made collectives: between two synchronizations, one line of a thread
 * gets from or puts to every other process once, with equal sizes, while at
 * least half of the other processes wait for the thread.
 */
#ifndef GASPDB_ANALYSIS_ACCESS_HAND_MADE_H
#define GASPDB_ANALYSIS_ACCESS_HAND_MADE_H

#include "analysis/rows/groups.h"
#include "analysis/access/rereads.h"
#include "analysis/rows/sorter.h"

/* With fewer peers such accesses are no collective. */
enum { GASPDB_HAND_MADE_MIN_PEERS = 3 };

struct gaspdb_hand_made {
	struct gaspdb_run *run;
	int64_t peers;		    /* number of processes - 1 */
	bool enabled;		    /* the run may have some */
	int64_t thread;		    /* current one */
	struct gaspdb_groups lines; /* source: since the synchronization */
	struct gaspdb_groups seen;  /* source, peer: accessed since then */
	struct gaspdb_sorter edges; /* starts and ends of candidates and waits
				     */
	bool *has_candidate;	    /* by thread */
	bool any;		    /* candidates */
	int64_t excluded; /* the last source that is no candidate; NONE */
};

/* Open the analysis; table wait is complete. */
void gaspdb_hand_made_open(struct gaspdb_hand_made *hand,
			   struct gaspdb_run *run);
/* Can the run have any? If not, adding accesses has no effect. */
static inline bool gaspdb_hand_made_enabled(const struct gaspdb_hand_made *hand)
{
	return hand->enabled;
}
/* Add a blocking get or put of another process's memory. */
void gaspdb_hand_made_add(struct gaspdb_hand_made *hand,
			  const struct gaspdb_access *access, int64_t start_ns);
/* End the candidates: the thread synchronized, or its events end. */
void gaspdb_hand_made_separate(struct gaspdb_hand_made *hand);
/* Write hand_made_total, except line_ns. */
void gaspdb_hand_made_close(struct gaspdb_hand_made *hand);

#endif
