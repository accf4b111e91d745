/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Profile over time, from differences of the profile's sums between the ends of
 * bins. The profile adds a call when it ends; the time of calls that are still
 * open is added to the bin ahead of that, and subtracted when they end. Only
 * profiles in the list of changed ones are compared, and only calls that began
 * since the last bin's end are visited, however many are open.
 */
#include "importer/rollups/source_bins.h"

#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "common/sum.h"

enum { BINS = GASPDB_SOURCE_BINS, BLOCK = GASPDB_SOURCES_IN_BLOCK };
enum { BATCH = 32 };		   /* profiles settled in one batch */
#define ROWS_MAX ((size_t)1 << 16) /* beyond, bins are merged */

void gaspdb_source_bins_init(struct gaspdb_source_bins *b,
			     struct gaspdb_rollups *rollups, int64_t n)
{
	memset(b, 0, sizeof *b);
	b->rollups = rollups;
	b->n_base = n;
	b->width = n > BINS ? n / BINS : 1;
}

void gaspdb_source_bins_free(struct gaspdb_source_bins *b)
{
	free(b->at);
	free(b->blocks);
	free(b->open);
	memset(b, 0, sizeof *b);
}

/* --- rows ----------------------------------------------------------------- */

/* Index into b->at. */
static size_t place_of(uint32_t source, bool nested, int64_t bin)
{
	return (2 * (size_t)(source / BLOCK) + nested) * BINS + (size_t)bin;
}

static uint32_t add_block(struct gaspdb_source_bins *b)
{
	b->blocks = gaspdb_mem_grow(b->blocks, &b->block_capacity,
				    b->n_blocks + 1, sizeof *b->blocks);
	for (int i = 0; i < BLOCK; i++)
		b->blocks[b->n_blocks].source[i].self_ns = GASPDB_NULL;
	return (uint32_t)++b->n_blocks;
}

/* Row of a source and bin, which is created on its first use. */
static struct gaspdb_source_bin *
row_of(struct gaspdb_source_bins *b, uint32_t source, bool nested, int64_t bin)
{
	const size_t place = place_of(source, nested, bin);

	b->at = gaspdb_mem_grow(b->at, &b->at_capacity,
				place_of(source + BLOCK, false, 0),
				sizeof *b->at);
	if (!b->at[place])
		b->at[place] = add_block(b);
	return &b->blocks[b->at[place] - 1].source[source % BLOCK];
}

static bool has_anything(const struct gaspdb_source_bin *row)
{
	return row->calls || row->total_ns || row->bytes ||
	       row->self_ns != GASPDB_NULL;
}

static void add(struct gaspdb_source_bins *b, struct gaspdb_source_bin *row,
		const struct gaspdb_source_bin *more)
{
	b->n += !has_anything(row);
	gaspdb_add_to(&row->calls, more->calls);
	gaspdb_add_to(&row->total_ns, more->total_ns);
	gaspdb_add_to(&row->bytes, more->bytes);
	if (more->self_ns == GASPDB_NULL)
		return;
	if (row->self_ns == GASPDB_NULL)
		row->self_ns = 0;
	gaspdb_add_to(&row->self_ns, more->self_ns);
}

static void swap(uint32_t *a, uint32_t *b)
{
	const uint32_t was = *a;

	*a = *b;
	*b = was;
}

/* Adds the rows of one block to another, and clears them. */
static void move_block(struct gaspdb_source_bins *b,
		       struct gaspdb_source_block *from,
		       struct gaspdb_source_block *to)
{
	for (int i = 0; i < BLOCK; i++) {
		struct gaspdb_source_bin *row = &from->source[i];

		if (!has_anything(row))
			continue;
		b->n--;
		add(b, &to->source[i], row);
		*row = (struct gaspdb_source_bin){ .self_ns = GASPDB_NULL };
	}
}

/* Merges each pair of bins of one block of sources. If one of the two is empty,
   only the index is moved; cleared blocks stay for later bins. */
static void fold_bins(struct gaspdb_source_bins *b, uint32_t *at)
{
	for (int64_t bin = 0; bin < b->end; bin += 2) {
		uint32_t *to = &at[bin / 2], *second = &at[bin + 1];

		swap(to, &at[bin]);
		if (*to && *second)
			move_block(b, &b->blocks[*second - 1],
				   &b->blocks[*to - 1]);
		else if (*second)
			swap(to, second);
	}
}

void gaspdb_source_bins_fold(struct gaspdb_source_bins *b)
{
	for (size_t i = 0; i + BINS <= b->at_capacity; i += BINS)
		fold_bins(b, b->at + i);
	b->end = (b->end + 1) / 2;
}

/* --- a bin's end ---------------------------------------------------------- */

/* Lists the profile of a call that is open at a bin's end for the first time;
   since_ns becomes the start of the outermost of a recursion. */
static void add_open_call(struct gaspdb_source_bins *b,
			  const struct gaspdb_frame *f)
{
	struct gaspdb_profile *p = &b->rollups->profile[f->profile];

	if (p->ahead.since_ns == GASPDB_NULL || f->start_ns < p->ahead.since_ns)
		p->ahead.since_ns = f->start_ns;
	if (p->is_watched)
		return;
	p->is_watched = true;
	b->open = gaspdb_mem_grow(b->open, &b->open_capacity, b->n_open + 1,
				  sizeof *b->open);
	b->open[b->n_open++] = f->profile;
}

/*
 * Adds the self time of open calls. It may have grown in those that began since
 * the last bin's end, and in the next one below, which was innermost before.
 */
static void add_self_ahead(struct gaspdb_source_bins *b, struct gaspdb_frame *f,
			   bool overlay)
{
	for (bool seen = false; f && !seen; f = f->below) {
		struct gaspdb_profile *p = &b->rollups->profile[f->profile];

		seen = f->seen;
		if (!seen)
			add_open_call(b, f);
		f->seen = true;
		if (overlay)
			continue;
		p->ahead.self_ns += f->self_ns - f->settled_ns;
		f->settled_ns = f->self_ns;
		p->has_self = true;
	}
}

/* Sets the total time of open calls so far, and drops profiles without any. */
static void set_total_ahead(struct gaspdb_source_bins *b, int64_t now_ns)
{
	size_t n = 0;

	for (size_t i = 0; i < b->n_open; i++) {
		const uint32_t number = b->open[i];
		struct gaspdb_profile *p = &b->rollups->profile[number];

		p->is_watched = p->ahead.since_ns != GASPDB_NULL;
		if (!p->is_watched)
			continue;
		b->open[n++] = number;
		gaspdb_profile_touch(b->rollups, p);
		p->ahead.total_ns = now_ns - p->ahead.since_ns;
	}
	b->n_open = n;
}

static void settle_profile(struct gaspdb_source_bins *b,
			   struct gaspdb_profile *p)
{
	const int64_t self_ns = p->self_ns == GASPDB_NULL ? 0 : p->self_ns;
	const struct gaspdb_profile_sums now = {
		.calls = p->calls,
		.total_ns = p->total_ns + p->ahead.total_ns,
		.self_ns = self_ns + p->ahead.self_ns,
		.bytes = p->bytes == GASPDB_NULL ? 0 : p->bytes,
	};
	const struct gaspdb_source_bin more = {
		.calls = now.calls - p->settled.calls,
		.total_ns = now.total_ns - p->settled.total_ns,
		.self_ns = p->has_self || p->self_ns != GASPDB_NULL
				   ? now.self_ns - p->settled.self_ns
				   : GASPDB_NULL,
		.bytes = now.bytes - p->settled.bytes,
	};

	p->settled = now;
	if (more.calls || more.total_ns || more.bytes ||
	    (more.self_ns != GASPDB_NULL && more.self_ns))
		add(b, row_of(b, p->source, p->nested, b->current), &more);
}

/* Prefetches the row of a profile, if any: all rows exceed the processor's
   caches. Always inline, because gcc drops calls without another effect. */
static inline __attribute__((always_inline)) void
prefetch_row(const struct gaspdb_source_bins *b, const struct gaspdb_profile *p)
{
	const size_t place = place_of(p->source, p->nested, b->current);
	const struct gaspdb_source_bin *row;

	if (place >= b->at_capacity || !b->at[place])
		return;
	row = &b->blocks[b->at[place] - 1].source[p->source % BLOCK];
	__builtin_prefetch(&row->calls);
	__builtin_prefetch(&row->self_ns);
}

static void settle_batch(struct gaspdb_source_bins *b, const uint32_t *profiles,
			 size_t n)
{
	for (size_t i = 0; i < n; i++)
		prefetch_row(b, &b->rollups->profile[profiles[i]]);
	for (size_t i = 0; i < n; i++) {
		struct gaspdb_profile *p = &b->rollups->profile[profiles[i]];

		p->touched = false;
		settle_profile(b, p);
	}
}

void gaspdb_source_bins_settle(struct gaspdb_source_bins *b,
			       const struct gaspdb_stack *s, int64_t bin)
{
	struct gaspdb_rollups *r = b->rollups;

	b->current = bin / b->width;
	b->end = gaspdb_max(b->end, b->current + 1);
	add_self_ahead(b, gaspdb_stack_top(s), false);
	add_self_ahead(b, gaspdb_stack_overlay(s), true);
	set_total_ahead(b, s->now_ns);
	for (size_t i = 0; i < r->n_touched; i += BATCH)
		settle_batch(b, r->touched + i,
			     r->n_touched - i < BATCH ? r->n_touched - i
						      : BATCH);
	r->n_touched = 0;
	for (; b->n > ROWS_MAX && b->width < b->n_base; b->width *= 2)
		gaspdb_source_bins_fold(b);
}

/* --- the end -------------------------------------------------------------- */

static void insert_call(struct gaspdb_source_bins *b,
			struct gaspdb_store *store, uint32_t source,
			bool nested, int64_t bin_ns)
{
	const uint32_t *at = &b->at[place_of(source, nested, 0)];

	for (int64_t bin = 0; bin < b->end; bin++) {
		const struct gaspdb_source_bin *row;

		if (!at[bin])
			continue;
		row = &b->blocks[at[bin] - 1].source[source % BLOCK];
		if (has_anything(row))
			gaspdb_insert_ints(
				store, GASPDB_INSERT_source_bin,
				(int64_t[]){ source, nested, bin * bin_ns,
					     row->calls, row->total_ns,
					     row->self_ns, row->bytes });
	}
}

void gaspdb_source_bins_finish(struct gaspdb_source_bins *b,
			       struct gaspdb_store *store, int64_t width_ns)
{
	const int64_t bin_ns = width_ns * b->width;
	const uint32_t n = (uint32_t)(b->at_capacity / (2 * BINS) * BLOCK);

	for (uint32_t source = 0; source < n; source++) {
		insert_call(b, store, source, false, bin_ns);
		insert_call(b, store, source, true, bin_ns);
	}
	gaspdb_insert(store, GASPDB_INSERT_meta,
		      (struct gaspdb_value[]){ gaspdb_str("source_bin_ns"),
					       gaspdb_int(bin_ns) });
}
