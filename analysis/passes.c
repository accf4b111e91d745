/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of passes, and how they are run. */
#include "analysis/passes.h"

#include <assert.h>
#include <string.h>

#include "analysis/accesses.h"
#include "analysis/arrivals.h"
#include "analysis/completions.h"
#include "analysis/costs.h"
#include "analysis/file_names.h"
#include "analysis/findings.h"
#include "analysis/lane.h"
#include "analysis/locks.h"
#include "analysis/match_collectives.h"
#include "analysis/match_messages.h"
#include "analysis/memory.h"
#include "analysis/path.h"
#include "analysis/pop.h"
#include "analysis/run.h"
#include "analysis/signals.h"
#include "analysis/syncs.h"
#include "analysis/waits.h"
#include "analysis/windows.h"

static const char *const path_takes[] = { GASPDB_WAIT_CAUSES, GASPDB_ARRIVALS,
					  GASPDB_ARRIVAL_CUTS, NULL };
static const char *const pop_takes[] = { GASPDB_SYNCS, NULL };

const struct gaspdb_pass gaspdb_passes[] = {
	{ .name = "memory",
	  .summary = "What was allocated, and never freed",
	  .run = gaspdb_pass_memory },
	{ .name = "completions",
	  .summary = "What completes non-blocking operations and puts",
	  .run = gaspdb_pass_completions,
	  .when = GASPDB_BESIDE },
	{ .name = "messages",
	  .summary = "Sends and receives that belong together",
	  .run = gaspdb_pass_messages },
	{ .name = "collectives",
	  .summary = "Barriers and collectives, and who came last",
	  .run = gaspdb_pass_collectives },
	{ .name = "locks",
	  .summary = "Who held a lock while others waited",
	  .run = gaspdb_pass_locks },
	{ .name = "signals",
	  .summary = "Who changed the words that others waited for",
	  .run = gaspdb_pass_signals },
	{ .name = "windows",
	  .summary = "Who waited for whom with one-sided windows",
	  .run = gaspdb_pass_windows },
	/* Decides about what those before have proposed. */
	{ .name = "waits",
	  .summary = "All waiting, without overlaps",
	  .run = gaspdb_pass_waits },
	{ .name = "pop",
	  .summary = "Work, and how long the run had taken but for transfers",
	  .run = gaspdb_pass_pop,
	  .when = GASPDB_BESIDE,
	  .takes = pop_takes,
	  .events = &gaspdb_pop },
	{ .name = "path",
	  .summary = "What others waited for, and the run's length is made of",
	  .run = gaspdb_pass_path,
	  .when = GASPDB_BESIDE,
	  .takes = path_takes,
	  .events = &gaspdb_path },
	{ .name = "costs",
	  .summary = "What barriers and completion cost besides waiting",
	  .run = gaspdb_pass_costs,
	  .after = "completions" },
	{ .name = "accesses",
	  .summary = "Remote accesses and their targets",
	  .run = gaspdb_pass_accesses },
	{ .name = "file names",
	  .summary = "Files of one name told apart",
	  .run = gaspdb_pass_file_names },
	{ .name = "findings",
	  .summary = "What is lost, by line",
	  .run = gaspdb_pass_findings,
	  .after = "path" },
	{ .name = NULL }
};

/* Those that run beside others, in their order. */
struct beside {
	struct gaspdb_lane *lanes[GASPDB_LANES_MAX];
	size_t first, n;
};

/* Join those up to that one; NULL: all. */
static void join(struct gaspdb_run *run, struct beside *b, const char *last)
{
	bool found = false;

	while (b->first < b->n && !found) {
		struct gaspdb_lane *lane = b->lanes[b->first++];

		found = last && !strcmp(gaspdb_lane_pass(lane)->name, last);
		gaspdb_lane_join(lane, run);
	}
}

static void run_pass(struct gaspdb_run *run, struct beside *b,
		     const struct gaspdb_pass *pass)
{
	if (pass->after)
		join(run, b, pass->after);
	if (pass->when == GASPDB_BESIDE) {
		assert(b->n < GASPDB_LANES_MAX);
		b->lanes[b->n] = gaspdb_lane_start(run, pass);
		b->n += b->lanes[b->n] != NULL;
	} else if (run->status == GASPDB_OK) {
		run->status = pass->run(run->db, run->err);
	}
}

static void run_passes(struct gaspdb_run *run)
{
	struct beside beside = { .n = 0 };

	for (const struct gaspdb_pass *pass = gaspdb_passes;
	     pass->name && !gaspdb_run_stopped(run); pass++)
		run_pass(run, &beside, pass);
	join(run, &beside, NULL);
}

enum gaspdb_status gaspdb_run_passes(sqlite3 *db,
				     const struct gaspdb_p2p_spans *spans,
				     const struct gaspdb_event_marks *marks,
				     bool threads, struct gaspdb_error *err)
{
	struct gaspdb_run run;

	gaspdb_run_open(&run, db, err);
	run.spans = spans;
	run.marks = marks;
	run.lanes = threads;
	gaspdb_run_share(&run, true);
	run_passes(&run);
	gaspdb_run_share(&run, false);
	return gaspdb_run_close(&run);
}
