/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The clock error between two threads: 0 on one host, which has one clock;
 * otherwise the sum of the errors of both hosts at that time (table host_clock;
 * or less, by host_pair). Without readings messages alone bound it, maybe by
 * much more than the wall clocks are off: then what is known of these, if less,
 * is the likely error.
 */
#ifndef GASPDB_ANALYSIS_ENGINE_CLOCK_ERRORS_H
#define GASPDB_ANALYSIS_ENGINE_CLOCK_ERRORS_H

#include "analysis/engine/run.h"

struct gaspdb_thread_clock {
	int64_t host;	  /* from 1; 0: unknown */
	int64_t error_ns; /* of its wall clock; NONE: unknown */
	bool read;	  /* readings align it */
};

/* A host's clock error from a time until the next one; NONE: unknown. */
struct gaspdb_clock_step {
	int64_t ns, error_ns;
};

/* The error of two hosts' clocks against each other, likewise. */
struct gaspdb_pair_step {
	int64_t host, other; /* host < other */
	int64_t ns, error_ns;
};

struct gaspdb_clock_errors {
	struct gaspdb_thread_clock *threads; /* by id; NULL: all on one host */
	int64_t n;
	struct gaspdb_clock_step *steps; /* by host and time */
	size_t n_steps, step_room;
	size_t *first_step;		/* by number of the host, and the end */
	int64_t n_hosts;		/* with steps: the highest number */
	struct gaspdb_pair_step *pairs; /* by pair and time */
	size_t n_pairs, pair_room;
	bool one_host;	 /* all threads are known to be on one host */
	bool *backwards; /* by id: the clock went backwards, and the thread's
			    times were adjusted */
};

void gaspdb_clock_errors_load(struct gaspdb_clock_errors *errors,
			      struct gaspdb_run *run);
/* Is a length of time between two threads, which ends at ns, within the likely
   error of their clocks? false: unknown error, or a thread is NONE. */
bool gaspdb_clock_errors_hide(const struct gaspdb_clock_errors *errors,
			      int64_t a, int64_t b, int64_t ns, int64_t length);
/* The likely error between two threads at a time; 0: one host, or unknown. */
int64_t gaspdb_clock_errors_between(const struct gaspdb_clock_errors *errors,
				    int64_t a, int64_t b, int64_t ns);
/* The largest error between them; 0: one host; NONE: unknown. */
int64_t gaspdb_clock_errors_bound(const struct gaspdb_clock_errors *errors,
				  int64_t a, int64_t b, int64_t ns);
/* The likely error of one thread's clock at a time; NONE: unknown. */
int64_t gaspdb_clock_errors_of(const struct gaspdb_clock_errors *errors,
			       int64_t thread, int64_t ns);
/* Are both threads known to be on one host, whose clock went backwards for
   neither? */
bool gaspdb_clock_errors_one_host(const struct gaspdb_clock_errors *errors,
				  int64_t a, int64_t b);
void gaspdb_clock_errors_free(struct gaspdb_clock_errors *errors);

#endif
