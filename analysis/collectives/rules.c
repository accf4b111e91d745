/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rules of MPI, OpenSHMEM and UPC that follow from the type of operation.
 */
#include "analysis/collectives/rules.h"

#include <stdlib.h>

#include "collector/log/log_format.h"
#include "sql/passes/collectives.h"

const char *const gaspdb_collective_rule_names[] = {
#define RULE(ident, name) name,
	GASPDB_COLLECTIVE_RULES(RULE)
#undef RULE
};

static const struct {
	enum gaspdb_type type;
	enum gaspdb_collective_rule rule;
} rules[] = {
	{ GASPDB_TYPE_barrier, GASPDB_COLLECTIVE_ALL },
	{ GASPDB_TYPE_notify, GASPDB_COLLECTIVE_ALL },
	{ GASPDB_TYPE_barrier_wait, GASPDB_COLLECTIVE_ALL },
	{ GASPDB_TYPE_all_to_all, GASPDB_COLLECTIVE_DATA },
	{ GASPDB_TYPE_broadcast, GASPDB_COLLECTIVE_FROM_ROOT },
	{ GASPDB_TYPE_scatter, GASPDB_COLLECTIVE_FROM_ROOT },
	{ GASPDB_TYPE_gather, GASPDB_COLLECTIVE_TO_ROOT },
	{ GASPDB_TYPE_reduce, GASPDB_COLLECTIVE_TO_ROOT },
	{ GASPDB_TYPE_scan, GASPDB_COLLECTIVE_BEFORE },
	{ GASPDB_TYPE_neighbor, GASPDB_COLLECTIVE_NEIGHBORS },
	/* The senders and receivers are not recorded. */
	{ GASPDB_TYPE_exchange, GASPDB_COLLECTIVE_UNKNOWN },
};

bool gaspdb_collective_synchronizes(enum gaspdb_collective_rule rule)
{
	return rule == GASPDB_COLLECTIVE_ALL ||
	       rule == GASPDB_COLLECTIVE_DATA ||
	       rule == GASPDB_COLLECTIVE_SIZES ||
	       rule == GASPDB_COLLECTIVE_GROUPS ||
	       rule == GASPDB_COLLECTIVE_GROUPS_DATA;
}

static enum gaspdb_collective_rule rule_of(enum gaspdb_type type)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (rules[i].type == type)
			return rules[i].rule;
	return GASPDB_COLLECTIVE_IF_OVERLAP;
}

enum gaspdb_collective_rule gaspdb_collective_rule_of_start(int64_t does)
{
	switch (does) {
#define DOES(type, number)       \
	case GASPDB_DOES_##type: \
		return rule_of(GASPDB_TYPE_##type);
		GASPDB_DOINGS(DOES)
#undef DOES
	default:
		return GASPDB_COLLECTIVE_IF_OVERLAP;
	}
}

static bool make_room(struct gaspdb_collective_operations *operations,
		      struct gaspdb_run *run, int64_t n)
{
	operations->n = n;
	operations->by_id =
		gaspdb_zeroed(run, (size_t)n, sizeof(*operations->by_id));
	return operations->by_id != NULL;
}

static void load_symbols(struct gaspdb_collective_operations *operations,
			 struct gaspdb_run *run)
{
	sqlite3_stmt *stmt = gaspdb_prepare(run, gaspdb_sql_operation_symbols);

	while (gaspdb_row(run, stmt)) {
		struct gaspdb_collective_operation *o;

		if (!operations->by_id &&
		    !make_room(operations, run,
			       sqlite3_column_int64(stmt, 2) + 1))
			break;
		o = &operations->by_id[sqlite3_column_int64(stmt, 0)];
		o->symbol = sqlite3_column_int64(stmt, 1);
		o->rule = GASPDB_COLLECTIVE_IF_OVERLAP;
	}
	sqlite3_finalize(stmt);
}

void gaspdb_collective_operations_load(
	struct gaspdb_collective_operations *operations, struct gaspdb_run *run)
{
	*operations = (struct gaspdb_collective_operations){ .n = 0 };
	load_symbols(operations, run);
	for (int64_t i = 0; i < run->n_sources && operations->by_id; i++) {
		const struct gaspdb_run_source *s = gaspdb_run_source(run, i);
		struct gaspdb_collective_operation *o;

		if (!s)
			continue;
		o = &operations->by_id[s->operation];
		o->rule = rule_of(s->type);
		o->phase = s->type == GASPDB_TYPE_barrier ||
			   s->type == GASPDB_TYPE_notify ||
			   s->type == GASPDB_TYPE_barrier_wait;
		o->start = s->type == GASPDB_TYPE_start;
	}
}

void gaspdb_collective_operations_free(
	struct gaspdb_collective_operations *operations)
{
	free(operations->by_id);
}
