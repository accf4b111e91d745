/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One walk over each process, its threads side by side.  An event may complete
 * what is open, then begin something; where recording stops, what is open is
 * lost sight of.
 */
#include "analysis/completions.h"

#include <stdlib.h>

#include "analysis/completion_rows.h"
#include "analysis/completion_threads.h"
#include "analysis/quality.h"
#include "sum.h"

#define BIT(key) (1u << GASPDB_KEY_##key)
#define ANY_KEY	 (~0u)

struct completions {
	struct gaspdb_run run;
	struct gaspdb_completion_rules rules;
	struct gaspdb_open_transfers open;
	struct gaspdb_completion_rows rows;
	struct gaspdb_walk walk;
	sqlite3_stmt *request; /* what completed an event's request */
	unsigned char *whole;  /* by thread: its log is */
	struct gaspdb_groups unseen; /* thread, kind, blocking */

	/* The event at hand. */
	struct gaspdb_walk_thread *thread;
	const int64_t *event; /* its row */
	int64_t end_ns;
	const struct gaspdb_completion_rule *rule;
	int64_t argument[GASPDB_N_TRANSFER_ARGUMENTS];

	/* What it completes. */
	struct gaspdb_transfer *taken;
	struct gaspdb_part *parts;
	size_t n_taken, taken_room, parts_room;

	/* What it posts; those that a probe did wait for their receive. */
	struct gaspdb_posted_request *posted, *probed;
	size_t n_posted, posted_room, n_probed, probed_room;
	int64_t lost_ns; /* recording stopped; NONE: the process is over */
	int64_t gaps; /* so far */
};

static int64_t max(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* --- not seen complete ---------------------------------------------------- */

/* Was all of the process recorded since? */
static bool recorded_since(const struct completions *c, int64_t ns)
{
	const int64_t process = gaspdb_run_process(&c->run, c->thread->id);

	for (int64_t id = process;
	     gaspdb_run_process(&c->run, id) == process; id++)
		if (!c->whole[id])
			return false;
	for (size_t i = 0; i < c->walk.n_threads; i++)
		if (c->walk.threads[i].last_gap_ns > ns)
			return false;
	return true;
}

static void tell(struct completions *c, const struct gaspdb_transfer *t)
{
	const bool never = c->lost_ns == GASPDB_NONE &&
			   recorded_since(c, t->begun_ns);
	int64_t *sums;

	if (t->told && c->lost_ns == GASPDB_NONE)
		return;
	sums = gaspdb_group(
		&c->run, &c->unseen,
		(int64_t[]){ t->thread,
			     never ? GASPDB_DEFECT_TRANSFER_OPEN
				   : GASPDB_DEFECT_TRANSFER_UNSEEN,
			     t->blocking });
	if (!sums)
		return;
	if (!sums[0]++ || t->event < sums[2])
		sums[2] = t->event;
	gaspdb_add_to(&sums[1], t->bytes);
}

/* What completed it was not seen. */
static bool lose(void *user, struct gaspdb_transfer *t)
{
	struct completions *c = user;
	const struct gaspdb_run_thread *thread =
		gaspdb_run_thread(&c->run, t->thread);
	const struct gaspdb_transfer_end end = {
		.event = GASPDB_NONE,
		.at_ns = c->lost_ns != GASPDB_NONE ? c->lost_ns
						   : thread->last_ns,
		.overlapped_ns = GASPDB_NONE,
		.bound = true
	};

	tell(c, t);
	gaspdb_completion_ended(&c->rows, t, &end);
	return true;
}

/* Was something not recorded since it began by a handle?  That may have come to
   stand for another. */
static bool over_gap(const struct completions *c,
		     const struct gaspdb_transfer *t)
{
	return t->gaps != GASPDB_NONE && t->gaps != c->gaps;
}

static bool lose_if_over_gap(void *user, struct gaspdb_transfer *t)
{
	return over_gap(user, t) && lose(user, t);
}

/* A quiet may have been called there.  A handle or a request tells later. */
static void stop_recording(struct completions *c, int64_t ns)
{
	c->lost_ns = ns;
	gaspdb_transfers_visit_all(&c->open,
				   BIT(PUT_ON) | BIT(GET_ON) | BIT(WINDOW),
				   GASPDB_NONE, lose, c);
	gaspdb_transfers_visit_all(&c->open, BIT(IMPLICIT) | BIT(RELAXED),
				   c->thread->id, lose, c);
	c->lost_ns = GASPDB_NONE;
	c->gaps++;
}

static void write_unseen(struct completions *c)
{
	gaspdb_groups_sort(&c->unseen);
	for (size_t i = 0; i < c->unseen.n; i++) {
		const int64_t *r = gaspdb_groups_row(&c->unseen, i);

		gaspdb_quality_add(
			&c->run,
			&(struct gaspdb_quality_row){
				.kind = (enum gaspdb_defect)r[1],
				.thread = r[0],
				.event = r[5],
				.count = r[3],
				.bytes = r[4],
				.time_ns = GASPDB_NONE },
			"%s", r[2] ? "puts" : "non-blocking operations");
	}
	gaspdb_groups_clear(&c->unseen);
}

/* --- completing ----------------------------------------------------------- */

static bool take(void *user, struct gaspdb_transfer *t)
{
	struct completions *c = user;
	const int64_t at_ns = c->event[GASPDB_EVENT_START];

	/* Another thread's may not have been begun to the end. */
	if (t->begun_ns > at_ns ||
	    !gaspdb_grow(&c->run, &c->taken, c->n_taken, &c->taken_room,
			 sizeof(*c->taken)))
		return false;
	/* Before it is copied: its alarms may ring. */
	gaspdb_walk_computed(&c->walk, gaspdb_walk_thread(&c->walk, t->thread),
			     at_ns);
	c->taken[c->n_taken++] = *t;
	return true;
}

static void take_by_rule(struct completions *c)
{
	const int64_t *a = c->argument;
	const int64_t thread = c->thread->id;
	const enum gaspdb_transfer_key key = c->rule->completes;

	switch (key) {
	case GASPDB_KEY_PUT_ON:
		gaspdb_transfers_visit(&c->open, key, a[GASPDB_ARG_CONTEXT], 0,
				       take, c);
		if (!c->rule->only_puts)
			gaspdb_transfers_visit(&c->open, GASPDB_KEY_GET_ON,
					       a[GASPDB_ARG_CONTEXT], 0, take,
					       c);
		break;
	case GASPDB_KEY_HANDLE:
		gaspdb_transfers_visit(&c->open, key, a[GASPDB_ARG_HANDLE], 0,
				       take, c);
		break;
	case GASPDB_KEY_WINDOW:
		if (c->event[GASPDB_EVENT_PEER] == GASPDB_NONE)
			gaspdb_transfers_visit_all(&c->open, BIT(WINDOW),
						   a[GASPDB_ARG_WINDOW], take,
						   c);
		else
			gaspdb_transfers_visit(&c->open, key,
					       a[GASPDB_ARG_WINDOW],
					       c->event[GASPDB_EVENT_PEER],
					       take, c);
		break;
	default:
		gaspdb_transfers_visit(&c->open, key, thread, c->rule->model,
				       take, c);
	}
}

/* Computation while it was on its way, or its data were. */
static int64_t overlapped(struct completions *c,
			  const struct gaspdb_transfer *t, int64_t computed_ns)
{
	const int64_t at_ns = c->event[GASPDB_EVENT_START];
	int64_t to_ns = computed_ns;

	if (t->data_end_ns != GASPDB_NONE && t->data_end_ns <= at_ns)
		to_ns = t->data_computed_ns;
	return max(0, to_ns - t->computed_ns);
}

static int by_serial(const void *a, const void *b)
{
	const struct gaspdb_transfer *x = a, *y = b;

	return (x->serial > y->serial) - (x->serial < y->serial);
}

static bool make_parts(struct completions *c, size_t n)
{
	while (c->parts_room < n)
		if (!gaspdb_grow(&c->run, &c->parts, c->parts_room,
				 &c->parts_room, sizeof(*c->parts)))
			return false;
	return true;
}

static void finish_taken(struct completions *c)
{
	const int64_t *e = c->event;

	if (c->n_taken > 1)
		qsort(c->taken, c->n_taken, sizeof(*c->taken), by_serial);
	if (!make_parts(c, c->n_taken))
		return;
	for (size_t i = 0; i < c->n_taken; i++)
		c->parts[i].weight = c->taken[i].bytes;
	gaspdb_share_out(e[GASPDB_EVENT_DURATION], c->parts, c->n_taken);
	for (size_t i = 0; i < c->n_taken; i++) {
		const struct gaspdb_transfer *t = &c->taken[i];
		struct gaspdb_walk_thread *of =
			gaspdb_walk_thread(&c->walk, t->thread);
		const struct gaspdb_transfer_end end = {
			.event = e[GASPDB_EVENT_ID],
			.source = e[GASPDB_EVENT_SOURCE],
			.at_ns = e[GASPDB_EVENT_START],
			.share_ns = c->parts[i].part,
			.overlapped_ns =
				overlapped(c, t, of->computing.sum_ns),
			.bound = e[GASPDB_EVENT_OPEN] ||
				 over_gap(c, t)
		};

		gaspdb_completion_ended(&c->rows, t, &end);
	}
}

static void complete(struct completions *c)
{
	c->n_taken = 0;
	if (c->rule->completes &&
	    gaspdb_completes(c->rule, c->argument,
			     c->event[GASPDB_EVENT_BYTES]))
		take_by_rule(c);
	gaspdb_transfers_visit(&c->open, GASPDB_KEY_REQUEST,
			       c->event[GASPDB_EVENT_ID], 0, take, c);
	if (c->n_taken)
		finish_taken(c);
}

/* --- beginning ------------------------------------------------------------ */

static void begin(struct completions *c, int64_t a, int64_t b, int64_t bytes,
		  int64_t init_ns)
{
	const int64_t *e = c->event;
	const struct gaspdb_transfer t = {
		.event = e[GASPDB_EVENT_ID],
		.source = e[GASPDB_EVENT_SOURCE],
		.thread = c->thread->id,
		.bytes = max(0, bytes),
		.begun_ns = c->end_ns,
		.init_ns = init_ns,
		.data_start_ns = GASPDB_NONE,
		.data_end_ns = GASPDB_NONE,
		.gaps = c->rule->begins == GASPDB_KEY_HANDLE ? c->gaps
							     : GASPDB_NONE,
		.blocking = c->rule->blocking,
		/* By the messages' pass; UPC completes puts at the end. */
		.told = c->rule->posts_message ||
			c->rule->begins == GASPDB_KEY_RELAXED
	};
	struct gaspdb_alarm alarm = { .ns = c->end_ns };

	alarm.transfer =
		gaspdb_transfer_add(&c->open, c->rule->begins, a, b, &t);
	if (alarm.transfer == GASPDB_NO_TRANSFER)
		return;
	alarm.serial = c->open.serial;
	gaspdb_walk_alarm(&c->walk, c->thread, &alarm);
	gaspdb_completion_begun(&c->rows, &t);
}

/* The trivial handle: complete when it is begun. */
static void begin_complete(struct completions *c)
{
	const int64_t *e = c->event;
	const struct gaspdb_transfer t = { .event = e[GASPDB_EVENT_ID],
					   .source = e[GASPDB_EVENT_SOURCE],
					   .thread = c->thread->id,
					   .bytes =
						   max(0, e[GASPDB_EVENT_BYTES]),
					   .begun_ns = c->end_ns,
					   .init_ns = e[GASPDB_EVENT_DURATION],
					   .data_start_ns = GASPDB_NONE };
	const struct gaspdb_transfer_end end = { .event = t.event,
						 .source = t.source,
						 .at_ns = c->end_ns };

	gaspdb_completion_begun(&c->rows, &t);
	gaspdb_completion_ended(&c->rows, &t, &end);
}

static void begin_on_handle(struct completions *c, int64_t handle)
{
	const struct gaspdb_transfer *first;

	if (handle == GASPDB_NONE)
		return;
	if (!handle) {
		begin_complete(c);
		return;
	}
	first = gaspdb_transfers_first(&c->open, GASPDB_KEY_HANDLE, handle, 0);
	/* What had it before was completed meanwhile, unrecorded. */
	if (first && over_gap(c, first)) {
		c->lost_ns = c->event[GASPDB_EVENT_START];
		gaspdb_transfers_visit(&c->open, GASPDB_KEY_HANDLE, handle, 0,
				       lose_if_over_gap, c);
		c->lost_ns = GASPDB_NONE;
	}
	begin(c, handle, 0, c->event[GASPDB_EVENT_BYTES],
	      c->event[GASPDB_EVENT_DURATION]);
}

static void add_posted(struct completions *c,
		       const struct gaspdb_posted_request *posted)
{
	if (posted->transfers &&
	    gaspdb_grow(&c->run, &c->posted, c->n_posted, &c->posted_room,
			sizeof(*c->posted)))
		c->posted[c->n_posted++] = *posted;
}

/* A message that a probe matched stands in p2p as the probe's. */
static void keep_probed(struct completions *c)
{
	struct gaspdb_posted_request p;

	while (gaspdb_walk_posted(&c->walk, c->thread, &p))
		if (gaspdb_grow(&c->run, &c->probed, c->n_probed,
				&c->probed_room, sizeof(*c->probed)))
			c->probed[c->n_probed++] = p;
}

static void add_probed(struct completions *c, int64_t request)
{
	for (size_t i = c->n_probed; i > 0; i--) {
		if (c->probed[i - 1].request != request)
			continue;
		add_posted(c, &c->probed[i - 1]);
		c->probed[i - 1] = c->probed[--c->n_probed];
		return;
	}
}

/* Requests that are no messages. */
static void add_other(struct completions *c)
{
	struct gaspdb_posted_request p = {
		.event = c->event[GASPDB_EVENT_ID],
		.bytes = max(0, c->event[GASPDB_EVENT_BYTES]),
		.transfers = true
	};

	/* An access to MPI_PROC_NULL is none. */
	if (c->argument[GASPDB_ARG_WINDOW] != GASPDB_NONE &&
	    c->event[GASPDB_EVENT_PEER] == GASPDB_NONE)
		return;
	gaspdb_bind(&c->run, c->request, 1, &p.event);
	if (!gaspdb_row(&c->run, c->request))
		return;
	p.complete_event = gaspdb_column(c->request, 0);
	add_posted(c, &p);
}

static void begin_requests(struct completions *c)
{
	struct gaspdb_posted_request p;

	c->n_posted = 0;
	while (c->rule->posts_message &&
	       gaspdb_walk_posted(&c->walk, c->thread, &p))
		add_posted(c, &p);
	if (c->argument[GASPDB_ARG_MESSAGE] != GASPDB_NONE)
		add_probed(c, c->argument[GASPDB_ARG_REQUEST]);
	if (!c->rule->posts_message || c->rule->type == GASPDB_TYPE_start)
		add_other(c);
	if (!make_parts(c, c->n_posted))
		return;
	for (size_t i = 0; i < c->n_posted; i++)
		c->parts[i].weight = c->posted[i].bytes;
	gaspdb_share_out(c->event[GASPDB_EVENT_DURATION], c->parts,
			 c->n_posted);
	for (size_t i = 0; i < c->n_posted; i++)
		begin(c, c->posted[i].complete_event, 0, c->posted[i].bytes,
		      c->parts[i].part);
}

static void begin_transfer(struct completions *c)
{
	const int64_t *e = c->event, *a = c->argument;
	const int64_t peer = e[GASPDB_EVENT_PEER], bytes = e[GASPDB_EVENT_BYTES],
		      time_ns = e[GASPDB_EVENT_DURATION];

	/* A strict one is complete; one to itself has no remote part. */
	if (c->rule->blocking &&
	    (a[GASPDB_ARG_RELAXED] == 0 ||
	     peer == gaspdb_run_process(&c->run, c->thread->id)))
		return;
	switch (c->rule->begins) {
	case GASPDB_KEY_REQUEST:
		begin_requests(c);
		break;
	case GASPDB_KEY_HANDLE:
		begin_on_handle(c, a[GASPDB_ARG_HANDLE]);
		break;
	case GASPDB_KEY_PUT_ON:
	case GASPDB_KEY_GET_ON:
		begin(c, a[GASPDB_ARG_CONTEXT], 0, bytes, time_ns);
		break;
	case GASPDB_KEY_WINDOW:
		if (peer != GASPDB_NONE) /* MPI_PROC_NULL */
			begin(c, a[GASPDB_ARG_WINDOW], peer, bytes, time_ns);
		break;
	default:
		begin(c, c->thread->id, c->rule->model, bytes, time_ns);
	}
}

/* --- data in flight ------------------------------------------------------- */

static bool add_data(void *user, struct gaspdb_transfer *t)
{
	struct completions *c = user;
	struct gaspdb_walk_thread *of = gaspdb_walk_thread(&c->walk, t->thread);
	const int64_t start_ns = c->event[GASPDB_EVENT_START];
	const struct gaspdb_alarm alarm = {
		.ns = c->end_ns,
		.transfer = (uint32_t)(t - c->open.transfer),
		.serial = t->serial,
		.data_end = true
	};

	if (t->data_start_ns == GASPDB_NONE) {
		t->data_start_ns = start_ns;
		if (start_ns > t->begun_ns)
			t->computed_ns = gaspdb_walk_computed(&c->walk, of,
							      start_ns);
	}
	if (t->data_end_ns == GASPDB_NONE || t->data_end_ns < c->end_ns) {
		t->data_end_ns = c->end_ns;
		gaspdb_walk_alarm(&c->walk, of, &alarm);
	}
	return false;
}

/* --- the walk ------------------------------------------------------------- */

static void take_event(struct completions *c)
{
	const int64_t *e = c->event = c->thread->event;

	c->rule = gaspdb_completion_rule(&c->rules, e[GASPDB_EVENT_SOURCE]);
	if (!c->rule)
		return;
	c->end_ns = e[GASPDB_EVENT_START] + e[GASPDB_EVENT_DURATION];
	if (!c->rule->overlay)
		gaspdb_computing_enter(&c->run, &c->thread->computing,
				       c->end_ns, c->rule->function);
	if (e[GASPDB_EVENT_NESTED])
		return;
	if (c->rule->begins || c->open.n_live)
		gaspdb_walk_arguments(&c->walk, c->thread, c->rule,
				      c->argument);
	if (c->rule->type == GASPDB_TYPE_nb_data)
		gaspdb_transfers_visit(&c->open, GASPDB_KEY_HANDLE,
				       c->argument[GASPDB_ARG_HANDLE], 0,
				       add_data, c);
	if (c->rule->overlay || c->rule->function)
		return;
	if (c->open.n_live)
		complete(c);
	if (c->rule->type == GASPDB_TYPE_probe ||
	    c->rule->type == GASPDB_TYPE_probe_nb)
		keep_probed(c);
	else if (c->rule->begins && !e[GASPDB_EVENT_OPEN])
		begin_transfer(c);
}

static void walk_process(struct completions *c, int64_t first, int64_t last)
{
	const struct gaspdb_interval *gap;
	struct gaspdb_walk_thread *t;

	gaspdb_walk_process(&c->walk, first, last);
	while ((t = gaspdb_walk_next(&c->walk, &gap))) {
		c->thread = t;
		if (gap) {
			stop_recording(c, gap->start_ns);
			continue;
		}
		take_event(c);
		gaspdb_walk_pass(&c->walk, t);
	}
	if (c->walk.n_threads) {
		c->thread = &c->walk.threads[0];
		gaspdb_transfers_visit_all(&c->open, ANY_KEY, GASPDB_NONE, lose,
					   c);
	}
	c->n_probed = 0;
	gaspdb_completion_rows_process(&c->rows);
	write_unseen(c);
}

/* Threads of a process have ids in a row. */
static void walk(struct completions *c)
{
	int64_t first = 0;

	for (int64_t id = 1; id <= c->run.n_threads; id++)
		if (id == c->run.n_threads ||
		    gaspdb_run_process(&c->run, id) !=
			    gaspdb_run_process(&c->run, first)) {
			walk_process(c, first, id - 1);
			first = id;
		}
}

static void load_whole(struct completions *c)
{
	sqlite3_stmt *stmt = gaspdb_prepare(
		&c->run, "SELECT id FROM thread WHERE complete AND id >= 0");

	c->whole = gaspdb_zeroed(&c->run, (size_t)c->run.n_threads, 1);
	while (c->whole && gaspdb_row(&c->run, stmt))
		c->whole[sqlite3_column_int64(stmt, 0)] = 1;
	sqlite3_finalize(stmt);
}

static void analyse(struct completions *c)
{
	load_whole(c);
	gaspdb_open_transfers_init(&c->open, &c->run);
	gaspdb_completion_rows_open(&c->rows, &c->run);
	gaspdb_groups_init(&c->unseen, 3, 3);
	gaspdb_walk_open(&c->walk, &c->run, &c->rules, &c->open);
	c->request = gaspdb_prepare(&c->run, "SELECT complete_event_id "
					     "FROM collective_request "
					     "WHERE post_event_id = ?");
	c->lost_ns = GASPDB_NONE;
	if (c->run.status == GASPDB_OK)
		walk(c);
	sqlite3_finalize(c->request);
	gaspdb_walk_close(&c->walk);
	gaspdb_groups_fini(&c->unseen);
	gaspdb_completion_rows_close(&c->rows);
	gaspdb_open_transfers_free(&c->open);
	free(c->whole);
	free(c->taken);
	free(c->parts);
	free(c->posted);
	free(c->probed);
}

enum gaspdb_status gaspdb_pass_completions(sqlite3 *db,
					   struct gaspdb_error *err)
{
	struct completions c = { .n_taken = 0 };

	gaspdb_run_open(&c.run, db, err);
	gaspdb_completion_rules_load(&c.rules, &c.run);
	if (c.run.status == GASPDB_OK && c.rules.any)
		analyse(&c);
	gaspdb_completion_rules_free(&c.rules);
	return gaspdb_run_close(&c.run);
}
