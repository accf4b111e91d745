/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of passes, and how they are run. */
#include "analysis/passes.h"

#include "analysis/accesses.h"
#include "analysis/arrivals.h"
#include "analysis/communication_phases.h"
#include "analysis/completions.h"
#include "analysis/costs.h"
#include "analysis/file_names.h"
#include "analysis/findings.h"
#include "analysis/locks.h"
#include "analysis/match_collectives.h"
#include "analysis/match_messages.h"
#include "analysis/memory.h"
#include "analysis/path.h"
#include "analysis/path_blame.h"
#include "analysis/pop.h"
#include "analysis/root_causes.h"
#include "analysis/run.h"
#include "analysis/scan.h"
#include "analysis/signals.h"
#include "analysis/spins.h"
#include "analysis/table.h"
#include "analysis/unserved.h"
#include "analysis/waits.h"
#include "analysis/windows.h"

const struct gaspdb_pass gaspdb_passes[] = {
	{ .name = "memory",
	  .summary = "What was allocated, and never freed",
	  .run = gaspdb_pass_memory },
	{ .name = "completions",
	  .summary = "What completes non-blocking operations and puts",
	  .run = gaspdb_pass_completions },
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
	{ .name = "spins",
	  .summary = "Who wrote the words that others read until they changed",
	  .run = gaspdb_pass_spins },
	{ .name = "windows",
	  .summary = "Who waited for whom with one-sided windows",
	  .run = gaspdb_pass_windows },
	/* Decides about what those before have proposed. */
	{ .name = "waits",
	  .summary = "All waiting, without overlaps",
	  .run = gaspdb_pass_waits },
	{ .name = "processors",
	  .summary = "Which waiting is for threads without a processor",
	  .run = gaspdb_pass_unserved },
	{ .name = "costs",
	  .summary = "What barriers and completion cost besides waiting",
	  .run = gaspdb_pass_costs },
	/* One scan of events for these three. */
	{ .name = "pop",
	  .summary = "Work, and how long the run had taken but for transfers",
	  .events = &gaspdb_pop },
	{ .name = "path",
	  .summary = "What others waited for, and the run's length is made of",
	  .events = &gaspdb_path },
	{ .name = "accesses",
	  .summary = "Remote accesses and their targets",
	  .events = &gaspdb_accesses },
	{ .name = "line times",
	  .summary = "What accesses take at lines that accesses found",
	  .run = gaspdb_pass_line_times },
	{ .name = "file names",
	  .summary = "Files of one name told apart",
	  .run = gaspdb_pass_file_names },
	{ .name = "communication phases",
	  .summary = "Calls that are one exchange",
	  .run = gaspdb_pass_communication_phases },
	{ .name = "path blame",
	  .summary = "What others waited for on the critical path",
	  .run = gaspdb_pass_path_blame },
	{ .name = "root causes",
	  .summary = "Where waiting began",
	  .run = gaspdb_pass_root_causes },
	{ .name = "findings",
	  .summary = "What is lost, by line",
	  .run = gaspdb_pass_findings },
	{ .name = NULL }
};

/* Passes of events that follow each other share a scan.  The pass after the
   last of them. */
static const struct gaspdb_pass *
run_event_passes(struct gaspdb_run *run, const struct gaspdb_pass *pass)
{
	const struct gaspdb_event_pass *passes[GASPDB_EVENT_PASSES_MAX];
	size_t n = 0;

	for (; pass->events && n < GASPDB_EVENT_PASSES_MAX; pass++)
		passes[n++] = pass->events;
	gaspdb_run_event_passes(run, passes, n);
	return pass;
}

static void run_all(struct gaspdb_run *run)
{
	const struct gaspdb_pass *pass = gaspdb_passes;

	gaspdb_bulk_finish(run); /* what the import itself has written late */
	while (pass->name && !gaspdb_run_stopped(run)) {
		if (pass->events)
			pass = run_event_passes(run, pass);
		else
			pass++->run(run);
		gaspdb_bulk_finish(run);
	}
}

enum gaspdb_status gaspdb_run_passes(sqlite3 *db,
				     const struct gaspdb_p2p_spans *spans,
				     const struct gaspdb_event_marks *marks,
				     struct gaspdb_error *err)
{
	struct gaspdb_run run;

	gaspdb_run_open(&run, db, err);
	run.spans = spans;
	run.marks = marks;
	run_all(&run);
	return gaspdb_run_close(&run);
}
