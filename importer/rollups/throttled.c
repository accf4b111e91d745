/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of throttled calls by function and caller: table throttled. */
#include "importer/rollups/throttled.h"

#include <stdlib.h>
#include <string.h>

#include "common/limits.h"
#include "common/memory.h"
#include "common/sum.h"

static struct gaspdb_throttled_sums *sums_of(struct gaspdb_throttled_set *t,
					     uint32_t source, uint32_t caller)
{
	const uint64_t key = (uint64_t)caller << 32 | source;
	uint32_t i = gaspdb_map_get(&t->index, key);

	if (i != GASPDB_ABSENT)
		return &t->sums[i];
	i = t->index.n;
	gaspdb_map_put(&t->index, key, i);
	t->sums =
		gaspdb_mem_grow(t->sums, &t->capacity, i + 1, sizeof *t->sums);
	t->sums[i] = (struct gaspdb_throttled_sums){ .source = source,
						     .caller = caller };
	return &t->sums[i];
}

static void add(struct gaspdb_throttled_sums *s,
		const struct gaspdb_throttled_calls *calls)
{
	gaspdb_add_to(&s->calls, calls->calls);
	gaspdb_add_to(&s->total_ns, calls->total_ns);
	gaspdb_add_to(&s->inner_ns, calls->inner_ns);
	gaspdb_add_to(&s->self_ns, calls->self_ns);
}

void gaspdb_throttled_add(struct gaspdb_throttled *t, uint32_t source,
			  uint32_t caller,
			  const struct gaspdb_throttled_calls *calls)
{
	add(sums_of(&t->pairs, source, caller), calls);
	add(sums_of(&t->functions, source, 0), calls);
}

void gaspdb_throttled_flush(struct gaspdb_throttled *t,
			    struct gaspdb_store *store, int64_t thread)
{
	for (uint32_t i = 0; i < t->pairs.index.n; i++) {
		const struct gaspdb_throttled_sums *s = &t->pairs.sums[i];

		gaspdb_insert_ints(
			store, GASPDB_INSERT_throttled,
			(int64_t[]){ thread, s->source,
				     s->caller ? s->caller : GASPDB_NULL,
				     s->calls, s->total_ns, s->inner_ns,
				     s->self_ns });
	}
	gaspdb_map_clear(&t->pairs.index);
	gaspdb_map_clear(&t->functions.index);
}

void gaspdb_throttled_free(struct gaspdb_throttled *t)
{
	gaspdb_map_free(&t->pairs.index);
	gaspdb_map_free(&t->functions.index);
	free(t->pairs.sums);
	free(t->functions.sums);
	memset(t, 0, sizeof *t);
}
