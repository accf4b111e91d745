/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Polls: sequences of unsuccessful tests or probes that end at a successful
 * one. Between two of them the thread makes no other call and has no recording
 * gap.
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
	unsigned char *is_other; /* by argument.id: 0 for `success` */
	int64_t n_roles;
	struct gaspdb_poll_gap *gaps; /* in order of thread and time */
	size_t n_gaps, room;
};

/* Is it a type of call that tests without waiting? */
static inline bool gaspdb_type_polls(enum gaspdb_type type)
{
	return type == GASPDB_TYPE_test || type == GASPDB_TYPE_probe_nb ||
	       type == GASPDB_TYPE_window_test;
}

void gaspdb_polls_open(struct gaspdb_polls *polls, struct gaspdb_run *run);
/* Is the test or probe recorded as unsuccessful? */
bool gaspdb_polls_failed(struct gaspdb_polls *polls, int64_t event);
/* The start of a thread's last gap before a time; NONE: no gap. */
int64_t gaspdb_polls_last_gap(const struct gaspdb_polls *polls, int64_t thread,
			      int64_t before_ns);
typedef void (*gaspdb_poll_fn)(void *user, int64_t event, int64_t start_ns,
			       int64_t end_ns);
/*
 * Call fn for the unsuccessful polls that an event ends, the last first. In
 * runs with more than 2^20 gaps it finds none.
 */
void gaspdb_polls_before(struct gaspdb_polls *polls, int64_t event,
			 gaspdb_poll_fn fn, void *user);
void gaspdb_polls_close(struct gaspdb_polls *polls);

#endif
