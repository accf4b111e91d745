/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sums that reports start from, made while events pass: profile and traffic of
 * the thread being read, and of all together.
 */
#ifndef GASPDB_ROLLUPS_H
#define GASPDB_ROLLUPS_H

#include "event_rows.h"
#include "map.h"
#include "totals.h"

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
		bool nested;
		uint32_t active; /* open now */
		int64_t calls, total_ns, self_ns, min_ns, max_ns, bytes, open;
		int64_t pairs;	 /* of the calls: not atomic */
		uint64_t halves; /* of raw events recorded in self_ns */
		double square_ns;
		/* source_bins.c: what was counted, and what of it is not yet
		   in the sums above, for its calls are still open. */
		struct gaspdb_profile_sums {
			int64_t calls, total_ns, self_ns, bytes;
		} settled, ahead;
		bool touched, has_self;
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
	} * order;
	size_t order_capacity;
};

void gaspdb_rollups_init(struct gaspdb_rollups *r,
			 struct gaspdb_registry *registry);
void gaspdb_rollups_free(struct gaspdb_rollups *r);

/* process: its first thread. */
void gaspdb_rollups_thread(struct gaspdb_rollups *r, int64_t thread,
			   int64_t process);

/* An event of that source will begin soon. */
static inline void gaspdb_profile_expect(const struct gaspdb_rollups *r,
					 uint32_t source)
{
	const size_t at = 2 * (size_t)source;

	if (at < r->slot_capacity && r->slots[at])
		__builtin_prefetch(&r->profile[r->slots[at] - 1]);
}

/* An event begins; the number is for its end, with its row. */
uint32_t gaspdb_profile_start(struct gaspdb_rollups *r, uint32_t source,
			      bool nested);
void gaspdb_profile_end(struct gaspdb_rollups *r, uint32_t profile,
			const union gaspdb_event_row *row);
/* Before that: it was a start and an end, and not atomic; in its self time so
   many halves of raw events were recorded, and so much was counted ahead. */
void gaspdb_profile_pair(struct gaspdb_rollups *r, uint32_t profile,
			 uint64_t halves, int64_t ahead_ns);
/* It changes. */
void gaspdb_profile_touch(struct gaspdb_rollups *r, struct gaspdb_profile *p);
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
