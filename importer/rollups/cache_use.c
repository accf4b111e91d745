/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kinds of cache events, by their arguments: a miss has line_bytes, an
   invalidation dirty_lines, a hit neither. */
#include "importer/rollups/cache_use.h"

#include <stdlib.h>
#include <string.h>

#include "common/limits.h"
#include "common/memory.h"
#include "common/sum.h"

void gaspdb_cache_use_free(struct gaspdb_cache_use *c)
{
	gaspdb_map_free(&c->index);
	free(c->sums);
	memset(c, 0, sizeof *c);
}

static struct gaspdb_cache_sums *sums_of(struct gaspdb_cache_use *c,
					 uint32_t source,
					 const struct gaspdb_roles *roles)
{
	uint32_t i = gaspdb_map_get(&c->index, source);

	if (i != GASPDB_ABSENT)
		return &c->sums[i];
	i = c->index.n;
	gaspdb_map_put(&c->index, source, i);
	c->sums =
		gaspdb_mem_grow(c->sums, &c->capacity, i + 1, sizeof *c->sums);
	c->sums[i] = (struct gaspdb_cache_sums){
		.source = source,
		.what = gaspdb_has(roles, GASPDB_ROLE_line_bytes) ? "miss"
			: gaspdb_has(roles, GASPDB_ROLE_dirty_lines)
				? "invalidate"
				: "hit",
	};
	return &c->sums[i];
}

static void add(int64_t *sum, const struct gaspdb_roles *roles,
		enum gaspdb_role role)
{
	if (gaspdb_has(roles, role))
		gaspdb_add_to(sum, gaspdb_size((uint64_t)roles->value[role]));
}

void gaspdb_cache_use_add(struct gaspdb_cache_use *c,
			  const struct gaspdb_roles *roles,
			  const union gaspdb_event_row *row)
{
	struct gaspdb_cache_sums *s = sums_of(c, (uint32_t)row->source, roles);

	s->events++;
	add(&s->bytes, roles, GASPDB_ROLE_bytes);
	add(&s->line_bytes, roles, GASPDB_ROLE_line_bytes);
	add(&s->dirty_lines, roles, GASPDB_ROLE_dirty_lines);
}

void gaspdb_cache_use_flush(struct gaspdb_cache_use *c, int64_t thread)
{
	for (uint32_t i = 0; i < c->index.n; i++) {
		const struct gaspdb_cache_sums *s = &c->sums[i];

		gaspdb_insert(
			c->store, GASPDB_INSERT_cache_total,
			(struct gaspdb_value[]){
				gaspdb_int(thread), gaspdb_int(s->source),
				gaspdb_str(s->what), gaspdb_int(s->events),
				gaspdb_int(s->bytes), gaspdb_int(s->line_bytes),
				gaspdb_int(s->dirty_lines) });
	}
	gaspdb_map_clear(&c->index);
}
