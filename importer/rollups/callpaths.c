/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tree of call paths, and the sums of their calls. */
#include "importer/rollups/callpaths.h"

#include <stdlib.h>
#include <string.h>

#include "common/limits.h"
#include "common/memory.h"
#include "common/sum.h"

void gaspdb_paths_init(struct gaspdb_paths *p, struct gaspdb_store *store,
		       const struct gaspdb_rollups *rollups)
{
	memset(p, 0, sizeof *p);
	p->store = store;
	p->rollups = rollups;
}

void gaspdb_paths_free(struct gaspdb_paths *p)
{
	gaspdb_map_free(&p->index);
	free(p->path);
	free(p->sums);
	free(p->touched);
	free(p->of_source);
	free(p->rows);
	memset(p, 0, sizeof *p);
}

void gaspdb_paths_thread(struct gaspdb_paths *p, int64_t thread)
{
	p->thread = thread;
	p->deep = p->left_out = 0;
}

/* --- paths ---------------------------------------------------------------- */

static uint32_t add_path(struct gaspdb_paths *p, uint32_t parent,
			 uint32_t source)
{
	const uint32_t n = p->n + 1;

	p->path = gaspdb_mem_grow(p->path, &p->path_capacity, n + 1,
				  sizeof *p->path);
	p->sums = gaspdb_mem_grow(p->sums, &p->sums_capacity, n + 1,
				  sizeof *p->sums);
	p->path[n] = (struct gaspdb_path){
		.parent = parent,
		.source = source,
		.depth = parent ? p->path[parent].depth + 1 : 1,
		.min_ns = INT64_MAX,
		.bytes = GASPDB_NULL,
		.longest.ns = -1,
		.computation_ns = GASPDB_NULL,
		.computes = { -1, GASPDB_NULL },
	};
	p->sums[n].profile = GASPDB_ABSENT;
	p->of_source = gaspdb_mem_grow(p->of_source, &p->of_source_capacity,
				       source + 1, sizeof *p->of_source);
	if (!p->of_source[source].first)
		p->of_source[source].first = n;
	return p->n = n;
}

/* Path of a source below a parent; 0: too many paths. */
static uint32_t find_path(struct gaspdb_paths *p, uint32_t parent,
			  uint32_t source)
{
	const uint64_t key = (uint64_t)parent << 32 | source;
	uint32_t path = gaspdb_map_get(&p->index, key);

	if (path != GASPDB_ABSENT)
		return path;
	/* The number of outermost paths is bounded by that of sources. */
	if (parent && p->n >= GASPDB_PATHS_MAX)
		return 0;
	path = add_path(p, parent, source);
	gaspdb_map_put(&p->index, key, path);
	return path;
}

uint32_t gaspdb_path_frame(struct gaspdb_paths *p, uint32_t parent,
			   uint32_t source)
{
	const bool deep =
		parent && p->path[parent].depth == GASPDB_PATH_DEPTH_MAX;
	const uint32_t path =
		find_path(p, deep ? p->path[parent].parent : parent, source);

	if (path)
		p->path[path].is_frame = true;
	return path;
}

uint32_t gaspdb_path_find(struct gaspdb_paths *p, uint32_t parent,
			  struct gaspdb_log_site *site)
{
	const bool deep =
		parent && p->path[parent].depth == GASPDB_PATH_DEPTH_MAX;
	uint32_t path;

	path = find_path(p, deep ? p->path[parent].parent : parent,
			 site->source);
	if (!path) {
		p->left_out++;
		return find_path(p, 0, site->source);
	}
	/* Folded calls are counted, so that the site must not keep theirs. */
	p->deep += deep;
	if (!deep) {
		site->path_parent = parent;
		site->path = path;
	}
	return path;
}

/* --- calls ---------------------------------------------------------------- */

/* Adds a path to those of the thread. It needs sums of its own if the thread
   has others of the same source. */
static void touch(struct gaspdb_paths *p, uint32_t path, uint32_t profile)
{
	struct gaspdb_path_source *source = &p->of_source[p->path[path].source];

	p->sums[path] =
		(struct gaspdb_path_sums){ .profile = profile,
					   .own = source->touched,
					   .min_ns = INT64_MAX,
					   .bytes = GASPDB_NULL,
					   .computation_ns = GASPDB_NULL };
	p->touched = gaspdb_mem_grow(p->touched, &p->touched_capacity,
				     p->n_touched + 1, sizeof *p->touched);
	p->touched[p->n_touched++] = path;
	source->touched++;
	source->last = path;
}

/* Copies the profile's sums, unless the path has its own. */
static void make_own(struct gaspdb_paths *p, uint32_t path)
{
	struct gaspdb_path_sums *s = &p->sums[path];
	const struct gaspdb_profile *from;

	if (s->own)
		return;
	from = &p->rollups->profile[s->profile];
	s->own = true;
	s->calls = from->calls;
	s->nested = from->nested && from->calls;
	s->plain = !from->nested && from->calls;
	s->total_ns = from->total_ns;
	s->inner_ns = from->inner_ns;
	s->squares = from->squares;
	s->self_ns = from->self_ns == GASPDB_NULL ? 0 : from->self_ns;
	s->bytes = from->bytes;
	s->min_ns = from->min_ns;
	s->max_ns = from->max_ns;
}

void gaspdb_path_add_profile(struct gaspdb_paths *p, uint32_t path,
			     uint32_t profile)
{
	const struct gaspdb_path_source *source =
		&p->of_source[p->path[path].source];

	if (p->sums[path].profile != GASPDB_ABSENT) {
		make_own(p, path);
		return;
	}
	if (source->touched)
		make_own(p, source->last);
	touch(p, path, profile);
}

void gaspdb_path_computation(struct gaspdb_paths *p, uint32_t path, int64_t ns)
{
	if (p->sums[path].active == 1)
		gaspdb_add_known(&p->sums[path].computation_ns, ns);
}

void gaspdb_path_add(struct gaspdb_path_sums *s,
		     const union gaspdb_event_row *row)
{
	const int64_t ns = row->duration_ns;

	s->calls++;
	s->nested |= row->nested != 0;
	s->plain |= !row->nested;
	/* In a folded recursion only the outermost call counts. */
	gaspdb_add_to(s->active == 0 ? &s->total_ns : &s->inner_ns, ns);
	s->squares += gaspdb_square(ns);
	if (row->self_ns != GASPDB_NULL)
		gaspdb_add_to(&s->self_ns, row->self_ns);
	gaspdb_add_known(&s->bytes, row->bytes);
	if (ns < s->min_ns)
		s->min_ns = ns;
	if (ns > s->max_ns)
		s->max_ns = ns;
}

void gaspdb_path_summed(struct gaspdb_paths *p, uint32_t path, bool nested,
			const struct gaspdb_summed_calls *calls)
{
	struct gaspdb_path_sums *s = &p->sums[path];

	gaspdb_path_computation(p, path, calls->computation_ns);
	s->active--;
	if (!s->own)
		return;
	s->nested |= nested;
	s->plain |= !nested;
	gaspdb_add_to(&s->calls, calls->calls);
	gaspdb_add_to(s->active == 0 ? &s->total_ns : &s->inner_ns,
		      calls->total_ns);
	s->squares += calls->squares;
	if (calls->self_ns != GASPDB_NULL)
		gaspdb_add_to(&s->self_ns, calls->self_ns);
	gaspdb_add_known(&s->bytes, calls->bytes);
	s->min_ns = gaspdb_min(s->min_ns, calls->min_ns);
	s->max_ns = gaspdb_max(s->max_ns, calls->max_ns);
}

void gaspdb_path_uncut(struct gaspdb_paths *p, uint32_t path, int64_t least_ns)
{
	if (path && p->sums[path].own)
		p->sums[path].min_ns = least_ns;
}

void gaspdb_path_resumed(struct gaspdb_paths *p, uint32_t path, int64_t cut_ns,
			 int64_t whole_ns)
{
	struct gaspdb_path_sums *s = &p->sums[path];

	if (!path || !s->own)
		return;
	s->squares += gaspdb_square(whole_ns) - gaspdb_square(cut_ns);
	s->min_ns = gaspdb_min(s->min_ns, whole_ns);
	s->max_ns = gaspdb_max(s->max_ns, whole_ns);
}

void gaspdb_paths_replace(struct gaspdb_paths *p)
{
	for (size_t i = 0; i < p->n_touched; i++) {
		const uint32_t path = p->touched[i];

		p->sums[path].own = false;
		p->sums[path].profile = GASPDB_ABSENT;
		p->of_source[p->path[path].source].touched = 0;
	}
	p->n_touched = 0;
	p->deep = p->left_out = 0;
}

void gaspdb_path_throttled(struct gaspdb_paths *p, uint32_t path,
			   const struct gaspdb_throttled_calls *calls)
{
	struct gaspdb_path_sums *s = &p->sums[path];
	const int64_t ns = gaspdb_plus(calls->total_ns, calls->inner_ns);

	s->active--;
	gaspdb_add_known(&s->computation_ns, calls->quiet_ns);
	if (!s->own)
		return;
	s->plain = true;
	gaspdb_add_to(&s->calls, calls->calls);
	gaspdb_add_to(&s->total_ns, calls->total_ns);
	gaspdb_add_to(&s->inner_ns, calls->inner_ns);
	gaspdb_add_to(&s->self_ns, calls->self_ns);
	s->squares += gaspdb_square(ns) / (uint64_t)calls->calls;
	s->min_ns = gaspdb_min(s->min_ns, calls->least_ns);
	s->max_ns = gaspdb_max(s->max_ns, calls->most_ns);
}

void gaspdb_path_less(struct gaspdb_paths *p, uint32_t path, int64_t self_ns)
{
	if (p->sums[path].own)
		gaspdb_add_to(&p->sums[path].self_ns, -self_ns);
}

void gaspdb_path_bytes(struct gaspdb_paths *p, int64_t thread, uint32_t path,
		       int64_t bytes)
{
	if (thread == p->thread) {
		if (p->sums[path].own)
			gaspdb_add_known(&p->sums[path].bytes, bytes);
		return;
	}
	do {
		gaspdb_add_known(&p->path[path].bytes, bytes);
		gaspdb_store_add_bytes(
			p->store, GASPDB_INSERT_callpath_part,
			(int64_t[]){ thread, p->path[path].source, path },
			bytes);
		path = p->path[path].parent;
	} while (p->path[path].is_frame);
}

/* --- the thread's rows ---------------------------------------------------- */

static struct gaspdb_durations durations_of(const struct gaspdb_path_sums *s)
{
	return (struct gaspdb_durations){ .n = (gaspdb_wide)s->calls,
					  .sum_ns = (gaspdb_wide)s->total_ns +
						    (gaspdb_wide)s->inner_ns,
					  .squares = s->squares };
}

static void add_to_run(struct gaspdb_paths *p, uint32_t path)
{
	const struct gaspdb_path_sums *s = &p->sums[path];
	struct gaspdb_path *run = &p->path[path];

	const struct gaspdb_durations more = durations_of(s);

	run->threads++;
	run->durations.n += more.n;
	run->durations.sum_ns += more.sum_ns;
	run->durations.squares += more.squares;
	gaspdb_add_to(&run->calls, s->calls);
	gaspdb_add_to(&run->total_ns, s->total_ns);
	gaspdb_add_to(&run->inner_ns, s->inner_ns);
	gaspdb_add_to(&run->self_ns, s->self_ns);
	gaspdb_add_known(&run->bytes, s->bytes);
	if (s->min_ns < run->min_ns)
		run->min_ns = s->min_ns;
	if (s->max_ns > run->max_ns)
		run->max_ns = s->max_ns;
	gaspdb_add_known(&run->computation_ns, s->computation_ns);
	gaspdb_thread_maximum_add(&run->longest, p->thread, s->total_ns);
	gaspdb_thread_maximum_add(&run->computes, p->thread, s->computation_ns);
}

static int by_key(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Is the thread's row of the path that of its profile, and the path implied as
   the source's first one? */
static bool is_in_profile(const struct gaspdb_paths *p, uint32_t path)
{
	const struct gaspdb_path_sums *s = &p->sums[path];
	const struct gaspdb_path_source *source =
		&p->of_source[p->path[path].source];

	return source->touched == 1 && source->first == path &&
	       !(s->plain && s->nested) && !p->path[path].is_frame;
}

static void insert_part(struct gaspdb_paths *p, uint64_t key)
{
	const uint32_t path = (uint32_t)key;
	const struct gaspdb_path_sums *s = &p->sums[path];
	const struct gaspdb_durations durations = durations_of(s);

	gaspdb_insert_real(p->store, GASPDB_INSERT_callpath_part,
			   (int64_t[]){ p->thread, (int64_t)(key >> 32), path,
					s->calls, s->total_ns, s->self_ns,
					s->min_ns, s->max_ns, s->bytes,
					s->inner_ns, 0 },
			   gaspdb_variation(&durations));
}

static void add_sums(struct gaspdb_path_sums *to,
		     const struct gaspdb_path_sums *s)
{
	gaspdb_add_to(&to->calls, s->calls);
	gaspdb_add_to(&to->total_ns, s->total_ns);
	gaspdb_add_to(&to->inner_ns, s->inner_ns);
	gaspdb_add_known(&to->bytes, s->bytes);
	to->squares += s->squares;
	if (s->min_ns < to->min_ns)
		to->min_ns = s->min_ns;
	if (s->max_ns > to->max_ns)
		to->max_ns = s->max_ns;
}

/* Adds the thread's calls to the frames above them, but for self time. */
static void add_to_frames(struct gaspdb_paths *p)
{
	const size_t n_calls = p->n_touched;

	for (size_t i = 0; i < n_calls; i++) {
		const uint32_t call = p->touched[i];
		uint32_t up = p->path[call].parent;

		if (up && p->path[up].is_frame)
			make_own(p, call);
		for (; up && p->path[up].is_frame; up = p->path[up].parent) {
			if (p->sums[up].profile == GASPDB_ABSENT) {
				touch(p, up, 0);
				p->sums[up].own = true;
			}
			add_sums(&p->sums[up], &p->sums[call]);
		}
	}
}

void gaspdb_paths_flush(struct gaspdb_paths *p)
{
	size_t n = 0;

	add_to_frames(p);

	p->rows = gaspdb_mem_grow(p->rows, &p->rows_capacity, p->n_touched,
				  sizeof *p->rows);
	for (size_t i = 0; i < p->n_touched; i++) {
		const uint32_t path = p->touched[i];

		make_own(p, path);
		add_to_run(p, path);
		p->sums[path].own = false;
		p->sums[path].profile = GASPDB_ABSENT;
		if (!is_in_profile(p, path))
			p->rows[n++] =
				(uint64_t)p->path[path].source << 32 | path;
	}
	for (size_t i = 0; i < p->n_touched; i++)
		p->of_source[p->path[p->touched[i]].source].touched = 0;
	p->n_touched = 0;
	if (n > 1)
		qsort(p->rows, n, sizeof *p->rows, by_key);
	for (size_t i = 0; i < n; i++)
		insert_part(p, p->rows[i]);
	p->thread = GASPDB_NULL; /* later bytes update the written rows */
}

/* --- the tree ------------------------------------------------------------- */

/* A path to be placed among its siblings: the longest first. */
struct order {
	uint32_t path, parent;
	int64_t total_ns;
};

static int by_parent(const void *a, const void *b)
{
	const struct order *x = a, *y = b;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	if (x->total_ns != y->total_ns)
		return x->total_ns > y->total_ns ? -1 : 1;
	return (x->path > y->path) - (x->path < y->path);
}

/*
 * Depth-first positions, and sizes of subtrees. A child's number is above its
 * parent's: one scan backwards sums up the sizes, and one in the order of
 * parents' numbers places each parent before its children.
 */
static void place_depth_first(const struct gaspdb_paths *p, uint32_t *position,
			      uint32_t *size)
{
	struct order *order = gaspdb_mem_alloc((p->n + 1) * sizeof *order);
	uint32_t *next = gaspdb_mem_alloc((p->n + 1) * sizeof *next);

	for (uint32_t i = p->n; i > 0; i--) {
		order[i] = (struct order){ i, p->path[i].parent,
					   p->path[i].total_ns };
		size[i]++;
		size[p->path[i].parent] += size[i];
	}
	qsort(order + 1, p->n, sizeof *order, by_parent);
	next[0] = 1;
	for (uint32_t i = 1; i <= p->n; i++) {
		const struct order *o = &order[i];

		position[o->path] = next[o->parent];
		next[o->parent] += size[o->path];
		next[o->path] = position[o->path] + 1;
	}
	free(order);
	free(next);
}

static int64_t most_computation(const struct gaspdb_path *x)
{
	return x->computation_ns == GASPDB_NULL ? GASPDB_NULL : x->computes.ns;
}

void gaspdb_paths_finish(struct gaspdb_paths *p)
{
	uint32_t *position = gaspdb_mem_alloc((p->n + 1) * sizeof *position);
	uint32_t *size = gaspdb_mem_alloc((p->n + 1) * sizeof *size);

	if (p->n > 0)
		place_depth_first(p, position, size);
	for (uint32_t i = 1; i <= p->n; i++) {
		const struct gaspdb_path *x = &p->path[i];

		gaspdb_insert_real(
			p->store, GASPDB_INSERT_callpath,
			(int64_t[]){ i,
				     x->parent ? x->parent : GASPDB_NULL,
				     x->source,
				     x->depth,
				     position[i],
				     (int64_t)position[i] + size[i] - 1,
				     x->threads,
				     x->calls,
				     x->total_ns,
				     x->self_ns,
				     x->min_ns,
				     x->max_ns,
				     x->bytes,
				     x->longest.ns,
				     x->longest.thread,
				     x->computation_ns,
				     most_computation(x),
				     x->computes.thread,
				     x->inner_ns,
				     0 },
			gaspdb_variation(&x->durations));
	}
	free(position);
	free(size);
}
