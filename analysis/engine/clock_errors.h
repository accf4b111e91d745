/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How well the clocks of two threads are known to agree: exactly on one host,
 * which has one clock; else within the errors of both hosts.
 */
#ifndef GASPDB_ANALYSIS_ENGINE_CLOCK_ERRORS_H
#define GASPDB_ANALYSIS_ENGINE_CLOCK_ERRORS_H

#include "analysis/engine/run.h"

struct gaspdb_thread_clock {
	int64_t host;	  /* a number from 1 on; 0: not known */
	int64_t error_ns; /* NONE: not known */
};

struct gaspdb_clock_errors {
	struct gaspdb_thread_clock *threads; /* by id; NULL: all on one host */
	int64_t n;
	bool one_host;	 /* all are known to be on one */
	bool *backwards; /* by id: the thread's times are not its clock's */
};

void gaspdb_clock_errors_load(struct gaspdb_clock_errors *errors,
			      struct gaspdb_run *run);
/* Is so short a time between two threads (NONE: of nobody) no more than their
   clocks' error?  False where that is not known. */
bool gaspdb_clock_errors_hide(const struct gaspdb_clock_errors *errors,
			      int64_t a, int64_t b, int64_t ns);
/* That error; 0 on one host, or where it is not known. */
int64_t gaspdb_clock_errors_between(const struct gaspdb_clock_errors *errors,
				    int64_t a, int64_t b);
/* Is it known that both ran on one host, and so by one clock, which went
   backwards for neither? */
bool gaspdb_clock_errors_one_host(const struct gaspdb_clock_errors *errors,
				  int64_t a, int64_t b);
void gaspdb_clock_errors_free(struct gaspdb_clock_errors *errors);

#endif
