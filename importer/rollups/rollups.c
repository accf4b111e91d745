/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profile and traffic of the thread being read. */
#include "importer/rollups/rollups.h"

#include <stdlib.h>
#include <string.h>

#include "common/limits.h"
#include "common/memory.h"
#include "common/size_class.h"
#include "common/sum.h"

void gaspdb_rollups_init(struct gaspdb_rollups *r,
			 struct gaspdb_registry *registry)
{
	memset(r, 0, sizeof *r);
	r->store = registry->store;
	gaspdb_totals_init(&r->totals, registry);
}

void gaspdb_rollups_free(struct gaspdb_rollups *r)
{
	free(r->slots);
	free(r->used);
	free(r->touched);
	free(r->profile);
	free(r->traffic);
	free(r->order);
	gaspdb_map_free(&r->traffic_index);
	gaspdb_map_free(&r->summed);
	gaspdb_totals_free(&r->totals);
	memset(r, 0, sizeof *r);
}

void gaspdb_rollups_thread(struct gaspdb_rollups *r, int64_t thread,
			   int64_t process)
{
	r->thread = thread;
	r->process = process;
}

const char *const gaspdb_directions[] = { [GASPDB_GET] = "get",
					  [GASPDB_PUT] = "put",
					  [GASPDB_ATOMIC] = "atomic",
					  [GASPDB_SEND] = "send" };

/* --- profile -------------------------------------------------------------- */

static struct gaspdb_profile empty_profile(uint32_t source, bool nested)
{
	return (struct gaspdb_profile){ .source = source,
					.nested = nested,
					.min_ns = INT64_MAX,
					.self_ns = GASPDB_NULL,
					.bytes = GASPDB_NULL,
					.ahead.since_ns = GASPDB_NULL };
}

static struct gaspdb_profile *profile_of(struct gaspdb_rollups *r,
					 uint32_t source, bool nested)
{
	const size_t at = 2 * (size_t)source + nested;
	struct gaspdb_profile *p;

	r->slots = gaspdb_mem_grow(r->slots, &r->slot_capacity, at + 1,
				   sizeof *r->slots);
	if (r->slots[at])
		return &r->profile[r->slots[at] - 1];
	r->profile = gaspdb_mem_grow(r->profile, &r->profile_capacity,
				     r->n_profile + 1, sizeof *r->profile);
	r->used = gaspdb_mem_grow(r->used, &r->used_capacity, at / 64 + 1,
				  sizeof *r->used);
	r->touched = gaspdb_mem_grow(r->touched, &r->touched_capacity,
				     r->n_profile + 1, sizeof *r->touched);
	r->used[at / 64] |= (uint64_t)1 << at % 64;
	p = &r->profile[r->n_profile++];
	*p = empty_profile(source, nested);
	r->slots[at] = (uint32_t)r->n_profile;
	return p;
}

uint32_t gaspdb_profile_number(struct gaspdb_rollups *r, uint32_t source,
			       bool nested)
{
	return (uint32_t)(profile_of(r, source, nested) - r->profile);
}

void gaspdb_profile_within(struct gaspdb_rollups *r, uint32_t profile,
			   int64_t ns)
{
	struct gaspdb_profile *p = &r->profile[profile];

	if (p->active == 1)
		gaspdb_add_known(&p->again_ns, ns);
}

/* The squares are those of calls of equal length. */
void gaspdb_profile_throttled(struct gaspdb_rollups *r, uint32_t profile,
			      const struct gaspdb_throttled_calls *calls,
			      bool within)
{
	struct gaspdb_profile *p = &r->profile[profile];
	const int64_t ns = gaspdb_plus(calls->total_ns, calls->inner_ns);

	gaspdb_add_to(&p->calls, calls->calls);
	gaspdb_add_to(&p->throttled, calls->calls);
	gaspdb_add_to(&p->total_ns, calls->total_ns);
	gaspdb_add_to(&p->inner_ns, calls->inner_ns);
	gaspdb_add_to(&p->again_ns, within ? calls->total_ns : 0);
	p->squares += gaspdb_square(ns) / (uint64_t)calls->calls;
	p->min_ns = gaspdb_min(p->min_ns, calls->least_ns);
	p->max_ns = gaspdb_max(p->max_ns, calls->most_ns);
	gaspdb_profile_less(r, profile, -calls->self_ns);
}

void gaspdb_profile_less(struct gaspdb_rollups *r, uint32_t profile,
			 int64_t self_ns)
{
	struct gaspdb_profile *p = &r->profile[profile];

	/* Bins have the self times of events. */
	gaspdb_add_known(&p->self_ns, -self_ns);
	gaspdb_add_to(&p->settled.self_ns, -self_ns);
	gaspdb_profile_touch(r, p);
}

void gaspdb_profile_summed(struct gaspdb_rollups *r, uint32_t profile,
			   const struct gaspdb_summed_calls *calls, bool within)
{
	struct gaspdb_profile *p = &r->profile[profile];
	const bool outermost = --p->active == 0;

	gaspdb_add_to(&p->calls, calls->calls);
	gaspdb_add_to(outermost ? &p->total_ns : &p->inner_ns, calls->total_ns);
	if (outermost && within)
		gaspdb_add_to(&p->again_ns, calls->total_ns);
	gaspdb_add_known(&p->self_ns, calls->self_ns);
	gaspdb_add_known(&p->bytes, calls->bytes);
	gaspdb_add_to(&p->open, calls->open);
	gaspdb_add_to(&p->pairs, calls->pairs);
	p->halves += calls->halves;
	p->squares += calls->squares;
	p->min_ns = gaspdb_min(p->min_ns, calls->min_ns);
	p->max_ns = gaspdb_max(p->max_ns, calls->max_ns);
}

void gaspdb_profile_uncut(struct gaspdb_rollups *r, uint32_t profile,
			  int64_t least_ns)
{
	r->profile[profile].min_ns = least_ns;
}

void gaspdb_profile_resumed(struct gaspdb_rollups *r, uint32_t profile,
			    int64_t cut_ns, int64_t whole_ns, bool ended)
{
	struct gaspdb_profile *p = &r->profile[profile];

	p->open -= ended;
	p->squares += gaspdb_square(whole_ns) - gaspdb_square(cut_ns);
	p->min_ns = gaspdb_min(p->min_ns, whole_ns);
	p->max_ns = gaspdb_max(p->max_ns, whole_ns);
}

void gaspdb_rollups_replace(struct gaspdb_rollups *r)
{
	for (size_t i = 0; i < r->n_profile; i++)
		r->profile[i] = empty_profile(r->profile[i].source,
					      r->profile[i].nested);
	r->n_touched = 0;
	r->n_calls = 0;
	gaspdb_map_clear(&r->traffic_index);
	gaspdb_map_put(&r->summed, (uint64_t)r->thread, 0);
}

bool gaspdb_rollups_summed(const struct gaspdb_rollups *r, int64_t thread)
{
	return gaspdb_map_get(&r->summed, (uint64_t)thread) != GASPDB_ABSENT;
}

struct gaspdb_durations gaspdb_profile_durations(const struct gaspdb_profile *p)
{
	return (struct gaspdb_durations){ .n = (gaspdb_wide)p->calls,
					  .sum_ns = (gaspdb_wide)p->total_ns +
						    (gaspdb_wide)p->inner_ns,
					  .squares = p->squares };
}

void gaspdb_profile_bytes(struct gaspdb_rollups *r, int64_t thread,
			  uint32_t source, bool nested, int64_t bytes)
{
	if (thread == r->thread) {
		struct gaspdb_profile *p = profile_of(r, source, nested);

		gaspdb_add_known(&p->bytes, bytes);
		gaspdb_profile_touch(r, p);
		return;
	}
	if (gaspdb_rollups_summed(r, thread))
		return;
	r->totals.has_late_bytes = true;
	gaspdb_store_add_bytes(r->store, GASPDB_INSERT_profile,
			       (int64_t[]){ thread, source, nested }, bytes);
}

static void insert_profile(struct gaspdb_rollups *r,
			   const struct gaspdb_profile *p)
{
	enum { VARIATION = 8, RECORDED = 12, COLUMNS = 15 };
	const bool timed = p->self_ns != GASPDB_NULL;
	const struct gaspdb_durations durations = gaspdb_profile_durations(p);
	const double variation = gaspdb_variation(&durations);
	const bool whole = variation < (double)GASPDB_WHOLE_MAX &&
			   p->halves < (uint64_t)GASPDB_WHOLE_MAX &&
			   (!timed || p->halves % 2 == 0);
	const int64_t row[COLUMNS] = {
		r->thread,
		p->source,
		p->nested,
		p->calls,
		p->total_ns,
		p->self_ns,
		p->min_ns,
		p->max_ns,
		whole ? (int64_t)variation : 0,
		p->bytes,
		p->open,
		gaspdb_profile_events(p),
		timed ? (int64_t)(p->halves / 2) : GASPDB_NULL,
		p->inner_ns,
		p->again_ns,
	};
	struct gaspdb_value values[COLUMNS];

	if (whole) {
		gaspdb_insert_ints(r->store, GASPDB_INSERT_profile, row);
		return;
	}
	for (int i = 0; i < COLUMNS; i++)
		values[i] = gaspdb_int(row[i]);
	values[VARIATION] = gaspdb_real(variation);
	if (timed)
		values[RECORDED] = gaspdb_real((double)p->halves / 2);
	gaspdb_insert(r->store, GASPDB_INSERT_profile, values);
}

static void flush_profile(struct gaspdb_rollups *r, double event_cost_ns)
{
	for (size_t i = 0; i < r->used_capacity; i++)
		for (; r->used[i]; r->used[i] &= r->used[i] - 1) {
			const size_t bit = (size_t)__builtin_ctzll(r->used[i]);
			uint32_t *slot = &r->slots[64 * i + bit];
			const struct gaspdb_profile *p = &r->profile[*slot - 1];

			*slot = 0;
			if (!p->calls)
				continue;
			insert_profile(r, p);
			gaspdb_totals_profile(&r->totals, r->thread, p,
					      event_cost_ns);
		}
	r->n_profile = 0;
}

/* --- traffic -------------------------------------------------------------- */

/* Row of a key, which is created on its first use. */
static uint32_t traffic_row(struct gaspdb_rollups *r, uint64_t key)
{
	uint32_t i = gaspdb_map_get(&r->traffic_index, key);

	if (i != GASPDB_ABSENT)
		return i;
	i = r->traffic_index.n;
	gaspdb_map_put(&r->traffic_index, key, i);
	r->traffic = gaspdb_mem_grow(r->traffic, &r->traffic_capacity, i + 1,
				     sizeof *r->traffic);
	r->order = gaspdb_mem_grow(r->order, &r->order_capacity, 2 * (i + 1),
				   sizeof *r->order);
	r->order[i] = (struct gaspdb_radix_row){ .key = key, .row = i };
	r->traffic[i] = (struct gaspdb_traffic){
		.peer = (int64_t)(key >> 40),
		.source = (uint32_t)(key >> 8),
		.direction = (enum gaspdb_direction)(key >> 6 & 3),
		.size_class = (int)(key & 63),
	};
	return i;
}

/* Adds the batch of calls. The rows exceed the processor's caches: all of the
   batch are prefetched first. */
static void add_calls(struct gaspdb_rollups *r)
{
	uint32_t row[GASPDB_TRAFFIC_CALLS];

	for (unsigned i = 0; i < r->n_calls; i++)
		gaspdb_map_expect(&r->traffic_index, r->calls[i].key);
	for (unsigned i = 0; i < r->n_calls; i++) {
		row[i] = traffic_row(r, r->calls[i].key);
		__builtin_prefetch(&r->traffic[row[i]]);
	}
	for (unsigned i = 0; i < r->n_calls; i++) {
		struct gaspdb_traffic *t = &r->traffic[row[i]];

		t->operations++;
		gaspdb_add_known(&t->bytes, r->calls[i].bytes);
		gaspdb_add_known(&t->time_ns, r->calls[i].time_ns);
	}
	r->n_calls = 0;
}

void gaspdb_traffic_add(struct gaspdb_rollups *r, int64_t peer, uint32_t source,
			enum gaspdb_direction direction, int64_t bytes,
			int64_t time_ns)
{
	if (peer == GASPDB_NULL)
		return;
	if (r->n_calls == GASPDB_TRAFFIC_CALLS)
		add_calls(r);
	r->calls[r->n_calls++] = (struct gaspdb_traffic_call){
		/* In the order of the table's key. */
		.key = (uint64_t)peer << 40 | (uint64_t)source << 8 |
		       (uint64_t)direction << 6 |
		       (uint64_t)gaspdb_size_class(bytes),
		.bytes = bytes,
		.time_ns = time_ns,
	};
}

void gaspdb_traffic_summed(struct gaspdb_rollups *r,
			   const struct gaspdb_traffic *sums)
{
	const uint64_t key = (uint64_t)sums->peer << 40 |
			     (uint64_t)sums->source << 8 |
			     (uint64_t)sums->direction << 6 |
			     (uint64_t)sums->size_class;
	struct gaspdb_traffic *t;
	uint32_t row;

	if (sums->peer == GASPDB_NULL)
		return;
	row = traffic_row(r, key); /* moves r->traffic */
	t = &r->traffic[row];
	gaspdb_add_to(&t->operations, sums->operations);
	gaspdb_add_to(&t->bytes, sums->bytes);
	gaspdb_add_to(&t->time_ns, sums->time_ns);
}

static void flush_traffic(struct gaspdb_rollups *r)
{
	const struct gaspdb_radix_row *order;
	uint32_t n;

	add_calls(r);
	n = r->traffic_index.n;
	order = n ? gaspdb_radix_sort(r->order,
				      r->order + r->order_capacity / 2, n,
				      UINT64_MAX)
		  : NULL;
	for (uint32_t i = 0; i < n; i++) {
		const struct gaspdb_traffic *t = &r->traffic[order[i].row];

		gaspdb_insert_text(
			r->store, GASPDB_INSERT_traffic,
			(int64_t[]){ r->thread, t->peer, t->source, 0,
				     gaspdb_class_from(t->size_class),
				     t->operations, t->bytes, t->time_ns },
			3, gaspdb_directions[t->direction]);
		gaspdb_totals_traffic(&r->totals, r->process, t);
	}
	gaspdb_map_clear(&r->traffic_index);
}

void gaspdb_rollups_flush(struct gaspdb_rollups *r, double event_cost_ns)
{
	flush_profile(r, event_cost_ns);
	flush_traffic(r);
	r->thread = GASPDB_NULL; /* later bytes update the written rows */
}

void gaspdb_rollups_finish(struct gaspdb_rollups *r)
{
	gaspdb_totals_finish(&r->totals);
}
