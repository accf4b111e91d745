/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of table completion and their roll-ups. */
#ifndef GASPDB_ANALYSIS_COMPLETION_ROWS_H
#define GASPDB_ANALYSIS_COMPLETION_ROWS_H

#include "analysis/completion/open_transfers.h"
#include "analysis/rows/groups.h"
#include "common/wide.h"
#include "analysis/engine/run.h"

struct gaspdb_line_state;

struct gaspdb_completion_rows {
	struct gaspdb_run *run;
	struct gaspdb_table_writer *bulk;
	int64_t id;			  /* of the last row */
	struct gaspdb_groups lines;	  /* thread, source, blocking */
	struct gaspdb_line_state *states; /* of each line, by its row */
	size_t n_states, states_room;
	uint32_t recent[16];	 /* lines by source, where they were last */
	struct gaspdb_groups by; /* thread, source, completing source */
	/* The same of all threads, without them. */
	struct gaspdb_groups all_lines, all_by;
};

/* How a transfer ended. */
struct gaspdb_transfer_end {
	int64_t event, source; /* that completed it; NONE: not seen */
	int64_t at_ns; /* its enter; else until when it was in flight for all
			  that is known */
	int64_t share_ns;
	int64_t overlapped_ns; /* NONE: not known */
	bool bound;	       /* what it cost may be more */
};

void gaspdb_completion_rows_open(struct gaspdb_completion_rows *rows,
				 struct gaspdb_run *run);
void gaspdb_completion_rows_close(struct gaspdb_completion_rows *rows);

/* A transfer has begun, which sets its line; one has ended.  Those of a line in
   order of the time. */
void gaspdb_completion_begun(struct gaspdb_completion_rows *rows,
			     struct gaspdb_transfer *t);
void gaspdb_completion_ended(struct gaspdb_completion_rows *rows,
			     const struct gaspdb_transfer *t,
			     const struct gaspdb_transfer_end *end);
/* All of a process have: write its roll-ups. */
void gaspdb_completion_rows_process(struct gaspdb_completion_rows *rows);

/* What is shared out. */
struct gaspdb_part {
	int64_t weight; /* bytes */
	int64_t part;	/* result */
	gaspdb_wide remainder;
	size_t place;
};

/*
 * Share a time out by weight, equally if all are 0; parts are whole and sum to
 * it, the largest remainders first, of equal ones the first in order.
 */
void gaspdb_share_out(int64_t time_ns, struct gaspdb_part *parts, size_t n);

#endif
