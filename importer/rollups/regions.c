/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regions of the program, and their times. */
#include "importer/rollups/regions.h"

#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "common/sum.h"

/* Identity of a region; without padding. */
struct key {
	uint32_t operation;
	uint32_t source; /* 0: any */
	uint32_t file, function;
};

void gaspdb_regions_init(struct gaspdb_regions *r,
			 struct gaspdb_registry *registry)
{
	memset(r, 0, sizeof *r);
	r->registry = registry;
}

void gaspdb_regions_free(struct gaspdb_regions *r)
{
	gaspdb_names_free(&r->keys);
	free(r->of_source);
	free(r->region);
	free(r->touched);
	memset(r, 0, sizeof *r);
}

void gaspdb_thread_maximum_add(struct gaspdb_thread_maximum *maximum,
			       int64_t thread, int64_t ns)
{
	if (ns > maximum->ns)
		*maximum = (struct gaspdb_thread_maximum){ ns, thread };
}

/* Identity: of a user event its operation, of a function with a name that name
   and the file, of any other its source. */
static struct key key_of(const struct gaspdb_regions *r,
			 const struct gaspdb_log_operation *o, uint32_t source)
{
	const struct gaspdb_place *at = &r->registry->source[source - 1].place;
	struct key key = { .operation = o->id };

	if (o->overlay)
		return key;
	if (o->function && at->function) {
		key.file = at->file ? at->file : at->module;
		key.function = at->function;
	} else {
		key.source = source;
	}
	return key;
}

static uint32_t find_region(struct gaspdb_regions *r,
			    const struct gaspdb_log_operation *o,
			    uint32_t source)
{
	const struct key key = key_of(r, o, source);
	struct gaspdb_region *region;
	bool added;
	const uint32_t i = gaspdb_names_add(&r->keys, &key, sizeof key, &added);

	r->region = gaspdb_mem_grow(r->region, &r->capacity, i + 1,
				    sizeof *r->region);
	region = &r->region[i];
	if (added)
		*region = (struct gaspdb_region){ .source = source,
						  .longest.ns = -1,
						  .computes.ns = -1 };
	if (source < region->source)
		region->source = source;
	return r->of_source[source] = i + 1;
}

uint32_t gaspdb_region_start(struct gaspdb_regions *r,
			     const struct gaspdb_log_operation *o,
			     uint32_t source)
{
	uint32_t number;
	struct gaspdb_region *region;

	r->of_source =
		gaspdb_mem_grow(r->of_source, &r->of_source_capacity,
				(size_t)source + 1, sizeof *r->of_source);
	number = r->of_source[source];
	if (!number)
		number = find_region(r, o, source);
	region = &r->region[number - 1];
	region->active++;
	if (region->touched)
		return number;
	region->touched = true;
	r->touched = gaspdb_mem_grow(r->touched, &r->touched_capacity,
				     r->n_touched + 1, sizeof *r->touched);
	r->touched[r->n_touched++] = number;
	return number;
}

void gaspdb_region_end(struct gaspdb_regions *r, uint32_t number, int64_t ns,
		       int64_t computation_ns)
{
	gaspdb_region_summed(r, number, 1, ns, computation_ns);
}

void gaspdb_region_summed(struct gaspdb_regions *r, uint32_t number,
			  int64_t calls, int64_t ns, int64_t computation_ns)
{
	struct gaspdb_region *region = &r->region[number - 1];

	gaspdb_add_to(&region->ended, calls);
	/* In a recursion only the outermost call counts. */
	if (--region->active > 0)
		return;
	gaspdb_add_to(&region->inside_ns, ns);
	gaspdb_add_to(&region->computation_ns, computation_ns);
}

void gaspdb_regions_replace(struct gaspdb_regions *r)
{
	for (size_t i = 0; i < r->n_touched; i++) {
		struct gaspdb_region *region = &r->region[r->touched[i] - 1];

		region->ended = region->inside_ns = region->computation_ns = 0;
		region->touched = false;
	}
	r->n_touched = 0;
}

void gaspdb_region_throttled(struct gaspdb_regions *r,
			     const struct gaspdb_log_operation *o,
			     uint32_t source,
			     const struct gaspdb_throttled_calls *calls)
{
	/* The start may move r->region. */
	const uint32_t number = gaspdb_region_start(r, o, source);
	struct gaspdb_region *region = &r->region[number - 1];

	region->active--;
	gaspdb_add_to(&region->ended, calls->calls);
	gaspdb_add_to(&region->inside_ns, calls->total_ns);
	gaspdb_add_to(&region->computation_ns, calls->quiet_ns);
}

void gaspdb_regions_flush(struct gaspdb_regions *r, int64_t thread)
{
	for (size_t i = 0; i < r->n_touched; i++) {
		struct gaspdb_region *region = &r->region[r->touched[i] - 1];

		region->threads++;
		gaspdb_add_to(&region->calls, region->ended);
		gaspdb_add_to(&region->total_ns, region->inside_ns);
		gaspdb_add_to(&region->all_computation_ns,
			      region->computation_ns);
		gaspdb_thread_maximum_add(&region->longest, thread,
					  region->inside_ns);
		gaspdb_thread_maximum_add(&region->computes, thread,
					  region->computation_ns);
		region->ended = region->inside_ns = region->computation_ns = 0;
		region->touched = false;
	}
	r->n_touched = 0;
}

void gaspdb_regions_finish(struct gaspdb_regions *r)
{
	for (uint32_t i = 0; i < r->keys.n; i++) {
		const struct gaspdb_region *x = &r->region[i];

		gaspdb_insert_ints(
			r->registry->store, GASPDB_INSERT_region,
			(int64_t[]){ (int64_t)i + 1, x->source, x->threads,
				     x->calls, x->total_ns, x->longest.ns,
				     x->longest.thread, x->all_computation_ns,
				     x->computes.ns, x->computes.thread });
	}
}
