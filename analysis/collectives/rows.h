/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows and sums of instances, and their arrivals for the delays. */
#ifndef GASPDB_ANALYSIS_COLLECTIVES_ROWS_H
#define GASPDB_ANALYSIS_COLLECTIVES_ROWS_H

#include "analysis/collectives/waits.h"
#include "analysis/waits/arrival_cuts.h"

struct gaspdb_collective_team {
	int64_t id, size;   /* size -1: unknown */
	bool inter;	    /* an intercommunicator */
	bool is_active_set; /* its first collective creates it */
	int64_t local;	    /* intercommunicator: size of the first group */
};

struct gaspdb_collective_rows {
	struct gaspdb_run *run;
	const struct gaspdb_collective_operations *operations;
	struct gaspdb_arrivals arrivals;
	struct gaspdb_table_writer *instances, *members;
	int64_t *events; /* of an instance */
	size_t n_events, events_room;
	int64_t root, root_thread;   /* rank and thread of the last root */
	struct gaspdb_groups lines;  /* team, source, late thread: instances,
					members, wait, longest, spread,
					operation, completion */
	int64_t *line, line_keys[3]; /* cache of lines; line NULL: none */
	struct gaspdb_groups sizes;  /* thread, class: operations, bytes */
	struct gaspdb_arrival_cuts cuts;
};

/* operations: borrowed. */
void gaspdb_collective_rows_open(
	struct gaspdb_collective_rows *rows, struct gaspdb_run *run,
	const struct gaspdb_collective_operations *operations);
/* Add an instance, in the order of ids. wait_ns: sum of its waits. */
void gaspdb_collective_rows_add(struct gaspdb_collective_rows *rows, int64_t id,
				const struct gaspdb_collective_team *team,
				const struct gaspdb_instance *instance,
				int64_t wait_ns);
/* Write the sums. */
void gaspdb_collective_rows_close(struct gaspdb_collective_rows *rows);

/* The rank of the root that the members name; NONE, or negative: none. */
int64_t gaspdb_collective_root(const struct gaspdb_member *members, size_t n);

#endif
