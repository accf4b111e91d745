/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Begin of transfers: each is added under the key that its completion uses. */
#include "analysis/completion/state.h"
#include "common/copy_time.h"
#include "common/sum.h"

/* Set the thread's computation up to the end of the transfer's call. It is
   sampled later if other events begin inside the call. */
static void set_computed(struct completions *c, struct gaspdb_transfer *t)
{
	t->computed_ns = c->thread->computation.sum_ns;
	if (c->thread->computation.at_ns < c->end_ns)
		gaspdb_walk_sample(
			&c->walk, c->thread,
			&(struct gaspdb_sample){
				.ns = c->end_ns,
				.transfer = (uint32_t)(t - c->open.transfer),
				.serial = t->serial });
}

static void begin_transfer(struct completions *c, int64_t a, int64_t b,
			   int64_t bytes, int64_t init_ns, bool unseen)
{
	const struct gaspdb_completion_rule *rule = c->rule;
	struct gaspdb_transfer *t =
		gaspdb_open_transfers_add(&c->open, rule->begins, a, b);

	if (!t)
		return;
	t->event = c->event[GASPDB_EVENT_ID];
	t->source = c->event[GASPDB_EVENT_SOURCE];
	t->thread = c->thread->id;
	t->bytes = gaspdb_max(0, bytes);
	t->begun_ns = c->end_ns;
	t->init_ns = init_ns;
	t->data_start_ns = t->data_end_ns = GASPDB_NONE;
	t->data_computed_ns = 0;
	t->gaps = rule->begins == GASPDB_KEY_HANDLE ? c->gaps : GASPDB_NONE;
	t->blocking = rule->blocking;
	/* The messages pass reports requests; UPC completes puts at exit. */
	t->message = rule->posts_message;
	t->may_stay_open =
		rule->posts_message || rule->begins == GASPDB_KEY_RELAXED;
	t->unseen = unseen;
	set_computed(c, t);
	gaspdb_completion_begun(&c->rows, t);
}

static void begin(struct completions *c, int64_t a, int64_t b, int64_t bytes,
		  int64_t init_ns)
{
	begin_transfer(c, a, b, bytes, init_ns, false);
}

/* Add a transfer with the trivial handle, which is complete at its begin. */
static void begin_complete(struct completions *c)
{
	const int64_t *e = c->event;
	struct gaspdb_transfer t = { .event = e[GASPDB_EVENT_ID],
				     .source = e[GASPDB_EVENT_SOURCE],
				     .thread = c->thread->id,
				     .bytes = gaspdb_max(0,
							 e[GASPDB_EVENT_BYTES]),
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
	if (handle == GASPDB_NONE)
		return;
	if (!handle) {
		begin_complete(c);
		return;
	}
	gaspdb_completions_replace(c, handle);
	begin(c, handle, 0, c->event[GASPDB_EVENT_BYTES],
	      c->event[GASPDB_EVENT_DURATION]);
}

static bool make_room(struct completions *c)
{
	return gaspdb_grow(c->run, &c->posted, c->n_posted, &c->posted_room,
			   sizeof(*c->posted));
}

static void add_posted(struct completions *c,
		       const struct gaspdb_posted_request *posted)
{
	if (posted->transfers && make_room(c))
		c->posted[c->n_posted++] = *posted;
}

static void add_messages(struct completions *c)
{
	while (make_room(c) &&
	       gaspdb_walk_posted(&c->walk, c->thread, &c->posted[c->n_posted]))
		c->n_posted += c->posted[c->n_posted].transfers;
}

/* Store the messages that a probe matched: p2p has them as the probe's, and
   their receive begins the transfer. */
void gaspdb_completions_probed(struct completions *c)
{
	struct gaspdb_posted_request p;

	while (gaspdb_walk_posted(&c->walk, c->thread, &p))
		if (gaspdb_grow(c->run, &c->probed, c->n_probed,
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

/* Add requests that are no messages. The bytes of persistent requests are those
   of their creation. */
static void add_other(struct completions *c)
{
	struct gaspdb_posted_request p = {
		.bytes = gaspdb_max(0, c->event[GASPDB_EVENT_BYTES]),
		.transfers = true
	};

	/* An access to MPI_PROC_NULL has no transfer. */
	if (c->argument[GASPDB_ARG_WINDOW] != GASPDB_NONE &&
	    c->event[GASPDB_EVENT_PEER] == GASPDB_NONE)
		return;
	gaspdb_bind(c->run, c->request, 1, &c->event[GASPDB_EVENT_ID]);
	while (gaspdb_row(c->run, c->request)) {
		p.complete_event = gaspdb_column(c->request, 0);
		p.unseen = sqlite3_column_int(c->request, 1);
		if (c->rule->type == GASPDB_TYPE_start)
			p.bytes = gaspdb_max(0, gaspdb_column(c->request, 2));
		add_posted(c, &p);
	}
}

/* Begin a request with its share of the call's time. */
static void begin_request(struct completions *c,
			  const struct gaspdb_posted_request *p,
			  int64_t init_ns)
{
	begin_transfer(c, p->complete_event, 0, p->bytes, init_ns, p->unseen);
}

static void begin_posted(struct completions *c)
{
	const int64_t time_ns = c->event[GASPDB_EVENT_DURATION];

	if (c->n_posted == 1) { /* the usual case */
		begin_request(c, c->posted, time_ns);
		return;
	}
	if (!gaspdb_completions_make_parts(c, c->n_posted))
		return;
	for (size_t i = 0; i < c->n_posted; i++)
		c->parts[i].weight = c->posted[i].bytes;
	gaspdb_share_out(time_ns, c->parts, c->n_posted);
	for (size_t i = 0; i < c->n_posted; i++)
		begin_request(c, &c->posted[i], c->parts[i].part);
}

static void begin_requests(struct completions *c)
{
	c->n_posted = 0;
	if (c->rule->posts_message)
		add_messages(c);
	if (c->argument[GASPDB_ARG_MESSAGE] != GASPDB_NONE)
		add_probed(c, c->argument[GASPDB_ARG_REQUEST]);
	if (!c->rule->posts_message || c->rule->type == GASPDB_TYPE_start)
		add_other(c);
	begin_posted(c);
}

void gaspdb_completions_begin(struct completions *c)
{
	const int64_t *e = c->event, *a = c->argument;
	const int64_t bytes = e[GASPDB_EVENT_BYTES];
	int64_t peer = e[GASPDB_EVENT_PEER];
	int64_t time_ns = e[GASPDB_EVENT_DURATION];

	if (c->rule->type == GASPDB_TYPE_copy) {
		peer = gaspdb_run_rank(c->run, a[GASPDB_ARG_TARGET_THREAD]);
		time_ns = gaspdb_copy_put_ns(time_ns);
	}
	/* A strict put is complete; one to the own process is local. */
	if (c->rule->blocking &&
	    (a[GASPDB_ARG_RELAXED] == 0 ||
	     peer == gaspdb_run_process(c->run, c->thread->id)))
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
