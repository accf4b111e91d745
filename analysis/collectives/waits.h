/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The waits of one instance of a collective operation. */
#ifndef GASPDB_ANALYSIS_COLLECTIVES_WAITS_H
#define GASPDB_ANALYSIS_COLLECTIVES_WAITS_H

#include "analysis/collectives/calls/events.h"
#include "analysis/collectives/overlap.h"
#include "analysis/collectives/rules.h"
#include "analysis/engine/clock_errors.h"
#include "analysis/engine/quality.h"
#include "analysis/waits/polls.h"
#include "analysis/waits/waits.h"

/* The members that one member waits for, if these differ between members. */
struct gaspdb_awaited {
	int64_t last; /* index of the last sender to arrive; NONE: no sender */
	bool missing; /* some have no event */
	bool unknown; /* they are unknown */
};

struct gaspdb_instance {
	struct gaspdb_member *members; /* in order of threads */
	size_t n;
	const int64_t *ranks; /* of the members in the team, for two groups and
				 with `awaited` */
	const struct gaspdb_awaited *awaited; /* for rules BEFORE, NEIGHBORS */
	enum gaspdb_collective_rule rule;
	int64_t local; /* size of the first of two groups, which has the lower
			  ranks; NONE: one group */
	bool partial;  /* members are missing */
	bool group_partial[2]; /* members of the first, the second group are
				  missing */
	bool bound;	       /* partial, or an arrival is unknown */
	/* Set by gaspdb_instance_measure(): */
	size_t first, last; /* to arrive; ties: the lowest thread */
	int64_t first_leave_ns, last_leave_ns; /* if no member left: the last
						  arrival */
	bool overlaps; /* no member left before all had arrived, within the
			  error of clocks */
};

struct gaspdb_collective_waits {
	struct gaspdb_run *run;
	struct gaspdb_wait_writer writer;
	struct gaspdb_contradictions contradictions;
	/* On one host, which proves that the instance is wrong. */
	struct gaspdb_contradictions wrong;
	struct gaspdb_clock_errors clocks;
	bool checking; /* check only, propose nothing */
	bool is_wrong; /* result of the check */
	struct gaspdb_polls polls;
};

void gaspdb_collective_waits_open(struct gaspdb_collective_waits *waits,
				  struct gaspdb_run *run);
/* Set first and last arrival and leave, bound and overlaps. */
void gaspdb_instance_measure(struct gaspdb_instance *instance,
			     struct gaspdb_overlap_test *test);
/* Do members wait regardless of bytes? */
static inline bool gaspdb_needs_no_bytes(enum gaspdb_collective_rule rule)
{
	return rule == GASPDB_COLLECTIVE_ALL ||
	       rule == GASPDB_COLLECTIVE_SIZES ||
	       rule == GASPDB_COLLECTIVE_GROUPS;
}
/* Does the member send to others, so that they wait for it; does it receive
   from others? Unknown sizes count as data, and a barrier needs no data. */
static inline bool gaspdb_member_sends(const struct gaspdb_instance *instance,
				       const struct gaspdb_member *member)
{
	return member->bytes != 0 || gaspdb_needs_no_bytes(instance->rule);
}
static inline bool
gaspdb_member_receives(const struct gaspdb_instance *instance,
		       const struct gaspdb_member *member)
{
	return member->bytes_received != 0 ||
	       gaspdb_needs_no_bytes(instance->rule);
}
/* The group that a member belongs to, 0 or 1. */
unsigned gaspdb_instance_group(const struct gaspdb_instance *instance,
			       size_t i);
/* A member and its rank, for sorting. */
struct gaspdb_ranked {
	int64_t rank, member;
};
/* Find the member of lower rank that each member waits for, in the given array,
   which becomes `awaited`. Both arrays have room for all members. */
void gaspdb_instance_find_before(struct gaspdb_instance *instance,
				 struct gaspdb_ranked *ranked,
				 struct gaspdb_awaited *awaited);
/* Did member i arrive later than another one? At the same time the lower index
   counts as later. */
bool gaspdb_instance_is_later(const struct gaspdb_instance *instance, int64_t i,
			      int64_t than);
/* The member that all wait for, if all wait for all or for their data; NULL:
   none. */
const struct gaspdb_member *
gaspdb_instance_last_sender(const struct gaspdb_instance *instance);
/* The late member: the root if all wait for it, the first sender if the root
   waits, else the last to arrive. */
const struct gaspdb_member *
gaspdb_instance_late_member(const struct gaspdb_run *run,
			    const struct gaspdb_instance *instance);
/* Is the instance proven wrong: did a member leave before a member of the same
   host, which it must wait for, had entered? */
bool gaspdb_collective_waits_refute(struct gaspdb_collective_waits *waits,
				    const struct gaspdb_instance *instance);
/* Propose the instance's waits; returns their sum in ns. */
int64_t gaspdb_collective_waits_add(struct gaspdb_collective_waits *waits,
				    const struct gaspdb_instance *instance);
/* Write the contradictions to quality. */
void gaspdb_collective_waits_close(struct gaspdb_collective_waits *waits);

#endif
