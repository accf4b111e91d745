/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far an import is, in time: what it has taken, of that and what it will
 * still take.  What is left is estimated from the rows that there are, and from
 * how fast this machine has read logs so far.
 */
#ifndef GASPDB_FORECAST_H
#define GASPDB_FORECAST_H

#include <stdint.h>

#include "analysis/passes.h"

struct gaspdb_forecast {
	/* As gaspdb_import_options.progress; NULL: nobody listens. */
	void (*tell)(void *user, const char *phase, uint64_t done,
		     uint64_t total);
	void *user;
	uint64_t (*now_ns)(void);
	uint64_t start_ns;
	uint64_t reading_ns; /* when the reading of logs began */
	double speed;	     /* ns that here take what takes 1 ns elsewhere */
	double share;	     /* that was told: it never gets smaller */
};

/* From now on time counts. */
void gaspdb_forecast_init(struct gaspdb_forecast *forecast,
			  uint64_t (*now_ns)(void));
/* An archive is unpacked, so far of it; user: the forecast. */
void gaspdb_forecast_unpacking(void *user, const char *phase, uint64_t done,
			       uint64_t total);
void gaspdb_forecast_begin_reading(struct gaspdb_forecast *forecast);
/* So many bytes of all logs are read, and gave these rows. */
void gaspdb_forecast_reading(struct gaspdb_forecast *forecast, uint64_t bytes,
			     uint64_t all_bytes,
			     const struct gaspdb_work *rows);
/* Something else goes on, after which, or in which, so much is left: ns as of
   gaspdb_passes_cost(). */
void gaspdb_forecast_left(struct gaspdb_forecast *forecast, const char *phase,
			  double cost);

#endif
