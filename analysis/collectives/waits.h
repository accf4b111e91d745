/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who waited for whom in one instance of a collective operation. */
#ifndef GASPDB_ANALYSIS_COLLECTIVES_WAITS_H
#define GASPDB_ANALYSIS_COLLECTIVES_WAITS_H

#include "analysis/engine/clock_errors.h"
#include "analysis/collectives/events.h"
#include "analysis/collectives/overlap.h"
#include "analysis/collectives/rules.h"
#include "analysis/waits/polls.h"
#include "analysis/engine/quality.h"
#include "analysis/waits/waits.h"

/* Where each member waits for others of its own: for whom. */
struct gaspdb_awaited {
	int64_t last; /* to arrive of those that send, a member; NONE: none is
			 there that does */
	bool missing; /* some are not there */
	bool unknown; /* nobody knows for whom */
};

struct gaspdb_instance {
	struct gaspdb_member *members; /* by thread */
	size_t n;
	const int64_t *ranks; /* in the team, of each member: of two groups, and
				 where `awaited` is */
	const struct gaspdb_awaited *awaited; /* of rules BEFORE, NEIGHBORS */
	enum gaspdb_collective_rule rule;
	int64_t local; /* of two groups: the ranks of the first are less;
			  NONE: it is one group */
	bool partial;  /* members are missing */
	bool lacks[2]; /* ... of the first, of the second group */
	bool bound;    /* partial, or an arrival is not known */
	/* found by gaspdb_instance_measure() */
	size_t first, last; /* to arrive; ties: the lowest thread */
	int64_t first_leave_ns, last_leave_ns; /* of those that left, else of
						  the last to arrive */
	bool overlaps; /* nobody left before all had arrived, as far as their
			  clocks agree */
};

struct gaspdb_collective_waits {
	struct gaspdb_run *run;
	struct gaspdb_wait_writer writer;
	struct gaspdb_contradictions contradictions;
	/* On one host: the instance is put together from others' calls. */
	struct gaspdb_contradictions wrong;
	struct gaspdb_clock_errors clocks;
	bool checking; /* nothing is proposed */
	bool is_wrong; /* found while checking */
	struct gaspdb_polls polls;
};

void gaspdb_collective_waits_open(struct gaspdb_collective_waits *waits,
				  struct gaspdb_run *run);
void gaspdb_instance_measure(struct gaspdb_instance *instance,
			     struct gaspdb_overlap_test *test);
static inline bool gaspdb_needs_no_bytes(enum gaspdb_collective_rule rule)
{
	return rule == GASPDB_COLLECTIVE_ALL ||
	       rule == GASPDB_COLLECTIVE_SIZES ||
	       rule == GASPDB_COLLECTIVE_GROUPS;
}
/*
 * Does it send to others, who then wait for it; does it receive from any?  What
 * is not known counts as something, and a barrier needs no bytes.
 */
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
/* A member's rank; for sorting. */
struct gaspdb_ranked {
	int64_t rank, member;
};
/* Find whom each waits for of those before it, into that array, which is then
   `awaited`; with room for all members in both. */
void gaspdb_instance_find_before(struct gaspdb_instance *instance,
				 struct gaspdb_ranked *ranked,
				 struct gaspdb_awaited *awaited);
/* Did member i arrive later than that other one?  Of two that arrived at once
   the lower thread is the last. */
bool gaspdb_instance_is_later(const struct gaspdb_instance *instance, int64_t i,
			      int64_t than);
/* Where all wait for all, or for the data of all: the member they wait for;
   NULL: there is none. */
const struct gaspdb_member *
gaspdb_instance_waited_for(const struct gaspdb_instance *instance);
/* Who is late, if anyone waited: the root where it has the data, the first that
   sends to it, else the last to arrive. */
const struct gaspdb_member *
gaspdb_instance_late(const struct gaspdb_run *run,
		     const struct gaspdb_instance *instance);
/* Is it no instance: did a member leave, by the one clock of their host, before
   one that it must wait for had entered? */
bool gaspdb_collective_waits_refute(struct gaspdb_collective_waits *waits,
				    const struct gaspdb_instance *instance);
/* Propose the instance's waits; returns their sum in ns. */
int64_t gaspdb_collective_waits_add(struct gaspdb_collective_waits *waits,
				    const struct gaspdb_instance *instance);
/* Writes what it found of the clocks to quality. */
void gaspdb_collective_waits_close(struct gaspdb_collective_waits *waits);

#endif
