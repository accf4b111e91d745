/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work that was handed over: its hand-overs and runs, joined by its number in
   the process. */
#ifndef GASPDB_ANALYSIS_ENTITIES_HAND_OVERS_H
#define GASPDB_ANALYSIS_ENTITIES_HAND_OVERS_H

#include "analysis/engine/scan.h"

struct gaspdb_hand_overs {
	struct gaspdb_run *run;
	struct gaspdb_event_args args;
	unsigned char *roles; /* by argument.id; 0: the work's number */
	int64_t n_roles;
	sqlite3_stmt *add;
};

void gaspdb_hand_overs_open(struct gaspdb_hand_overs *w,
			    struct gaspdb_run *run);
/* put: a hand-over, else a run. */
void gaspdb_hand_overs_add(struct gaspdb_hand_overs *w,
			   const struct gaspdb_event *event, bool put);
/* Writes the tables. */
void gaspdb_hand_overs_close(struct gaspdb_hand_overs *w);

#endif
