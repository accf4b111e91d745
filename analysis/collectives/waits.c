/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The waits of collectives, by Scalasca's rules for barriers and collectives
 * and by own rules for split phases. By each rule a member waits for a release:
 * the time at which another member arrives, or ends its first half.
 */
#include "analysis/collectives/waits.h"

#include <stdlib.h>

#include "common/sum.h"

/* The end of a wait, and the member that caused it. */
struct release {
	const struct gaspdb_member *by; /* NULL: no wait */
	int64_t at_ns;
};

void gaspdb_collective_waits_open(struct gaspdb_collective_waits *waits,
				  struct gaspdb_run *run)
{
	waits->run = run;
	gaspdb_wait_writer_open(&waits->writer, run);
	gaspdb_contradictions_open(&waits->contradictions, run);
	gaspdb_contradictions_open(&waits->wrong, run);
	waits->wrong.kind = GASPDB_QUALITY_WRONG_PAIR;
	gaspdb_clock_errors_load(&waits->clocks, run);
	gaspdb_polls_open(&waits->polls, run);
}

void gaspdb_instance_measure(struct gaspdb_instance *in,
			     struct gaspdb_overlap_test *test)
{
	const struct gaspdb_member *m = in->members;
	bool left = false;

	in->first = in->last = 0;
	in->bound = in->partial;
	for (size_t i = 0; i < in->n; i++) {
		if (m[i].enter_ns == GASPDB_NONE) {
			in->bound = true;
			continue;
		}
		if (m[in->first].enter_ns == GASPDB_NONE ||
		    m[i].enter_ns < m[in->first].enter_ns)
			in->first = i;
		if (m[i].enter_ns > m[in->last].enter_ns)
			in->last = i;
	}
	in->first_leave_ns = in->last_leave_ns = m[in->last].enter_ns;
	for (size_t i = 0; i < in->n; i++) {
		if (m[i].leave_ns == GASPDB_NONE)
			continue;
		if (!left || m[i].leave_ns < in->first_leave_ns)
			in->first_leave_ns = m[i].leave_ns;
		if (!left || m[i].leave_ns > in->last_leave_ns)
			in->last_leave_ns = m[i].leave_ns;
		left = true;
	}
	in->overlaps = m[in->last].enter_ns <= in->first_leave_ns ||
		       gaspdb_overlap_possible(test, m, in->n);
}

unsigned gaspdb_instance_group(const struct gaspdb_instance *in, size_t i)
{
	return in->local != GASPDB_NONE && in->ranks[i] >= in->local;
}

/* The last sender of a group to arrive. */
static struct release last_arrival(const struct gaspdb_instance *in,
				   unsigned group)
{
	struct release r = { NULL, 0 };

	for (size_t i = 0; i < in->n; i++) {
		const struct gaspdb_member *m = &in->members[i];

		if (gaspdb_instance_group(in, i) == group &&
		    gaspdb_member_sends(in, m) &&
		    (!r.by || m->enter_ns > r.at_ns))
			r = (struct release){ m, m->enter_ns };
	}
	return r;
}

const struct gaspdb_member *
gaspdb_instance_last_sender(const struct gaspdb_instance *in)
{
	if (in->rule != GASPDB_COLLECTIVE_ALL &&
	    in->rule != GASPDB_COLLECTIVE_SIZES &&
	    in->rule != GASPDB_COLLECTIVE_DATA)
		return NULL;
	return last_arrival(in, 0).by;
}

/* The last first half to end, of a split phase. */
static struct release last_notification(const struct gaspdb_instance *in)
{
	struct release r = { NULL, 0 };

	for (size_t i = 0; i < in->n; i++) {
		const struct gaspdb_member *m = &in->members[i];
		int64_t at_ns = m->notify_leave_ns;

		if (at_ns != GASPDB_NONE && (!r.by || at_ns > r.at_ns))
			r = (struct release){ m, at_ns };
	}
	return r;
}

static struct release root_arrival(const struct gaspdb_run *run,
				   const struct gaspdb_instance *in)
{
	for (size_t i = 0; i < in->n; i++) {
		const struct gaspdb_member *m = &in->members[i];
		const struct gaspdb_run_thread *t =
			gaspdb_run_thread(run, m->thread);

		if (t && t->rank == m->root)
			return (struct release){ m, m->enter_ns };
	}
	return (struct release){ NULL, 0 };
}

/* The first sender to the root to arrive. */
static struct release first_sender(const struct gaspdb_instance *in,
				   const struct gaspdb_member *root)
{
	struct release r = { NULL, 0 };

	for (size_t i = 0; i < in->n; i++) {
		const struct gaspdb_member *m = &in->members[i];

		if (m != root && gaspdb_member_sends(in, m) &&
		    (!r.by || m->enter_ns < r.at_ns))
			r = (struct release){ m, m->enter_ns };
	}
	return r;
}

/* Is its wait a lower bound? */
static bool is_bound(const struct gaspdb_instance *in,
		     const struct gaspdb_member *m)
{
	return in->rule == GASPDB_COLLECTIVE_NEIGHBORS
		       ? in->awaited[m - in->members].missing
		       : in->bound;
}

/* The time of the release, and the waiting in unsuccessful tests up to it. */
struct polled {
	int64_t at_ns, sum_ns;
};

static void add_part(void *user, int64_t event, int64_t start_ns,
		     int64_t end_ns)
{
	struct polled *p = user;

	(void)event;
	gaspdb_add_to(&p->sum_ns,
		      gaspdb_max(0, gaspdb_min(end_ns, p->at_ns) - start_ns));
}

/* Propose the waits of the unsuccessful tests before the completing one;
   returns their sum. */
static int64_t propose_polled(struct gaspdb_collective_waits *waits,
			      struct gaspdb_wait w)
{
	struct polled p = { .at_ns = w.cause_ns };

	w.polled = true;
	w.clamped = false;
	gaspdb_wait_propose(&waits->writer, &w);
	gaspdb_polls_before(&waits->polls, w.event, add_part, &p);
	return p.sum_ns;
}

/* Check a member against its release: if it left earlier, by the clock of their
   host, the calls belong to several instances. */
static void refute(struct gaspdb_collective_waits *waits,
		   const struct gaspdb_wait *w, int64_t ns)
{
	if (!w->clamped || !gaspdb_clock_errors_one_host(
				   &waits->clocks, w->thread, w->cause_thread))
		return;
	waits->is_wrong = true;
	gaspdb_contradictions_add(&waits->wrong, w->thread, w->cause_thread,
				  ns);
}

/*
 * Propose one member's wait, [from_ns, release) in its waiting call, and return
 * its length. A member cannot leave before its release, except in a drain:
 * other members must have started their first halves, not ended them.
 */
static int64_t propose(struct gaspdb_collective_waits *waits,
		       const struct gaspdb_instance *in,
		       const struct gaspdb_member *m, int64_t from_ns,
		       struct release release, enum gaspdb_wait_kind kind)
{
	int64_t limit_ns =
		m->leave_ns != GASPDB_NONE ? m->leave_ns : m->open_until_ns;
	struct gaspdb_wait w = { .kind = kind,
				 .thread = m->thread,
				 .event = m->wait_event,
				 .start_ns = from_ns,
				 .end_ns = release.at_ns,
				 .cause_ns = release.at_ns,
				 .bound = is_bound(in, m) };
	int64_t sum_ns;

	if (!release.by || release.by == m || m->completed ||
	    m->wait_event == GASPDB_NONE || limit_ns == GASPDB_NONE)
		return 0;
	w.cause_thread = release.by->thread;
	w.cause_event = release.by->event;
	w.cause_source = release.by->source;
	w.has_cause_source = true;
	if (release.at_ns > limit_ns) {
		w.end_ns = limit_ns;
		w.clamped = m->leave_ns != GASPDB_NONE &&
			    kind != GASPDB_WAIT_NOTIFY_DRAIN;
	}
	if (waits->checking) {
		refute(waits, &w, release.at_ns - limit_ns);
		return 0;
	}
	if (w.clamped)
		gaspdb_contradictions_add(&waits->contradictions, m->thread,
					  w.cause_thread,
					  release.at_ns - limit_ns);
	gaspdb_wait_propose(&waits->writer, &w);
	sum_ns = gaspdb_max(0, w.end_ns - w.start_ns);
	if (m->polled && release.at_ns > m->enter_ns)
		gaspdb_add_to(&sum_ns, propose_polled(waits, w));
	return sum_ns;
}

/* Is the member still in its waiting call at the end of its log? It is not if
   it had only started to notify. */
static bool is_inside(const struct gaspdb_member *m)
{
	return m->leave_ns == GASPDB_NONE && m->open_until_ns != GASPDB_NONE &&
	       m->wait_event != GASPDB_NONE;
}

/* Propose the wait of a member that is still inside, for missing members. */
static int64_t wait_for_missing(struct gaspdb_collective_waits *waits,
				const struct gaspdb_member *m,
				enum gaspdb_wait_kind kind,
				int64_t cause_thread)
{
	struct gaspdb_wait w = { .kind = kind,
				 .thread = m->thread,
				 .event = m->wait_event,
				 .start_ns = m->wait_enter_ns,
				 .end_ns = m->open_until_ns,
				 .cause_thread = cause_thread,
				 .cause_event = GASPDB_NONE,
				 .cause_ns = GASPDB_NONE,
				 .bound = true };

	if (waits->checking)
		return 0;
	gaspdb_wait_propose(&waits->writer, &w);
	return w.end_ns - w.start_ns;
}

/* The group that a member waits for: the other one, if there are two. */
static unsigned waited_for(const struct gaspdb_instance *in, size_t i)
{
	return in->local == GASPDB_NONE ? 0 : 1 - gaspdb_instance_group(in, i);
}

static int64_t all_for_all(struct gaspdb_collective_waits *waits,
			   const struct gaspdb_instance *in,
			   enum gaspdb_wait_kind kind)
{
	const struct release first = last_arrival(in, 0);
	const struct release arrivals[] = { first, in->local != GASPDB_NONE
							   ? last_arrival(in, 1)
							   : first };
	const struct release drain = last_notification(in);
	int64_t sum = 0;

	for (size_t i = 0; i < in->n; i++) {
		const struct gaspdb_member *m = &in->members[i];
		const unsigned others = waited_for(in, i);
		const struct release late = arrivals[others];
		int64_t from_ns = m->wait_enter_ns;

		if (!gaspdb_member_receives(in, m))
			continue;
		if (in->group_partial[others] && is_inside(m)) {
			gaspdb_add_to(&sum, wait_for_missing(waits, m, kind,
							     GASPDB_NONE));
			continue;
		}
		gaspdb_add_to(&sum, propose(waits, in, m, from_ns, late, kind));
		if (!drain.by || drain.at_ns <= late.at_ns)
			continue;
		if (from_ns < late.at_ns)
			from_ns = late.at_ns;
		gaspdb_add_to(&sum, propose(waits, in, m, from_ns, drain,
					    GASPDB_WAIT_NOTIFY_DRAIN));
	}
	return sum;
}

/* The first thread of the root's process; NONE: unknown. */
static int64_t thread_of_root(const struct gaspdb_run *run, int64_t root)
{
	for (int64_t i = 0; i < run->n_threads; i++)
		if (run->threads[i].process == i &&
		    run->threads[i].rank == root)
			return i;
	return GASPDB_NONE;
}

/* Propose the waits of members that are still inside for a missing root. */
static int64_t all_for_missing_root(struct gaspdb_collective_waits *waits,
				    const struct gaspdb_instance *in)
{
	int64_t sum = 0;

	for (size_t i = 0; i < in->n; i++) {
		const struct gaspdb_member *m = &in->members[i];

		if (is_inside(m) && gaspdb_member_receives(in, m))
			gaspdb_add_to(
				&sum,
				wait_for_missing(
					waits, m, GASPDB_WAIT_LATE_BROADCAST,
					thread_of_root(waits->run, m->root)));
	}
	return sum;
}

static int64_t all_for_root(struct gaspdb_collective_waits *waits,
			    const struct gaspdb_instance *in)
{
	struct release root = root_arrival(waits->run, in);
	int64_t sum = 0;

	if (!root.by)
		return all_for_missing_root(waits, in);
	if (!gaspdb_member_sends(in, root.by))
		return 0;
	for (size_t i = 0; i < in->n; i++) {
		const struct gaspdb_member *m = &in->members[i];

		if (gaspdb_member_receives(in, m))
			gaspdb_add_to(&sum,
				      propose(waits, in, m, m->wait_enter_ns,
					      root,
					      GASPDB_WAIT_LATE_BROADCAST));
	}
	return sum;
}

bool gaspdb_instance_is_later(const struct gaspdb_instance *in, int64_t i,
			      int64_t than)
{
	const int64_t a_ns = in->members[i].enter_ns,
		      b_ns = in->members[than].enter_ns;

	return a_ns != b_ns ? a_ns > b_ns : i < than;
}

/* The last to arrive of the members that others wait for. */
static const struct gaspdb_member *
last_neighbor(const struct gaspdb_instance *in)
{
	int64_t late = GASPDB_NONE;

	for (size_t i = 0; i < in->n; i++) {
		const int64_t last = in->awaited[i].last;

		if (last != GASPDB_NONE && last != (int64_t)i &&
		    gaspdb_member_receives(in, &in->members[i]) &&
		    (late == GASPDB_NONE ||
		     gaspdb_instance_is_later(in, last, late)))
			late = last;
	}
	return late == GASPDB_NONE ? NULL : &in->members[late];
}

const struct gaspdb_member *
gaspdb_instance_late_member(const struct gaspdb_run *run,
			    const struct gaspdb_instance *in)
{
	const struct gaspdb_member *late = NULL;

	if (in->n == 1)
		return in->members;
	if (in->rule == GASPDB_COLLECTIVE_FROM_ROOT)
		late = root_arrival(run, in).by;
	else if (in->rule == GASPDB_COLLECTIVE_TO_ROOT)
		late = first_sender(in, root_arrival(run, in).by).by;
	else if (in->rule == GASPDB_COLLECTIVE_NEIGHBORS)
		late = last_neighbor(in);
	else
		late = gaspdb_instance_last_sender(in);
	return late ? late : &in->members[in->last];
}

static int64_t root_for_others(struct gaspdb_collective_waits *waits,
			       const struct gaspdb_instance *in)
{
	struct release root = root_arrival(waits->run, in);

	if (!root.by || !gaspdb_member_receives(in, root.by))
		return 0;
	if (in->partial && is_inside(root.by))
		return wait_for_missing(waits, root.by,
					GASPDB_WAIT_EARLY_REDUCE, GASPDB_NONE);
	return propose(waits, in, root.by, root.by->wait_enter_ns,
		       first_sender(in, root.by), GASPDB_WAIT_EARLY_REDUCE);
}

static int by_rank(const void *a, const void *b)
{
	const struct gaspdb_ranked *x = a, *y = b;

	return (x->rank > y->rank) - (x->rank < y->rank);
}

/* In the order of ranks, a member waits for the latest arrival so far. */
void gaspdb_instance_find_before(struct gaspdb_instance *in,
				 struct gaspdb_ranked *ranked,
				 struct gaspdb_awaited *awaited)
{
	int64_t last = GASPDB_NONE, first_missing = 0;

	in->awaited = awaited;
	for (size_t i = 0; i < in->n; i++)
		ranked[i] = (struct gaspdb_ranked){ in->ranks[i], (int64_t)i };
	qsort(ranked, in->n, sizeof(*ranked), by_rank);
	for (size_t k = 0; k < in->n; k++) {
		const int64_t i = ranked[k].member;

		if (ranked[k].rank >= 0 &&
		    gaspdb_member_sends(in, &in->members[i]) &&
		    (last == GASPDB_NONE ||
		     gaspdb_instance_is_later(in, i, last)))
			last = i;
		awaited[i] = (struct gaspdb_awaited){
			.last = last, .missing = ranked[k].rank > first_missing
		};
		if (ranked[k].rank == first_missing)
			first_missing++;
	}
}

static int64_t each_for_its_own(struct gaspdb_collective_waits *waits,
				const struct gaspdb_instance *in,
				enum gaspdb_wait_kind kind)
{
	int64_t sum = 0;

	for (size_t i = 0; i < in->n; i++) {
		const struct gaspdb_member *m = &in->members[i], *last;
		const struct gaspdb_awaited *awaited = &in->awaited[i];

		if (!gaspdb_member_receives(in, m))
			continue;
		if (awaited->missing && is_inside(m)) {
			gaspdb_add_to(&sum, wait_for_missing(waits, m, kind,
							     GASPDB_NONE));
			continue;
		}
		if (awaited->last == GASPDB_NONE)
			continue;
		last = &in->members[awaited->last];
		gaspdb_add_to(&sum,
			      propose(waits, in, m, m->wait_enter_ns,
				      (struct release){ last, last->enter_ns },
				      kind));
	}
	return sum;
}

int64_t gaspdb_collective_waits_add(struct gaspdb_collective_waits *waits,
				    const struct gaspdb_instance *in)
{
	switch (in->rule) {
	case GASPDB_COLLECTIVE_ALL:
		return all_for_all(waits, in, GASPDB_WAIT_BARRIER);
	case GASPDB_COLLECTIVE_GROUPS:
	case GASPDB_COLLECTIVE_GROUPS_DATA:
		return all_for_all(waits, in, GASPDB_WAIT_OTHER_GROUP);
	case GASPDB_COLLECTIVE_DATA:
	case GASPDB_COLLECTIVE_SIZES:
		return all_for_all(waits, in, GASPDB_WAIT_ALL_TO_ALL);
	case GASPDB_COLLECTIVE_FROM_ROOT:
		return all_for_root(waits, in);
	case GASPDB_COLLECTIVE_TO_ROOT:
		return root_for_others(waits, in);
	case GASPDB_COLLECTIVE_BEFORE:
		return each_for_its_own(waits, in, GASPDB_WAIT_EARLY_SCAN);
	case GASPDB_COLLECTIVE_NEIGHBORS:
		return each_for_its_own(waits, in, GASPDB_WAIT_LATE_NEIGHBOR);
	default:
		return 0;
	}
}

bool gaspdb_collective_waits_refute(struct gaspdb_collective_waits *waits,
				    const struct gaspdb_instance *in)
{
	/* Only otherwise can a member have left too early. */
	if (in->first_leave_ns >= in->members[in->last].enter_ns)
		return false;
	waits->checking = true;
	waits->is_wrong = false;
	gaspdb_collective_waits_add(waits, in);
	waits->checking = false;
	return waits->is_wrong;
}

void gaspdb_collective_waits_close(struct gaspdb_collective_waits *waits)
{
	gaspdb_contradictions_close(&waits->contradictions,
				    "left collectives before", "had entered");
	gaspdb_contradictions_close(&waits->wrong, "left collectives before",
				    "had entered");
	gaspdb_clock_errors_free(&waits->clocks);
	gaspdb_polls_close(&waits->polls);
	gaspdb_wait_writer_close(&waits->writer);
}
