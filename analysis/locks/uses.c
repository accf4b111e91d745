/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of lock_use, in the order of lock_use.id: lock by lock. */
#include "analysis/locks/uses.h"

#include "analysis/engine/quality.h"
#include "common/sum.h"
#include "sql/store/table.h"

void gaspdb_lock_uses_open(struct gaspdb_lock_uses *u, struct gaspdb_run *run,
			   const struct gaspdb_unrecorded *unrecorded)
{
	*u = (struct gaspdb_lock_uses){ .run = run, .unrecorded = unrecorded };
	gaspdb_wait_writer_open(&u->waits, run);
	gaspdb_unknown_waits_open(&u->unknown_waits, run);
	gaspdb_groups_init(&u->unknown_by_thread, 1, 3);
	gaspdb_sums_init(&u->wait_totals, run, 4, "++>+");
	u->rows = gaspdb_table_writer_open(&run->tables, GASPDB_TABLE(lock_use),
					   0, NULL);
}

int64_t gaspdb_lock_uses_add(struct gaspdb_lock_uses *u, int64_t object,
			     const struct gaspdb_lock_use *use)
{
	const int64_t values[GASPDB_LOCK_USE_COLUMNS] = {
		[GASPDB_LOCK_USE_ID] = ++u->last_id,
		[GASPDB_LOCK_USE_OBJECT] = object,
		[GASPDB_LOCK_USE_THREAD] = use->by.thread,
		[GASPDB_LOCK_USE_ACQUIRE_EVENT] = use->by.event,
		[GASPDB_LOCK_USE_RELEASE_EVENT] = use->release,
		[GASPDB_LOCK_USE_REQUESTED] = use->by.start_ns,
		[GASPDB_LOCK_USE_ACQUIRED] = use->taken_ns,
		[GASPDB_LOCK_USE_RELEASED] = use->end_ns,
		[GASPDB_LOCK_USE_CONTENDED] = use->contended_ns,
		[GASPDB_LOCK_USE_LATENCY] = use->latency_ns,
		[GASPDB_LOCK_USE_UNTOLD] = use->unknown_ns,
		[GASPDB_LOCK_USE_ATTEMPTS] = use->attempts,
		[GASPDB_LOCK_USE_BETWEEN] = use->between_ns
	};

	gaspdb_table_writer_add(u->rows, values);
	return u->last_id;
}

/* Add a wait to the totals of lock, waiting thread, holder and line. */
static void add_wait_total(struct gaspdb_lock_uses *u, int64_t object,
			   const struct gaspdb_wait *w,
			   const struct gaspdb_hold *holder)
{
	const int64_t ns = w->end_ns - w->start_ns;
	int64_t *sums;

	if (ns <= 0)
		return;
	sums = gaspdb_sums_of(&u->wait_totals,
			      (int64_t[]){ object, w->thread, w->cause_thread,
					   holder->source });
	if (!sums)
		return;
	sums[0]++;
	gaspdb_add_to(&sums[1], ns);
	sums[2] = gaspdb_max(sums[2], ns);
	if (w->kind == GASPDB_WAIT_LOCK_ATTEMPT)
		gaspdb_add_to(&sums[3], ns);
}

/* Propose a wait for a holder; NULL: unknown. */
static void propose(struct gaspdb_lock_uses *u, int64_t object,
		    struct gaspdb_wait *w, const struct gaspdb_hold *holder)
{
	w->cause_thread = w->cause_event = w->cause_ns = GASPDB_NONE;
	if (holder) {
		w->cause_thread = holder->thread;
		w->cause_event = holder->event;
		w->cause_ns = holder->end_ns;
	}
	if (holder && holder->event != GASPDB_NONE)
		add_wait_total(u, object, w, holder);
	gaspdb_wait_propose(&u->waits, w);
}

void gaspdb_lock_uses_attempt(struct gaspdb_lock_uses *u, int64_t object,
			      const struct gaspdb_lock_call *c,
			      const struct gaspdb_hold *holder)
{
	propose(u, object,
		&(struct gaspdb_wait){ .kind = GASPDB_WAIT_LOCK_ATTEMPT,
				       .thread = c->thread,
				       .event = c->event,
				       .start_ns = c->start_ns,
				       .end_ns = c->end_ns },
		holder);
}

/* A wait that is split between holders. */
struct wait_split {
	struct gaspdb_lock_uses *uses;
	int64_t object;
	const struct gaspdb_lock_call *call;
	bool bound; /* a lower bound: it may have waited longer */
	int64_t unknown_holder_ns; /* part of its waiting */
};

/* The time between two holds. */
struct hold_gap {
	int64_t earlier_latest_ns; /* latest end of the first */
	int64_t later_earliest_ns; /* earliest start of the second */
};

static void add_piece(struct wait_split *c, enum gaspdb_wait_kind kind,
		      int64_t start_ns, int64_t end_ns, bool bound,
		      const struct gaspdb_hold *holder)
{
	propose(c->uses, c->object,
		&(struct gaspdb_wait){ .kind = kind,
				       .thread = c->call->thread,
				       .event = c->call->event,
				       .start_ns = start_ns,
				       .end_ns = end_ns,
				       .bound = bound },
		holder);
}

/* May an unrecorded process have held the lock at a time? *until_ns: the answer
   holds at least until then. */
static bool is_holder_unknown(const struct wait_split *c,
			      const struct hold_gap *g, int64_t at_ns,
			      int64_t *until_ns)
{
	bool absent;

	*until_ns = g->earlier_latest_ns;
	if (at_ns < g->earlier_latest_ns)
		return true;
	*until_ns = INT64_MAX;
	if (at_ns >= g->later_earliest_ns)
		return true;
	absent = gaspdb_unrecorded_at(c->uses->unrecorded, GASPDB_NONE, at_ns,
				      until_ns);
	if (!absent)
		*until_ns = gaspdb_min(*until_ns, g->later_earliest_ns);
	return absent;
}

static void split_gap(struct wait_split *c, const struct hold_gap *g,
		      int64_t from_ns, int64_t until_ns)
{
	while (from_ns < until_ns) {
		int64_t to_ns, next_ns;
		const bool unknown = is_holder_unknown(c, g, from_ns, &to_ns);

		while (to_ns < until_ns &&
		       is_holder_unknown(c, g, to_ns, &next_ns) == unknown)
			to_ns = next_ns;
		to_ns = gaspdb_min(to_ns, until_ns);
		add_piece(c,
			  unknown ? GASPDB_WAIT_LOCK
				  : GASPDB_WAIT_LOCK_HAND_OVER,
			  from_ns, to_ns, unknown || c->bound, NULL);
		if (unknown)
			c->unknown_holder_ns += to_ns - from_ns;
		from_ns = to_ns;
	}
}

void gaspdb_lock_uses_unknown(struct gaspdb_lock_uses *u,
			      const struct gaspdb_lock_call *c, int64_t ns)
{
	int64_t *sums;

	if (!ns)
		return;
	gaspdb_unknown_waits_add(&u->unknown_waits, c->event);
	sums = gaspdb_group(u->run, &u->unknown_by_thread, &c->thread);
	if (!sums)
		return;
	gaspdb_add_to(&sums[1], ns);
	if (!sums[0]++ || c->event < sums[2])
		sums[2] = c->event;
}

static bool is_empty(const struct gaspdb_hold *h)
{
	return h->earliest_ns == h->latest_ns;
}

void gaspdb_lock_uses_split(struct gaspdb_lock_uses *u, int64_t object,
			    const struct gaspdb_lock_call *call,
			    int64_t limit_ns, int64_t unknown_ns,
			    struct gaspdb_lock_history *holds)
{
	struct wait_split c = { u, object, call, unknown_ns > 0, 0 };
	struct hold_gap gap = { INT64_MIN, INT64_MAX };
	int64_t at_ns = limit_ns;

	for (size_t n = holds->n; n > 0 && at_ns > call->start_ns; n--) {
		const struct gaspdb_hold *h =
			gaspdb_lock_history_get(holds, n - 1);
		int64_t from_ns, to_ns;

		if (!h)
			return;
		from_ns = gaspdb_max(h->taken_ns, call->start_ns);
		to_ns = gaspdb_min(h->end_ns, at_ns);
		if (to_ns > call->start_ns && (to_ns < from_ns || is_empty(h)))
			continue;
		gap.earlier_latest_ns = h->latest_ns;
		if (to_ns <= call->start_ns)
			break;
		split_gap(&c, &gap, to_ns, at_ns);
		add_piece(&c, GASPDB_WAIT_LOCK, from_ns, to_ns, c.bound, h);
		gap = (struct hold_gap){ INT64_MIN, h->earliest_ns };
		at_ns = from_ns;
	}
	split_gap(&c, &gap, call->start_ns, at_ns);
	gaspdb_lock_uses_unknown(u, call, c.unknown_holder_ns + unknown_ns);
}

static void write_unknown(struct gaspdb_lock_uses *u)
{
	gaspdb_groups_sort(&u->unknown_by_thread);
	for (size_t i = 0; i < u->unknown_by_thread.n; i++) {
		const int64_t *row =
			gaspdb_groups_row(&u->unknown_by_thread, i);

		gaspdb_quality_add(u->run,
				   &(struct gaspdb_quality_row){
					   .kind = GASPDB_QUALITY_LOCK_UNSEEN,
					   .thread = row[0],
					   .event = row[3],
					   .count = row[1],
					   .bytes = GASPDB_NONE,
					   .time_ns = row[2] },
				   "calls for locks");
	}
}

void gaspdb_lock_uses_close(struct gaspdb_lock_uses *u)
{
	gaspdb_sums_write(&u->wait_totals, GASPDB_INSERT_INTO_lock_wait_total);
	write_unknown(u);
	gaspdb_wait_writer_close(&u->waits);
	gaspdb_groups_fini(&u->unknown_by_thread);
	gaspdb_sums_fini(&u->wait_totals);
}
