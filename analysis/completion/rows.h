/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output of the completion pass: rows of table completion and their roll-ups.
 */
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
	struct gaspdb_line_state *states; /* by row of lines */
	size_t n_states, states_room;
	uint32_t recent[16];		 /* cache of rows of lines, by source */
	struct gaspdb_groups completers; /* thread, source, completing source */
	/* Sums of these over all threads, without the key thread. */
	struct gaspdb_groups all_lines, all_completers;
};

/* The end of a transfer. */
struct gaspdb_transfer_end {
	int64_t event, source; /* completing call; NONE: not recorded */
	int64_t at_ns; /* its enter; or the last time at which the transfer may
			  have been in flight */
	int64_t share_ns;      /* of the completing call */
	int64_t overlapped_ns; /* NONE: unknown */
	bool bound;	       /* its cost is a lower bound */
};

void gaspdb_completion_rows_open(struct gaspdb_completion_rows *rows,
				 struct gaspdb_run *run);
void gaspdb_completion_rows_close(struct gaspdb_completion_rows *rows);

/* Add a transfer that begins, and set its line; write one that ends. Calls for
   one line are in the order of time. */
void gaspdb_completion_begun(struct gaspdb_completion_rows *rows,
			     struct gaspdb_transfer *t);
void gaspdb_completion_ended(struct gaspdb_completion_rows *rows,
			     const struct gaspdb_transfer *t,
			     const struct gaspdb_transfer_end *end);
/* Write the roll-ups of a process, after its last transfer. */
void gaspdb_completion_rows_process(struct gaspdb_completion_rows *rows);

/* A share of a time. */
struct gaspdb_part {
	int64_t weight; /* bytes */
	int64_t part;	/* result */
	gaspdb_wide remainder;
	size_t place;
};

/*
 * Divide a time by weights, equally if all are 0. Parts are integers that sum
 * to the time; the largest remainders are rounded up, of equal ones the first.
 */
void gaspdb_share_out(int64_t time_ns, struct gaspdb_part *parts, size_t n);

#endif
