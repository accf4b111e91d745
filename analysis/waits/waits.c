/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables wait and wait_total, from the passes' proposals, event by event. It
 * enforces the invariants of table wait: a wait lies within its event, and the
 * waits of an event do not overlap.
 */
#include "analysis/waits/waits.h"

#include <stdlib.h>

#include "analysis/engine/clock_errors.h"
#include "analysis/engine/quality.h"
#include "analysis/engine/scan.h"
#include "analysis/rows/groups.h"
#include "analysis/rows/shared_sorter.h"
#include "analysis/rows/sums.h"
#include "analysis/waits/distrusted.h"
#include "analysis/waits/proposals.h"
#include "analysis/waits/wait_bins.h"
#include "common/sum.h"
#include "sql/passes/waits.h"
#include "sql/store/table.h"

static const char *const kind_names[] = {
#define KIND(ident, name) name,
	GASPDB_WAIT_KINDS(KIND)
#undef KIND
};

const char *gaspdb_wait_kind_name(enum gaspdb_wait_kind kind)
{
	return kind_names[kind];
}

const char *const *gaspdb_wait_kind_names(void)
{
	return kind_names;
}

enum gaspdb_wait_kind gaspdb_wait_kind_of(int64_t word)
{
	const size_t n = sizeof(kind_names) / sizeof(*kind_names);
	size_t i = 0;

	while (i + 1 < n && gaspdb_word(kind_names[i]) != word)
		i++;
	return (enum gaspdb_wait_kind)i;
}

struct gaspdb_sorter *gaspdb_wait_causes(struct gaspdb_run *run)
{
	return gaspdb_sorter_share(run, &run->shared.wait_causes, 1, 0);
}

/* --- resolution ----------------------------------------------------------- */

enum { RECENT_TOTALS = 16 };

/* The resolver of proposals: a group of proposals of one event that overlap,
   and the writers of the result. */
struct resolver {
	struct gaspdb_run *run;
	struct gaspdb_table events;
	struct gaspdb_table_writer *bulk;
	struct gaspdb_sorter *causes;
	int64_t event, thread, source; /* event NONE: not in the table */
	int64_t start_ns, end_ns;
	bool open; /* the event has no end */
	struct gaspdb_wait *waits;
	size_t n, room;
	int64_t until_ns;  /* the latest end of the group */
	size_t message[2]; /* index + 1 of the only late sender, the only late
			      receiver; 0: none */
	int64_t last_id;
	struct gaspdb_sums totals;   /* kind, source, thread, cause, cause's
					  source, wrong order, below error: waits,
					  ns, longest, its id, error */
	struct gaspdb_sums messages; /* sender, receiver, their sources: ns of
					late senders, in wrong order of the same
					source, of another; of late receivers */
	uint32_t recent, recent_totals[RECENT_TOTALS];
	struct gaspdb_wait_bins bins;
	struct gaspdb_clock_errors clocks;
	struct gaspdb_distrusted distrusted;
	struct gaspdb_groups below_error; /* thread: waits, ns */
};

static int64_t length(const struct gaspdb_wait *w)
{
	return w->end_ns - w->start_ns;
}

static int by_start(const void *a, const void *b)
{
	const struct gaspdb_wait *x = a, *y = b;

	return x->start_ns != y->start_ns
		       ? (x->start_ns < y->start_ns ? -1 : 1)
		       : (x->end_ns > y->end_ns) - (x->end_ns < y->end_ns);
}

/* The longest first; of equally long ones of a kind the latest cause first. */
static int by_length(const void *a, const void *b)
{
	const struct gaspdb_wait *x = a, *y = b;

	if (length(x) != length(y))
		return length(x) > length(y) ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->cause_ns != y->cause_ns)
		return x->cause_ns > y->cause_ns ? -1 : 1;
	return (x->cause_event > y->cause_event) -
	       (x->cause_event < y->cause_event);
}

/* Drop late receivers where there is a late sender: it hides them in a call
   that completes several messages. */
static void drop_late_receivers(struct resolver *s)
{
	size_t kept = 0;
	bool late_sender = false;

	for (size_t i = 0; i < s->n; i++)
		late_sender |= s->waits[i].kind == GASPDB_WAIT_LATE_SENDER;
	for (size_t i = 0; late_sender && i < s->n; i++)
		if (s->waits[i].kind != GASPDB_WAIT_LATE_RECEIVER)
			s->waits[kept++] = s->waits[i];
	if (late_sender)
		s->n = kept;
}

static void keep_longest(struct resolver *s)
{
	size_t kept = 0;

	qsort(s->waits, s->n, sizeof(*s->waits), by_length);
	for (size_t i = 0; i < s->n; i++) {
		bool clear = true;

		for (size_t k = 0; k < kept && clear; k++)
			clear = s->waits[i].start_ns >= s->waits[k].end_ns ||
				s->waits[i].end_ns <= s->waits[k].start_ns;
		if (clear)
			s->waits[kept++] = s->waits[i];
	}
	s->n = kept;
}

static int64_t cause_source(struct resolver *s, const struct gaspdb_wait *w)
{
	int64_t row[GASPDB_EVENT_COLUMNS];

	if (w->has_cause_source)
		return w->cause_source;
	return w->cause_event != GASPDB_NONE &&
			       gaspdb_table_get(&s->events, w->cause_event,
						GASPDB_EVENT_SOURCE + 1, row)
		       ? row[GASPDB_EVENT_SOURCE]
		       : GASPDB_NONE;
}

/* Is the wait shorter than the error of the clocks? Such waits are counted. */
static bool is_below_error(struct resolver *s, const struct gaspdb_wait *w)
{
	int64_t *sums;

	if (!gaspdb_clock_errors_hide(&s->clocks, w->thread, w->cause_thread,
				      w->end_ns, length(w)))
		return false;
	sums = gaspdb_group(s->run, &s->below_error, &w->thread);
	if (sums) {
		sums[0]++;
		gaspdb_add_to(&sums[1], length(w));
	}
	return true;
}

/* Add the error of a wait to sums[0]; count a wait of unknown error in sums[1].
   A wait without a known cause has none: it is of one clock. */
static void add_error(int64_t *sums, const struct gaspdb_wait *w,
		      int64_t error_ns)
{
	if (error_ns != GASPDB_NONE)
		gaspdb_add_to(&sums[0], gaspdb_min(error_ns, length(w)));
	else if (w->cause_thread != GASPDB_NONE)
		sums[1]++;
}

/* Add a wait of a message to the sums by sender and receiver. */
static void add_message(struct resolver *s, const struct gaspdb_wait *w,
			int64_t error_ns)
{
	const bool sends = w->kind == GASPDB_WAIT_LATE_RECEIVER;
	const int64_t waits = gaspdb_run_process(s->run, w->thread);
	const int64_t late = gaspdb_run_process(s->run, w->cause_thread);
	int64_t *sums;

	if (!w->partner)
		return;
	sums = gaspdb_sums_cached(
		&s->messages,
		(int64_t[]){ sends ? waits : late, sends ? late : waits,
			     sends ? w->partner : w->cause_source,
			     sends ? w->cause_source : w->partner },
		&s->recent);
	if (!sums)
		return;
	gaspdb_add_to(&sums[sends ? 3 : 0], length(w));
	if (w->wrong_order != GASPDB_WRONG_NOT)
		gaspdb_add_to(&sums[w->wrong_order], length(w));
	add_error(&sums[4], w, error_ns);
}

static void write_wait(struct resolver *s, const struct gaspdb_wait *w,
		       int64_t source)
{
	const bool below_error = is_below_error(s, w);
	const int64_t error_ns = gaspdb_clock_errors_bound(
		&s->clocks, w->thread, w->cause_thread, w->end_ns);
	const int64_t cause = cause_source(s, w);
	const int64_t values[GASPDB_WAIT_COLUMNS] = {
		[GASPDB_WAIT_ID] = ++s->last_id,
		[GASPDB_WAIT_THREAD] = w->thread,
		[GASPDB_WAIT_EVENT] = w->event,
		[GASPDB_WAIT_KIND] = w->kind,
		[GASPDB_WAIT_START] = w->start_ns,
		[GASPDB_WAIT_END] = w->end_ns,
		[GASPDB_WAIT_CAUSE_THREAD] = w->cause_thread,
		[GASPDB_WAIT_CAUSE_EVENT] = w->cause_event,
		[GASPDB_WAIT_CAUSE] = w->cause_ns,
		[GASPDB_WAIT_CLAMPED] = w->clamped,
		[GASPDB_WAIT_BOUND] = w->bound,
		[GASPDB_WAIT_WRONG_ORDER] = w->wrong_order,
		[GASPDB_WAIT_BELOW_ERROR] = below_error,
		[GASPDB_WAIT_ERROR] = error_ns
	};
	const int64_t keys[] = { w->kind,	  source, w->thread,
				 w->cause_thread, cause,  w->wrong_order,
				 below_error };
	int64_t *total = gaspdb_sums_cached(
		&s->totals, keys,
		&s->recent_totals[(uint64_t)w->cause_thread % RECENT_TOTALS]);

	gaspdb_table_writer_add(s->bulk, values);
	if (s->causes)
		gaspdb_sorter_add(s->causes, &cause);
	gaspdb_wait_bins_add(&s->bins, w);
	add_message(s, w, error_ns);
	if (!total)
		return;
	total[0]++;
	gaspdb_add_to(&total[1], length(w));
	add_error(&total[4], w, error_ns);
	if (length(w) > total[2]) {
		total[2] = length(w);
		total[3] = s->last_id;
	}
}

/* Clamp a wait to its event. */
static void clamp(struct gaspdb_wait *w, int64_t start_ns, int64_t end_ns)
{
	if (w->start_ns < start_ns) {
		w->start_ns = start_ns;
		w->clamped = true;
	}
	if (w->end_ns > end_ns) {
		w->end_ns = end_ns;
		w->clamped = true;
	}
}

/* Mark a clamped wait of an open call as a lower bound: the call's end is
   unknown, so the proposal does not contradict it. */
static void clamped_to_bound(struct gaspdb_wait *w)
{
	w->bound = w->bound || w->clamped;
	w->clamped = false;
}

/* Write the waits of the group that are kept, in order of time. */
static void resolve(struct resolver *s)
{
	drop_late_receivers(s);
	if (s->n > 1) {
		keep_longest(s);
		qsort(s->waits, s->n, sizeof(*s->waits), by_start);
	}
	for (size_t i = 0; i < s->n; i++)
		write_wait(s, &s->waits[i], s->source);
	s->n = 0;
	s->message[0] = s->message[1] = 0;
}

static void find_event(struct resolver *s, int64_t id)
{
	int64_t event[GASPDB_EVENT_COLUMNS];

	s->event = GASPDB_NONE;
	if (!gaspdb_table_get(&s->events, id, GASPDB_EVENT_COLUMNS, event))
		return;
	s->event = id;
	s->open = event[GASPDB_EVENT_OPEN];
	s->thread = event[GASPDB_EVENT_THREAD];
	s->source = event[GASPDB_EVENT_SOURCE];
	s->start_ns = event[GASPDB_EVENT_START];
	s->end_ns = s->start_ns + event[GASPDB_EVENT_DURATION];
}

/* The entry of s->message for a kind; NULL: not a wait of a message. */
static size_t *only_of(struct resolver *s, enum gaspdb_wait_kind kind)
{
	return kind == GASPDB_WAIT_LATE_SENDER	   ? &s->message[0]
	       : kind == GASPDB_WAIT_LATE_RECEIVER ? &s->message[1]
						   : NULL;
}

/*
 * Add a proposal to the group. A call that completes very many messages has a
 * proposal for each; all start with the call, so only the longest of a kind can
 * be kept.
 */
static void add_to_group(struct resolver *s, const struct gaspdb_wait *w)
{
	size_t *only = only_of(s, w->kind);
	struct gaspdb_wait *before =
		only && *only ? &s->waits[*only - 1] : NULL;

	if (before && before->start_ns == w->start_ns) {
		if (by_length(w, before) < 0)
			*before = *w;
		return;
	}
	if (!gaspdb_grow(s->run, &s->waits, s->n, &s->room, sizeof(*s->waits)))
		return;
	s->waits[s->n++] = *w;
	if (only)
		*only = s->n;
}

/* Add a proposal; they come in the order of event and time. */
static void add(struct resolver *s, struct gaspdb_wait w)
{
	const bool next_event = s->event != w.event;

	if (next_event || w.start_ns >= s->until_ns)
		resolve(s);
	if (next_event)
		find_event(s, w.event);
	clamp(&w, s->start_ns, s->end_ns);
	if (s->open)
		clamped_to_bound(&w);
	w.thread = s->thread; /* may wait for a request of another thread */
	if (s->event == GASPDB_NONE || length(&w) <= 0)
		return;
	if (!s->n || w.end_ns > s->until_ns)
		s->until_ns = w.end_ns;
	add_to_group(s, &w);
}

static void resolve_all(struct resolver *s)
{
	struct gaspdb_sorter *proposals = gaspdb_wait_proposals(s->run);
	const int64_t *row;

	s->event = GASPDB_NONE;
	while (proposals && (row = gaspdb_sorter_next(proposals))) {
		const struct gaspdb_wait w = gaspdb_wait_of_proposal(row);

		if (!gaspdb_distrusted_has(&s->distrusted, &w))
			add(s, w);
	}
	resolve(s);
	if (proposals)
		gaspdb_sorter_empty(proposals);
}

static void write_totals(struct resolver *s)
{
	sqlite3_stmt *stmt = gaspdb_prepare(s->run, gaspdb_sql_wait_total_add);
	const int64_t *row;

	while (stmt && (row = gaspdb_sums_next(&s->totals)))
		gaspdb_write(s->run, stmt, 12, row + 1, kind_names[row[0]]);
	sqlite3_finalize(stmt);
	gaspdb_sums_write(&s->messages, gaspdb_sql_message_wait_total_add);
}

static void report_below_error(struct resolver *s)
{
	gaspdb_groups_sort(&s->below_error);
	for (size_t i = 0; i < s->below_error.n; i++) {
		const int64_t *row = gaspdb_groups_row(&s->below_error, i);

		gaspdb_quality_add(
			s->run,
			&(struct gaspdb_quality_row){
				.kind = GASPDB_QUALITY_BELOW_CLOCK_ERROR,
				.thread = row[0],
				.event = GASPDB_NONE,
				.count = row[1],
				.bytes = GASPDB_NONE,
				.time_ns = row[2] },
			"waits for threads of other hosts");
	}
}

enum gaspdb_status gaspdb_pass_waits(struct gaspdb_run *run)
{
	struct resolver s = { .run = run };

	gaspdb_sums_init(&s.totals, run, 7, "++>^++");
	gaspdb_sums_init(&s.messages, run, 4, "++++++");
	gaspdb_groups_init(&s.below_error, 1, 2);
	gaspdb_clock_errors_load(&s.clocks, run);
	gaspdb_distrusted_load(&s.distrusted, run);
	gaspdb_wait_bins_open(&s.bins, run);
	gaspdb_table_open(&s.events, &run->tables, "event",
			  GASPDB_EVENT_COLUMNS);
	s.bulk = gaspdb_table_writer_open(&run->tables, GASPDB_TABLE(wait),
					  GASPDB_WAIT_KIND, kind_names);
	s.causes = gaspdb_wait_causes(run);
	gaspdb_wait_resolve_polled(run);
	resolve_all(&s);
	write_totals(&s);
	report_below_error(&s);
	gaspdb_wait_bins_close(&s.bins);
	gaspdb_table_close(&s.events);
	gaspdb_sums_fini(&s.totals);
	gaspdb_sums_fini(&s.messages);
	gaspdb_groups_fini(&s.below_error);
	gaspdb_clock_errors_free(&s.clocks);
	gaspdb_distrusted_free(&s.distrusted);
	free(s.waits);
	return run->status;
}
