/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests and probes in vain, one after another, up to one that succeeded: with
 * no other call of the thread between two of them, nor a time in which it was
 * not recorded.
 */
#ifndef GASPDB_ANALYSIS_WAITS_POLLS_H
#define GASPDB_ANALYSIS_WAITS_POLLS_H

#include "analysis/engine/scan.h"

struct gaspdb_poll_gap {
	int64_t thread, start_ns;
};

struct gaspdb_polls {
	struct gaspdb_run *run;
	struct gaspdb_table events;
	struct gaspdb_event_args arguments;
	unsigned char *is_other; /* by argument: 0, it is `success` */
	int64_t n_roles;
	struct gaspdb_poll_gap *gaps; /* of all threads, in order */
	size_t n_gaps, room;
};

/* Does a call of that type look, and not wait? */
static inline bool gaspdb_type_polls(enum gaspdb_type type)
{
	return type == GASPDB_TYPE_test || type == GASPDB_TYPE_probe_nb ||
	       type == GASPDB_TYPE_window_test;
}

void gaspdb_polls_open(struct gaspdb_polls *polls, struct gaspdb_run *run);
/* Does the log say that this test, or probe, did not succeed? */
bool gaspdb_polls_in_vain(struct gaspdb_polls *polls, int64_t event);
/* When a gap of that thread last began before then; NONE: never. */
int64_t gaspdb_polls_last_gap(const struct gaspdb_polls *polls, int64_t thread,
			      int64_t before_ns);
typedef void (*gaspdb_poll_fn)(void *user, int64_t event, int64_t start_ns,
			       int64_t end_ns);
/*
 * Calls fn for those in vain that the call of that id ended, the last first.
 * Of runs with more than 2^20 gaps it finds none.
 */
void gaspdb_polls_before(struct gaspdb_polls *polls, int64_t event,
			 gaspdb_poll_fn fn, void *user);
void gaspdb_polls_close(struct gaspdb_polls *polls);

#endif
