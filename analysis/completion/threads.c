/* SPDX-License-Identifier: GPL-3.0-or-later */
/* k-way merge of a process's threads by a heap; a thread's samples are in
   another heap. */
#include "analysis/completion/threads.h"

#include <stdlib.h>
#include <string.h>

#include "common/heap.h"
#include "common/sum.h"
#include "sql/passes/completion.h"
#include "sql/passes/engine.h"

/* Rows to read ahead for a thread: 60 KiB with those of p2p for the first FEW
   threads, 7 KiB up to MANY, less for more. */
enum { AHEAD_OF_FEW = 256, FEW = 4, AHEAD = 32, MANY = 128, AHEAD_OF_MANY = 8 };

void gaspdb_walk_open(struct gaspdb_walk *w, struct gaspdb_run *run,
		      const struct gaspdb_completion_rules *rules,
		      struct gaspdb_open_transfers *open)
{
	sqlite3_stmt *stmt;

	*w = (struct gaspdb_walk){ .run = run,
				   .rules = rules,
				   .open = open,
				   .null = gaspdb_word("null"),
				   .cancelled = gaspdb_word("cancelled"),
				   .unseen = gaspdb_word("unseen") };
	gaspdb_table_open(&w->events, &run->tables, "event",
			  GASPDB_EVENT_COLUMNS);
	gaspdb_event_args_open(&w->arguments, run);
	gaspdb_table_open(&w->p2p, &run->tables, "p2p", GASPDB_P2P_COLUMNS);
	w->gaps = gaspdb_prepare(run, gaspdb_sql_gaps);
	w->has_gap = gaspdb_row(run, w->gaps);
	stmt = gaspdb_prepare(run, gaspdb_sql_last_p2p);
	if (gaspdb_row(run, stmt))
		w->max_p2p = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
}

void gaspdb_walk_close(struct gaspdb_walk *w)
{
	for (size_t i = 0; i < w->n_allocated; i++) {
		gaspdb_computation_fini(&w->threads[i].computation);
		gaspdb_cursor_close(&w->threads[i].events);
		gaspdb_cursor_close(&w->threads[i].posts);
		free(w->threads[i].samples);
	}
	free(w->threads);
	free(w->heap);
	free(w->pauses);
	free(w->unrecorded);
	sqlite3_finalize(w->gaps);
	gaspdb_table_close(&w->events);
	gaspdb_event_args_close(&w->arguments);
	gaspdb_table_close(&w->p2p);
}

/* --- gaps ----------------------------------------------------------------- */

static void add_interval(struct gaspdb_walk *w, struct gaspdb_interval **to,
			 size_t *n, size_t *room)
{
	if (gaspdb_grow(w->run, to, *n, room, sizeof(**to)))
		(*to)[(*n)++] = (struct gaspdb_interval){
			sqlite3_column_int64(w->gaps, 1),
			sqlite3_column_int64(w->gaps, 2)
		};
}

/* Read a thread's gaps. Only their number is set: the arrays may still grow. */
static void read_gaps(struct gaspdb_walk *w, struct gaspdb_walk_thread *t)
{
	t->computation.n_gaps = w->n_pauses;
	t->n_gaps = w->n_unrecorded;
	t->last_gap_ns = INT64_MIN;
	while (w->has_gap && sqlite3_column_int64(w->gaps, 0) <= t->id) {
		if (sqlite3_column_int64(w->gaps, 0) == t->id) {
			add_interval(w, &w->pauses, &w->n_pauses,
				     &w->pauses_room);
			if (!sqlite3_column_int(w->gaps, 3)) {
				const int64_t end_ns =
					sqlite3_column_int64(w->gaps, 2);

				add_interval(w, &w->unrecorded,
					     &w->n_unrecorded,
					     &w->unrecorded_room);
				if (end_ns > t->last_gap_ns)
					t->last_gap_ns = end_ns;
			}
		}
		w->has_gap = gaspdb_row(w->run, w->gaps);
	}
	t->computation.n_gaps = w->n_pauses - t->computation.n_gaps;
	t->n_gaps = w->n_unrecorded - t->n_gaps;
}

/* --- a process ------------------------------------------------------------ */

/* Binary search for the first row of p2p of the thread or a later one. */
static int64_t first_p2p(struct gaspdb_walk *w, int64_t thread)
{
	int64_t low = 1, high = w->max_p2p + 1, row[GASPDB_P2P_THREAD + 1];

	while (low < high) {
		const int64_t middle = low + (high - low) / 2;

		/* Some ids are unused. */
		if (gaspdb_table_read(&w->p2p, middle, INT64_MAX,
				      GASPDB_P2P_THREAD + 1, 1, row) &&
		    row[GASPDB_P2P_THREAD] < thread)
			low = row[0] + 1;
		else
			high = middle;
	}
	return low;
}

/* Advance to the thread's next row of p2p. */
static void read_post(struct gaspdb_walk_thread *t)
{
	t->post = gaspdb_cursor_next(&t->posts);
	if (t->post && t->post[GASPDB_P2P_THREAD] != t->id)
		t->post = NULL;
}

static struct gaspdb_walk_thread *get_thread(struct gaspdb_walk *w)
{
	const size_t ahead = w->n_allocated < FEW    ? AHEAD_OF_FEW
			     : w->n_allocated < MANY ? AHEAD
						     : AHEAD_OF_MANY;
	struct gaspdb_walk_thread *t;

	if (w->n_threads < w->n_allocated)
		return &w->threads[w->n_threads++];
	if (!gaspdb_grow(w->run, &w->threads, w->n_allocated, &w->threads_room,
			 sizeof(*w->threads)))
		return NULL;
	w->n_allocated++;
	t = &w->threads[w->n_threads++];
	memset(t, 0, sizeof(*t));
	gaspdb_cursor_open(&t->events, &w->events, ahead);
	gaspdb_cursor_open(&t->posts, &w->p2p, ahead);
	return t;
}

static void begin_thread(struct gaspdb_walk *w, int64_t id)
{
	const struct gaspdb_run_thread *of = gaspdb_run_thread(w->run, id);
	struct gaspdb_walk_thread *t;

	if (!of || of->first_ns == GASPDB_NONE)
		return;
	t = get_thread(w);
	if (!t)
		return;
	t->id = id;
	t->last_event = of->last_event;
	t->last_ns = of->last_ns;
	t->n_samples = 0;
	read_gaps(w, t);
	t->event = t->post = NULL;
	if (of->first_event == GASPDB_NONE)
		return; /* it may have gaps */
	gaspdb_cursor_range(&t->posts,
			    w->max_p2p ? first_p2p(w, id) : INT64_MAX,
			    INT64_MAX);
	read_post(t);
	gaspdb_cursor_range(&t->events, of->first_event, t->last_event + 1);
	t->event = gaspdb_cursor_next(&t->events);
}

/* --- the heap ------------------------------------------------------------- */

/* Set the next event or gap of a thread; false: none. */
static inline bool find_next(struct gaspdb_walk_thread *t)
{
	const int64_t event_ns =
		t->event ? t->event[GASPDB_EVENT_START] : INT64_MAX;

	t->next_is_gap =
		t->n_gaps && (!t->event || t->gaps->start_ns < event_ns);
	t->next_ns = t->next_is_gap ? t->gaps->start_ns : event_ns;
	return t->event || t->n_gaps;
}

static inline bool thread_before(const void *of,
				 struct gaspdb_walk_thread *const *x,
				 struct gaspdb_walk_thread *const *y)
{
	const struct gaspdb_walk_thread *a = *x, *b = *y;

	(void)of;
	if (a->next_ns != b->next_ns)
		return a->next_ns < b->next_ns;
	if (a->next_is_gap != b->next_is_gap)
		return b->next_is_gap;
	return a->id < b->id;
}

typedef struct gaspdb_walk_thread *thread;

GASPDB_HEAP_DOWN(threads, thread, thread_before)

static void make_heap(struct gaspdb_walk *w)
{
	w->n_heap = 0;
	w->returned = false;
	for (size_t i = 0; i < w->n_threads; i++)
		if (find_next(&w->threads[i]) &&
		    gaspdb_grow(w->run, &w->heap, w->n_heap, &w->heap_room,
				sizeof(*w->heap)))
			w->heap[w->n_heap++] = &w->threads[i];
	for (size_t i = w->n_heap; i-- > 0;)
		threads_down(NULL, w->heap, w->n_heap, i);
}

void gaspdb_walk_process(struct gaspdb_walk *w, int64_t first, int64_t last)
{
	size_t pauses = 0, unrecorded = 0;

	w->n_threads = w->n_pauses = w->n_unrecorded = 0;
	for (int64_t id = first; id <= last; id++)
		begin_thread(w, id);
	for (size_t i = 0; i < w->n_threads; i++) {
		struct gaspdb_walk_thread *t = &w->threads[i];
		const struct gaspdb_run_thread *of =
			gaspdb_run_thread(w->run, t->id);
		const size_t n = t->computation.n_gaps;

		gaspdb_computation_begin(&t->computation, of->first_ns,
					 n ? w->pauses + pauses : NULL, n);
		t->gaps = t->n_gaps ? w->unrecorded + unrecorded : NULL;
		pauses += n;
		unrecorded += t->n_gaps;
	}
	make_heap(w);
}

struct gaspdb_walk_thread *gaspdb_walk_thread(struct gaspdb_walk *w, int64_t id)
{
	size_t low = 0, high = w->n_threads;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (w->threads[middle].id == id)
			return &w->threads[middle];
		if (w->threads[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* --- merge ---------------------------------------------------------------- */

/* Advance the thread at the top after its event or gap was returned. */
static inline void advance(struct gaspdb_walk *w)
{
	struct gaspdb_walk_thread *t = w->heap[0];

	if (t->next_is_gap) {
		t->gaps++;
		t->n_gaps--;
	} else {
		t->event = gaspdb_cursor_next(&t->events);
	}
	if (!find_next(t))
		w->heap[0] = w->heap[--w->n_heap];
	if (w->n_heap > 1)
		threads_down(NULL, w->heap, w->n_heap, 0);
}

struct gaspdb_walk_thread *gaspdb_walk_next(struct gaspdb_walk *w)
{
	struct gaspdb_walk_thread *next;

	if (w->returned)
		advance(w);
	w->returned = w->n_heap && w->run->status == GASPDB_OK;
	if (!w->returned)
		return NULL;
	next = w->heap[0];
	if (!next->next_is_gap)
		gaspdb_walk_computed(w, next, next->next_ns);
	return next;
}

/* --- computation ---------------------------------------------------------- */

static void take_sample(struct gaspdb_walk *w, struct gaspdb_walk_thread *t,
			const struct gaspdb_sample *a)
{
	struct gaspdb_transfer *x = &w->open->transfer[a->transfer];
	const int64_t computed_ns =
		gaspdb_computation_to(&t->computation, a->ns);

	if (x->serial != a->serial)
		return; /* the transfer has ended */
	if (!a->data_end)
		x->computed_ns = computed_ns;
	else if (a->ns == x->data_end_ns)
		x->data_computed_ns = computed_ns;
}

static inline bool sample_before(const void *of, const struct gaspdb_sample *a,
				 const struct gaspdb_sample *b)
{
	(void)of;
	return a->ns < b->ns;
}

GASPDB_HEAP(samples, struct gaspdb_sample, sample_before)

static void remove_sample(struct gaspdb_walk_thread *t)
{
	t->samples[0] = t->samples[--t->n_samples];
	samples_down(NULL, t->samples, t->n_samples, 0);
}

void gaspdb_walk_take_samples(struct gaspdb_walk *w,
			      struct gaspdb_walk_thread *t, int64_t ns)
{
	while (t->n_samples && t->samples[0].ns <= ns) {
		take_sample(w, t, &t->samples[0]);
		remove_sample(t);
	}
}

void gaspdb_walk_sample(struct gaspdb_walk *w, struct gaspdb_walk_thread *t,
			const struct gaspdb_sample *sample)
{
	if (!gaspdb_grow(w->run, &t->samples, t->n_samples, &t->samples_room,
			 sizeof(*t->samples)))
		return;
	samples_up(NULL, t->samples, t->n_samples++, *sample);
}

/* --- arguments and requests ----------------------------------------------- */

void gaspdb_walk_arguments(struct gaspdb_walk *w, struct gaspdb_walk_thread *t,
			   int64_t *values)
{
	struct gaspdb_event_arg args[GASPDB_ARGS_OF_EVENT];
	const size_t n = gaspdb_event_args_read(
		&w->arguments, t->event[GASPDB_EVENT_ID], args);

	for (int i = 0; i < GASPDB_N_TRANSFER_ARGUMENTS; i++)
		values[i] = GASPDB_NONE;
	for (size_t i = 0; i < n; i++) {
		const int64_t id = args[i].argument;

		if (id >= 0 && id < w->rules->n_arguments &&
		    w->rules->argument[id] != GASPDB_ARG_OTHER)
			values[w->rules->argument[id]] = args[i].value;
	}
}

bool gaspdb_walk_find_posted(struct gaspdb_walk *w,
			     struct gaspdb_walk_thread *t,
			     struct gaspdb_posted_request *posted)
{
	const int64_t event = t->event[GASPDB_EVENT_ID];
	bool found = false;

	while (t->post && t->post[GASPDB_P2P_POST_EVENT] <= event && !found) {
		const int64_t *row = t->post;

		found = row[GASPDB_P2P_POST_EVENT] == event &&
			row[GASPDB_P2P_REQUEST] != GASPDB_NONE;
		if (found)
			*posted = (struct gaspdb_posted_request){
				.request = row[GASPDB_P2P_REQUEST],
				.complete_event =
					row[GASPDB_P2P_COMPLETE_EVENT],
				.unseen = row[GASPDB_P2P_STATE] == w->unseen,
				.bytes = gaspdb_max(0, row[GASPDB_P2P_BYTES]),
				.transfers =
					row[GASPDB_P2P_STATE] != w->null &&
					row[GASPDB_P2P_STATE] != w->cancelled
			};
		read_post(t);
	}
	return found;
}
