/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of passes, and how they are run. */
#include "analysis/passes.h"

#include "analysis/access/accesses.h"
#include "analysis/access/memory.h"
#include "analysis/collectives/match.h"
#include "analysis/completion/completions.h"
#include "analysis/completion/costs.h"
#include "analysis/entities/entities.h"
#include "analysis/engine/run.h"
#include "analysis/engine/scan.h"
#include "analysis/findings/communication_phases.h"
#include "analysis/findings/findings.h"
#include "analysis/findings/root_causes.h"
#include "analysis/findings/spots.h"
#include "analysis/io/files.h"
#include "analysis/locks/locks.h"
#include "analysis/messages/match.h"
#include "analysis/onesided/windows.h"
#include "analysis/path/blame.h"
#include "analysis/path/path.h"
#include "analysis/pop/pop.h"
#include "analysis/signals/signals.h"
#include "analysis/signals/spins.h"
#include "analysis/user/user_values.h"
#include "analysis/waits/arrivals.h"
#include "analysis/waits/unserved.h"
#include "analysis/waits/waits.h"
#include "sql/passes/passes.h"
#include "sql/store/table.h"

static bool has_row(struct gaspdb_run *run, const char *sql)
{
	sqlite3_stmt *stmt = gaspdb_prepare(run, sql);
	const bool has = gaspdb_row(run, stmt);

	sqlite3_finalize(stmt);
	return has;
}

/* Results of sums alone: the run is a profile, or a trace that ends as one. */
static enum gaspdb_status use_profile(struct gaspdb_run *run)
{
	if (!has_row(run, gaspdb_sql_is_profile) &&
	    !has_row(run, gaspdb_sql_any_rest))
		return run->status;
	gaspdb_exec(run, gaspdb_sql_profile_pop);
	gaspdb_exec(run, gaspdb_sql_profile_accesses);
	return run->status;
}

const struct gaspdb_pass gaspdb_passes[] = {
	{ .name = "memory",
	  .of = GASPDB_PASS_OF_ALL,
	  .summary = "What was allocated, and never freed",
	  .run = gaspdb_pass_memory },
	{ .name = "completions",
	  .summary = "What completes non-blocking operations and puts",
	  .cost = { .p2p = 410,
		    .reads_events = true,
		    .reads_args = true,
		    .reads_p2p = true },
	  .run = gaspdb_pass_completions },
	{ .name = "messages",
	  .summary = "Sends and receives that belong together",
	  .cost = { .p2p = 520,
		    .reads_events = true,
		    .reads_args = true,
		    .reads_p2p = true },
	  .run = gaspdb_pass_messages },
	{ .name = "collectives",
	  .summary = "Barriers and collectives, and who came last",
	  .cost = { .event = 10,
		    .collective = 700,
		    .reads_events = true,
		    .reads_args = true,
		    .writes_collectives = true },
	  .run = gaspdb_pass_collectives },
	{ .name = "locks",
	  .summary = "Who held a lock while others waited",
	  .run = gaspdb_pass_locks },
	{ .name = "lock totals",
	  .summary = "Holds by lock, line and thread",
	  .sql = gaspdb_sql_lock_totals },
	{ .name = "signals",
	  .summary = "Who changed the words that others waited for",
	  .run = gaspdb_pass_signals },
	{ .name = "spins",
	  .summary = "Who wrote the words that others read until they changed",
	  .cost = { .event = 10, .reads_events = true },
	  .run = gaspdb_pass_spins },
	{ .name = "windows",
	  .summary = "Who waited for whom with one-sided windows",
	  .run = gaspdb_pass_windows },
	/* Decides about what those before have proposed. */
	{ .name = "waits",
	  .summary = "All waiting, without overlaps",
	  .cost = { .p2p = 200, .collective = 45, .reads_events = true },
	  .run = gaspdb_pass_waits },
	{ .name = "files",
	  .summary = "What files were used for",
	  .run = gaspdb_pass_files },
	{ .name = "user values",
	  .summary = "Numbers given with user events",
	  .run = gaspdb_pass_user_values },
	{ .name = "entities",
	  .summary = "Time and work by entity of the program",
	  .run = gaspdb_pass_entities },
	{ .name = "processors",
	  .summary = "Which waiting is for threads without a processor",
	  .run = gaspdb_pass_unserved },
	{ .name = "call paths of waits",
	  .summary = "Waiting by call path",
	  .sql = gaspdb_sql_callpath_waits },
	{ .name = "costs",
	  .summary = "What barriers and completion cost besides waiting",
	  .cost = { .p2p = 100, .collective = 15, .reads_events = true },
	  .run = gaspdb_pass_costs },
	/* One scan of events for these three. */
	{ .name = "pop",
	  .summary = "Work, and how long the run had taken but for transfers",
	  .cost = { .event = 220, .reads_events = true },
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
	{ .name = "profile",
	  .of = GASPDB_PASS_OF_ALL,
	  .summary = "Efficiency and accesses by sums of a profile",
	  .run = use_profile },
	{ .name = "profile sizes",
	  .summary = "Operations by size that a profile has",
	  .sql = gaspdb_sql_profile_sizes },
	{ .name = "file names",
	  .of = GASPDB_PASS_OF_ALL,
	  .summary = "Files of one name told apart",
	  .sql = gaspdb_sql_file_names },
	{ .name = "communication phases",
	  .summary = "Calls that are one exchange",
	  .run = gaspdb_pass_communication_phases },
	{ .name = "spots",
	  .of = GASPDB_PASS_OF_ALL,
	  .summary = "Lines as findings name them",
	  .run = gaspdb_pass_spots },
	{ .name = "path blame",
	  .summary = "What others waited for on the critical path",
	  .cost = { .p2p = 25, .collective = 40 },
	  .run = gaspdb_pass_path_blame },
	{ .name = "root causes",
	  .summary = "Where waiting began",
	  .run = gaspdb_pass_root_causes },
	{ .name = "findings",
	  .summary = "What is lost, by line",
	  .cost = { .event = 5 },
	  .run = gaspdb_pass_findings },
	{ .name = "callers of waits",
	  .summary = "Which callers wait at a line",
	  .sql = gaspdb_sql_wait_callers },
	{ .name = "callers of work",
	  .summary = "Which callers a late thread computes for",
	  .sql = gaspdb_sql_work_callers },
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

/* --- how far they are ----------------------------------------------------- */

static double cost_of(const struct gaspdb_pass *pass,
		      const struct gaspdb_row_counts *rows)
{
	return pass->cost.event * (double)rows->events +
	       pass->cost.p2p * (double)rows->p2p +
	       pass->cost.collective * (double)rows->collectives;
}

/* Of this pass and those after it. */
static double cost_from(const struct gaspdb_pass *pass,
			const struct gaspdb_row_counts *rows)
{
	double cost = 0;

	for (; pass->name; pass++)
		cost += cost_of(pass, rows);
	return cost;
}

double gaspdb_passes_cost(const struct gaspdb_row_counts *rows)
{
	return cost_from(gaspdb_passes, rows);
}

/* Pages that the pass reads, about, if it reads all rows of its tables. */
static double pages_of(const struct gaspdb_pass_cost *cost,
		       const struct gaspdb_row_counts *rows)
{
	/* Rows a page; an event has that of an argument, or less. */
	const double events = 280, args = 300, p2p = 130, collectives = 137;
	double pages = 1;

	if (cost->reads_events)
		pages += (double)rows->events / events;
	if (cost->reads_args)
		pages += (double)rows->events / args;
	if (cost->reads_p2p)
		pages += (double)rows->p2p / p2p;
	if (cost->writes_collectives) /* made, then written */
		pages += 2 * (double)rows->collectives / collectives;
	return pages;
}

static void report_progress(struct gaspdb_run *run)
{
	const struct gaspdb_passes_watch *watch = run->watch;
	const struct gaspdb_pass *pass = run->pass;
	const double part =
		(double)run->pages / pages_of(&pass->cost, &watch->rows);
	const double left =
		part < 1 ? cost_of(pass, &watch->rows) * (1 - part) : 0;

	watch->report(watch->user, pass->name,
		      left + cost_from(pass + 1, &watch->rows));
}

static void begin_pass(struct gaspdb_run *run, const struct gaspdb_pass *pass)
{
	if (!run->watch)
		return;
	run->pass = pass;
	run->pages = 0;
	report_progress(run);
}

static bool is_due(const struct gaspdb_pass *pass, bool profile)
{
	return pass->of == GASPDB_PASS_OF_ALL || !profile;
}

static void run_all(struct gaspdb_run *run)
{
	const struct gaspdb_pass *pass = gaspdb_passes;
	const bool profile = has_row(run, gaspdb_sql_is_profile);

	gaspdb_table_writer_finish(
		&run->tables); /* what the import itself has written late */
	while (pass->name && !gaspdb_run_stopped(run)) {
		if (!is_due(pass, profile)) {
			pass++;
			continue;
		}
		begin_pass(run, pass);
		if (pass->events)
			pass = run_event_passes(run, pass);
		else if (pass->sql)
			gaspdb_exec(run, pass++->sql);
		else
			pass++->run(run);
		gaspdb_table_writer_finish(&run->tables);
	}
}

static int is_interrupted(void *unused)
{
	(void)unused;
	return gaspdb_interrupted != 0;
}

enum gaspdb_status gaspdb_run_passes(sqlite3 *db,
				     const struct gaspdb_passes_watch *watch,
				     struct gaspdb_error *err)
{
	enum gaspdb_status status;
	struct gaspdb_run run;

	sqlite3_progress_handler(db, 10000, is_interrupted, NULL);
	gaspdb_run_open(&run, db, err);
	run.watch = watch;
	run.progress = watch ? report_progress : NULL;
	run_all(&run);
	status = gaspdb_run_close(&run);
	sqlite3_progress_handler(db, 0, NULL, NULL);
	if (gaspdb_interrupted)
		return gaspdb_fail(err, GASPDB_FAILED, "interrupted");
	return status;
}
