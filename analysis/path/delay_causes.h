/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What threads did while others waited for them. */
#ifndef GASPDB_ANALYSIS_PATH_DELAY_CAUSES_H
#define GASPDB_ANALYSIS_PATH_DELAY_CAUSES_H

#include "analysis/path/activity.h"
#include "analysis/rows/groups.h"
#include "analysis/rows/sorter.h"

/* A wait for a thread that had yet to come to that line. */
struct gaspdb_delay_causes_wait {
	int64_t id, start_ns, end_ns;
	int64_t kind, cause_thread, cause_source;
};

struct gaspdb_delay_causes_end;

struct gaspdb_delay_causes {
	struct gaspdb_run *run;
	struct gaspdb_groups *shares;
	struct gaspdb_sorter waits; /* thread, start, id: end, kind, source */
	const int64_t *next;	    /* of them; NULL: no more */
	int64_t thread;
	struct gaspdb_delay_causes_end *open; /* a heap: the waits that go on */
	size_t n_open, open_room;
	int64_t last_end_ns; /* of those */
	/* Since there was none: */
	struct gaspdb_groups waited; /* kind, source: enum in delay_causes.c */
	struct gaspdb_groups lines;  /* doing, from, to: ... */
	struct gaspdb_groups sums;   /* row of waited, of lines: ... */
	size_t newest;		     /* row of lines + 1; 0: none */
	int64_t ticks;		     /* pieces so far */
};

/* shares: kind, thread, source, doing, from, to: ns.  It must outlive this. */
void gaspdb_delay_causes_open(struct gaspdb_delay_causes *meanwhile,
			      struct gaspdb_run *run,
			      struct gaspdb_groups *shares);
/* All waits first, then it begins. */
void gaspdb_delay_causes_wait(struct gaspdb_delay_causes *meanwhile,
			      const struct gaspdb_delay_causes_wait *wait);
void gaspdb_delay_causes_begin(struct gaspdb_delay_causes *meanwhile);
/* As gaspdb_delays_need(). */
bool gaspdb_delay_causes_need(struct gaspdb_delay_causes *meanwhile,
			      int64_t thread, int64_t at_ns, int64_t *until_ns);
/* All pieces that are wanted, in their order. */
void gaspdb_delay_causes_add(struct gaspdb_delay_causes *meanwhile,
			     const struct gaspdb_piece *piece);
/* After all pieces: now all is in shares. */
void gaspdb_delay_causes_finish(struct gaspdb_delay_causes *meanwhile);
void gaspdb_delay_causes_close(struct gaspdb_delay_causes *meanwhile);

#endif
