/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Test series: failed tests of words up to a successful one, without another
 * call of their thread between them.
 */
#ifndef GASPDB_ANALYSIS_SIGNALS_TEST_SERIES_H
#define GASPDB_ANALYSIS_SIGNALS_TEST_SERIES_H

#include "analysis/waits/polls.h"
#include "analysis/engine/scan.h"
#include "analysis/waits/waits.h"

struct gaspdb_test_range {
	int64_t first, last; /* failed tests, events */
	int64_t end;	     /* the successful one */
};

struct gaspdb_test_series {
	struct gaspdb_run *run;
	struct gaspdb_polls polls;
	struct gaspdb_test_range *ended; /* in order */
	size_t n, room;
	struct gaspdb_test_range current; /* first NONE: none */
	int64_t thread, last_ns;	  /* of the last event, and its start */
};

void gaspdb_test_series_open(struct gaspdb_test_series *series,
			     struct gaspdb_run *run);
/* Process a call into a runtime; they come in the order of ids. */
enum gaspdb_test_call {
	GASPDB_TEST_OTHER,
	GASPDB_TEST_FAILS,
	GASPDB_TEST_SUCCEEDS
};
void gaspdb_test_series_consume(struct gaspdb_test_series *series,
				const struct gaspdb_event *e,
				enum gaspdb_test_call call);
/* Is an event a failed test of a series? */
bool gaspdb_test_series_has(const struct gaspdb_test_series *series,
			    int64_t event);
/* Propose waits of the failed tests before wait->event, with the same cause, up
   to its time. */
void gaspdb_test_series_propose(struct gaspdb_test_series *series,
				struct gaspdb_wait_writer *writer,
				const struct gaspdb_wait *wait);
void gaspdb_test_series_close(struct gaspdb_test_series *series);

#endif
