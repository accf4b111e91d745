/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two-pass classification of accesses. Calls are added thread by thread and
 * returned by slices of time (analysis/engine/time_partition.h). An access
 * depends on two neighbours among its target's calls: the one at its start and
 * the next one. Each process's calls are in order, so nothing needs sorting.
 *
 * The first pass finds, for each line, the durations of accesses with targets
 * inside and outside the runtime, and the number that end when the target
 * enters. Only if a line's accesses may starve, a second pass sums these.
 */
#include "analysis/access/starvation.h"

#include <stdlib.h>

#include "analysis/access/presence.h"
#include "analysis/engine/time_partition.h"
#include "analysis/rows/durations.h"
#include "analysis/rows/groups.h"
#include "common/sum.h"
#include "sql/passes/access.h"
#include "sql/passes/engine.h"

/* Minimum accesses of each class of a line. */
enum { MIN_ACCESSES = 30 };

/* Number of accesses that triggers the first merge. */
enum { MERGED_FROM = 1 << 17 };

/* Kinds of calls; an access to another process is ACCESS + source. */
enum { CALL, GAP, ACCESS };

struct process {
	int64_t first_ns, last_ns; /* first NONE: a thread has no log */
};

/* Values of starved_total. */
enum { STARVED, STARVED_TIME, STARVED_LONGEST, N_STARVED };

/* A blocking access. Accesses of no duration that begin at the same time are
   merged into one, whichever thread made them; times: their number. */
struct access {
	int64_t start_ns, end_ns;
	int32_t thread;
	uint32_t source, peer, times;
};

struct gaspdb_starvation {
	struct gaspdb_run *run;
	struct process *processes; /* by first thread */
	struct gaspdb_time_partition partition;
	struct gaspdb_presence inside, unknown;
	/* The undecided accesses of earlier slices (n_carried), then those of
	   this slice. */
	struct access *accesses;
	size_t n_accesses, room, n_carried;
	size_t merge_at; /* n_accesses that triggers a merge */
	struct gaspdb_durations durations; /* by line, outside or not */
	struct line {
		int64_t n[2]; /* inside, outside */
		int64_t answered;
		enum { WELL_SERVED, SLOWER_OUTSIDE, ANSWERED } state;
		int64_t median_ns; /* inside, of SLOWER_OUTSIDE */
	} * lines;		   /* by source */
	bool classified;	   /* the second pass: states are set */
	struct gaspdb_groups starved;
};

typedef struct gaspdb_starvation starvation;

static uint32_t group_of(int64_t source, bool outside)
{
	return (uint32_t)source * 2 + outside;
}

/* --- the calls ------------------------------------------------------------ */

static void load_processes(starvation *s)
{
	for (int64_t i = 0; s->processes && i < s->run->n_threads; i++) {
		const struct gaspdb_run_thread *t = &s->run->threads[i];
		struct process *p;

		if (t->process < 0)
			continue;
		p = &s->processes[t->process];
		if (t->process == i)
			*p = (struct process){ INT64_MAX, INT64_MIN };
		if (t->first_ns < p->first_ns)
			p->first_ns = t->first_ns; /* NONE is the least */
		if (t->last_ns != GASPDB_NONE && t->last_ns > p->last_ns)
			p->last_ns = t->last_ns;
	}
}

/* Has the run a blocking access, and more than one process? */
static bool is_possible(const struct gaspdb_run *run)
{
	bool blocking = false;

	for (int64_t i = 0; i < run->n_sources; i++)
		blocking |= run->sources[i].operation >= 0 &&
			    run->sources[i].blocking_access;
	return blocking && gaspdb_run_processes(run) > 1;
}

static void open_partition(starvation *s)
{
	int64_t from_ns = INT64_MAX, until_ns = INT64_MIN, calls = 0;

	for (int64_t i = 0; i < s->run->n_threads; i++) {
		const struct gaspdb_run_thread *t = &s->run->threads[i];

		if (t->process < 0 || t->first_ns == GASPDB_NONE)
			continue;
		from_ns = gaspdb_min(from_ns, t->first_ns);
		until_ns = gaspdb_max(until_ns, t->last_ns);
		if (t->first_event != GASPDB_NONE)
			calls += t->last_event - t->first_event + 1;
	}
	gaspdb_time_partition_open(&s->partition, s->run, from_ns, until_ns,
				   calls);
}

/* Add gaps: a process may have entered its runtime in them. */
static void add_gaps(starvation *s)
{
	sqlite3_stmt *gaps = gaspdb_prepare(s->run, gaspdb_sql_unrecorded_gaps);

	while (gaspdb_row(s->run, gaps)) {
		const int64_t thread = sqlite3_column_int64(gaps, 0);

		if (gaspdb_run_thread(s->run, thread))
			gaspdb_time_partition_add(
				&s->partition, (int32_t)thread,
				sqlite3_column_int64(gaps, 1),
				sqlite3_column_int64(gaps, 2), GAP, 0);
	}
	sqlite3_finalize(gaps);
}

struct gaspdb_starvation *gaspdb_starvation_open(struct gaspdb_run *run)
{
	starvation *s;

	if (!is_possible(run))
		return NULL;
	s = gaspdb_zeroed(run, 1, sizeof *s);
	if (!s)
		return NULL;
	s->run = run;
	s->processes = gaspdb_zeroed(run, (size_t)run->n_threads,
				     sizeof *s->processes);
	s->lines = gaspdb_zeroed(run, (size_t)run->n_sources, sizeof *s->lines);
	gaspdb_durations_init(&s->durations);
	gaspdb_groups_init(&s->starved, 3, N_STARVED);
	load_processes(s);
	open_partition(s);
	add_gaps(s);
	return s;
}

void gaspdb_starvation_add(starvation *s, const struct gaspdb_event *e,
			   const struct gaspdb_run_source *source)
{
	const int64_t target = source->blocking_access && !e->open
				       ? gaspdb_run_process(s->run, e->peer)
				       : GASPDB_NONE;
	const bool accesses = target != GASPDB_NONE &&
			      target != s->run->threads[e->thread].process;

	gaspdb_time_partition_add(
		&s->partition, (int32_t)e->thread, e->start_ns,
		gaspdb_plus(e->start_ns, e->duration_ns),
		accesses ? ACCESS + (uint32_t)e->source : CALL,
		accesses ? (uint32_t)target : 0);
}

static int compare_accesses(const void *a, const void *b)
{
	const struct access *x = a, *y = b;
	const int64_t keys[][2] = { { x->start_ns, y->start_ns },
				    { x->end_ns, y->end_ns },
				    { x->source, y->source },
				    { x->peer, y->peer },
				    { x->thread, y->thread } };

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (keys[i][0] != keys[i][1])
			return keys[i][0] < keys[i][1] ? -1 : 1;
	return 0;
}

static bool mergeable(const struct access *a, const struct access *b)
{
	return a->start_ns == a->end_ns && a->start_ns == b->start_ns &&
	       a->end_ns == b->end_ns && a->source == b->source &&
	       a->peer == b->peer && a->times <= UINT32_MAX - b->times;
}

/* Merge accesses of no duration. A slice that cannot be divided, because its
   calls begin at one time, has at most one call of some duration a thread. */
static void merge(starvation *s)
{
	struct access *a = s->accesses + s->n_carried;
	const size_t all = s->n_accesses - s->n_carried;
	size_t n = 0;

	qsort(a, all, sizeof *a, compare_accesses);
	for (size_t i = 0; i < all; i++)
		if (n && mergeable(&a[n - 1], &a[i]))
			a[n - 1].times += a[i].times;
		else
			a[n++] = a[i];
	s->n_accesses = s->n_carried + n;
	s->merge_at = gaspdb_max(MERGED_FROM, (int64_t)s->n_accesses * 2);
}

/* Make room for n calls. */
static bool make_room(starvation *s, size_t n)
{
	if (s->n_accesses >= s->merge_at)
		merge(s);
	return gaspdb_presence_make_room(&s->inside, n) &&
	       gaspdb_presence_make_room(&s->unknown, n) &&
	       gaspdb_grow_by(s->run, &s->accesses, s->n_accesses, n, &s->room,
			      sizeof *s->accesses);
}

/* Add a thread's calls of the slice. Whether a call is an access is not
   predictable, so there is no branch: other calls are overwritten. */
static void add_calls(void *user, struct gaspdb_partitioned *calls)
{
	starvation *s = user;
	const int32_t process = (int32_t)s->run->threads[calls->thread].process;
	struct gaspdb_partitioned_call c;
	struct access *to;

	if (!make_room(s, calls->n))
		return;
	to = s->accesses + s->n_accesses;
	while (gaspdb_partitioned_next(calls, &c)) {
		gaspdb_presence_add(c.what == GAP ? &s->unknown : &s->inside,
				    process, c.start_ns, c.end_ns);
		*to = (struct access){ .start_ns = c.start_ns,
				       .end_ns = c.end_ns,
				       .thread = c.thread,
				       .source = c.what - ACCESS,
				       .peer = c.peer,
				       .times = 1 };
		to += c.what >= ACCESS;
	}
	s->n_accesses = (size_t)(to - s->accesses);
}

/* --- inside and outside --------------------------------------------------- */

enum state { INSIDE, OUTSIDE, UNKNOWN };

/* The target of an access. */
struct target {
	enum state state;   /* at the access's start */
	int64_t left_ns;    /* leave of its last call that began before */
	int64_t enter_ns;   /* next enter; INT64_MAX: not in this slice */
	int64_t unknown_ns; /* next unrecorded time; INT64_MAX likewise */
};

static inline struct target target_of(const starvation *s,
				      const struct access *a)
{
	const struct process *p = &s->processes[a->peer];
	struct gaspdb_presence_state inside, unknown;

	if (p->first_ns == GASPDB_NONE || a->start_ns < p->first_ns ||
	    a->start_ns >= p->last_ns)
		return (struct target){ .state = UNKNOWN };
	unknown = gaspdb_presence_at(&s->unknown, a->peer, a->start_ns);
	inside = gaspdb_presence_at(&s->inside, a->peer, a->start_ns);
	return (struct target){
		.state = unknown.until_ns > a->start_ns	 ? UNKNOWN
			 : inside.until_ns > a->start_ns ? INSIDE
							 : OUTSIDE,
		.left_ns = inside.until_ns,
		.enter_ns = inside.next_ns,
		.unknown_ns = gaspdb_min(unknown.next_ns, p->last_ns),
	};
}

/* Is the rest of an access decided by what is known up to at_ns? */
static bool is_decided(const struct access *a, const struct target *t,
		       int64_t at_ns)
{
	return a->end_ns <= at_ns ||
	       gaspdb_min(t->enter_ns, t->unknown_ns) <= at_ns;
}

/* The time since which the target could not answer an access. */
static int64_t unanswered_from(const struct access *a, const struct target *t)
{
	return gaspdb_max(a->start_ns, t->left_ns);
}

/*
 * Did an access end because its target entered? Its wait for the enter is more
 * than three times the rest. At most a quarter of accesses that are independent
 * of their target satisfy this: an enter is equally likely at any time in them,
 * and the first of several is early.
 */
static inline bool is_answered(const struct access *a, const struct target *t)
{
	const int64_t enter_ns = gaspdb_min(t->enter_ns, a->end_ns);
	const int64_t rest_ns = a->end_ns - enter_ns;
	const bool enters = enter_ns < gaspdb_min(a->end_ns, t->unknown_ns);
	const bool soon = gaspdb_plus(gaspdb_plus(rest_ns, rest_ns), rest_ns) <
			  enter_ns - unanswered_from(a, t);

	return enters & soon;
}

static void count_access(starvation *s, const struct access *a,
			 enum state state)
{
	s->lines[a->source].n[state] += a->times;
	gaspdb_durations_add(s->run, &s->durations, group_of(a->source, state),
			     a->end_ns - a->start_ns, a->times);
}

/* The median duration of a group; NONE: empty. */
static int64_t median_of(const starvation *s, int64_t source, bool outside)
{
	return s->lines[source].n[outside]
		       ? gaspdb_durations_of(&s->durations,
					     group_of(source, outside))
				 .median_ns
		       : GASPDB_NONE;
}

static void classify_line(struct line *l, int64_t inside_ns, int64_t outside_ns)
{
	const int64_t all = l->n[INSIDE] + l->n[OUTSIDE];

	l->median_ns = inside_ns;
	if (l->n[INSIDE] >= MIN_ACCESSES && l->n[OUTSIDE] >= MIN_ACCESSES &&
	    outside_ns >= gaspdb_plus(inside_ns, inside_ns))
		l->state = SLOWER_OUTSIDE;
	else if (l->answered >= MIN_ACCESSES &&
		 l->answered >= all - l->answered)
		l->state = ANSWERED; /* half, twice what chance gives */
}

/* Write target_line; returns whether accesses of a line may starve. */
static bool write_lines(starvation *s)
{
	sqlite3_stmt *insert =
		gaspdb_prepare(s->run, GASPDB_INSERT_INTO_target_line);
	bool any = false;

	for (int64_t i = 0; insert && i < s->run->n_sources; i++) {
		struct line *l = &s->lines[i];
		const int64_t inside_ns = median_of(s, i, false);
		const int64_t outside_ns = median_of(s, i, true);

		classify_line(l, inside_ns, outside_ns);
		any |= l->state != WELL_SERVED;
		if (l->n[INSIDE] || l->n[OUTSIDE])
			gaspdb_write(s->run, insert, 6,
				     (int64_t[]){ i, l->n[INSIDE], inside_ns,
						  l->n[OUTSIDE], outside_ns,
						  l->answered },
				     NULL);
	}
	sqlite3_finalize(insert);
	return any;
}

/* --- starved accesses ----------------------------------------------------- */

/* The starved time of an access; 0: none. */
static int64_t starved_ns(const struct line *l, const struct access *a,
			  const struct target *t)
{
	const int64_t next_ns = gaspdb_min(t->enter_ns, t->unknown_ns);

	if (l->state == ANSWERED)
		return is_answered(a, t) ? next_ns - unanswered_from(a, t) : 0;
	if (t->state != OUTSIDE ||
	    a->end_ns - next_ns >= gaspdb_plus(l->median_ns, l->median_ns))
		return 0;
	return gaspdb_min(next_ns, a->end_ns) - a->start_ns;
}

static void add_starved(starvation *s, const struct access *a,
			const struct target *t)
{
	const int64_t ns = starved_ns(&s->lines[a->source], a, t);
	int64_t *v;

	if (!ns)
		return;
	v = gaspdb_group(s->run, &s->starved,
			 (int64_t[]){ a->source, a->thread, a->peer });
	if (!v)
		return;
	v[STARVED]++;
	gaspdb_add_to(&v[STARVED_TIME], ns);
	if (ns > v[STARVED_LONGEST])
		v[STARVED_LONGEST] = ns;
}

/* Process a decided access. */
static void conclude(starvation *s, const struct access *a,
		     const struct target *t)
{
	if (s->classified)
		add_starved(s, a, t);
	else
		s->lines[a->source].answered += is_answered(a, t);
}

static void process_slice(void *user, int64_t at_ns)
{
	starvation *s = user;
	size_t left = 0;

	gaspdb_presence_index(&s->inside);
	gaspdb_presence_index(&s->unknown);
	for (size_t i = 0; s->run->status == GASPDB_OK && i < s->n_accesses;
	     i++) {
		const struct access a = s->accesses[i];
		struct target t;

		if (s->classified && s->lines[a.source].state == WELL_SERVED)
			continue;
		t = target_of(s, &a);
		if (i >= s->n_carried && t.state == UNKNOWN)
			continue;
		if (i >= s->n_carried && !s->classified)
			count_access(s, &a, t.state);
		if (is_decided(&a, &t, at_ns))
			conclude(s, &a, &t);
		else
			s->accesses[left++] = a;
	}
	s->n_accesses = s->n_carried = left;
	gaspdb_presence_next_slice(&s->inside);
	gaspdb_presence_next_slice(&s->unknown);
}

static void replay(starvation *s)
{
	s->merge_at = MERGED_FROM;
	s->n_accesses = s->n_carried = 0;
	gaspdb_presence_open(&s->inside, s->run);
	gaspdb_presence_open(&s->unknown, s->run);
	gaspdb_time_partition_give(&s->partition,
				   &(struct gaspdb_time_partition_out){
					   s, add_calls, process_slice });
	process_slice(s, INT64_MAX); /* the undecided rest */
	gaspdb_presence_close(&s->inside);
	gaspdb_presence_close(&s->unknown);
}

static void write_starved(starvation *s)
{
	gaspdb_groups_write(s->run, &s->starved, gaspdb_sql_starved_add);
}

static void find(starvation *s)
{
	replay(s);
	gaspdb_durations_sort(s->run, &s->durations);
	if (!write_lines(s))
		return;
	s->classified = true;
	replay(s);
	write_starved(s);
}

void gaspdb_starvation_close(starvation *s)
{
	if (!s)
		return;
	find(s);
	gaspdb_durations_fini(&s->durations);
	gaspdb_groups_fini(&s->starved);
	gaspdb_time_partition_close(&s->partition);
	free(s->processes);
	free(s->accesses);
	free(s->lines);
	free(s);
}
