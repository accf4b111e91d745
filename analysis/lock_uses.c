/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Uses come lock by lock, in the order of lock_use.id. */
#include "analysis/lock_uses.h"

#include "analysis/table.h"
#include "sum.h"

void gaspdb_lock_uses_open(struct gaspdb_lock_uses *u, struct gaspdb_run *run)
{
	*u = (struct gaspdb_lock_uses){ .run = run };
	gaspdb_wait_writer_open(&u->waits, run);
	gaspdb_sums_init(&u->totals, run, 3, "+++>++>++");
	gaspdb_sums_init(&u->matrix, run, 4, "++>+");
	u->rows = gaspdb_bulk_open(run, "lock_use", 11, 0, NULL);
}

static void add_total(struct gaspdb_lock_uses *u, int64_t object,
		      const struct gaspdb_lock_use *use)
{
	const int64_t hold_ns = use->end_ns - use->taken_ns;
	int64_t *sums =
		gaspdb_sums_of(&u->totals, (int64_t[]){ object, use->by.source,
							use->by.thread });

	if (!sums)
		return;
	sums[0]++;
	sums[1] += use->contended_ns > 0;
	gaspdb_add_to(&sums[2], use->contended_ns);
	sums[3] = gaspdb_max(sums[3], use->contended_ns);
	gaspdb_add_to(&sums[4], use->latency_ns);
	gaspdb_add_to(&sums[5], hold_ns);
	sums[6] = gaspdb_max(sums[6], hold_ns);
	gaspdb_add_to(&sums[7], use->attempts);
	gaspdb_add_to(&sums[8], use->between_ns);
}

int64_t gaspdb_lock_uses_add(struct gaspdb_lock_uses *u, int64_t object,
			     const struct gaspdb_lock_use *use)
{
	const int64_t values[] = { ++u->last_id,      object,
				   use->by.thread,    use->by.event,
				   use->release,      use->by.start_ns,
				   use->taken_ns,     use->end_ns,
				   use->contended_ns, use->latency_ns,
				   use->attempts };

	gaspdb_bulk_add(u->rows, values);
	add_total(u, object, use);
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

void gaspdb_lock_uses_wait(struct gaspdb_lock_uses *u, int64_t object,
			   const struct gaspdb_lock_call *c,
			   enum gaspdb_wait_kind kind, int64_t start_ns,
			   int64_t end_ns, const struct gaspdb_hold *holder)
{
	struct gaspdb_wait w = { .kind = kind,
				 .thread = c->thread,
				 .event = c->event,
				 .start_ns = start_ns,
				 .end_ns = end_ns,
				 .cause_thread = GASPDB_NONE,
				 .cause_event = GASPDB_NONE,
				 .cause_ns = GASPDB_NONE };

	if (holder) {
		w.cause_thread = holder->thread;
		w.cause_event = holder->event;
		w.cause_ns = holder->end_ns;
		add_to_matrix(u, object, &w, holder);
	}
	gaspdb_wait_propose(&u->waits, &w);
}

void gaspdb_lock_uses_cut(struct gaspdb_lock_uses *u, int64_t object,
			  const struct gaspdb_lock_call *c, int64_t limit_ns,
			  struct gaspdb_lock_history *holds)
{
	int64_t at_ns = limit_ns;

	for (size_t n = holds->n; n > 0 && at_ns > c->start_ns; n--) {
		const struct gaspdb_hold *h =
			gaspdb_lock_history_get(holds, n - 1);
		int64_t from_ns, to_ns;

		if (!h)
			return;
		from_ns = gaspdb_max(h->taken_ns, c->start_ns);
		to_ns = gaspdb_min(h->end_ns, at_ns);
		if (to_ns <= c->start_ns)
			break;
		if (to_ns <= from_ns)
			continue;
		gaspdb_lock_uses_wait(u, object, c, GASPDB_WAIT_LOCK_HAND_OVER,
				      to_ns, at_ns, NULL);
		gaspdb_lock_uses_wait(u, object, c, GASPDB_WAIT_LOCK, from_ns,
				      to_ns, h);
		at_ns = from_ns;
	}
	gaspdb_lock_uses_wait(u, object, c, GASPDB_WAIT_LOCK_HAND_OVER,
			      c->start_ns, at_ns, NULL);
}

void gaspdb_lock_uses_close(struct gaspdb_lock_uses *u)
{
	gaspdb_sums_write(&u->totals,
			  "INSERT INTO lock_total(object, source_id, "
			  "thread_id, acquisitions, contended, contended_ns, "
			  "longest_contended_ns, latency_ns, hold_ns, "
			  "longest_hold_ns, attempts, between_ns) "
			  "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
	gaspdb_sums_write(&u->matrix,
			  "INSERT INTO lock_wait_total(object, thread_id, "
			  "holder_thread_id, holder_source_id, waits, "
			  "time_ns, longest_ns, attempts_ns) "
			  "VALUES(?, ?, ?, ?, ?, ?, ?, ?)");
	gaspdb_wait_writer_close(&u->waits);
	gaspdb_sums_fini(&u->totals);
	gaspdb_sums_fini(&u->matrix);
}
