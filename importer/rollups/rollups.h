/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Profile and traffic, summed up while events are replayed: tables profile and
 * traffic of the thread being read, and the totals of all threads.
 */
#ifndef GASPDB_IMPORTER_ROLLUPS_ROLLUPS_H
#define GASPDB_IMPORTER_ROLLUPS_ROLLUPS_H

#include "common/map.h"
#include "common/radix_sort.h"
#include "common/sum.h"
#include "importer/replay/event_rows.h"
#include "importer/rollups/throttled.h"
#include "importer/rollups/totals.h"
#include "importer/rollups/variation.h"

/* Calls of one call path that the collector has summed up, in ns. */
struct gaspdb_summed_calls {
	int64_t calls;	  /* with open ones */
	int64_t total_ns; /* of all of them */
	int64_t self_ns, bytes; /* GASPDB_NULL: none */
	int64_t min_ns, max_ns;
	gaspdb_wide squares;
	int64_t open, pairs;
	uint64_t halves; /* half raw events in self_ns */
	int64_t computation_ns; /* of a region */
};

/* In alphabetical order, as in the tables' keys. */
enum gaspdb_direction { GASPDB_ATOMIC, GASPDB_GET, GASPDB_PUT, GASPDB_SEND };
extern const char *const gaspdb_directions[];

enum { GASPDB_TRAFFIC_CALLS = 64 }; /* calls that are added in one batch */

struct gaspdb_rollups {
	struct gaspdb_store *store;
	struct gaspdb_totals totals;
	int64_t thread, process;
	struct gaspdb_map summed; /* threads whose sums the collector has made */
	uint32_t *slots; /* by source.id and nested: index + 1 into profile */
	size_t slot_capacity;
	uint64_t *used; /* bitmap of slots other than 0 */
	size_t used_capacity;
	struct gaspdb_profile {
		uint32_t source;
		uint32_t active; /* open calls */
		bool nested;
		bool touched;		   /* in the list of that name */
		bool has_self, is_watched; /* source_bins.c */
		int64_t calls, total_ns, self_ns, min_ns, max_ns, bytes;
		gaspdb_wide squares;
		int64_t inner_ns;  /* of calls inside a call of this source */
		int64_t again_ns;  /* of total_ns: inside a call of the same
				      operation at another source */
		int64_t pairs;	   /* calls with a start and an end */
		uint64_t halves;   /* half raw events recorded in self_ns */
		int64_t open;	   /* calls without an end */
		int64_t throttled; /* calls that are no events */
		/* source_bins.c: time of open calls that is in bins, but not
		   in the sums above; start of the outermost of these calls,
		   GASPDB_NULL: none */
		struct {
			int64_t total_ns, self_ns, since_ns;
		} ahead;
		/* source_bins.c: sums that are in bins */
		struct gaspdb_profile_sums {
			int64_t calls, total_ns, self_ns, bytes;
		} settled;
	} * profile;
	size_t n_profile, profile_capacity;
	struct gaspdb_traffic_call {
		uint64_t key;
		int64_t bytes, time_ns;
	} calls[GASPDB_TRAFFIC_CALLS]; /* not added yet */
	unsigned n_calls;
	uint32_t *touched; /* profiles changed since the last bin's end */
	size_t n_touched, touched_capacity;
	struct gaspdb_map traffic_index; /* key: row of traffic */
	struct gaspdb_traffic {
		int64_t peer;
		uint32_t source;
		enum gaspdb_direction direction;
		int size_class;
		int64_t operations, bytes, time_ns;
	} * traffic;
	size_t traffic_capacity;
	struct gaspdb_radix_row *order; /* keys of traffic; twice the room */
	size_t order_capacity;
};

void gaspdb_rollups_init(struct gaspdb_rollups *r,
			 struct gaspdb_registry *registry);
void gaspdb_rollups_free(struct gaspdb_rollups *r);

/* Begins a thread; process: the first thread of its process. */
void gaspdb_rollups_thread(struct gaspdb_rollups *r, int64_t thread,
			   int64_t process);

/* Number of a profile of this thread, which is created on its first use. */
uint32_t gaspdb_profile_number(struct gaspdb_rollups *r, uint32_t source,
			       bool nested);

/* Prefetches a profile by its number plus 1; 0: none. */
static inline void gaspdb_profile_prefetch(const struct gaspdb_rollups *r,
					   uint32_t profile)
{
	if (profile) {
		__builtin_prefetch(&r->profile[profile - 1].active);
		__builtin_prefetch(&r->profile[profile - 1].pairs);
	}
}

/* Adds the start of an event. */
static inline void gaspdb_profile_start(struct gaspdb_rollups *r,
					uint32_t profile)
{
	r->profile[profile].active++;
}

/* Adds time of an event that is also inside another call of its operation,
   before gaspdb_profile_end(). */
void gaspdb_profile_within(struct gaspdb_rollups *r, uint32_t profile,
			   int64_t ns);
/* Adds a start and an end, before gaspdb_profile_end(). halves: half raw events
   recorded in its self time; ahead_ns: part of this that is in bins. */
static inline void gaspdb_profile_pair(struct gaspdb_rollups *r,
				       uint32_t profile, uint64_t halves,
				       int64_t ahead_ns)
{
	struct gaspdb_profile *p = &r->profile[profile];

	p->pairs++;
	p->halves += halves;
	p->ahead.self_ns -= ahead_ns;
}
/* Corrects the pairs for an event that is one record and whose end is replayed
   as that of a pair. */
static inline void gaspdb_profile_single(struct gaspdb_rollups *r,
					 uint32_t profile)
{
	r->profile[profile].pairs--;
}
/* Lists a profile as changed; the list has room for all. */
static inline void gaspdb_profile_touch(struct gaspdb_rollups *r,
					struct gaspdb_profile *p)
{
	if (p->touched)
		return;
	p->touched = true;
	r->touched[r->n_touched++] = (uint32_t)(p - r->profile);
}
/* Adds the end of an event. */
static inline void gaspdb_profile_end(struct gaspdb_rollups *r,
				      uint32_t profile,
				      const union gaspdb_event_row *row)
{
	struct gaspdb_profile *p = &r->profile[profile];
	const int64_t ns = row->duration_ns;

	p->calls++;
	p->open += row->open;
	gaspdb_profile_touch(r, p);
	/* In a recursion only the outermost call counts. */
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
/* Adds calls that are no events.  within: inside another call of their
   operation. */
void gaspdb_profile_throttled(struct gaspdb_rollups *r, uint32_t profile,
			      const struct gaspdb_throttled_calls *calls,
			      bool within);
/* Takes the time of such calls out of their caller's self time. */
void gaspdb_profile_less(struct gaspdb_rollups *r, uint32_t profile,
			 int64_t self_ns);
/* Raw events of a profile's calls. */
static inline int64_t gaspdb_profile_events(const struct gaspdb_profile *p)
{
	return p->calls - p->throttled + p->pairs - p->open;
}
/* Adds calls that the collector has summed up, and ends what a start has begun.
   within: inside another call of their operation. */
void gaspdb_profile_summed(struct gaspdb_rollups *r, uint32_t profile,
			   const struct gaspdb_summed_calls *calls,
			   bool within);
/* Calls that were cut where a trace went on as a profile. First each restores
   the shortest call before them, then each gets its whole time; ended: it is
   not open any more. */
void gaspdb_profile_uncut(struct gaspdb_rollups *r, uint32_t profile,
			  int64_t least_ns);
void gaspdb_profile_resumed(struct gaspdb_rollups *r, uint32_t profile,
			    int64_t cut_ns, int64_t whole_ns, bool ended);
/* Empties the sums of the thread being read: those of the collector replace
   them. */
void gaspdb_rollups_replace(struct gaspdb_rollups *r);
/* Have an earlier thread's sums been made by the collector? They have all
   bytes. */
bool gaspdb_rollups_summed(const struct gaspdb_rollups *r, int64_t thread);
/* Durations of all calls, nested recursion included. */
struct gaspdb_durations
gaspdb_profile_durations(const struct gaspdb_profile *p);
/* Adds bytes to an event that has ended, of this or an earlier thread. */
void gaspdb_profile_bytes(struct gaspdb_rollups *r, int64_t thread,
			  uint32_t source, bool nested, int64_t bytes);

/* Adds an operation to the traffic with a peer; GASPDB_NULL: none. */
void gaspdb_traffic_add(struct gaspdb_rollups *r, int64_t peer, uint32_t source,
			enum gaspdb_direction direction, int64_t bytes,
			int64_t time_ns);

/* The same for the sums of operations of one size class. */
void gaspdb_traffic_summed(struct gaspdb_rollups *r,
			   const struct gaspdb_traffic *sums);

/* Writes the thread's rows in the order of their keys. event_cost_ns: cost of
   recording one event; 0: unknown. */
void gaspdb_rollups_flush(struct gaspdb_rollups *r, double event_cost_ns);
/* Writes the totals of all threads. */
void gaspdb_rollups_finish(struct gaspdb_rollups *r);

#endif
