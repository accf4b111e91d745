/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Progress bar of a long operation, on a terminal's stderr. */
#ifndef GASPDB_CLI_OUTPUT_PROGRESS_H
#define GASPDB_CLI_OUTPUT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct gaspdb_progress {
	bool terminal, shown;
	uint64_t start_ns, drawn_ns; /* CLOCK_MONOTONIC */
};

void gaspdb_progress_init(struct gaspdb_progress *p);
/* Callback for gaspdb_make(): user is the struct; done and total are ns. Draws
   at most ten times a second, and not in the first second. */
void gaspdb_progress_update(void *user, const char *phase, uint64_t done,
			    uint64_t total);
/* Removes the bar. Returns ns since init. */
uint64_t gaspdb_progress_fini(struct gaspdb_progress *p);

#endif
