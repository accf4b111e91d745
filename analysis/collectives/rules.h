/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rules of waiting in collective operations, by type of operation. */
#ifndef GASPDB_ANALYSIS_COLLECTIVES_RULES_H
#define GASPDB_ANALYSIS_COLLECTIVES_RULES_H

#include "analysis/engine/run.h"

/* The rules, with their names in collective.rule: which members each member
   waits for. */
#define GASPDB_COLLECTIVE_RULES(RULE)                                          \
	RULE(UNKNOWN, "unknown")   /* unknown: no waits */                     \
	RULE(MISMATCH, "mismatch") /* members disagree: no waits */            \
	RULE(NONE, "nobody")	   /* for no member */                         \
	RULE(ALL, "all")	   /* all for all */                           \
	RULE(DATA, "data")	   /* all for the data of all */               \
	RULE(SIZES, "sizes")	   /* ... also of members without data */      \
	RULE(FROM_ROOT, "root")	   /* all for the root */                      \
	RULE(TO_ROOT, "to root")   /* the root for all others */               \
	RULE(GROUPS, "groups")	   /* each for all of the other group */       \
	RULE(GROUPS_DATA, "groups data") /* each for the other group's data */ \
	RULE(BEFORE, "before")		 /* each for all of lower rank */      \
	RULE(NEIGHBORS, "neighbours")	 /* each for its neighbours */         \
	RULE(IF_OVERLAP, "perhaps") /* ALL if the calls overlap, else UNKNOWN; \
				    not written */

enum gaspdb_collective_rule {
#define RULE(ident, name) GASPDB_COLLECTIVE_##ident,
	GASPDB_COLLECTIVE_RULES(RULE)
#undef RULE
		GASPDB_N_COLLECTIVE_RULES
};

extern const char *const gaspdb_collective_rule_names[];

/* Must all members arrive before any can leave? */
bool gaspdb_collective_synchronizes(enum gaspdb_collective_rule rule);

/* Properties of an operation. */
struct gaspdb_collective_operation {
	int64_t symbol; /* lowest id of the operations with its symbol */
	enum gaspdb_collective_rule rule;
	bool phase; /* a barrier, or half of one */
	bool start; /* of persistent collectives, whose type is in
		       gaspdb_member.does */
};

struct gaspdb_collective_operations {
	struct gaspdb_collective_operation *by_id;
	int64_t n;
};

/* The rule of a start; does: enum gaspdb_does, or 0. */
enum gaspdb_collective_rule gaspdb_collective_rule_of_start(int64_t does);

void gaspdb_collective_operations_load(
	struct gaspdb_collective_operations *operations,
	struct gaspdb_run *run);
void gaspdb_collective_operations_free(
	struct gaspdb_collective_operations *operations);

#endif
