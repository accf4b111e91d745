/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The profile sums up calls when they end.  At a bin's end it is looked at what
 * it has grown by, and what the calls that are still open have taken so far,
 * which is no more when they end.  Profiles that did not change are not looked
 * at: a mark on each says which did.  Nor are calls that cannot have changed:
 * however many are open, a bin's end costs what began since the last one.
 */
#include "importer/rollups/source_bins.h"

#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "common/sum.h"

enum { BINS = GASPDB_SOURCE_BINS, RUN = GASPDB_SOURCE_RUN };
enum { TOGETHER = 32 };		   /* profiles that are settled */
#define ROWS_MAX ((size_t)1 << 16) /* beyond them bins become wider */

void gaspdb_source_bins_init(struct gaspdb_source_bins *b,
			     struct gaspdb_rollups *rollups, int64_t n)
{
	memset(b, 0, sizeof *b);
	b->rollups = rollups;
	b->n_bins = n;
	b->per = n > BINS ? n / BINS : 1;
}

void gaspdb_source_bins_free(struct gaspdb_source_bins *b)
{
	free(b->at);
	free(b->runs);
	free(b->open);
	memset(b, 0, sizeof *b);
}

/* --- rows ----------------------------------------------------------------- */

/* A call: a source, nested or not.  Its place in b->at. */
static size_t place_of(uint32_t source, bool nested, int64_t bin)
{
	return (2 * (size_t)(source / RUN) + nested) * BINS + (size_t)bin;
}

static uint32_t add_run(struct gaspdb_source_bins *b)
{
	b->runs = gaspdb_mem_grow(b->runs, &b->run_capacity, b->n_runs + 1,
				  sizeof *b->runs);
	for (int i = 0; i < RUN; i++)
		b->runs[b->n_runs].source[i].self_ns = GASPDB_NULL;
	return (uint32_t)++b->n_runs;
}

/* A run's bins are there as soon as one is, and so are those of its nested
   calls. */
static struct gaspdb_source_bin *
row_of(struct gaspdb_source_bins *b, uint32_t source, bool nested, int64_t bin)
{
	const size_t place = place_of(source, nested, bin);

	b->at = gaspdb_mem_grow(b->at, &b->at_capacity,
				place_of(source + RUN, false, 0),
				sizeof *b->at);
	if (!b->at[place])
		b->at[place] = add_run(b);
	return &b->runs[b->at[place] - 1].source[source % RUN];
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

/* All that one bin has of a run becomes another's. */
static void move_run(struct gaspdb_source_bins *b,
		     struct gaspdb_source_run *from,
		     struct gaspdb_source_run *to)
{
	for (int i = 0; i < RUN; i++) {
		struct gaspdb_source_bin *row = &from->source[i];

		if (!has_anything(row))
			continue;
		b->n--;
		add(b, &to->source[i], row);
		*row = (struct gaspdb_source_bin){ .self_ns = GASPDB_NULL };
	}
}

/* Each pair of a run's bins becomes one: what is there of one alone stays where
   it is, and what is empty by now is another's to fill. */
static void fold_run(struct gaspdb_source_bins *b, uint32_t *at)
{
	for (int64_t bin = 0; bin < b->end; bin += 2) {
		uint32_t *to = &at[bin / 2], *second = &at[bin + 1];

		swap(to, &at[bin]);
		if (*to && *second)
			move_run(b, &b->runs[*second - 1], &b->runs[*to - 1]);
		else if (*second)
			swap(to, second);
	}
}

void gaspdb_source_bins_fold(struct gaspdb_source_bins *b)
{
	for (size_t i = 0; i + BINS <= b->at_capacity; i += BINS)
		fold_run(b, b->at + i);
	b->end = (b->end + 1) / 2;
}

/* --- a bin's end ---------------------------------------------------------- */

/* A call is open at a bin's end for the first time; of a recursion the
   outermost is the last to be seen. */
static void watch(struct gaspdb_source_bins *b, const struct gaspdb_frame *f)
{
	struct gaspdb_profile *p = &b->rollups->profile[f->profile];

	if (p->ahead.since_ns == GASPDB_NULL || f->start_ns < p->ahead.since_ns)
		p->ahead.since_ns = f->start_ns;
	if (p->watched)
		return;
	p->watched = true;
	b->open = gaspdb_mem_grow(b->open, &b->open_capacity, b->n_open + 1,
				  sizeof *b->open);
	b->open[b->n_open++] = f->profile;
}

/*
 * Calls whose own time may have grown: those that began since the last time,
 * and the next, which was innermost when they did.  Below that none was.
 */
static void look_at_stack(struct gaspdb_source_bins *b, struct gaspdb_frame *f,
			  bool overlay)
{
	for (bool seen = false; f && !seen; f = f->below) {
		struct gaspdb_profile *p = &b->rollups->profile[f->profile];

		seen = f->seen;
		if (!seen)
			watch(b, f);
		f->seen = true;
		if (overlay)
			continue;
		p->ahead.self_ns += f->self_ns - f->settled_ns;
		f->settled_ns = f->self_ns;
		p->has_self = true;
	}
}

/* What open calls have taken so far; those that have ended are left out. */
static void look_ahead(struct gaspdb_source_bins *b, int64_t now_ns)
{
	size_t n = 0;

	for (size_t i = 0; i < b->n_open; i++) {
		const uint32_t number = b->open[i];
		struct gaspdb_profile *p = &b->rollups->profile[number];

		p->watched = p->ahead.since_ns != GASPDB_NULL;
		if (!p->watched)
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

/* All threads' rows together are in more memory than caches hold: a profile's
   is fetched, if there is one.  Taken in, for gcc leaves out calls that do
   nothing else. */
static inline __attribute__((always_inline)) void
expect_row(const struct gaspdb_source_bins *b, const struct gaspdb_profile *p)
{
	const size_t place = place_of(p->source, p->nested, b->current);
	const struct gaspdb_source_bin *row;

	if (place >= b->at_capacity || !b->at[place])
		return;
	row = &b->runs[b->at[place] - 1].source[p->source % RUN];
	__builtin_prefetch(&row->calls);
	__builtin_prefetch(&row->self_ns);
}

static void settle_some(struct gaspdb_source_bins *b, const uint32_t *profiles,
			size_t n)
{
	for (size_t i = 0; i < n; i++)
		expect_row(b, &b->rollups->profile[profiles[i]]);
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

	b->current = bin / b->per;
	b->end = gaspdb_max(b->end, b->current + 1);
	look_at_stack(b, gaspdb_stack_top(s), false);
	look_at_stack(b, gaspdb_stack_overlay(s), true);
	look_ahead(b, s->now_ns);
	for (size_t i = 0; i < r->n_touched; i += TOGETHER)
		settle_some(b, r->touched + i,
			    r->n_touched - i < TOGETHER ? r->n_touched - i
							: TOGETHER);
	r->n_touched = 0;
	for (; b->n > ROWS_MAX && b->per < b->n_bins; b->per *= 2)
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
		row = &b->runs[at[bin] - 1].source[source % RUN];
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
	const int64_t bin_ns = width_ns * b->per;
	const uint32_t n = (uint32_t)(b->at_capacity / (2 * BINS) * RUN);

	for (uint32_t source = 0; source < n; source++) {
		insert_call(b, store, source, false, bin_ns);
		insert_call(b, store, source, true, bin_ns);
	}
	gaspdb_insert(store, GASPDB_INSERT_meta,
		      (struct gaspdb_value[]){ gaspdb_str("source_bin_ns"),
					       gaspdb_int(bin_ns) });
}
