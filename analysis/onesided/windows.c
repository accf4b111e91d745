/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scalasca's patterns of general active target synchronization. Late post: a
 * call of an access epoch waits for the post of a target. Early wait: the wait
 * of an exposure epoch waits until all origins have completed their epochs. The
 * part after the last access is late complete.
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

/* A post of an access epoch; KNOWN 0: the epoch lacks a post. */
enum post_column {
	PROCESS,
	WINDOW,
	TIME, /* enter of the post; of the start if KNOWN is 0 */
	KNOWN,
	START, /* event */
	TARGET,
	POST,
	POST_THREAD,
	POST_COLUMNS
};

/* A complete that a wait needs; COMPLETE NONE: unknown. */
enum complete_column {
	WAIT,
	COMPLETE_ENTER,
	COMPLETE_THREAD,
	COMPLETE,
	LAST_ACCESS, /* leave of the last access; NONE: none */
	WAIT_ENTER,
	WAIT_LEAVE,
	WAIT_THREAD,
	WAIT_OPEN,
	WAIT_IS_TEST,
	COMPLETE_COLUMNS
};

struct windows {
	struct gaspdb_run *run;
	struct gaspdb_wait_writer waits;
	struct gaspdb_polls polls;
	struct gaspdb_sorter calls, epochs, posts, completes;
	struct gaspdb_contradictions contradictions;
	struct gaspdb_unknown_waits unknown_waits;
	struct gaspdb_groups unmatched; /* process, role: epochs, the first */
	/* State of find_late_posts() for the current process and window: */
	struct gaspdb_groups latest; /* thread: columns of its last call */
	int64_t process, window;
	int64_t unknown_start; /* last start that lacks a post */
	int64_t epoch_start;   /* of the current access epoch */
	bool post_unknown;     /* the current epoch lacks a post */
	bool no_epoch;	       /* no access epoch is open */
};

/* --- matching ------------------------------------------------------------- */

static void add_post(struct windows *w, const int64_t *access,
		     const int64_t *post)
{
	const int64_t row[POST_COLUMNS] = {
		[PROCESS] = access[GASPDB_EPOCH_ORIGIN],
		[WINDOW] = access[GASPDB_EPOCH_WINDOW],
		[TIME] = (post ? post : access)[GASPDB_EPOCH_ENTER],
		[KNOWN] = post != NULL,
		[START] = access[GASPDB_EPOCH_EVENT],
		[TARGET] = access[GASPDB_EPOCH_TARGET],
		[POST] = post ? post[GASPDB_EPOCH_EVENT] : GASPDB_NONE,
		[POST_THREAD] = post ? post[GASPDB_EPOCH_THREAD] : GASPDB_NONE
	};

	gaspdb_sorter_add(&w->posts, row);
}

static void add_complete(struct windows *w, const int64_t *exposure,
			 const int64_t *access)
{
	const bool known =
		access && access[GASPDB_EPOCH_END_EVENT] != GASPDB_NONE;

	if (exposure[GASPDB_EPOCH_END_EVENT] == GASPDB_NONE)
		return;
	gaspdb_sorter_add(
		&w->completes,
		(int64_t[]){ [WAIT] = exposure[GASPDB_EPOCH_END_EVENT],
			     [COMPLETE_ENTER] =
				     known ? access[GASPDB_EPOCH_END_ENTER]
					   : GASPDB_NONE,
			     [COMPLETE_THREAD] =
				     known ? access[GASPDB_EPOCH_END_THREAD]
					   : GASPDB_NONE,
			     [COMPLETE] = known ? access[GASPDB_EPOCH_END_EVENT]
						: GASPDB_NONE,
			     [LAST_ACCESS] =
				     access ? access[GASPDB_EPOCH_LAST_ACCESS]
					    : GASPDB_NONE,
			     [WAIT_ENTER] = exposure[GASPDB_EPOCH_END_ENTER],
			     [WAIT_LEAVE] = exposure[GASPDB_EPOCH_END_LEAVE],
			     [WAIT_THREAD] = exposure[GASPDB_EPOCH_END_THREAD],
			     [WAIT_OPEN] = exposure[GASPDB_EPOCH_END_OPEN],
			     [WAIT_IS_TEST] =
				     exposure[GASPDB_EPOCH_END_IS_TEST] });
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
		add_post(w, epoch, NULL);
	else
		add_complete(w, epoch, NULL);
}

static bool is_pair(const int64_t *access, const int64_t *exposure)
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
		if (pending && is_pair(before, row)) {
			add_post(w, before, row);
			add_complete(w, row, before);
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

static void write_unmatched(struct windows *w)
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

/* Propose a late post in a call; post NULL: there was none until its end. */
static void propose_post(struct windows *w, const int64_t *call,
			 const int64_t *post)
{
	gaspdb_wait_propose(
		&w->waits,
		&(struct gaspdb_wait){
			.kind = GASPDB_WAIT_LATE_POST,
			.thread = call[GASPDB_WINDOW_THREAD],
			.event = call[GASPDB_WINDOW_EVENT],
			.start_ns = call[GASPDB_WINDOW_ENTER],
			.end_ns = post ? post[TIME] : call[GASPDB_WINDOW_LEAVE],
			.cause_thread = post ? post[POST_THREAD] : GASPDB_NONE,
			.cause_event = post ? post[POST] : GASPDB_NONE,
			.cause_ns = post ? post[TIME] : GASPDB_NONE,
			.bound = w->post_unknown });
}

static void process_call(struct windows *w, const int64_t *call)
{
	const int64_t kind = call[GASPDB_WINDOW_KIND];
	int64_t *latest;

	if (kind == GASPDB_WINDOW_START) {
		w->epoch_start = call[GASPDB_WINDOW_EVENT];
		w->post_unknown = w->epoch_start == w->unknown_start;
		w->no_epoch = false;
	} else if (kind != GASPDB_WINDOW_COMPLETE &&
		   kind != GASPDB_WINDOW_ACCESS) {
		return;
	}
	if (kind == GASPDB_WINDOW_COMPLETE && (w->post_unknown || w->no_epoch))
		gaspdb_unknown_waits_add(&w->unknown_waits,
					 call[GASPDB_WINDOW_EVENT]);
	if (w->no_epoch)
		return;
	latest = gaspdb_group(w->run, &w->latest, &call[GASPDB_WINDOW_THREAD]);
	if (latest)
		memcpy(latest, call, GASPDB_WINDOW_COLUMNS * sizeof(*latest));
	if (kind != GASPDB_WINDOW_ACCESS && call[GASPDB_WINDOW_OPEN] &&
	    w->post_unknown)
		propose_post(w, call, NULL);
	w->no_epoch = kind == GASPDB_WINDOW_COMPLETE;
}

static void propose_late_posts(struct windows *w, const int64_t *post)
{
	for (size_t i = 0; i < w->latest.n; i++) {
		const int64_t *call = gaspdb_groups_row(&w->latest, i) + 1;

		if (call[GASPDB_WINDOW_ENTER] < post[TIME] &&
		    post[TIME] < call[GASPDB_WINDOW_LEAVE] &&
		    (call[GASPDB_WINDOW_KIND] != GASPDB_WINDOW_ACCESS ||
		     call[GASPDB_WINDOW_PEER] == post[TARGET]))
			propose_post(w, call, post);
	}
}

static void process_post(struct windows *w, const int64_t *post)
{
	if (!post[KNOWN])
		w->unknown_start = post[START];
	else if (post[START] == w->epoch_start)
		propose_late_posts(w, post);
}

/* Is a call before a post, in the order of process, window and time? An unknown
   post is before its start; a known one is after calls of the same time. */
static bool is_before(const int64_t *call, const int64_t *post)
{
	if (call[GASPDB_WINDOW_PROCESS] != post[PROCESS])
		return call[GASPDB_WINDOW_PROCESS] < post[PROCESS];
	if (call[GASPDB_WINDOW_NUMBER] != post[WINDOW])
		return call[GASPDB_WINDOW_NUMBER] < post[WINDOW];
	if (call[GASPDB_WINDOW_ENTER] != post[TIME])
		return call[GASPDB_WINDOW_ENTER] < post[TIME];
	return post[KNOWN] || call[GASPDB_WINDOW_EVENT] < post[START];
}

/* Merge calls and posts of each process and window in the order of time. */
static void find_late_posts(struct windows *w)
{
	const int64_t *call, *post;

	gaspdb_sorter_rewind(&w->calls);
	call = gaspdb_sorter_next(&w->calls);
	post = gaspdb_sorter_next(&w->posts);
	while (call || post) {
		if (!call || (post && !is_before(call, post))) {
			process_post(w, post);
			post = gaspdb_sorter_next(&w->posts);
			continue;
		}
		if (call[GASPDB_WINDOW_PROCESS] != w->process ||
		    call[GASPDB_WINDOW_NUMBER] != w->window) {
			gaspdb_groups_clear(&w->latest);
			w->process = call[GASPDB_WINDOW_PROCESS];
			w->window = call[GASPDB_WINDOW_NUMBER];
			w->epoch_start = GASPDB_NONE;
			w->post_unknown = false;
			w->no_epoch = true;
		}
		process_call(w, call);
		call = gaspdb_sorter_next(&w->calls);
	}
}

/* --- early waits ---------------------------------------------------------- */

/* The completes that a wait needs. */
struct early_wait {
	int64_t row[COMPLETE_COLUMNS]; /* the last to complete */
	int64_t last_ns;	       /* leave of the last access of all */
	bool complete_unknown;	       /* one of them is unknown */
};

static void propose_early_wait(struct windows *w, const struct early_wait *e,
			       int64_t event, enum gaspdb_wait_kind kind,
			       int64_t from_ns, int64_t to_ns, bool known)
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
			.cause_ns =
				known ? e->row[COMPLETE_ENTER] : GASPDB_NONE,
			.bound = e->complete_unknown });
}

/* Propose an early wait until the last access, then a late complete. */
static void propose_parts(struct windows *w, const struct early_wait *e,
			  int64_t event, int64_t from_ns, int64_t to_ns)
{
	const int64_t middle_ns =
		gaspdb_max(from_ns, gaspdb_min(e->last_ns, to_ns));

	propose_early_wait(w, e, event, GASPDB_WAIT_EARLY_WAIT, from_ns,
			   middle_ns, true);
	propose_early_wait(w, e, event, GASPDB_WAIT_LATE_COMPLETE, middle_ns,
			   to_ns, true);
}

struct polled {
	struct windows *w;
	const struct early_wait *e;
};

/* Propose the waits of a failed test before the successful one. */
static void propose_failed_test(void *user, int64_t event, int64_t start_ns,
				int64_t end_ns)
{
	const struct polled *p = user;

	propose_parts(p->w, p->e, event, start_ns,
		      gaspdb_min(end_ns, p->e->row[COMPLETE_ENTER]));
}

static void finish_wait(struct windows *w, const struct early_wait *e)
{
	const int64_t from_ns = e->row[WAIT_ENTER];
	int64_t to_ns = e->row[COMPLETE_ENTER];

	if (e->complete_unknown && e->row[WAIT_OPEN]) {
		propose_early_wait(w, e, e->row[WAIT], GASPDB_WAIT_EARLY_WAIT,
				   from_ns, e->row[WAIT_LEAVE], false);
		return;
	}
	if (e->row[COMPLETE] == GASPDB_NONE)
		return;
	if (e->row[WAIT_OPEN])
		to_ns = gaspdb_min(to_ns, e->row[WAIT_LEAVE]);
	else if (to_ns > e->row[WAIT_LEAVE])
		gaspdb_contradictions_add(
			&w->contradictions, e->row[WAIT_THREAD],
			e->row[COMPLETE_THREAD], to_ns - e->row[WAIT_LEAVE]);
	propose_parts(w, e, e->row[WAIT], from_ns, to_ns);
	if (e->row[WAIT_IS_TEST])
		gaspdb_polls_before(&w->polls, e->row[WAIT],
				    propose_failed_test,
				    &(struct polled){ w, e });
}

static void find_early_waits(struct windows *w)
{
	struct early_wait e = { .row = { [WAIT] = GASPDB_NONE } };
	const int64_t *row;

	while ((row = gaspdb_sorter_next(&w->completes))) {
		const bool same = row[WAIT] == e.row[WAIT];

		if (!same && e.row[WAIT] != GASPDB_NONE)
			finish_wait(w, &e);
		if (!same)
			e = (struct early_wait){ .last_ns = GASPDB_NONE };
		e.last_ns = gaspdb_max(e.last_ns, row[LAST_ACCESS]);
		e.complete_unknown |= row[COMPLETE] == GASPDB_NONE;
		/* At equal times the lowest thread is the cause. */
		if (!same || row[COMPLETE_ENTER] > e.row[COMPLETE_ENTER])
			memcpy(e.row, row, sizeof(e.row));
	}
	if (e.row[WAIT] != GASPDB_NONE)
		finish_wait(w, &e);
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
	gaspdb_sorter_init(&w->posts, run, POST_COLUMNS, POST + 1);
	gaspdb_sorter_init(&w->completes, run, COMPLETE_COLUMNS, COMPLETE + 1);
	gaspdb_groups_init(&w->unmatched, 2, 2);
	gaspdb_groups_init(&w->latest, 1, GASPDB_WINDOW_COLUMNS);
	gaspdb_window_epochs(run, &w->calls, &w->epochs);
	match(w);
	gaspdb_sorter_fini(&w->epochs);
	write_unmatched(w);
	find_late_posts(w);
	find_early_waits(w);
	gaspdb_contradictions_close(&w->contradictions,
				    "left a wait before the complete of",
				    "began");
	gaspdb_sorter_fini(&w->posts);
	gaspdb_sorter_fini(&w->completes);
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
			     .unknown_start = GASPDB_NONE };

	if (!gaspdb_run_has(run, types, 3))
		return run->status;
	gaspdb_window_calls_gather(run, &w.calls);
	analyse(&w);
	gaspdb_sorter_fini(&w.calls);
	return run->status;
}
