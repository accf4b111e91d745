/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of passes, and how they are run. */
#include "analysis/passes.h"

#include "analysis/completions.h"
#include "analysis/costs.h"
#include "analysis/file_names.h"
#include "analysis/findings.h"
#include "analysis/locks.h"
#include "analysis/match_collectives.h"
#include "analysis/match_messages.h"
#include "analysis/memory.h"
#include "analysis/run.h"
#include "analysis/signals.h"
#include "analysis/waits.h"
#include "analysis/walk.h"
#include "analysis/windows.h"
#include "interrupt.h"

const struct gaspdb_pass gaspdb_passes[] = {
	{ "memory", "What was allocated, and never freed", gaspdb_pass_memory },
	{ "completions", "What completes non-blocking operations and puts",
	  gaspdb_pass_completions },
	{ "messages", "Sends and receives that belong together",
	  gaspdb_pass_messages },
	{ "collectives", "Barriers and collectives, and who came last",
	  gaspdb_pass_collectives },
	{ "locks", "Who held a lock while others waited", gaspdb_pass_locks },
	{ "signals", "Who changed the words that others waited for",
	  gaspdb_pass_signals },
	{ "windows", "Who waited for whom with one-sided windows",
	  gaspdb_pass_windows },
	/* Decides about what those before have proposed. */
	{ "waits", "All waiting, without overlaps", gaspdb_pass_waits },
	{ "costs", "What barriers and completion cost besides waiting",
	  gaspdb_pass_costs },
	{ "accesses, path and pop",
	  "Remote accesses and their targets; what others waited for, and the "
	  "run's length is made of",
	  gaspdb_pass_walk },
	{ "file names", "Files of one name told apart",
	  gaspdb_pass_file_names },
	{ "findings", "What is lost, by line", gaspdb_pass_findings },
	{ NULL, NULL, NULL }
};

static enum gaspdb_status run_passes(sqlite3 *db, struct gaspdb_error *err)
{
	for (const struct gaspdb_pass *pass = gaspdb_passes; pass->name;
	     pass++) {
		enum gaspdb_status status = pass->run(db, err);

		if (status != GASPDB_OK)
			return status;
		if (gaspdb_interrupted)
			return gaspdb_fail(err, GASPDB_FAILED, "interrupted");
	}
	return GASPDB_OK;
}

enum gaspdb_status gaspdb_run_passes(sqlite3 *db, bool threads,
				     struct gaspdb_error *err)
{
	struct gaspdb_run run;
	enum gaspdb_status status;

	gaspdb_run_open(&run, db, err);
	run.ahead = threads;
	gaspdb_run_share(&run, true);
	status = run.status != GASPDB_OK ? run.status : run_passes(db, err);
	gaspdb_run_share(&run, false);
	gaspdb_run_close(&run);
	return status;
}
