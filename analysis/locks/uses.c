/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Uses come lock by lock, in the order of lock_use.id. */
#include "analysis/locks/uses.h"

#include "analysis/engine/quality.h"
#include "common/sum.h"
#include "sql/store/table.h"

void gaspdb_lock_uses_open(struct gaspdb_lock_uses *u, struct gaspdb_run *run,
			   const struct gaspdb_unrecorded *absences)
{
	*u = (struct gaspdb_lock_uses){ .run = run, .absences = absences };
	gaspdb_wait_writer_open(&u->waits, run);
	gaspdb_unknown_waits_open(&u->untold, run);
	gaspdb_groups_init(&u->unseen, 1, 3);
	gaspdb_sums_init(&u->matrix, run, 4, "++>+");
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
		[GASPDB_LOCK_USE_UNTOLD] = use->untold_ns,
		[GASPDB_LOCK_USE_ATTEMPTS] = use->attempts,
		[GASPDB_LOCK_USE_BETWEEN] = use->between_ns
	};

	gaspdb_table_writer_add(u->rows, values);
	return u->last_id;
}

/* Who waited for this lock while who held it. */
static void add_to_matrix(struct gaspdb_lock_uses *u, int64_t object,
			  const struct gaspdb_wait *w,
			  const struct gaspdb_hold *holder)
{
	const int64_t ns = w->end_ns - w->start_ns;
	int64_t *sums;

	if (ns <= 0)
		return;
	sums = gaspdb_sums_of(&u->matrix,
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

/* holder NULL: nobody known.  One that has no length is left out. */
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
		add_to_matrix(u, object, w, holder);
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

/* A call's time that is being cut. */
struct cut {
	struct gaspdb_lock_uses *uses;
	int64_t object;
	const struct gaspdb_lock_call *call;
	bool bound;	    /* it may have waited for longer */
	int64_t unknown_ns; /* of its waiting: for nobody known */
};

/* What lies between two holds. */
struct between {
	int64_t kept_ns;  /* until then somebody may have had the first */
	int64_t since_ns; /* from then on, the second */
};

static void add_piece(struct cut *c, enum gaspdb_wait_kind kind,
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

/* May somebody who was not recorded have had the lock; *until_ns: for how long
   that is so, or longer. */
static bool is_unknown(const struct cut *c, const struct between *b,
		       int64_t at_ns, int64_t *until_ns)
{
	bool absent;

	*until_ns = b->kept_ns;
	if (at_ns < b->kept_ns)
		return true;
	*until_ns = INT64_MAX;
	if (at_ns >= b->since_ns)
		return true;
	absent = gaspdb_unrecorded_at(c->uses->absences, GASPDB_NONE, at_ns,
				      until_ns);
	if (!absent)
		*until_ns = gaspdb_min(*until_ns, b->since_ns);
	return absent;
}

static void add_between(struct cut *c, const struct between *b, int64_t from_ns,
			int64_t until_ns)
{
	while (from_ns < until_ns) {
		int64_t to_ns, next_ns;
		const bool unknown = is_unknown(c, b, from_ns, &to_ns);

		while (to_ns < until_ns &&
		       is_unknown(c, b, to_ns, &next_ns) == unknown)
			to_ns = next_ns;
		to_ns = gaspdb_min(to_ns, until_ns);
		add_piece(c,
			  unknown ? GASPDB_WAIT_LOCK
				  : GASPDB_WAIT_LOCK_HAND_OVER,
			  from_ns, to_ns, unknown || c->bound, NULL);
		if (unknown)
			c->unknown_ns += to_ns - from_ns;
		from_ns = to_ns;
	}
}

void gaspdb_lock_uses_emit(struct gaspdb_lock_uses *u,
			   const struct gaspdb_lock_call *c, int64_t ns)
{
	int64_t *sums;

	if (!ns)
		return;
	gaspdb_unknown_waits_add(&u->untold, c->event);
	sums = gaspdb_group(u->run, &u->unseen, &c->thread);
	if (!sums)
		return;
	gaspdb_add_to(&sums[1], ns);
	if (!sums[0]++ || c->event < sums[2])
		sums[2] = c->event;
}

static bool is_nothing(const struct gaspdb_hold *h)
{
	return h->since_ns == h->until_ns;
}

void gaspdb_lock_uses_cut(struct gaspdb_lock_uses *u, int64_t object,
			  const struct gaspdb_lock_call *call, int64_t limit_ns,
			  int64_t untold_ns, struct gaspdb_lock_history *holds)
{
	struct cut c = { u, object, call, untold_ns > 0, 0 };
	struct between between = { INT64_MIN, INT64_MAX };
	int64_t at_ns = limit_ns;

	for (size_t n = holds->n; n > 0 && at_ns > call->start_ns; n--) {
		const struct gaspdb_hold *h =
			gaspdb_lock_history_get(holds, n - 1);
		int64_t from_ns, to_ns;

		if (!h)
			return;
		from_ns = gaspdb_max(h->taken_ns, call->start_ns);
		to_ns = gaspdb_min(h->end_ns, at_ns);
		if (to_ns > call->start_ns &&
		    (to_ns < from_ns || is_nothing(h)))
			continue;
		between.kept_ns = h->until_ns;
		if (to_ns <= call->start_ns)
			break;
		add_between(&c, &between, to_ns, at_ns);
		add_piece(&c, GASPDB_WAIT_LOCK, from_ns, to_ns, c.bound, h);
		between = (struct between){ INT64_MIN, h->since_ns };
		at_ns = from_ns;
	}
	add_between(&c, &between, call->start_ns, at_ns);
	gaspdb_lock_uses_emit(u, call, c.unknown_ns + untold_ns);
}

static void tell(struct gaspdb_lock_uses *u)
{
	gaspdb_groups_sort(&u->unseen);
	for (size_t i = 0; i < u->unseen.n; i++) {
		const int64_t *row = gaspdb_groups_row(&u->unseen, i);

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
	gaspdb_sums_write(&u->matrix, GASPDB_INSERT_INTO_lock_wait_total);
	tell(u);
	gaspdb_wait_writer_close(&u->waits);
	gaspdb_groups_fini(&u->unseen);
	gaspdb_sums_fini(&u->matrix);
}
