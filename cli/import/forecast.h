/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Forecast of an import's time: elapsed and remaining. The remaining time is
 * estimated from the rows so far, and from this machine's speed in reading
 * logs.
 */
#ifndef GASPDB_CLI_IMPORT_FORECAST_H
#define GASPDB_CLI_IMPORT_FORECAST_H

#include <stdint.h>

#include "importer/import.h"

struct gaspdb_forecast {
	/* as gaspdb_make_options.progress; may be NULL */
	void (*report)(void *user, const char *phase, uint64_t done,
		       uint64_t total);
	void *user;
	uint64_t (*now_ns)(void);
	uint64_t start_ns;
	uint64_t reading_ns; /* start of reading logs */
	double speed;	     /* ns here per ns of the cost model */
	double share;	     /* last share reported; never decreases */
};

/* Starts the clock. */
void gaspdb_forecast_init(struct gaspdb_forecast *forecast,
			  uint64_t (*now_ns)(void));
/* For gaspdb_import_options.progress; user: the forecast. */
void gaspdb_forecast_import(void *user,
			    const struct gaspdb_import_progress *progress);
/* For gaspdb_passes_watch.report; user: the forecast. */
void gaspdb_forecast_pass(void *user, const char *pass, double left);
/* Reports the remaining cost of this and later phases, in ns of
   gaspdb_passes_cost(). */
void gaspdb_forecast_left(struct gaspdb_forecast *forecast, const char *phase,
			  double cost);

#endif
