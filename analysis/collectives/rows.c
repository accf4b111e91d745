/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of tables collective and collective_member, the sums of
   collective_total and size_total, and the arrivals for the delays. */
#include "analysis/collectives/rows.h"

#include <stdlib.h>

#include "common/size_class.h"
#include "common/sum.h"
#include "sql/passes/collectives.h"

void gaspdb_collective_rows_open(
	struct gaspdb_collective_rows *r, struct gaspdb_run *run,
	const struct gaspdb_collective_operations *operations)
{
	*r = (struct gaspdb_collective_rows){ .run = run,
					      .operations = operations,
					      .root = GASPDB_NONE,
					      .root_thread = GASPDB_NONE };
	gaspdb_arrivals_open(&r->arrivals, run);
	gaspdb_groups_init(&r->lines, 3, 7);
	gaspdb_groups_init(&r->sizes, 2, 2);
	gaspdb_arrival_cuts_open(&r->cuts, run);
	r->instances = gaspdb_table_writer_open(
		&run->tables, GASPDB_TABLE(collective), GASPDB_COLLECTIVE_RULE,
		gaspdb_collective_rule_names);
	r->members = gaspdb_table_writer_open_keyed(
		&run->tables, GASPDB_KEYED_TABLE(collective_member), 0, NULL);
}

/* In an intercommunicator the other members of the root's group name no root.
 */
int64_t gaspdb_collective_root(const struct gaspdb_member *members, size_t n)
{
	size_t i = 0;

	while (i + 1 < n && members[i].root < 0)
		i++;
	return members[i].root;
}

/* --- sums ----------------------------------------------------------------- */

/* Does a call of the source move data among the members? Allocations have bytes,
   and move none. */
static bool moves_data(const struct gaspdb_collective_rows *r,
		       const struct gaspdb_run_source *source)
{
	return !r->operations->by_id[source->operation].phase &&
	       source->type != GASPDB_TYPE_shared_alloc;
}

/* Count the bytes of the members. */
static void count_sizes(struct gaspdb_collective_rows *r,
			const struct gaspdb_instance *in)
{
	for (size_t i = 0; i < in->n; i++) {
		const struct gaspdb_member *member = &in->members[i];
		const struct gaspdb_run_source *source =
			gaspdb_run_source(r->run, member->source);
		int64_t *sums;

		if (member->bytes == GASPDB_NONE || !moves_data(r, source))
			continue;
		sums = gaspdb_group(
			r->run, &r->sizes,
			(int64_t[]){ member->thread,
				     gaspdb_size_from(member->bytes) });
		if (sums) {
			sums[0]++;
			gaspdb_add_to(&sums[1], member->bytes);
		}
	}
}

/* Completion time: the members' time after the last has arrived and the first
   has left, until they leave. */
static int64_t completion_of(const struct gaspdb_instance *in)
{
	const int64_t since_ns =
		gaspdb_max(in->members[in->last].enter_ns, in->first_leave_ns);
	int64_t sum_ns = 0;

	if (in->rule != GASPDB_COLLECTIVE_ALL &&
	    in->rule != GASPDB_COLLECTIVE_SIZES &&
	    in->rule != GASPDB_COLLECTIVE_DATA)
		return 0;
	for (size_t i = 0; i < in->n; i++) {
		const struct gaspdb_member *m = &in->members[i];
		const int64_t from_ns = gaspdb_max(since_ns, m->wait_enter_ns);

		if (m->leave_ns > from_ns && gaspdb_member_sends(in, m) &&
		    gaspdb_member_receives(in, m))
			gaspdb_add_to(&sum_ns, m->leave_ns - from_ns);
	}
	return sum_ns;
}

/* The sums of a late member's line, with a cache of the last. */
static int64_t *line_of(struct gaspdb_collective_rows *r, int64_t team,
			const struct gaspdb_member *late)
{
	int64_t *const keys = r->line_keys;

	if (r->line && keys[0] == team && keys[1] == late->source &&
	    keys[2] == late->thread)
		return r->line;
	keys[0] = team;
	keys[1] = late->source;
	keys[2] = late->thread;
	r->line = gaspdb_group(r->run, &r->lines, keys);
	return r->line;
}

static void count_line(struct gaspdb_collective_rows *r, int64_t team,
		       const struct gaspdb_instance *in, int64_t wait_ns)
{
	const struct gaspdb_member *last = &in->members[in->last];
	int64_t *sums =
		line_of(r, team, gaspdb_instance_late_member(r->run, in));

	if (!sums)
		return;
	sums[0]++;
	sums[1] += (int64_t)in->n;
	gaspdb_add_to(&sums[2], wait_ns);
	if (wait_ns > sums[3])
		sums[3] = wait_ns;
	gaspdb_add_to(&sums[4],
		      last->enter_ns - in->members[in->first].enter_ns);
	if (in->first_leave_ns > last->enter_ns)
		gaspdb_add_to(&sums[5], in->first_leave_ns - last->enter_ns);
	gaspdb_add_to(&sums[6], completion_of(in));
}

/* --- rows ----------------------------------------------------------------- */

/* The thread of the root, with a cache of the last. */
static int64_t root_thread(struct gaspdb_collective_rows *r,
			   const struct gaspdb_instance *in)
{
	const int64_t root = gaspdb_collective_root(in->members, in->n);

	if (root == r->root)
		return r->root_thread;
	r->root = root;
	r->root_thread = gaspdb_run_rank(r->run, root);
	return r->root_thread;
}

static int by_number(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Sort the events, and drop duplicates. */
static void sort_events(struct gaspdb_collective_rows *r)
{
	size_t kept = 0;

	qsort(r->events, r->n_events, sizeof *r->events, by_number);
	for (size_t i = 0; i < r->n_events; i++)
		if (!kept || r->events[i] != r->events[kept - 1])
			r->events[kept++] = r->events[i];
	r->n_events = kept;
}

/* Make room for two events per member. */
static bool make_room(struct gaspdb_collective_rows *r, size_t members)
{
	int64_t *events;

	if (2 * members <= r->events_room)
		return true;
	events = gaspdb_resized(r->run, r->events, 4 * members, sizeof *events);
	if (!events)
		return false;
	r->events = events;
	r->events_room = 4 * members;
	return true;
}

/* Collect the members' calls, with the second halves of split phases, sorted
   and without duplicates. Mostly they are so already. */
static void gather_events(struct gaspdb_collective_rows *r,
			  const struct gaspdb_instance *in)
{
	bool in_order = true;
	size_t n = 0;

	r->n_events = 0;
	if (!make_room(r, in->n))
		return;
	if (in->n == 1 && in->members->notify_leave_ns == GASPDB_NONE) {
		r->events[r->n_events++] = in->members->event;
		return;
	}
	for (size_t i = 0; i < in->n; i++) {
		const struct gaspdb_member *member = &in->members[i];

		in_order &= !n || member->event > r->events[n - 1];
		r->events[n++] = member->event;
		if (member->notify_leave_ns == GASPDB_NONE ||
		    member->wait_event == GASPDB_NONE)
			continue;
		in_order &= member->wait_event > member->event;
		r->events[n++] = member->wait_event;
	}
	r->n_events = n;
	if (!in_order)
		sort_events(r);
}

/* The number of threads; members are in the order of threads, and a thread may
   occur twice. */
static int64_t threads_of(const struct gaspdb_instance *in)
{
	int64_t n = 0;

	for (size_t i = 0; i < in->n; i++)
		n += !i || in->members[i].thread != in->members[i - 1].thread;
	return n;
}

static void write_instance(struct gaspdb_collective_rows *r, int64_t id,
			   const struct gaspdb_collective_team *team,
			   const struct gaspdb_instance *in, int64_t wait_ns)
{
	const struct gaspdb_member *last = &in->members[in->last];
	const int64_t row[GASPDB_COLLECTIVE_COLUMNS] = {
		[GASPDB_COLLECTIVE_ID] = id,
		[GASPDB_COLLECTIVE_TEAM] = team->id,
		[GASPDB_COLLECTIVE_SEQUENCE] = last->sequence,
		[GASPDB_COLLECTIVE_OPERATION] =
			r->run->sources[last->source].operation,
		[GASPDB_COLLECTIVE_ROOT] = root_thread(r, in),
		[GASPDB_COLLECTIVE_EXPECTED] = team->size,
		[GASPDB_COLLECTIVE_SEEN] = threads_of(in),
		[GASPDB_COLLECTIVE_FIRST_ENTER] =
			in->members[in->first].enter_ns,
		[GASPDB_COLLECTIVE_LAST_ENTER] = last->enter_ns,
		[GASPDB_COLLECTIVE_FIRST_LEAVE] = in->first_leave_ns,
		[GASPDB_COLLECTIVE_LAST_LEAVE] = in->last_leave_ns,
		[GASPDB_COLLECTIVE_LAST_THREAD] = last->thread,
		[GASPDB_COLLECTIVE_LAST_EVENT] = last->event,
		[GASPDB_COLLECTIVE_WAIT] = wait_ns,
		[GASPDB_COLLECTIVE_RULE] = in->rule
	};

	gaspdb_table_writer_add(r->instances, row);
}

static void write_members(struct gaspdb_collective_rows *r, int64_t id)
{
	for (size_t i = 0; i < r->n_events; i++) {
		int64_t *to = gaspdb_table_writer_place(r->members);

		if (!to)
			return;
		to[GASPDB_COLLECTIVE_MEMBER_COLLECTIVE] = id;
		to[GASPDB_COLLECTIVE_MEMBER_EVENT] = r->events[i];
		gaspdb_table_writer_placed(r->members);
	}
}

/* The end of the call by which a member arrives; a non-blocking call counts as
   of no length. */
static int64_t arrival_end(const struct gaspdb_member *m)
{
	if (m->notify_leave_ns != GASPDB_NONE)
		return m->notify_leave_ns;
	return m->wait_event == m->event && m->leave_ns != GASPDB_NONE
		       ? m->leave_ns
		       : m->enter_ns;
}

static void add_arrivals(struct gaspdb_collective_rows *r, int64_t id,
			 int64_t team, const struct gaspdb_instance *in,
			 int64_t wait_ns)
{
	const struct gaspdb_member *by =
		wait_ns > 0 ? gaspdb_instance_last_sender(in) : NULL;
	struct gaspdb_arrival_call call = {
		.instance = id,
		.team = team,
		.cause = by ? by->event : GASPDB_NONE,
		.synchronizes = gaspdb_collective_synchronizes(in->rule)
	};

	for (size_t i = 0; i < r->n_events; i++) {
		call.event = r->events[i];
		gaspdb_arrivals_add(&r->arrivals, &call);
	}
	for (size_t i = 0; i < in->n; i++)
		gaspdb_arrival_cuts_add(&r->cuts, &call, in->members[i].thread,
					in->members[i].enter_ns,
					arrival_end(&in->members[i]));
}

static void write_totals(struct gaspdb_collective_rows *r)
{
	gaspdb_groups_write(r->run, &r->lines,
			    GASPDB_INSERT_INTO_collective_total);
	gaspdb_groups_write(r->run, &r->sizes, gaspdb_sql_collective_size_add);
}

void gaspdb_collective_rows_add(struct gaspdb_collective_rows *r, int64_t id,
				const struct gaspdb_collective_team *team,
				const struct gaspdb_instance *in,
				int64_t wait_ns)
{
	gather_events(r, in);
	write_instance(r, id, team, in, wait_ns);
	write_members(r, id);
	/* A team of one has no waits. */
	if (team->size != 1 || team->inter)
		add_arrivals(r, id, team->id, in, wait_ns);
	count_line(r, team->id, in, wait_ns);
	count_sizes(r, in);
}

void gaspdb_collective_rows_close(struct gaspdb_collective_rows *r)
{
	write_totals(r);
	gaspdb_arrival_cuts_close(&r->cuts, &r->arrivals);
	gaspdb_groups_fini(&r->lines);
	gaspdb_groups_fini(&r->sizes);
	free(r->events);
}
