/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Time by category in bins. The stack sums up the thread's categories, and
 * calls when its time reaches a bin's end: the bin gets the differences of the
 * sums since its start. So an event costs one comparison.
 */
#include "importer/rollups/time_bins.h"

#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "common/sum.h"

/* Limits of bins: of a thread and of the run (lowest, highest); of all threads
   together, about. */
#define THREAD_BINS	32, 512
#define RUN_BINS	256, 2048
#define ALL_THREAD_BINS ((size_t)1 << 16)
#define ALL_RUN_BINS	((size_t)1 << 20)

/* Largest power of two up to all / n, between low and high. */
static int64_t share(size_t all, size_t n, int64_t low, int64_t high)
{
	while (high > low && (size_t)high * n > all)
		high /= 2;
	return high;
}

void gaspdb_bins_init(struct gaspdb_bins *b, struct gaspdb_store *store,
		      const struct gaspdb_registry *registry,
		      struct gaspdb_rollups *rollups, size_t n_threads,
		      int64_t reached_ns)
{
	memset(b, 0, sizeof *b);
	b->store = store;
	b->registry = registry;
	b->n = share(ALL_RUN_BINS, n_threads, RUN_BINS);
	b->n_thread = share(ALL_THREAD_BINS, n_threads, THREAD_BINS);
	while ((reached_ns - 1) >> b->width_bits >= b->n)
		b->width_bits++;
	b->bin = gaspdb_mem_alloc(GASPDB_BIN_STATES * (size_t)b->n *
				  sizeof *b->bin);
	b->run = gaspdb_mem_alloc(GASPDB_BIN_STATES * (size_t)b->n *
				  sizeof *b->run);
	gaspdb_source_bins_init(&b->sources, rollups, b->n);
}

void gaspdb_bins_free(struct gaspdb_bins *b)
{
	free(b->bin);
	free(b->run);
	gaspdb_source_bins_free(&b->sources);
	memset(b, 0, sizeof *b);
}

/* --- bins ----------------------------------------------------------------- */

/* Number of states so far; the times of others are 0. */
static int states(const struct gaspdb_bins *b)
{
	return GASPDB_BIN_CATEGORY + (int)b->registry->categories.n;
}

/* Bins of a state, in b->bin or b->run. */
static inline int64_t *bins_of(const struct gaspdb_bins *b, int64_t *all,
			       int state)
{
	return all + state * b->n;
}

/* Merges each 2^shift bins into one. */
static void fold(const struct gaspdb_bins *b, int64_t *all, int64_t n,
		 int shift)
{
	for (int state = 0; state < states(b); state++) {
		int64_t *ns = bins_of(b, all, state);

		for (int64_t i = 1; i < n; i++) {
			if (!ns[i])
				continue;
			gaspdb_add_to(&ns[i >> shift], ns[i]);
			ns[i] = 0;
		}
	}
}

static inline bool has_bin(const struct gaspdb_bins *b, int64_t t_ns, int shift)
{
	return (t_ns - 1) >> (b->width_bits + shift) < b->n;
}

/* Doubles the width until t_ns is in a bin. */
static void widen(struct gaspdb_bins *b, int64_t t_ns)
{
	int shift = 1;

	while (!has_bin(b, t_ns, shift))
		shift++;
	fold(b, b->bin, b->current + 1, shift);
	fold(b, b->run, b->n_run, shift);
	for (int i = 0; i < shift; i++)
		gaspdb_source_bins_fold(&b->sources);
	b->n_run = b->n_run ? ((b->n_run - 1) >> shift) + 1 : 0;
	b->current >>= shift;
	b->width_bits += shift;
}

static inline void settle_state(struct gaspdb_bins *b, int state, int64_t now)
{
	if (now == b->before[state])
		return;
	bins_of(b, b->bin, state)[b->current] += now - b->before[state];
	b->before[state] = now;
}

/* Adds the thread's time since the last call to the current bin. */
static void settle(struct gaspdb_bins *b, const struct gaspdb_stack *s)
{
	const int n = (int)b->registry->categories.n;

	settle_state(b, GASPDB_BIN_TOOL, s->tool_ns);
	settle_state(b, GASPDB_BIN_NOT_RECORDED, s->not_recorded_ns);
	settle_state(b, GASPDB_BIN_UNSERVED, s->unserved_ns);
	for (int i = 0; i < n; i++)
		settle_state(b, GASPDB_BIN_CATEGORY + i, s->category_ns[i]);
}

/* Enters the bin of the stack's time, with bins wide enough for t_ns. */
static void enter_bin(struct gaspdb_bins *b, struct gaspdb_stack *s,
		      int64_t t_ns)
{
	const int64_t now = s->now_ns > 0 ? s->now_ns : 0;

	if (!has_bin(b, t_ns, 0))
		widen(b, t_ns);
	b->current = now >> b->width_bits;
	s->edge_ns = (b->current + 1) << b->width_bits;
}

static void at_edge(void *user, struct gaspdb_stack *s, int64_t t_ns)
{
	struct gaspdb_bins *b = user;

	settle(b, s);
	if (((b->current + 1) & (b->sources.width - 1)) == 0)
		gaspdb_source_bins_settle(&b->sources, s, b->current);
	enter_bin(b, s, t_ns);
}

/* --- threads -------------------------------------------------------------- */

/* First edge of a thread: it enters a bin only when its time advances, because
   its start may be the end of the last bin. */
static void at_start(void *user, struct gaspdb_stack *s, int64_t t_ns)
{
	s->at_edge = at_edge;
	enter_bin(user, s, t_ns);
}

void gaspdb_bins_thread(struct gaspdb_bins *b, struct gaspdb_stack *stack)
{
	b->current = 0;
	memset(b->before, 0, sizeof b->before);
	stack->edge_ns = stack->now_ns;
	stack->at_edge = at_start;
	stack->user = b;
}

static const char *name_of(const struct gaspdb_bins *b, int state)
{
	return state == GASPDB_BIN_TOOL	      ? "tool"
	       : state == GASPDB_BIN_UNSERVED ? GASPDB_UNSERVED
	       : state == GASPDB_BIN_NOT_RECORDED
		       ? "not recorded"
		       : gaspdb_category_name(
				 b->registry,
				 (uint8_t)(state - GASPDB_BIN_CATEGORY));
}

/* States with a sum other than 0 (NULL: all states), in the order of their
   names, as in the tables' keys. Returns their number. */
static int order_states(const struct gaspdb_bins *b, const int64_t *sums,
			int *order)
{
	int n = 0;

	for (int state = 0; state < states(b); state++) {
		int at = n;

		if (sums && !sums[state])
			continue;
		for (; at > 0 &&
		       strcmp(name_of(b, order[at - 1]), name_of(b, state)) > 0;
		     at--)
			order[at] = order[at - 1];
		order[at] = state;
		n++;
	}
	return n;
}

/* Moves the thread's time of a state in bins from .. to to the run's. Returns
   its sum. */
static int64_t move_to_run(struct gaspdb_bins *b, int64_t from, int64_t to,
			   int state)
{
	int64_t *ns = bins_of(b, b->bin, state);
	int64_t *run_ns = bins_of(b, b->run, state);
	int64_t sum = 0;

	for (int64_t i = from; i <= to; i++) {
		if (!ns[i])
			continue;
		gaspdb_add_to(&run_ns[i], ns[i]);
		gaspdb_add_to(&sum, ns[i]);
		ns[i] = 0;
	}
	return sum;
}

/* Writes the rows of a thread, one for each 2^shift bins. */
static void flush_thread(struct gaspdb_bins *b, int64_t thread, int shift)
{
	int order[GASPDB_BIN_STATES];
	const int n = order_states(b, b->before, order);

	for (int64_t i = 0; i <= b->current; i += (int64_t)1 << shift) {
		const int64_t last = i + ((int64_t)1 << shift) - 1;

		for (int k = 0; k < n; k++) {
			const int64_t ns = move_to_run(
				b, i, last < b->current ? last : b->current,
				order[k]);

			if (ns)
				gaspdb_insert_text(
					b->store, GASPDB_INSERT_thread_bin,
					(int64_t[]){ thread, i << b->width_bits,
						     0, ns },
					2, name_of(b, order[k]));
		}
	}
}

static void insert_run(struct gaspdb_bins *b)
{
	int order[GASPDB_BIN_STATES];
	const int n = order_states(b, NULL, order);

	for (int64_t i = 0; i < b->n_run; i++)
		for (int k = 0; k < n; k++) {
			const int64_t ns = bins_of(b, b->run, order[k])[i];

			if (ns)
				gaspdb_insert_text(
					b->store, GASPDB_INSERT_bin,
					(int64_t[]){ i << b->width_bits, 0,
						     ns },
					1, name_of(b, order[k]));
		}
}

void gaspdb_bins_end(struct gaspdb_bins *b, const struct gaspdb_stack *stack)
{
	gaspdb_source_bins_settle(&b->sources, stack, b->current);
}

void gaspdb_bins_flush(struct gaspdb_bins *b, int64_t thread,
		       const struct gaspdb_stack *stack)
{
	settle(b, stack);
	if (b->n_run <= b->current)
		b->n_run = b->current + 1;
	flush_thread(b, thread,
		     __builtin_ctzll((uint64_t)(b->n / b->n_thread)));
}

void gaspdb_bins_discard(struct gaspdb_bins *b,
			 const struct gaspdb_stack *stack)
{
	settle(b, stack);
	for (int state = 0; state < states(b); state++)
		memset(bins_of(b, b->bin, state), 0,
		       ((size_t)b->current + 1) * sizeof *b->bin);
}

static void insert_width(struct gaspdb_bins *b, const char *key,
			 int64_t width_ns)
{
	gaspdb_insert(b->store, GASPDB_INSERT_meta,
		      (struct gaspdb_value[]){ gaspdb_str(key),
					       gaspdb_int(width_ns) });
}

void gaspdb_bins_finish(struct gaspdb_bins *b)
{
	const int64_t width_ns = (int64_t)1 << b->width_bits;

	insert_run(b);
	gaspdb_source_bins_finish(&b->sources, b->store, width_ns);
	insert_width(b, "bin_ns", width_ns);
	insert_width(b, "thread_bin_ns", width_ns * (b->n / b->n_thread));
}
