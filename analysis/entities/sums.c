/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums by entity and source, and by entity in the current bin. */
#include "analysis/entities/sums.h"

#include <stdlib.h>

#include "sql/passes/entities.h"
#include "sql/passes/waits.h"

void gaspdb_entity_sums_open(struct gaspdb_entity_sums *s,
			     struct gaspdb_run *run, int64_t n)
{
	*s = (struct gaspdb_entity_sums){
		.run = run,
		.add_profile =
			gaspdb_prepare(run, gaspdb_sql_entity_profile_add),
		.add_bin = gaspdb_prepare(run, gaspdb_sql_entity_bin_add),
		.width_ns = gaspdb_select_number(run, gaspdb_sql_thread_bin_width),
		.bin = GASPDB_NONE,
	};
	s->bins = gaspdb_zeroed(run, (size_t)n, sizeof *s->bins);
}

void gaspdb_entity_sums_close(struct gaspdb_entity_sums *s)
{
	sqlite3_finalize(s->add_profile);
	sqlite3_finalize(s->add_bin);
	gaspdb_map_free(&s->index);
	free(s->sum);
	free(s->bins);
	free(s->used);
}

/* --- the profile ---------------------------------------------------------- */

struct gaspdb_entity_sum *gaspdb_entity_sum(struct gaspdb_entity_sums *s,
					    int64_t entity, int64_t source)
{
	/* NONE becomes 0. */
	const uint64_t key = (uint64_t)(entity == GASPDB_NONE ? 0 : entity + 1)
				     << 32 |
			     (uint64_t)(source == GASPDB_NONE ? 0 : source + 1);
	static struct gaspdb_entity_sum lost; /* the run has failed */
	struct gaspdb_map_slot *slot;

	if (!gaspdb_map_grow(s->run, &s->index) ||
	    !gaspdb_grow(s->run, &s->sum, s->n, &s->room, sizeof *s->sum))
		return &lost;
	slot = gaspdb_map_item(&s->index, key, NULL, NULL, NULL);
	if (slot->value == GASPDB_ABSENT) {
		gaspdb_map_fill(&s->index, slot, key, (uint32_t)s->n);
		s->sum[s->n++] = (struct gaspdb_entity_sum){
			.entity = entity, .source = source, .bytes = GASPDB_NONE
		};
	}
	return &s->sum[slot->value];
}

/* --- bins ----------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void flush_bin(struct gaspdb_entity_sums *s, int64_t thread)
{
	if (s->n_used > 1)
		qsort(s->used, s->n_used, sizeof *s->used, by_number);
	for (size_t i = 0; i < s->n_used; i++) {
		struct gaspdb_entity_bin *b = &s->bins[s->used[i]];

		gaspdb_write(s->run, s->add_bin, 5,
			     (int64_t[]){ thread, s->bin * s->width_ns,
					  s->used[i], b->self_ns, b->wait_ns },
			     NULL);
		*b = (struct gaspdb_entity_bin){ 0 };
	}
	s->n_used = 0;
}

void gaspdb_entity_bin_at(struct gaspdb_entity_sums *s, int64_t thread,
			  int64_t t_ns, int64_t *until_ns)
{
	const int64_t bin = s->width_ns > 0 ? t_ns / s->width_ns : 0;

	if (s->width_ns <= 0)
		return;
	if (bin != s->bin)
		flush_bin(s, thread);
	s->bin = bin;
	if ((bin + 1) * s->width_ns < *until_ns)
		*until_ns = (bin + 1) * s->width_ns;
}

void gaspdb_entity_bin_add(struct gaspdb_entity_sums *s, int64_t entity,
			   int64_t ns, bool waits)
{
	struct gaspdb_entity_bin *b = s->bins ? &s->bins[entity] : NULL;

	if (!b || s->width_ns <= 0 || ns == 0)
		return;
	if (!b->used) {
		if (!gaspdb_grow(s->run, &s->used, s->n_used, &s->used_room,
				 sizeof *s->used))
			return;
		s->used[s->n_used++] = entity;
		b->used = true;
	}
	b->self_ns += ns;
	b->wait_ns += waits ? ns : 0;
}

/* --- rows ----------------------------------------------------------------- */

static int by_key(const void *a, const void *b)
{
	const struct gaspdb_entity_sum *x = a, *y = b;

	if (x->entity != y->entity)
		return x->entity < y->entity ? -1 : 1;
	return (x->source > y->source) - (x->source < y->source);
}

void gaspdb_entity_sums_flush(struct gaspdb_entity_sums *s, int64_t thread)
{
	flush_bin(s, thread);
	s->bin = GASPDB_NONE;
	if (s->n > 1)
		qsort(s->sum, s->n, sizeof *s->sum, by_key);
	for (size_t i = 0; i < s->n; i++) {
		const struct gaspdb_entity_sum *m = &s->sum[i];

		gaspdb_write(s->run, s->add_profile, 9,
			     (int64_t[]){ thread, m->entity, m->source,
					  m->calls, m->self_ns, m->inclusive_ns,
					  m->shared_ns, m->wait_ns, m->bytes },
			     NULL);
	}
	gaspdb_map_clear(&s->index);
	s->n = 0;
}
