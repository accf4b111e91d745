/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scan of the events for window calls. A group is logged as a first member and
   a stride, or as a list of arguments. */
#include "analysis/onesided/window_calls.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/engine/scan.h"
#include "common/sum.h"
#include "sql/store/table.h"

/* A larger group counts as unknown, because each member is a row. */
#define GROUP_MAX 4096

enum argument {
	WINDOW,
	TEAM,
	MEMBERS,
	FIRST,
	STRIDE,
	EPOCH,
	SUCCESS,
	EXCLUSIVE,
	N_ARGUMENTS,
	MEMBER = N_ARGUMENTS, /* repeated */
	OTHER
};

static const char *const argument_names[] = {
	"window", "team",    "members",	  "first", "stride",
	"epoch",  "success", "exclusive", "member"
};

struct gather {
	struct gaspdb_run *run;
	struct gaspdb_sorter *calls;
	struct gaspdb_event_args arguments;
	unsigned char *role; /* enum argument, by argument.id */
	int64_t n_roles;
	bool *on_window;     /* by source.id: it has an argument `window` */
	int64_t *process_of; /* by rank; NONE: no such rank */
	int64_t n_ranks;
	int64_t listed[GASPDB_ARGS_OF_EVENT]; /* values of `member` */
	int64_t n_listed;
};

static void load_processes(struct gather *g)
{
	const struct gaspdb_run *run = g->run;

	for (int64_t i = 0; i < run->n_threads; i++)
		if (run->threads[i].process == i &&
		    run->threads[i].rank >= g->n_ranks)
			g->n_ranks = run->threads[i].rank + 1;
	g->process_of = gaspdb_zeroed(g->run, (size_t)g->n_ranks,
				      sizeof(*g->process_of));
	for (int64_t i = 0; g->process_of && i < g->n_ranks; i++)
		g->process_of[i] = GASPDB_NONE;
	for (int64_t i = 0; g->process_of && i < run->n_threads; i++)
		if (run->threads[i].process == i && run->threads[i].rank >= 0)
			g->process_of[run->threads[i].rank] = i;
}

static int64_t process_of(const struct gather *g, int64_t rank)
{
	return rank >= 0 && rank < g->n_ranks ? g->process_of[rank]
					      : GASPDB_NONE;
}

static void read_arguments(struct gather *g, int64_t event, int64_t *values)
{
	struct gaspdb_event_arg args[GASPDB_ARGS_OF_EVENT];
	const size_t n = gaspdb_event_args_read(&g->arguments, event, args);

	for (int i = 0; i < N_ARGUMENTS; i++)
		values[i] = GASPDB_NONE;
	g->n_listed = 0;
	for (size_t i = 0; i < n; i++) {
		const int64_t id = args[i].argument;
		const unsigned char role =
			id >= 0 && id < g->n_roles ? g->role[id] : OTHER;

		if (role < N_ARGUMENTS)
			values[role] = args[i].value;
		else if (role == MEMBER)
			g->listed[g->n_listed++] = args[i].value;
	}
}

static enum gaspdb_window_kind kind_of(enum gaspdb_type type,
				       const int64_t *argument)
{
	switch (type) {
	case GASPDB_TYPE_window_start:
		return GASPDB_WINDOW_START;
	case GASPDB_TYPE_window_post:
		return GASPDB_WINDOW_POST;
	case GASPDB_TYPE_window_complete:
		return GASPDB_WINDOW_COMPLETE;
	case GASPDB_TYPE_window_wait:
		return GASPDB_WINDOW_WAIT;
	case GASPDB_TYPE_window_test:
		return argument[SUCCESS] == 1 ? GASPDB_WINDOW_TEST
					      : GASPDB_WINDOW_NO_CALL;
	case GASPDB_TYPE_get_nb:
	case GASPDB_TYPE_put_nb:
	case GASPDB_TYPE_atomic:
	case GASPDB_TYPE_atomic_fetch:
		return GASPDB_WINDOW_ACCESS;
	case GASPDB_TYPE_window_lock:
		return GASPDB_WINDOW_LOCK;
	case GASPDB_TYPE_window_unlock:
		return GASPDB_WINDOW_UNLOCK;
	case GASPDB_TYPE_window_sync:
		return GASPDB_WINDOW_SYNC;
	default:
		return GASPDB_WINDOW_NO_CALL;
	}
}

static void add_member(struct gather *g, int64_t *row, int64_t process)
{
	row[GASPDB_WINDOW_PEER] = process;
	gaspdb_sorter_add(g->calls, row);
}

/* Add a group's members after its call: the sorter is stable. */
static void add_members(struct gather *g, const int64_t *call,
			const int64_t *argument)
{
	const int64_t n = argument[MEMBERS], first = argument[FIRST],
		      stride = argument[STRIDE];
	int64_t row[GASPDB_WINDOW_COLUMNS];

	memcpy(row, call, sizeof(row));
	row[GASPDB_WINDOW_KIND] = GASPDB_WINDOW_MEMBER;
	if (n == g->n_listed) {
		for (int64_t i = 0; i < n; i++)
			add_member(g, row, process_of(g, g->listed[i]));
	} else if (n > 0 && n <= GROUP_MAX && first >= 0 &&
		   first < g->n_ranks && stride > -g->n_ranks &&
		   stride < g->n_ranks) {
		for (int64_t i = 0; i < n; i++)
			add_member(g, row, process_of(g, first + i * stride));
	} else {
		add_member(g, row, GASPDB_NONE);
	}
}

static void add_call(struct gather *g, const struct gaspdb_event *e,
		     enum gaspdb_window_kind kind, const int64_t *argument)
{
	const int64_t row[GASPDB_WINDOW_COLUMNS] = {
		[GASPDB_WINDOW_PROCESS] = gaspdb_run_process(g->run, e->thread),
		[GASPDB_WINDOW_NUMBER] = argument[WINDOW],
		[GASPDB_WINDOW_ENTER] = e->start_ns,
		[GASPDB_WINDOW_EVENT] = e->id,
		[GASPDB_WINDOW_KIND] = kind,
		[GASPDB_WINDOW_THREAD] = e->thread,
		[GASPDB_WINDOW_LEAVE] = e->start_ns + e->duration_ns,
		[GASPDB_WINDOW_OPEN] = e->open,
		[GASPDB_WINDOW_TEAM] = argument[TEAM],
		[GASPDB_WINDOW_PEER] = e->peer,
		[GASPDB_WINDOW_EPOCH] = gaspdb_max(argument[EPOCH], 0),
		[GASPDB_WINDOW_SOURCE] = e->source,
		[GASPDB_WINDOW_EXCLUSIVE] = argument[EXCLUSIVE] == 1
	};

	gaspdb_sorter_add(g->calls, row);
	if (kind == GASPDB_WINDOW_START || kind == GASPDB_WINDOW_POST)
		add_members(g, row, argument);
}

static void gather_event(void *user, const struct gaspdb_event *e)
{
	struct gather *g = user;
	const struct gaspdb_run_source *source =
		gaspdb_run_source(g->run, e->source);
	int64_t argument[N_ARGUMENTS];
	enum gaspdb_window_kind kind;

	if (!source || !g->on_window[e->source])
		return;
	read_arguments(g, e->id, argument);
	kind = kind_of(source->type, argument);
	if (kind && argument[WINDOW] != GASPDB_NONE)
		add_call(g, e, kind, argument);
}

void gaspdb_window_calls_gather(struct gaspdb_run *run,
				struct gaspdb_sorter *calls)
{
	struct gather g = { .run = run, .calls = calls };

	gaspdb_sorter_init(calls, run, GASPDB_WINDOW_COLUMNS,
			   GASPDB_WINDOW_EVENT + 1);
	gaspdb_event_args_open(&g.arguments, run);
	g.role =
		gaspdb_argument_roles(g.run, argument_names, OTHER, &g.n_roles);
	g.on_window = gaspdb_sources_with(run, "window");
	load_processes(&g);
	if (g.on_window && g.process_of)
		gaspdb_scan_events(run, gather_event, &g);
	gaspdb_event_args_close(&g.arguments);
	free(g.role);
	free(g.on_window);
	free(g.process_of);
}
