/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profile and traffic of one thread. */
#include "rollups.h"

#include <stdlib.h>
#include <string.h>

#include "limits.h"
#include "memory.h"
#include "sum.h"

void gaspdb_rollups_init(struct gaspdb_rollups *r, struct gaspdb_store *store)
{
	memset(r, 0, sizeof *r);
	r->store = store;
}

void gaspdb_rollups_free(struct gaspdb_rollups *r)
{
	free(r->slots);
	free(r->profile);
	free(r->traffic);
	gaspdb_map_free(&r->traffic_index);
	memset(r, 0, sizeof *r);
}

void gaspdb_rollups_thread(struct gaspdb_rollups *r, int64_t thread)
{
	r->thread = thread;
}

/* --- profile -------------------------------------------------------------- */

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
	p = &r->profile[r->n_profile++];
	*p = (struct gaspdb_profile){ .source = source,
				      .nested = nested,
				      .min_ns = INT64_MAX,
				      .self_ns = GASPDB_NULL,
				      .bytes = GASPDB_NULL };
	r->slots[at] = (uint32_t)r->n_profile;
	return p;
}

static void add(int64_t *sum, int64_t n)
{
	if (n != GASPDB_NULL)
		*sum = gaspdb_plus(*sum == GASPDB_NULL ? 0 : *sum, n);
}

uint32_t gaspdb_profile_start(struct gaspdb_rollups *r, uint32_t source,
			      bool nested)
{
	struct gaspdb_profile *p = profile_of(r, source, nested);

	p->active++;
	return (uint32_t)(p - r->profile);
}

void gaspdb_profile_end(struct gaspdb_rollups *r, uint32_t profile,
			const union gaspdb_event_row *row)
{
	struct gaspdb_profile *p = &r->profile[profile];
	const int64_t ns = row->duration_ns;

	p->calls++;
	p->open += row->open;
	/* Of a recursion only the outermost counts. */
	if (--p->active == 0)
		add(&p->total_ns, ns);
	add(&p->self_ns, row->self_ns);
	add(&p->bytes, row->bytes);
	if (ns < p->min_ns)
		p->min_ns = ns;
	if (ns > p->max_ns)
		p->max_ns = ns;
	p->square_ns += (double)ns * (double)ns;
}

void gaspdb_profile_pair(struct gaspdb_rollups *r, uint32_t profile,
			 uint64_t halves)
{
	struct gaspdb_profile *p = &r->profile[profile];

	p->pairs++;
	p->halves += halves;
}

void gaspdb_profile_bytes(struct gaspdb_rollups *r, int64_t thread,
			  uint32_t source, bool nested, int64_t bytes)
{
	if (thread == r->thread)
		add(&profile_of(r, source, nested)->bytes, bytes);
	else
		gaspdb_store_run(r->store, &r->update,
				 "UPDATE profile SET bytes = coalesce(bytes, 0)"
				 " + ?1 WHERE thread_id = ?2 AND source_id = ?3"
				 " AND nested = ?4",
				 (int64_t[]){ bytes, thread, source, nested },
				 4);
}

static struct gaspdb_value recorded(const struct gaspdb_profile *p)
{
	return p->self_ns == GASPDB_NULL ? gaspdb_int(GASPDB_NULL)
					 : gaspdb_real((double)p->halves / 2);
}

static void flush_profile(struct gaspdb_rollups *r)
{
	for (size_t i = 0; i < r->n_profile; i++) {
		const struct gaspdb_profile *p = &r->profile[i];

		r->slots[2 * (size_t)p->source + p->nested] = 0;
		if (p->calls)
			gaspdb_insert(r->store, GASPDB_INSERT_profile,
				      (struct gaspdb_value[]){
					      gaspdb_int(r->thread),
					      gaspdb_int(p->source),
					      gaspdb_int(p->nested),
					      gaspdb_int(p->calls),
					      gaspdb_int(p->total_ns),
					      gaspdb_int(p->self_ns),
					      gaspdb_int(p->min_ns),
					      gaspdb_int(p->max_ns),
					      gaspdb_real(p->square_ns),
					      gaspdb_int(p->bytes),
					      gaspdb_int(p->open),
					      gaspdb_int(p->calls + p->pairs -
							 p->open),
					      recorded(p) });
	}
	r->n_profile = 0;
}

/* --- traffic -------------------------------------------------------------- */

void gaspdb_traffic_add(struct gaspdb_rollups *r, int64_t peer, uint32_t source,
			enum gaspdb_direction direction, int64_t bytes,
			int64_t time_ns)
{
	const uint64_t key =
		(uint64_t)peer << 34 | (uint64_t)source << 2 | direction;
	struct gaspdb_traffic *t;
	uint32_t i;

	if (peer == GASPDB_NULL)
		return;
	i = gaspdb_map_get(&r->traffic_index, key);
	if (i == GASPDB_ABSENT) {
		i = r->traffic_index.n;
		gaspdb_map_put(&r->traffic_index, key, i);
		r->traffic = gaspdb_mem_grow(r->traffic, &r->traffic_capacity,
					     i + 1, sizeof *r->traffic);
		r->traffic[i] = (struct gaspdb_traffic){
			.peer = peer, .source = source, .direction = direction
		};
	}
	t = &r->traffic[i];
	t->operations++;
	add(&t->bytes, bytes);
	add(&t->time_ns, time_ns);
}

static void flush_traffic(struct gaspdb_rollups *r)
{
	static const char *const names[] = { [GASPDB_GET] = "get",
					     [GASPDB_PUT] = "put",
					     [GASPDB_ATOMIC] = "atomic",
					     [GASPDB_SEND] = "send" };

	for (uint32_t i = 0; i < r->traffic_index.n; i++) {
		const struct gaspdb_traffic *t = &r->traffic[i];

		gaspdb_insert(
			r->store, GASPDB_INSERT_traffic,
			(struct gaspdb_value[]){
				gaspdb_int(r->thread), gaspdb_int(t->peer),
				gaspdb_int(t->source),
				gaspdb_str(names[t->direction]),
				gaspdb_int(t->operations), gaspdb_int(t->bytes),
				gaspdb_int(t->time_ns) });
	}
	gaspdb_map_clear(&r->traffic_index);
}

void gaspdb_rollups_flush(struct gaspdb_rollups *r)
{
	flush_profile(r);
	flush_traffic(r);
}
