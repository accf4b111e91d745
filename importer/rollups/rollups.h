/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sums that reports start from, made while events pass: profile and traffic of
 * the thread being read, and of all together.
 */
#ifndef GASPDB_IMPORTER_ROLLUPS_ROLLUPS_H
#define GASPDB_IMPORTER_ROLLUPS_ROLLUPS_H

#include "importer/replay/event_rows.h"
#include "common/map.h"
#include "common/sum.h"
#include "importer/rollups/totals.h"
#include "importer/rollups/variation.h"

/* In the order of their names. */
enum gaspdb_direction { GASPDB_ATOMIC, GASPDB_GET, GASPDB_PUT, GASPDB_SEND };
extern const char *const gaspdb_directions[];

enum { GASPDB_TRAFFIC_CALLS = 64 }; /* that are taken together */

struct gaspdb_rollups {
	struct gaspdb_store *store;
	struct gaspdb_totals totals;
	int64_t thread, process;
	uint32_t *slots; /* by source.id and nested: index + 1 into profile */
	size_t slot_capacity;
	uint64_t *used; /* a bit for each slot that is not 0 */
	size_t used_capacity;
	struct gaspdb_profile {
		uint32_t source;
		uint32_t active; /* open now */
		bool nested, touched, has_self, watched;
		int64_t calls, total_ns, self_ns, min_ns, max_ns, bytes;
		gaspdb_wide squares;
		int64_t inner_ns; /* of calls in one of this source */
		int64_t again_ns; /* of total_ns: in another source's call of
				     the same operation */
		int64_t pairs;	  /* of the calls: not atomic */
		uint64_t halves;  /* of raw events recorded in self_ns */
		int64_t open;
		/* source_bins.c: what of its open calls was counted and is not
		   yet in the sums above, since when the outermost of those it
		   has seen is open (GASPDB_NULL: there is none), and all that
		   was counted. */
		struct {
			int64_t total_ns, self_ns, since_ns;
		} ahead;
		struct gaspdb_profile_sums {
			int64_t calls, total_ns, self_ns, bytes;
		} settled;
	} * profile;
	size_t n_profile, profile_capacity;
	struct gaspdb_traffic_call {
		uint64_t key;
		int64_t bytes, time_ns;
	} calls[GASPDB_TRAFFIC_CALLS]; /* not in traffic yet */
	unsigned n_calls;
	uint32_t *touched; /* profiles that have changed, by their marks */
	size_t n_touched, touched_capacity;
	struct gaspdb_map traffic_index;
	struct gaspdb_traffic {
		int64_t peer;
		uint32_t source;
		enum gaspdb_direction direction;
		int size_class;
		int64_t operations, bytes, time_ns;
	} * traffic;
	size_t traffic_capacity;
	struct gaspdb_traffic_at {
		uint64_t key; /* in whose order its rows are written */
		uint32_t index;
	} * order; /* with as much room again, for merging */
	size_t order_capacity;
};

void gaspdb_rollups_init(struct gaspdb_rollups *r,
			 struct gaspdb_registry *registry);
void gaspdb_rollups_free(struct gaspdb_rollups *r);

/* process: its first thread. */
void gaspdb_rollups_thread(struct gaspdb_rollups *r, int64_t thread,
			   int64_t process);

/* The number of a profile; it is the thread's. */
uint32_t gaspdb_profile_number(struct gaspdb_rollups *r, uint32_t source,
			       bool nested);

/* An event of a profile (its number plus 1; 0: none) begins or ends soon. */
static inline void gaspdb_profile_expect(const struct gaspdb_rollups *r,
					 uint32_t profile)
{
	if (profile) {
		__builtin_prefetch(&r->profile[profile - 1].active);
		__builtin_prefetch(&r->profile[profile - 1].pairs);
	}
}

/* An event begins. */
static inline void gaspdb_profile_start(struct gaspdb_rollups *r,
					uint32_t profile)
{
	r->profile[profile].active++;
}

/* Before it ends: so long it was in another call of its operation. */
void gaspdb_profile_within(struct gaspdb_rollups *r, uint32_t profile,
			   int64_t ns);
/* The same: it was a start and an end, and not atomic; in its self time so
   many halves of raw events were recorded, and so much was counted ahead. */
static inline void gaspdb_profile_pair(struct gaspdb_rollups *r,
				       uint32_t profile, uint64_t halves,
				       int64_t ahead_ns)
{
	struct gaspdb_profile *p = &r->profile[profile];

	p->pairs++;
	p->halves += halves;
	p->ahead.self_ns -= ahead_ns;
}
/* It is about to be taken for a start and an end, and was one record. */
static inline void gaspdb_profile_single(struct gaspdb_rollups *r,
					 uint32_t profile)
{
	r->profile[profile].pairs--;
}
/* It changes: there is room for all that are. */
static inline void gaspdb_profile_touch(struct gaspdb_rollups *r,
					struct gaspdb_profile *p)
{
	if (p->touched)
		return;
	p->touched = true;
	r->touched[r->n_touched++] = (uint32_t)(p - r->profile);
}
/* It ends, with its row. */
static inline void gaspdb_profile_end(struct gaspdb_rollups *r,
				      uint32_t profile,
				      const union gaspdb_event_row *row)
{
	struct gaspdb_profile *p = &r->profile[profile];
	const int64_t ns = row->duration_ns;

	p->calls++;
	p->open += row->open;
	gaspdb_profile_touch(r, p);
	/* Of a recursion only the outermost counts. */
	if (--p->active == 0) {
		gaspdb_add_to(&p->total_ns, ns);
		p->ahead.total_ns = 0;
		p->ahead.since_ns = GASPDB_NULL;
	} else {
		gaspdb_add_to(&p->inner_ns, ns);
	}
	gaspdb_add_known(&p->self_ns, row->self_ns);
	gaspdb_add_known(&p->bytes, row->bytes);
	if (ns < p->min_ns)
		p->min_ns = ns;
	if (ns > p->max_ns)
		p->max_ns = ns;
	p->squares += gaspdb_square(ns);
}
/* All calls, those in others too. */
struct gaspdb_durations
gaspdb_profile_durations(const struct gaspdb_profile *p);
/* More bytes of an event that has ended, of any thread so far. */
void gaspdb_profile_bytes(struct gaspdb_rollups *r, int64_t thread,
			  uint32_t source, bool nested, int64_t bytes);

/* peer GASPDB_NULL: nothing. */
void gaspdb_traffic_add(struct gaspdb_rollups *r, int64_t peer, uint32_t source,
			enum gaspdb_direction direction, int64_t bytes,
			int64_t time_ns);

/* The thread is over: its rows, in the order of their keys.  event_cost_ns: of
   recording an event; 0: not known. */
void gaspdb_rollups_flush(struct gaspdb_rollups *r, double event_cost_ns);
/* All threads are: the totals. */
void gaspdb_rollups_finish(struct gaspdb_rollups *r);

#endif
