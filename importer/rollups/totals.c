/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Grouping of the profile. A row belongs to four groups: its call (an operation
 * at a line), its line, its operation and its category, which are looked up
 * once for each source.
 *
 * The same in SQL sorts the profile once for each grouping: with many threads
 * and lines that takes as long as the rest of the import.
 */
#include "importer/rollups/totals.h"

#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "common/size_class.h"
#include "common/sum.h"
#include "importer/rollups/rollups.h"

/* In alphabetical order, as in the tables' keys. */
enum grouping { BY_CALL, BY_CATEGORY, BY_LINE, BY_OPERATION };

static const char *const grouping_names[] = { [BY_CALL] = "call",
					      [BY_CATEGORY] = "category",
					      [BY_LINE] = "line",
					      [BY_OPERATION] = "operation" };

/* Quantities of table spread, in alphabetical order. TIME: self time, of user
   events total time; not of categories, whose time is in category_time. */
enum quantity { BYTES, CALLS, TIME, N_QUANTITIES };

static const char *const quantity_names[] = {
	[BYTES] = "bytes", [CALLS] = "calls", [TIME] = "time"
};

/* Identity of a group, but BY_CALL, which is a source; without padding. */
struct key {
	uint64_t line, offset;
	uint32_t grouping, nested;
	uint32_t what; /* operation; of a category its text */
	uint32_t file, function, module;
};

/* Distribution of a group's quantity over the threads with calls in it. */
struct spread {
	int64_t threads, total;
	int64_t maximum, max_thread, minimum, min_thread;
	double mean, square; /* square: sum of squared differences from it */
};

struct gaspdb_total {
	enum grouping grouping;
	uint32_t source; /* the lowest */
	bool nested;
	int64_t sources, threads;
	int64_t calls, total_ns, inner_ns, self_ns, min_ns, max_ns, bytes, open;
	struct gaspdb_durations durations;
	int64_t thread, thread_ns; /* latest thread, and its self time */
	int64_t longest_ns, longest_thread;
	int64_t of_thread[N_QUANTITIES];
	struct spread *spread; /* by quantity; NULL: no thread finished yet */
	size_t n_seen;	       /* threads up to the latest */
	int64_t first_other; /* first thread without calls; GASPDB_NULL: none */
	/* Of threads with a known cost of events */
	int64_t costed_calls, costed_events, costed_ns;
	double cost_ns, inside_ns;
};

void gaspdb_totals_init(struct gaspdb_totals *t,
			struct gaspdb_registry *registry)
{
	memset(t, 0, sizeof *t);
	t->registry = registry;
	t->process = GASPDB_NULL;
}

void gaspdb_totals_free(struct gaspdb_totals *t)
{
	gaspdb_names_free(&t->keys);
	gaspdb_map_free(&t->flow_index);
	for (uint32_t i = 0; i < t->n; i++)
		free(t->total[i].spread);
	free(t->of_key);
	free(t->total);
	free(t->groups);
	free(t->threads);
	free(t->flow);
	memset(t, 0, sizeof *t);
}

static struct spread *spread_of(struct gaspdb_total *g, enum quantity q)
{
	if (!g->spread)
		g->spread = gaspdb_mem_alloc(N_QUANTITIES * sizeof *g->spread);
	return &g->spread[q];
}

/* --- groups --------------------------------------------------------------- */

/* Adds a group with one source. Returns its number. */
static uint32_t new_group(struct gaspdb_totals *t, enum grouping grouping,
			  bool nested, uint32_t source)
{
	t->total = gaspdb_mem_grow(t->total, &t->capacity, t->n + 1,
				   sizeof *t->total);
	t->total[t->n] = (struct gaspdb_total){
		.grouping = grouping,
		.source = source,
		.sources = 1,
		.nested = nested,
		.self_ns = GASPDB_NULL,
		.min_ns = INT64_MAX,
		.bytes = GASPDB_NULL,
		.thread = GASPDB_NULL,
		.thread_ns = GASPDB_NULL,
		.longest_ns = GASPDB_NULL,
		.longest_thread = GASPDB_NULL,
		.costed_ns = GASPDB_NULL,
		.first_other = GASPDB_NULL,
	};
	return ++t->n;
}

/* Number of a key's group; 0: none yet. */
static uint32_t *group_of(struct gaspdb_totals *t, const struct key *key)
{
	const uint32_t i = gaspdb_names_add(&t->keys, key, sizeof *key, NULL);

	t->of_key = gaspdb_mem_grow(t->of_key, &t->of_key_capacity, i + 1,
				    sizeof *t->of_key);
	return &t->of_key[i];
}

/* Adds a source to the group of a key. Returns its number. */
static uint32_t join_group(struct gaspdb_totals *t, const struct key *key,
			   uint32_t source)
{
	uint32_t *group = group_of(t, key);
	struct gaspdb_total *g;

	if (!*group)
		return *group = new_group(t, (enum grouping)key->grouping,
					  key->nested, source);
	g = &t->total[*group - 1];
	g->sources++;
	if (source < g->source)
		g->source = source;
	return *group;
}

/* Adds a source to the group of its line. User events and sources without a
   place have none. */
static uint32_t join_line(struct gaspdb_totals *t,
			  const struct gaspdb_profile *p)
{
	const struct gaspdb_place *at =
		&t->registry->source[p->source - 1].place;
	const struct key key = { .grouping = BY_LINE,
				 .nested = p->nested,
				 .file = at->file,
				 .line = at->file ? at->line : 0,
				 .function = at->function,
				 .module = at->file ? 0 : at->module,
				 .offset = at->file ? 0 : at->offset };

	if (p->self_ns == GASPDB_NULL || (!key.file && !key.module))
		return 0;
	return join_group(t, &key, p->source);
}

/* Text of an operation's category. */
static uint32_t category_of(const struct gaspdb_registry *r, uint32_t operation)
{
	struct gaspdb_operation_names names;

	memcpy(&names, r->operations.names[operation - 1].bytes, sizeof names);
	return names.category;
}

static struct gaspdb_groups_of *groups_of(struct gaspdb_totals *t,
					  const struct gaspdb_profile *p)
{
	const size_t at = 2 * (size_t)p->source + p->nested;
	struct gaspdb_groups_of *g;

	t->groups = gaspdb_mem_grow(t->groups, &t->groups_capacity, at + 1,
				    sizeof *t->groups);
	g = &t->groups[at];
	if (!g->call) {
		struct key key = {
			.grouping = BY_OPERATION,
			.nested = p->nested,
			.what = t->registry->source[p->source - 1].operation,
		};

		g->call = new_group(t, BY_CALL, p->nested, p->source);
		g->operation = join_group(t, &key, p->source);
		key.grouping = BY_CATEGORY;
		key.what = category_of(t->registry, key.what);
		g->category = join_group(t, &key, p->source);
		g->line = join_line(t, p);
	}
	return g;
}

/* --- profile -------------------------------------------------------------- */

/* Adds the value of the next thread, by Welford's recurrence: with a difference
   of squares, small deviations of large times would be lost. */
static void add_value(struct spread *s, int64_t thread, int64_t value)
{
	const double from_old = (double)value - s->mean;

	if (!s->threads || value > s->maximum) {
		s->maximum = value;
		s->max_thread = thread;
	}
	if (!s->threads || value < s->minimum) {
		s->minimum = value;
		s->min_thread = thread;
	}
	s->threads++;
	gaspdb_add_to(&s->total, value);
	s->mean += from_old / (double)s->threads;
	s->square += from_old * ((double)value - s->mean);
}

static void finish_thread(struct gaspdb_total *g)
{
	if (g->thread_ns > g->longest_ns) {
		g->longest_ns = g->thread_ns;
		g->longest_thread = g->thread;
	}
	for (int q = 0; q < N_QUANTITIES && g->threads; q++) {
		add_value(spread_of(g, q), g->thread, g->of_thread[q]);
		g->of_thread[q] = 0;
	}
}

/* Notes the first thread without calls in the group, if any is between the
   latest with calls and number n; thread n has calls, or does not exist. */
static void skip_threads(struct gaspdb_totals *t, struct gaspdb_total *g,
			 size_t n)
{
	if (g->first_other == GASPDB_NULL && g->n_seen < n)
		g->first_other = t->threads[g->n_seen];
	g->n_seen = n + 1;
}

void gaspdb_totals_thread(struct gaspdb_totals *t, int64_t thread)
{
	if (t->n_threads && t->threads[t->n_threads - 1] == thread)
		return;
	t->threads = gaspdb_mem_grow(t->threads, &t->threads_capacity,
				     t->n_threads + 1, sizeof *t->threads);
	t->threads[t->n_threads++] = thread;
}

/* Adds to the quantities of table spread. */
static void add_share(struct gaspdb_totals *t, struct gaspdb_total *g,
		      int64_t thread, const struct gaspdb_profile *p,
		      int64_t total_ns)
{
	if (g->thread != thread) {
		finish_thread(g);
		/* A log may have grown while it was read. */
		gaspdb_totals_thread(t, thread);
		skip_threads(t, g, t->n_threads - 1);
		g->thread = thread;
		g->thread_ns = GASPDB_NULL;
		g->threads++;
	}
	gaspdb_add_to(&g->of_thread[TIME],
		      p->self_ns == GASPDB_NULL ? total_ns : p->self_ns);
	gaspdb_add_to(&g->of_thread[CALLS], p->calls);
	gaspdb_add_known(&g->of_thread[BYTES], p->bytes);
	gaspdb_add_known(&g->bytes, p->bytes);
}

/* again_ns: part of the total inside other calls of the group. */
static void add_row(struct gaspdb_totals *t, struct gaspdb_total *g,
		    int64_t thread, const struct gaspdb_profile *p,
		    int64_t again_ns, double cost_ns)
{
	const int64_t total_ns = p->total_ns - again_ns;
	const int64_t events = gaspdb_profile_events(p);
	const struct gaspdb_durations more = gaspdb_profile_durations(p);

	add_share(t, g, thread, p, total_ns);
	gaspdb_add_known(&g->thread_ns, p->self_ns);
	gaspdb_add_known(&g->calls, p->calls);
	gaspdb_add_known(&g->total_ns, total_ns);
	gaspdb_add_to(&g->inner_ns, p->inner_ns);
	gaspdb_add_to(&g->inner_ns, again_ns);
	gaspdb_add_known(&g->self_ns, p->self_ns);
	gaspdb_add_known(&g->open, p->open);
	g->durations.n += more.n;
	g->durations.sum_ns += more.sum_ns;
	g->durations.squares += more.squares;
	if (p->min_ns < g->min_ns)
		g->min_ns = p->min_ns;
	if (p->max_ns > g->max_ns)
		g->max_ns = p->max_ns;
	if (cost_ns <= 0)
		return;
	gaspdb_add_known(&g->costed_calls, p->calls);
	gaspdb_add_known(&g->costed_events, events);
	gaspdb_add_known(&g->costed_ns, p->self_ns);
	g->cost_ns += (double)events * cost_ns;
	if (p->self_ns != GASPDB_NULL)
		g->inside_ns += (double)p->halves / 2 * cost_ns;
}

void gaspdb_totals_profile(struct gaspdb_totals *t, int64_t thread,
			   const struct gaspdb_profile *p, double event_cost_ns)
{
	const struct gaspdb_groups_of g = *groups_of(t, p);

	add_row(t, &t->total[g.call - 1], thread, p, 0, event_cost_ns);
	add_row(t, &t->total[g.operation - 1], thread, p, p->again_ns,
		event_cost_ns);
	if (g.line)
		add_row(t, &t->total[g.line - 1], thread, p, 0, event_cost_ns);
	add_share(t, &t->total[g.category - 1], thread, p, p->total_ns);
}

static void insert_total(struct gaspdb_store *store,
			 const struct gaspdb_total *g)
{
	gaspdb_insert(store, GASPDB_INSERT_profile_total,
		      (struct gaspdb_value[]){
			      gaspdb_str(grouping_names[g->grouping]),
			      gaspdb_int(g->nested),
			      gaspdb_int(g->source),
			      gaspdb_int(g->sources),
			      gaspdb_int(g->threads),
			      gaspdb_int(g->calls),
			      gaspdb_int(g->total_ns),
			      gaspdb_int(g->inner_ns),
			      gaspdb_int(g->self_ns),
			      gaspdb_int(g->min_ns),
			      gaspdb_int(g->max_ns),
			      gaspdb_real(gaspdb_variation(&g->durations)),
			      gaspdb_int(g->bytes),
			      gaspdb_int(g->open),
			      gaspdb_int(g->longest_ns),
			      gaspdb_int(g->longest_thread),
			      gaspdb_int(g->costed_calls),
			      gaspdb_int(g->costed_events),
			      gaspdb_int(g->costed_ns),
			      gaspdb_real(g->cost_ns),
			      gaspdb_real(g->inside_ns) });
}

static void insert_spread(struct gaspdb_store *store, struct gaspdb_total *g,
			  enum quantity q)
{
	const struct spread *s = spread_of(g, q);

	gaspdb_insert(store, GASPDB_INSERT_spread,
		      (struct gaspdb_value[]){
			      gaspdb_str(grouping_names[g->grouping]),
			      gaspdb_int(g->nested), gaspdb_int(g->source),
			      gaspdb_str(quantity_names[q]),
			      gaspdb_int(s->threads), gaspdb_int(s->total),
			      gaspdb_int(s->maximum), gaspdb_int(s->max_thread),
			      gaspdb_int(s->minimum), gaspdb_int(s->min_thread),
			      gaspdb_int(g->first_other),
			      gaspdb_real(s->square) });
}

static void insert_group(const struct gaspdb_totals *t, struct gaspdb_total *g)
{
	struct gaspdb_store *store = t->registry->store;

	if (g->bytes != GASPDB_NULL && !t->has_late_bytes)
		insert_spread(store, g, BYTES);
	insert_spread(store, g, CALLS);
	if (g->grouping == BY_CATEGORY)
		return;
	insert_total(store, g);
	insert_spread(store, g, TIME);
}

/* --- traffic -------------------------------------------------------------- */

static int by_owner(const void *a, const void *b)
{
	const struct gaspdb_flow *x = a, *y = b;

	if (x->owner != y->owner)
		return x->owner < y->owner ? -1 : 1;
	if (x->direction != y->direction)
		return x->direction < y->direction ? -1 : 1;
	return x->size_class - y->size_class;
}

/* Writes the rows of the process, in the order of their keys. */
static void flush_flows(struct gaspdb_totals *t)
{
	if (t->flow_index.n > 0)
		qsort(t->flow, t->flow_index.n, sizeof *t->flow, by_owner);
	for (uint32_t i = 0; i < t->flow_index.n; i++) {
		const struct gaspdb_flow *f = &t->flow[i];

		gaspdb_insert_text(
			t->registry->store, GASPDB_INSERT_traffic_total,
			(int64_t[]){ t->process, f->owner, 0,
				     gaspdb_class_from(f->size_class),
				     f->operations, f->bytes, f->time_ns },
			2, gaspdb_directions[f->direction]);
	}
	gaspdb_map_clear(&t->flow_index);
}

void gaspdb_totals_traffic(struct gaspdb_totals *t, int64_t process,
			   const struct gaspdb_traffic *row)
{
	const uint64_t key = (uint64_t)row->peer << 8 |
			     (uint64_t)row->size_class << 2 | row->direction;
	struct gaspdb_flow *f;
	uint32_t i;

	if (process != t->process)
		flush_flows(t);
	t->process = process;
	i = gaspdb_map_get(&t->flow_index, key);
	if (i == GASPDB_ABSENT) {
		i = t->flow_index.n;
		gaspdb_map_put(&t->flow_index, key, i);
		t->flow = gaspdb_mem_grow(t->flow, &t->flow_capacity, i + 1,
					  sizeof *t->flow);
		t->flow[i] =
			(struct gaspdb_flow){ .owner = row->peer,
					      .direction = row->direction,
					      .size_class = row->size_class };
	}
	f = &t->flow[i];
	gaspdb_add_known(&f->operations, row->operations);
	gaspdb_add_known(&f->bytes, row->bytes);
	gaspdb_add_known(&f->time_ns, row->time_ns);
}

/* The order of the tables' keys. */
static int by_key(const void *a, const void *b)
{
	const struct gaspdb_total *x = a, *y = b;

	if (x->grouping != y->grouping)
		return x->grouping < y->grouping ? -1 : 1;
	if (x->nested != y->nested)
		return x->nested ? 1 : -1;
	return (x->source > y->source) - (x->source < y->source);
}

void gaspdb_totals_finish(struct gaspdb_totals *t)
{
	if (t->n)
		qsort(t->total, t->n, sizeof *t->total, by_key);
	for (uint32_t i = 0; i < t->n; i++) {
		finish_thread(&t->total[i]);
		skip_threads(t, &t->total[i], t->n_threads);
		insert_group(t, &t->total[i]);
	}
	flush_flows(t);
}
