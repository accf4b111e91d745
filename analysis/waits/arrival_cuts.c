/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arrival cuts, from arrivals and departures sorted by set of members, process
 * and time. Departures are from instances that synchronize all members. An
 * arrival is cut at the last departure of another thread of its process, from a
 * team with the same members or with all threads.
 */
#include "analysis/waits/arrival_cuts.h"

#include <string.h>

/* In the order of sorting: at the same time an arrival is first, and so is not
   cut by the departure. */
enum { ARRIVAL, DEPARTURE };

enum { SET, PROCESS, AT, KIND, THREAD, TEAM, COLUMNS };

static bool is_threaded(const struct gaspdb_run *run)
{
	for (int64_t i = 0; i < run->n_threads; i++)
		if (gaspdb_run_process(run, i) != i)
			return true;
	return false;
}

void gaspdb_arrival_cuts_open(struct gaspdb_arrival_cuts *cuts,
			      struct gaspdb_run *run)
{
	*cuts = (struct gaspdb_arrival_cuts){ .run = run,
					      .threaded = is_threaded(run) };
	if (cuts->threaded)
		gaspdb_team_sets_load(&cuts->sets, run);
	gaspdb_sorter_init(&cuts->moments, run, COLUMNS, COLUMNS);
}

static void add(struct gaspdb_arrival_cuts *cuts, int64_t set, int64_t at_ns,
		int64_t what, int64_t thread, int64_t team)
{
	gaspdb_sorter_add(
		&cuts->moments,
		(int64_t[]){ [SET] = set,
			     [PROCESS] = gaspdb_run_process(cuts->run, thread),
			     [AT] = at_ns,
			     [KIND] = what,
			     [THREAD] = thread,
			     [TEAM] = team });
}

void gaspdb_arrival_cuts_add(struct gaspdb_arrival_cuts *cuts,
			     const struct gaspdb_arrival_call *call,
			     int64_t thread, int64_t enter_ns, int64_t end_ns)
{
	const int64_t whole = cuts->sets.whole;
	int64_t set;

	if (!cuts->threaded || enter_ns == GASPDB_NONE)
		return;
	set = gaspdb_team_set(&cuts->sets, call->team);
	if (set == GASPDB_NONE)
		return;
	if (call->synchronizes)
		add(cuts, set, end_ns, DEPARTURE, thread, call->team);
	if (call->cause == GASPDB_NONE)
		return;
	add(cuts, set, enter_ns, ARRIVAL, thread, call->team);
	if (whole != GASPDB_NONE && whole != set)
		add(cuts, whole, enter_ns, ARRIVAL, thread, call->team);
}

void gaspdb_arrival_cuts_close(struct gaspdb_arrival_cuts *cuts,
			       struct gaspdb_arrivals *arrivals)
{
	int64_t left[COLUMNS] = { [SET] = GASPDB_NONE };
	const int64_t *row;

	while ((row = gaspdb_sorter_next(&cuts->moments))) {
		if (row[KIND] == DEPARTURE)
			memcpy(left, row, sizeof left);
		else if (left[SET] == row[SET] &&
			 left[PROCESS] == row[PROCESS] &&
			 left[THREAD] != row[THREAD])
			gaspdb_arrivals_add_cut(arrivals,
						&(struct gaspdb_arrival_cut){
							.thread = row[THREAD],
							.at_ns = left[AT],
							.team = left[TEAM] });
	}
	gaspdb_sorter_fini(&cuts->moments);
	if (cuts->threaded)
		gaspdb_team_sets_free(&cuts->sets);
}
