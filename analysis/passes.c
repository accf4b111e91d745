/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of passes, and how they are run. */
#include "analysis/passes.h"

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
#include "analysis/path_and_pop.h"
#include "analysis/run.h"
#include "analysis/signals.h"
#include "analysis/syncs.h"
#include "analysis/waits.h"
#include "analysis/windows.h"

static const char *const path_takes[] = { GASPDB_SYNCS, GASPDB_ARRIVALS,
					  GASPDB_ARRIVAL_CUTS, NULL };

const struct gaspdb_pass gaspdb_passes[] = {
	{ "memory", "What was allocated, and never freed", gaspdb_pass_memory,
	  GASPDB_IN_TURN, NULL, NULL },
	{ "completions", "What completes non-blocking operations and puts",
	  gaspdb_pass_completions, GASPDB_BESIDE, NULL, NULL },
	{ "messages", "Sends and receives that belong together",
	  gaspdb_pass_messages, GASPDB_IN_TURN, NULL, NULL },
	{ "collectives", "Barriers and collectives, and who came last",
	  gaspdb_pass_collectives, GASPDB_IN_TURN, NULL, NULL },
	{ "locks", "Who held a lock while others waited", gaspdb_pass_locks,
	  GASPDB_IN_TURN, NULL, NULL },
	{ "signals", "Who changed the words that others waited for",
	  gaspdb_pass_signals, GASPDB_IN_TURN, NULL, NULL },
	{ "windows", "Who waited for whom with one-sided windows",
	  gaspdb_pass_windows, GASPDB_IN_TURN, NULL, NULL },
	/* Decides about what those before have proposed. */
	{ "waits", "All waiting, without overlaps", gaspdb_pass_waits,
	  GASPDB_IN_TURN, NULL, NULL },
	{ "path and pop",
	  "What others waited for, and the run's length is made of",
	  gaspdb_pass_path_and_pop, GASPDB_BESIDE, path_takes,
	  &gaspdb_path_and_pop },
	{ "costs", "What barriers and completion cost besides waiting",
	  gaspdb_pass_costs, GASPDB_IN_TURN, NULL, NULL },
	{ "accesses", "Remote accesses and their targets", gaspdb_pass_accesses,
	  GASPDB_IN_TURN, NULL, NULL },
	{ "file names", "Files of one name told apart", gaspdb_pass_file_names,
	  GASPDB_IN_TURN, NULL, NULL },
	{ "findings", "What is lost, by line", gaspdb_pass_findings,
	  GASPDB_JOINS, NULL, NULL },
	{ .name = NULL }
};

/* beside: the one that runs so; NULL: none does. */
static void run_pass(struct gaspdb_run *run, const struct gaspdb_pass *pass,
		     struct gaspdb_lane **beside)
{
	if (pass->when != GASPDB_IN_TURN) {
		gaspdb_lane_join(*beside, run);
		*beside = NULL;
	}
	if (pass->when == GASPDB_BESIDE)
		*beside = gaspdb_lane_start(run, pass);
	else if (run->status == GASPDB_OK)
		run->status = pass->run(run->db, run->err);
}

static void run_passes(struct gaspdb_run *run)
{
	struct gaspdb_lane *beside = NULL;

	for (const struct gaspdb_pass *pass = gaspdb_passes;
	     pass->name && !gaspdb_run_stopped(run); pass++)
		run_pass(run, pass, &beside);
	gaspdb_lane_join(beside, run);
}

enum gaspdb_status gaspdb_run_passes(sqlite3 *db,
				     const struct gaspdb_p2p_spans *spans,
				     bool threads, struct gaspdb_error *err)
{
	struct gaspdb_run run;

	gaspdb_run_open(&run, db, err);
	run.spans = spans;
	run.lanes = threads;
	gaspdb_run_share(&run, true);
	run_passes(&run);
	gaspdb_run_share(&run, false);
	return gaspdb_run_close(&run);
}
