/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scalasca's patterns of general active target synchronization.  An access
 * epoch may have to wait for the posts of those that it names, in whichever of
 * its calls is going on then (late post); an exposure epoch ends when those
 * that it names have completed theirs (early wait), some of them long after
 * the last access (late complete).
 */
#include "analysis/onesided/windows.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/rows/groups.h"
#include "analysis/waits/polls.h"
#include "analysis/engine/quality.h"
#include "analysis/waits/unknown_waits.h"
#include "analysis/waits/waits.h"
#include "analysis/onesided/window_calls.h"
#include "analysis/onesided/window_epochs.h"
#include "common/sum.h"

/* A post that belongs to an access epoch, or that one of its posts is not
   known. */
enum moment {
	PROCESS,
	WINDOW,
	AT, /* its enter; the start's if it is not known */
	KNOWN,
	START, /* the epoch's */
	TARGET,
	POST,
	POST_THREAD,
	MOMENT_COLUMNS
};

/* A complete that a wait waits for; COMPLETE NONE: one is not known. */
enum ending {
	WAIT,
	COMPLETE_AT,
	COMPLETE_THREAD,
	COMPLETE,
	LAST_NS, /* leave of the last access; NONE */
	WAIT_AT,
	WAIT_END,
	WAIT_THREAD,
	WAIT_OPEN,
	WAIT_TESTS,
	ENDING_COLUMNS
};

struct windows {
	struct gaspdb_run *run;
	struct gaspdb_wait_writer waits;
	struct gaspdb_polls polls;
	struct gaspdb_sorter calls, epochs, moments, endings;
	struct gaspdb_contradictions contradictions;
	struct gaspdb_unknown_waits unknown_waits;
	struct gaspdb_groups unmatched; /* process, role: epochs, the first */
	/* Of one process and window, while its calls pass by: */
	struct gaspdb_groups latest; /* thread: columns of its last call */
	int64_t process, window;
	int64_t unknown; /* the start of which a post is not known */
	int64_t start;	 /* of the access epoch */
	bool lacking;	 /* not all of its posts are known */
	bool over;	 /* it is complete, or none was seen to begin */
};

/* --- matching ------------------------------------------------------------- */

static void add_moment(struct windows *w, const int64_t *access,
		       const int64_t *post)
{
	const int64_t row[MOMENT_COLUMNS] = {
		[PROCESS] = access[GASPDB_EPOCH_ORIGIN],
		[WINDOW] = access[GASPDB_EPOCH_WINDOW],
		[AT] = (post ? post : access)[GASPDB_EPOCH_AT],
		[KNOWN] = post != NULL,
		[START] = access[GASPDB_EPOCH_EVENT],
		[TARGET] = access[GASPDB_EPOCH_TARGET],
		[POST] = post ? post[GASPDB_EPOCH_EVENT] : GASPDB_NONE,
		[POST_THREAD] = post ? post[GASPDB_EPOCH_THREAD] : GASPDB_NONE
	};

	gaspdb_sorter_add(&w->moments, row);
}

static void add_ending(struct windows *w, const int64_t *exposure,
		       const int64_t *access)
{
	const bool known =
		access && access[GASPDB_EPOCH_END_EVENT] != GASPDB_NONE;

	if (exposure[GASPDB_EPOCH_END_EVENT] == GASPDB_NONE)
		return;
	gaspdb_sorter_add(
		&w->endings,
		(int64_t[]){ [WAIT] = exposure[GASPDB_EPOCH_END_EVENT],
			     [COMPLETE_AT] = known ? access[GASPDB_EPOCH_END_AT]
						   : GASPDB_NONE,
			     [COMPLETE_THREAD] =
				     known ? access[GASPDB_EPOCH_END_THREAD]
					   : GASPDB_NONE,
			     [COMPLETE] = known ? access[GASPDB_EPOCH_END_EVENT]
						: GASPDB_NONE,
			     [LAST_NS] = access ? access[GASPDB_EPOCH_LAST_NS]
						: GASPDB_NONE,
			     [WAIT_AT] = exposure[GASPDB_EPOCH_END_AT],
			     [WAIT_END] = exposure[GASPDB_EPOCH_END_NS],
			     [WAIT_THREAD] = exposure[GASPDB_EPOCH_END_THREAD],
			     [WAIT_OPEN] = exposure[GASPDB_EPOCH_END_OPEN],
			     [WAIT_TESTS] = exposure[GASPDB_EPOCH_END_TESTS] });
}

static void add_unmatched(struct windows *w, const int64_t *epoch)
{
	const bool access = epoch[GASPDB_EPOCH_ROLE] == GASPDB_EPOCH_ACCESS;
	int64_t *sums =
		gaspdb_group(w->run, &w->unmatched,
			     (int64_t[]){ epoch[access ? GASPDB_EPOCH_ORIGIN
						       : GASPDB_EPOCH_TARGET],
					  epoch[GASPDB_EPOCH_ROLE] });

	if (sums && (!sums[0]++ || epoch[GASPDB_EPOCH_EVENT] < sums[1]))
		sums[1] = epoch[GASPDB_EPOCH_EVENT];
	if (access)
		add_moment(w, epoch, NULL);
	else
		add_ending(w, epoch, NULL);
}

static bool belong(const int64_t *access, const int64_t *exposure)
{
	for (int i = 0; i < GASPDB_EPOCH_ROLE; i++)
		if (access[i] != exposure[i] || access[i] == GASPDB_NONE)
			return false;
	return access[GASPDB_EPOCH_ROLE] == GASPDB_EPOCH_ACCESS &&
	       exposure[GASPDB_EPOCH_ROLE] == GASPDB_EPOCH_EXPOSURE;
}

static void match(struct windows *w)
{
	int64_t before[GASPDB_EPOCH_COLUMNS];
	bool pending = false;
	const int64_t *row;

	while ((row = gaspdb_sorter_next(&w->epochs))) {
		if (pending && belong(before, row)) {
			add_moment(w, before, row);
			add_ending(w, row, before);
			pending = false;
			continue;
		}
		if (pending)
			add_unmatched(w, before);
		memcpy(before, row, sizeof(before));
		pending = true;
	}
	if (pending)
		add_unmatched(w, before);
}

static void tell_unmatched(struct windows *w)
{
	gaspdb_groups_sort(&w->unmatched);
	for (size_t i = 0; i < w->unmatched.n; i++) {
		const int64_t *row = gaspdb_groups_row(&w->unmatched, i);

		gaspdb_quality_add(
			w->run,
			&(struct gaspdb_quality_row){
				.kind = GASPDB_QUALITY_EPOCH_UNMATCHED,
				.thread = row[0],
				.event = row[3],
				.count = row[2],
				.bytes = GASPDB_NONE,
				.time_ns = GASPDB_NONE },
			"%s",
			row[1] == GASPDB_EPOCH_ACCESS
				? "starts without the other side's post"
				: "posts without the other side's start");
	}
}

/* --- late posts ----------------------------------------------------------- */

/* moment NULL: it waits for who never posted. */
static void propose_post(struct windows *w, const int64_t *call,
			 const int64_t *moment)
{
	gaspdb_wait_propose(
		&w->waits,
		&(struct gaspdb_wait){
			.kind = GASPDB_WAIT_LATE_POST,
			.thread = call[GASPDB_WINDOW_THREAD],
			.event = call[GASPDB_WINDOW_EVENT],
			.start_ns = call[GASPDB_WINDOW_AT],
			.end_ns = moment ? moment[AT] : call[GASPDB_WINDOW_END],
			.cause_thread =
				moment ? moment[POST_THREAD] : GASPDB_NONE,
			.cause_event = moment ? moment[POST] : GASPDB_NONE,
			.cause_ns = moment ? moment[AT] : GASPDB_NONE,
			.bound = w->lacking });
}

static void take_call(struct windows *w, const int64_t *call)
{
	const int64_t what = call[GASPDB_WINDOW_WHAT];
	int64_t *latest;

	if (what == GASPDB_WINDOW_START) {
		w->start = call[GASPDB_WINDOW_EVENT];
		w->lacking = w->start == w->unknown;
		w->over = false;
	} else if (what != GASPDB_WINDOW_COMPLETE &&
		   what != GASPDB_WINDOW_ACCESS) {
		return;
	}
	if (what == GASPDB_WINDOW_COMPLETE && (w->lacking || w->over))
		gaspdb_unknown_waits_add(&w->unknown_waits, call[GASPDB_WINDOW_EVENT]);
	if (w->over) /* it is in none of these epochs */
		return;
	latest = gaspdb_group(w->run, &w->latest, &call[GASPDB_WINDOW_THREAD]);
	if (latest)
		memcpy(latest, call, GASPDB_WINDOW_COLUMNS * sizeof(*latest));
	if (what != GASPDB_WINDOW_ACCESS && call[GASPDB_WINDOW_OPEN] &&
	    w->lacking)
		propose_post(w, call, NULL);
	w->over = what == GASPDB_WINDOW_COMPLETE;
}

static void take_post(struct windows *w, const int64_t *moment)
{
	for (size_t i = 0; i < w->latest.n; i++) {
		const int64_t *call = gaspdb_groups_row(&w->latest, i) + 1;

		if (call[GASPDB_WINDOW_AT] < moment[AT] &&
		    moment[AT] < call[GASPDB_WINDOW_END] &&
		    (call[GASPDB_WINDOW_WHAT] != GASPDB_WINDOW_ACCESS ||
		     call[GASPDB_WINDOW_PEER] == moment[TARGET]))
			propose_post(w, call, moment);
	}
}

static void take_moment(struct windows *w, const int64_t *moment)
{
	if (!moment[KNOWN])
		w->unknown = moment[START];
	else if (moment[START] == w->start)
		take_post(w, moment);
}

/* Is a call before a moment?  That a post is not known comes before its start,
   a post after calls of its time. */
static bool is_before(const int64_t *call, const int64_t *moment)
{
	if (call[GASPDB_WINDOW_PROCESS] != moment[PROCESS])
		return call[GASPDB_WINDOW_PROCESS] < moment[PROCESS];
	if (call[GASPDB_WINDOW_NUMBER] != moment[WINDOW])
		return call[GASPDB_WINDOW_NUMBER] < moment[WINDOW];
	if (call[GASPDB_WINDOW_AT] != moment[AT])
		return call[GASPDB_WINDOW_AT] < moment[AT];
	return moment[KNOWN] || call[GASPDB_WINDOW_EVENT] < moment[START];
}

/* Calls and moments of each process and window, in order of time. */
static void find_late_posts(struct windows *w)
{
	const int64_t *call, *moment;

	gaspdb_sorter_rewind(&w->calls);
	call = gaspdb_sorter_next(&w->calls);
	moment = gaspdb_sorter_next(&w->moments);
	while (call || moment) {
		if (!call || (moment && !is_before(call, moment))) {
			take_moment(w, moment);
			moment = gaspdb_sorter_next(&w->moments);
			continue;
		}
		if (call[GASPDB_WINDOW_PROCESS] != w->process ||
		    call[GASPDB_WINDOW_NUMBER] != w->window) {
			gaspdb_groups_clear(&w->latest);
			w->process = call[GASPDB_WINDOW_PROCESS];
			w->window = call[GASPDB_WINDOW_NUMBER];
			w->start = GASPDB_NONE;
			w->lacking = false;
			w->over = true;
		}
		take_call(w, call);
		call = gaspdb_sorter_next(&w->calls);
	}
}

/* --- early waits ---------------------------------------------------------- */

/* What is known of those that a wait waited for. */
struct end {
	int64_t row[ENDING_COLUMNS]; /* the last to complete */
	int64_t last_ns;	     /* leave of the last access of any */
	bool lacking;
};

static void propose_end(struct windows *w, const struct end *e, int64_t event,
			enum gaspdb_wait_kind kind, int64_t from_ns,
			int64_t to_ns, bool known)
{
	gaspdb_wait_propose(
		&w->waits,
		&(struct gaspdb_wait){
			.kind = kind,
			.thread = e->row[WAIT_THREAD],
			.event = event,
			.start_ns = from_ns,
			.end_ns = to_ns,
			.cause_thread =
				known ? e->row[COMPLETE_THREAD] : GASPDB_NONE,
			.cause_event = known ? e->row[COMPLETE] : GASPDB_NONE,
			.cause_ns = known ? e->row[COMPLETE_AT] : GASPDB_NONE,
			.bound = e->lacking });
}

/* Until the last access, and from then on. */
static void propose_both(struct windows *w, const struct end *e, int64_t event,
			 int64_t from_ns, int64_t to_ns)
{
	const int64_t middle_ns =
		gaspdb_max(from_ns, gaspdb_min(e->last_ns, to_ns));

	propose_end(w, e, event, GASPDB_WAIT_EARLY_WAIT, from_ns, middle_ns,
		    true);
	propose_end(w, e, event, GASPDB_WAIT_LATE_COMPLETE, middle_ns, to_ns,
		    true);
}

struct polled {
	struct windows *w;
	const struct end *e;
};

/* A test in vain waited, too. */
static void propose_polled(void *user, int64_t event, int64_t start_ns,
			   int64_t end_ns)
{
	const struct polled *p = user;

	propose_both(p->w, p->e, event, start_ns,
		     gaspdb_min(end_ns, p->e->row[COMPLETE_AT]));
}

static void finish_end(struct windows *w, const struct end *e)
{
	const int64_t from_ns = e->row[WAIT_AT];
	int64_t to_ns = e->row[COMPLETE_AT];

	if (e->lacking && e->row[WAIT_OPEN]) {
		propose_end(w, e, e->row[WAIT], GASPDB_WAIT_EARLY_WAIT, from_ns,
			    e->row[WAIT_END], false);
		return;
	}
	if (e->row[COMPLETE] == GASPDB_NONE)
		return;
	if (e->row[WAIT_OPEN])
		to_ns = gaspdb_min(to_ns, e->row[WAIT_END]);
	else if (to_ns > e->row[WAIT_END])
		gaspdb_contradictions_add(
			&w->contradictions, e->row[WAIT_THREAD],
			e->row[COMPLETE_THREAD], to_ns - e->row[WAIT_END]);
	propose_both(w, e, e->row[WAIT], from_ns, to_ns);
	if (e->row[WAIT_TESTS])
		gaspdb_polls_before(&w->polls, e->row[WAIT], propose_polled,
				    &(struct polled){ w, e });
}

static void find_early_waits(struct windows *w)
{
	struct end e = { .row = { [WAIT] = GASPDB_NONE } };
	const int64_t *row;

	while ((row = gaspdb_sorter_next(&w->endings))) {
		const bool same = row[WAIT] == e.row[WAIT];

		if (!same && e.row[WAIT] != GASPDB_NONE)
			finish_end(w, &e);
		if (!same)
			e = (struct end){ .last_ns = GASPDB_NONE };
		e.last_ns = gaspdb_max(e.last_ns, row[LAST_NS]);
		e.lacking |= row[COMPLETE] == GASPDB_NONE;
		/* Of those at the same time the lowest thread stays. */
		if (!same || row[COMPLETE_AT] > e.row[COMPLETE_AT])
			memcpy(e.row, row, sizeof(e.row));
	}
	if (e.row[WAIT] != GASPDB_NONE)
		finish_end(w, &e);
}

/* --- all together --------------------------------------------------------- */

static void analyse(struct windows *w)
{
	struct gaspdb_run *run = w->run;

	gaspdb_wait_writer_open(&w->waits, run);
	gaspdb_polls_open(&w->polls, run);
	gaspdb_contradictions_open(&w->contradictions, run);
	gaspdb_unknown_waits_open(&w->unknown_waits, run);
	gaspdb_sorter_init(&w->epochs, run, GASPDB_EPOCH_COLUMNS,
			   GASPDB_EPOCH_EVENT + 1);
	gaspdb_sorter_init(&w->moments, run, MOMENT_COLUMNS, POST + 1);
	gaspdb_sorter_init(&w->endings, run, ENDING_COLUMNS, COMPLETE + 1);
	gaspdb_groups_init(&w->unmatched, 2, 2);
	gaspdb_groups_init(&w->latest, 1, GASPDB_WINDOW_COLUMNS);
	gaspdb_window_epochs(run, &w->calls, &w->epochs);
	match(w);
	gaspdb_sorter_fini(&w->epochs);
	tell_unmatched(w);
	find_late_posts(w);
	find_early_waits(w);
	gaspdb_contradictions_close(&w->contradictions,
				    "left a wait before the complete of",
				    "began");
	gaspdb_sorter_fini(&w->moments);
	gaspdb_sorter_fini(&w->endings);
	gaspdb_groups_fini(&w->unmatched);
	gaspdb_groups_fini(&w->latest);
	gaspdb_polls_close(&w->polls);
	gaspdb_wait_writer_close(&w->waits);
}

enum gaspdb_status gaspdb_pass_windows(struct gaspdb_run *run)
{
	static const enum gaspdb_type types[] = { GASPDB_TYPE_window_start,
						  GASPDB_TYPE_window_post,
						  GASPDB_TYPE_window_complete };
	struct windows w = { .run = run,
			     .process = GASPDB_NONE,
			     .unknown = GASPDB_NONE };

	if (!gaspdb_run_has(run, types, 3))
		return run->status;
	gaspdb_window_calls_gather(run, &w.calls);
	analyse(&w);
	gaspdb_sorter_fini(&w.calls);
	return run->status;
}
