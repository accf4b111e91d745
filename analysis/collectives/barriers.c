/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operation times of barrier instances. An instance counts only if enter and
 * leave of all members were recorded, and no member's call also completes
 * requests. Of other instances only the slack of split barriers is known. The
 * interval after such an instance is unknown.
 */
#include "analysis/collectives/barriers.h"

/* A row of calls. SINCE: time since the last barrier; of a second half, since
   the first. */
enum { EVENT, SOURCE, CALL_THREAD, DURATION, OPERATION, SINCE, FLAGS, COLUMNS };
enum {
	ARRIVES = 1,
	BACK_TO_BACK = 2,
	OPERATES = 4,
	SLACK_ONLY = 8,
	INSTANCE_SHIFT = 4
};

/* Values of a process in `last`. */
enum { SEQUENCE, THREAD, LEAVE, OTHERS, KNOWN, N_VALUES };

void gaspdb_barriers_open(struct gaspdb_barriers *b, struct gaspdb_run *run)
{
	b->run = run;
	b->team = GASPDB_NONE;
	b->calls = gaspdb_sorter_share(run, &run->shared.barriers, COLUMNS, 1);
	gaspdb_groups_init(&b->last, 1, N_VALUES);
}

void gaspdb_barriers_close(struct gaspdb_barriers *b)
{
	gaspdb_groups_fini(&b->last);
	b->calls = NULL;
}

static bool is_barrier(const struct gaspdb_run *run,
		       const struct gaspdb_instance *in)
{
	switch (gaspdb_run_source(run, in->members[0].source)->type) {
	case GASPDB_TYPE_barrier:
	case GASPDB_TYPE_notify:
	case GASPDB_TYPE_barrier_wait:
		return true;
	default:
		return false;
	}
}

static bool is_complete(const struct gaspdb_instance *in)
{
	if (in->rule != GASPDB_COLLECTIVE_ALL || in->bound)
		return false;
	for (size_t i = 0; i < in->n; i++) {
		const struct gaspdb_member *m = &in->members[i];

		if (m->leave_ns == GASPDB_NONE || m->completed ||
		    (m->wait_event != m->event &&
		     m->notify_leave_ns == GASPDB_NONE))
			return false;
	}
	return true;
}

/* The last barrier of member i. Members mostly are in the same order each time,
   so i is the likely row. */
static int64_t *last_of(struct gaspdb_barriers *b,
			const struct gaspdb_instance *in, size_t i)
{
	const int64_t process =
		gaspdb_run_process(b->run, in->members[i].thread);
	uint32_t row = (uint32_t)i;

	return gaspdb_group_cached(b->run, &b->last, &process, &row);
}

/* Time since the process's last barrier of this team; NONE: none. */
static int64_t interval(const int64_t *last, const struct gaspdb_member *m)
{
	if (!last || !last[KNOWN])
		return GASPDB_NONE;
	return m->enter_ns > last[LEAVE] ? m->enter_ns - last[LEAVE] : 0;
}

static bool follows(const int64_t *last, const struct gaspdb_member *m)
{
	return last && last[KNOWN] && last[SEQUENCE] == m->sequence - 1 &&
	       last[THREAD] == m->thread && m->others != GASPDB_NONE &&
	       last[OTHERS] == m->others &&
	       interval(last, m) < GASPDB_BACK_TO_BACK_NS;
}

static bool all_follow(struct gaspdb_barriers *b,
		       const struct gaspdb_instance *in)
{
	for (size_t i = 0; i < in->n; i++)
		if (!follows(last_of(b, in, i), &in->members[i]))
			return false;
	return true;
}

/* Slack: time between the halves of a split barrier. */
static int64_t slack(const struct gaspdb_member *m)
{
	return m->wait_enter_ns > m->notify_leave_ns
		       ? m->wait_enter_ns - m->notify_leave_ns
		       : 0;
}

static void add_calls(struct gaspdb_barriers *b,
		      const struct gaspdb_instance *in,
		      const struct gaspdb_member *m, int64_t interval_ns,
		      int64_t flags)
{
	const int64_t all_ns = in->members[in->last].enter_ns;
	const int64_t from_ns =
		m->wait_enter_ns > all_ns ? m->wait_enter_ns : all_ns;
	const int64_t operation_ns =
		in->first_leave_ns > from_ns ? in->first_leave_ns - from_ns : 0;
	const bool split = m->wait_event != m->event;
	const int64_t arrives = flags | ARRIVES | (split ? 0 : OPERATES);

	if (!b->calls)
		return;
	gaspdb_sorter_add(b->calls,
			  (int64_t[]){ [EVENT] = m->event,
				       [SOURCE] = m->source,
				       [CALL_THREAD] = m->thread,
				       [DURATION] = (split ? m->notify_leave_ns
							   : m->leave_ns) -
						    m->enter_ns,
				       [OPERATION] = split ? 0 : operation_ns,
				       [SINCE] = interval_ns,
				       [FLAGS] = arrives });
	if (split)
		gaspdb_sorter_add(b->calls,
				  (int64_t[]){ [EVENT] = m->wait_event,
					       [SOURCE] = m->source,
					       [CALL_THREAD] = m->thread,
					       [DURATION] = m->leave_ns -
							    m->wait_enter_ns,
					       [OPERATION] = operation_ns,
					       [SINCE] = slack(m),
					       [FLAGS] = flags | OPERATES });
}

/* Add the slack of each member of an incomplete instance. */
static void add_slack(struct gaspdb_barriers *b,
		      const struct gaspdb_instance *in)
{
	for (size_t i = 0; i < in->n && b->calls; i++) {
		const struct gaspdb_member *m = &in->members[i];

		if (m->notify_leave_ns != GASPDB_NONE &&
		    m->wait_event != GASPDB_NONE && m->wait_event != m->event)
			gaspdb_sorter_add(
				b->calls,
				(int64_t[]){ [EVENT] = m->wait_event,
					     [SOURCE] = m->source,
					     [CALL_THREAD] = m->thread,
					     [SINCE] = slack(m),
					     [FLAGS] = SLACK_ONLY });
	}
}

void gaspdb_barriers_add(struct gaspdb_barriers *b, int64_t id,
			 const struct gaspdb_instance *in)
{
	const bool complete = is_complete(in);
	int64_t flags;

	if (!is_barrier(b->run, in))
		return;
	if (in->members[0].team != b->team || !complete) {
		gaspdb_groups_clear(&b->last);
		b->team = in->members[0].team;
	}
	if (!complete) {
		if (in->rule == GASPDB_COLLECTIVE_ALL)
			add_slack(b, in);
		return;
	}
	flags = id << INSTANCE_SHIFT | (all_follow(b, in) ? BACK_TO_BACK : 0);
	for (size_t i = 0; i < in->n; i++) {
		const struct gaspdb_member *m = &in->members[i];
		int64_t *last = last_of(b, in, i);

		add_calls(b, in, m, interval(last, m), flags);
		if (!last)
			return;
		last[SEQUENCE] = m->sequence;
		last[THREAD] = m->thread;
		last[LEAVE] = m->leave_ns;
		last[OTHERS] = m->others_done;
		last[KNOWN] = 1;
	}
}

bool gaspdb_barriers_next(struct gaspdb_barriers *b,
			  struct gaspdb_barrier_call *call)
{
	const int64_t *row = b->calls ? gaspdb_sorter_next(b->calls) : NULL;
	bool arrives;

	if (!row)
		return false;
	arrives = row[FLAGS] & ARRIVES;
	*call = (struct gaspdb_barrier_call){
		.event = row[EVENT],
		.source = row[SOURCE],
		.thread = row[CALL_THREAD],
		.duration_ns = row[DURATION],
		.operation_ns = row[OPERATION],
		.interval_ns = arrives ? row[SINCE] : GASPDB_NONE,
		.slack_ns = arrives ? GASPDB_NONE : row[SINCE],
		.instance = row[FLAGS] >> INSTANCE_SHIFT,
		.arrives = arrives,
		.operates = row[FLAGS] & OPERATES,
		.slack_only = row[FLAGS] & SLACK_ONLY,
		.back_to_back = row[FLAGS] & BACK_TO_BACK
	};
	return true;
}

void gaspdb_barriers_rewind(struct gaspdb_barriers *b)
{
	if (b->calls)
		gaspdb_sorter_rewind(b->calls);
}

void gaspdb_barriers_empty(struct gaspdb_barriers *b)
{
	if (b->calls)
		gaspdb_sorter_empty(b->calls);
}
