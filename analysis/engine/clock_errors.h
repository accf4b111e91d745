/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clock error between two threads: 0 on one host, which has one clock;
   otherwise the sum of the errors of both hosts. */
#ifndef GASPDB_ANALYSIS_ENGINE_CLOCK_ERRORS_H
#define GASPDB_ANALYSIS_ENGINE_CLOCK_ERRORS_H

#include "analysis/engine/run.h"

struct gaspdb_thread_clock {
	int64_t host;	  /* from 1; 0: unknown */
	int64_t error_ns; /* NONE: unknown */
};

struct gaspdb_clock_errors {
	struct gaspdb_thread_clock *threads; /* by id; NULL: all on one host */
	int64_t n;
	bool one_host;	 /* all threads are known to be on one host */
	bool *backwards; /* by id: the clock went backwards, and the thread's
			    times were adjusted */
};

void gaspdb_clock_errors_load(struct gaspdb_clock_errors *errors,
			      struct gaspdb_run *run);
/* Is a time between two threads within the error of their clocks? false:
   unknown error, or a thread is NONE. */
bool gaspdb_clock_errors_hide(const struct gaspdb_clock_errors *errors,
			      int64_t a, int64_t b, int64_t ns);
/* The clock error between two threads; 0: one host, or unknown. */
int64_t gaspdb_clock_errors_between(const struct gaspdb_clock_errors *errors,
				    int64_t a, int64_t b);
/* Are both threads known to be on one host, whose clock went backwards for
   neither? */
bool gaspdb_clock_errors_one_host(const struct gaspdb_clock_errors *errors,
				  int64_t a, int64_t b);
void gaspdb_clock_errors_free(struct gaspdb_clock_errors *errors);

#endif
