/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who waits for whom in collective operations, by their type. */
#ifndef GASPDB_ANALYSIS_COLLECTIVES_RULES_H
#define GASPDB_ANALYSIS_COLLECTIVES_RULES_H

#include "analysis/engine/run.h"

/* For whom the members of an instance wait, and the names in collective.rule.
 */
#define GASPDB_COLLECTIVE_RULES(RULE)                                          \
	RULE(UNKNOWN, "unknown")	 /* nobody knows: no waits */          \
	RULE(MISMATCH, "mismatch")	 /* they do not agree: no waits */     \
	RULE(NOBODY, "nobody")		 /* nobody for anybody */              \
	RULE(ALL, "all")		 /* all for all */                     \
	RULE(DATA, "data")		 /* all for the data of all */         \
	RULE(SIZES, "sizes")		 /* ... and of no data, too */         \
	RULE(FROM_ROOT, "root")		 /* all for the root */                \
	RULE(TO_ROOT, "to root")	 /* the root for the others */         \
	RULE(GROUPS, "groups")		 /* each for all of the other group */ \
	RULE(GROUPS_DATA, "groups data") /* each for all data of it */         \
	RULE(BEFORE, "before")		 /* each for those before it */        \
	RULE(NEIGHBORS, "neighbours")	 /* each for whom it receives from */  \
	RULE(PERHAPS, "perhaps") /* all for all, where nobody left before      \
				    all had arrived: settled to one above */

enum gaspdb_collective_rule {
#define RULE(ident, name) GASPDB_COLLECTIVE_##ident,
	GASPDB_COLLECTIVE_RULES(RULE)
#undef RULE
		GASPDB_N_COLLECTIVE_RULES
};

extern const char *const gaspdb_collective_rule_names[];

/* Must all have come before anyone goes? */
bool gaspdb_collective_synchronizes(enum gaspdb_collective_rule rule);

/* What is known of an operation. */
struct gaspdb_collective_operation {
	int64_t symbol; /* the lowest id of those with its symbol */
	enum gaspdb_collective_rule rule;
	bool phase; /* a barrier, whole or in halves */
	bool start; /* of persistent ones: what they are the member tells */
};

struct gaspdb_collective_operations {
	struct gaspdb_collective_operation *by_id;
	int64_t n;
};

/* Of what a start does, an enum gaspdb_does, or 0. */
enum gaspdb_collective_rule gaspdb_collective_rule_of_start(int64_t does);

void gaspdb_collective_operations_load(
	struct gaspdb_collective_operations *operations,
	struct gaspdb_run *run);
void gaspdb_collective_operations_free(
	struct gaspdb_collective_operations *operations);

#endif
