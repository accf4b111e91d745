/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Barriers that take long because they complete puts: more than three times the
 * median of their line, with puts pending on a member.
 */
#ifndef GASPDB_ANALYSIS_COMPLETION_BARRIER_DRAIN_H
#define GASPDB_ANALYSIS_COMPLETION_BARRIER_DRAIN_H

#include "analysis/rows/groups.h"
#include "analysis/rows/sorter.h"

struct gaspdb_drain_call {
	int64_t instance, source, thread;
	int64_t operation_ns; /* the call's part of the operation */
	bool operates;	      /* no first half, which has none */
	bool pending;	      /* it completes puts */
	bool completes;	      /* ... or anything else */
	bool back_to_back;
};

struct gaspdb_barrier_drain {
	struct gaspdb_run *run;
	struct gaspdb_sorter parts;   /* source, ns of an operation */
	struct gaspdb_groups medians; /* source: how many, their median */
	struct gaspdb_sorter calls;   /* instance, 0 where puts are pending:
					 source, thread, operation, flags */
};

typedef void (*gaspdb_drain_fn)(void *user,
				const struct gaspdb_drain_call *call);

void gaspdb_barrier_drain_open(struct gaspdb_barrier_drain *drain,
			       struct gaspdb_run *run);
void gaspdb_barrier_drain_add(struct gaspdb_barrier_drain *drain,
			      const struct gaspdb_drain_call *call);
/* When all calls are known: those whose operation is drain. */
void gaspdb_barrier_drain_find(struct gaspdb_barrier_drain *drain,
			       gaspdb_drain_fn fn, void *user);
void gaspdb_barrier_drain_close(struct gaspdb_barrier_drain *drain);

#endif
