/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of words in vain, one after another with no other call of their thread
 * between, that a test with success ended.
 */
#ifndef GASPDB_ANALYSIS_SIGNALS_TEST_SERIES_H
#define GASPDB_ANALYSIS_SIGNALS_TEST_SERIES_H

#include "analysis/waits/polls.h"
#include "analysis/engine/scan.h"
#include "analysis/waits/waits.h"

struct gaspdb_test_range {
	int64_t first, last, end; /* events: in vain, and with success */
};

struct gaspdb_test_series {
	struct gaspdb_run *run;
	struct gaspdb_polls polls;
	struct gaspdb_test_range *ended; /* in order */
	size_t n, room;
	struct gaspdb_test_range going; /* first NONE: none is */
	int64_t thread, last_ns;	/* that it is of; its last start */
};

void gaspdb_test_series_open(struct gaspdb_test_series *series,
			     struct gaspdb_run *run);
/* A call of a runtime, in the order of ids; what it is. */
enum gaspdb_test_call {
	GASPDB_TEST_OTHER,
	GASPDB_TEST_IN_VAIN,
	GASPDB_TEST_SUCCEEDS
};
void gaspdb_test_series_consume(struct gaspdb_test_series *series,
				const struct gaspdb_event *e,
				enum gaspdb_test_call call);
/* Is that test one of an ended series' in vain? */
bool gaspdb_test_series_has(const struct gaspdb_test_series *series,
			    int64_t event);
/* The tests in vain that wait->event ended wait for its cause, up to that; for
   without a known cause if it has none. */
void gaspdb_test_series_propose(struct gaspdb_test_series *series,
				struct gaspdb_wait_writer *writer,
				const struct gaspdb_wait *wait);
void gaspdb_test_series_close(struct gaspdb_test_series *series);

#endif
