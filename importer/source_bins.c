/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The profile sums up calls when they end.  At a bin's end it is looked at what
 * it has grown by, and what the calls that are still open have taken so far,
 * which is no more when they end.  Profiles that did not change are not looked
 * at: a mark on each says which did.
 */
#include "source_bins.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "sum.h"

enum { BINS = 256, BIN_BITS = 8 };
#define ROWS_MAX ((uint32_t)1 << 16) /* beyond them bins become wider */

void gaspdb_source_bins_init(struct gaspdb_source_bins *b,
			     struct gaspdb_rollups *rollups, int64_t n)
{
	memset(b, 0, sizeof *b);
	b->rollups = rollups;
	b->per = n > BINS ? n / BINS : 1;
}

void gaspdb_source_bins_free(struct gaspdb_source_bins *b)
{
	gaspdb_map_free(&b->index);
	free(b->row);
	memset(b, 0, sizeof *b);
}

/* --- rows ----------------------------------------------------------------- */

static struct gaspdb_source_bin *row_of(struct gaspdb_source_bins *b,
					uint64_t key)
{
	uint32_t i = gaspdb_map_get(&b->index, key);

	if (i == GASPDB_ABSENT) {
		i = b->index.n;
		gaspdb_map_put(&b->index, key, i);
		b->row = gaspdb_mem_grow(b->row, &b->capacity, i + 1,
					 sizeof *b->row);
		b->row[i] =
			(struct gaspdb_source_bin){ .key = key,
						    .self_ns = GASPDB_NULL };
	}
	return &b->row[i];
}

static void add_to_row(struct gaspdb_source_bins *b, uint64_t key,
		       const struct gaspdb_source_bin *more)
{
	struct gaspdb_source_bin *row;

	if (!more->calls && !more->total_ns && !more->bytes &&
	    (more->self_ns == GASPDB_NULL || !more->self_ns))
		return;
	row = row_of(b, key);
	gaspdb_add_to(&row->calls, more->calls);
	gaspdb_add_to(&row->total_ns, more->total_ns);
	gaspdb_add_to(&row->bytes, more->bytes);
	if (more->self_ns == GASPDB_NULL)
		return;
	if (row->self_ns == GASPDB_NULL)
		row->self_ns = 0;
	gaspdb_add_to(&row->self_ns, more->self_ns);
}

static uint64_t key_of(uint32_t source, bool nested, int64_t bin)
{
	return ((uint64_t)source << 1 | nested) << BIN_BITS | (uint64_t)bin;
}

void gaspdb_source_bins_fold(struct gaspdb_source_bins *b)
{
	const uint32_t n = b->index.n;
	const uint64_t mask = ((uint64_t)1 << BIN_BITS) - 1;

	gaspdb_map_clear(&b->index);
	/* A row is written no later than it was read. */
	for (uint32_t i = 0; i < n; i++) {
		const struct gaspdb_source_bin row = b->row[i];

		add_to_row(b, (row.key & ~mask) | (row.key & mask) >> 1, &row);
	}
}

/* --- a bin's end ---------------------------------------------------------- */

/* What an open call has taken so far; of a recursion the outermost, which is
   the last to be seen. */
static void look_ahead(struct gaspdb_source_bins *b,
		       const struct gaspdb_stack *s, struct gaspdb_frame *f,
		       bool overlay)
{
	struct gaspdb_profile *p = &b->rollups->profile[f->profile];

	gaspdb_profile_touch(b->rollups, p);
	p->ahead.total_ns = s->now_ns - f->start_ns;
	if (overlay)
		return;
	p->ahead.self_ns += f->self_ns - f->settled_ns;
	f->settled_ns = f->self_ns;
	p->has_self = true;
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
	add_to_row(b, key_of(p->source, p->nested, b->current), &more);
}

void gaspdb_source_bins_settle(struct gaspdb_source_bins *b,
			       const struct gaspdb_stack *s, int64_t bin)
{
	struct gaspdb_rollups *r = b->rollups;
	struct gaspdb_frame *f;

	b->current = bin / b->per;
	for (f = gaspdb_stack_top(s); f; f = f->below)
		look_ahead(b, s, f, false);
	for (f = gaspdb_stack_overlay(s); f; f = f->below)
		look_ahead(b, s, f, true);
	for (size_t i = 0; i < r->n_touched; i++) {
		struct gaspdb_profile *p = &r->profile[r->touched[i]];

		p->touched = false;
		settle_profile(b, p);
	}
	r->n_touched = 0;
	for (; b->index.n > ROWS_MAX && b->per < INT64_MAX / 2; b->per *= 2)
		gaspdb_source_bins_fold(b);
}

/* --- the end -------------------------------------------------------------- */

static int by_key(const void *a, const void *b)
{
	const struct gaspdb_source_bin *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

void gaspdb_source_bins_finish(struct gaspdb_source_bins *b,
			       struct gaspdb_store *store, int64_t width_ns)
{
	const int64_t bin_ns = width_ns * b->per;

	if (b->index.n)
		qsort(b->row, b->index.n, sizeof *b->row, by_key);
	for (uint32_t i = 0; i < b->index.n; i++) {
		const struct gaspdb_source_bin *row = &b->row[i];
		const int64_t bin = (int64_t)(row->key & (BINS - 1));
		const uint64_t call = row->key >> BIN_BITS;

		gaspdb_insert(store, GASPDB_INSERT_source_bin,
			      (struct gaspdb_value[]){
				      gaspdb_int((int64_t)(call >> 1)),
				      gaspdb_int(call & 1),
				      gaspdb_int(bin * bin_ns),
				      gaspdb_int(row->calls),
				      gaspdb_int(row->total_ns),
				      gaspdb_int(row->self_ns),
				      gaspdb_int(row->bytes) });
	}
	gaspdb_insert(store, GASPDB_INSERT_meta,
		      (struct gaspdb_value[]){ gaspdb_str("source_bin_ns"),
					       gaspdb_int(bin_ns) });
}
