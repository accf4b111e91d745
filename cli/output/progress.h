/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far a long operation has come, on a terminal's stderr. */
#ifndef GASPDB_CLI_OUTPUT_PROGRESS_H
#define GASPDB_CLI_OUTPUT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct gaspdb_progress {
	bool terminal, shown;
	uint64_t start_ns, drawn_ns; /* CLOCK_MONOTONIC */
};

void gaspdb_progress_init(struct gaspdb_progress *p);
/*
 * For gaspdb_make(): user is the struct; done and total are ns.  Draws at most
 * ten times a second, and nothing in the first second.
 */
void gaspdb_progress_update(void *user, const char *phase, uint64_t done,
			    uint64_t total);
/* Take the line away.  Returns ns since init. */
uint64_t gaspdb_progress_fini(struct gaspdb_progress *p);

#endif
