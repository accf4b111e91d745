/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A forecast of an import's time: what it has taken, and what it will still
 * take.  What is left is estimated from the rows that there are, and from how
 * fast this machine has read logs so far.
 */
#ifndef GASPDB_CLI_IMPORT_FORECAST_H
#define GASPDB_CLI_IMPORT_FORECAST_H

#include <stdint.h>

#include "importer/import.h"

struct gaspdb_forecast {
	/* As gaspdb_make_options.progress; NULL: nobody listens. */
	void (*report)(void *user, const char *phase, uint64_t done,
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
/* For gaspdb_import_options.progress; user: the forecast. */
void gaspdb_forecast_import(void *user,
			    const struct gaspdb_import_progress *progress);
/* For gaspdb_passes_watch.report; user: the forecast. */
void gaspdb_forecast_pass(void *user, const char *pass, double left);
/* So much is left of this phase and all after it: ns as of
   gaspdb_passes_cost(). */
void gaspdb_forecast_left(struct gaspdb_forecast *forecast, const char *phase,
			  double cost);

#endif
