/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The logs of a run directory: what each says of itself, and is it whole. */
#ifndef GASPDB_RUN_LOGS_H
#define GASPDB_RUN_LOGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "run_rate.h"

struct gaspdb_run_log {
	char *name; /* of the file */
	uint64_t bytes, run, events, lost;
	int64_t start_real_ns;
	/* From its META records; NULL: it has none. */
	char *rank, *ranks, *thread, *model, *host, *program, *runtime;
	char *not_seen;
	uint64_t ticks_hz;
	struct gaspdb_rate rate;
	bool whole;	  /* closed properly and undamaged */
	char defect[256]; /* the first one; "" */
};

struct gaspdb_run_logs {
	struct gaspdb_run_log *logs; /* by rank, thread, name */
	size_t n;
};

/* Read all logs of the directory; what is wrong with one stands in it. */
enum gaspdb_status gaspdb_run_logs_read(struct gaspdb_run_logs *logs,
					const char *directory,
					struct gaspdb_error *err);
void gaspdb_run_logs_free(struct gaspdb_run_logs *logs);

#endif
