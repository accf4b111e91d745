/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Team times. A thread may be in thousands of teams, so its time is added up
 * once, by line, from its start. For each team the baseline of a line is kept:
 * the line's time when the team synchronized. It is recorded lazily, at the
 * first visit of the line after the synchronization, so that the cost is
 * proportional to the output. Teams are in a list, the last synchronized first;
 * a visit stops at the first team that synchronized before the line's last
 * visit.
 */
#include "analysis/path/team_times.h"

#include <stdlib.h>

#include "common/sum.h"

/* Values of `lines`: time so far, tick of the last visit. */
enum { NS, TICK, LINE_VALUES };

/* Time of a line that is not part of the team's times. */
struct baseline {
	size_t line; /* row of lines */
	int64_t ns;
};

struct gaspdb_team_time {
	int64_t thread;	     /* the thread that the rest is of */
	int64_t tick;	     /* of its synchronization; 0: none */
	size_t newer, older; /* in the list: index + 1; 0: none */
	struct baseline *baselines;
	size_t n, room;
};

typedef struct gaspdb_team_times times;
typedef struct gaspdb_team_time team;

void gaspdb_team_times_init(times *t, struct gaspdb_run *run)
{
	*t = (times){ .run = run, .call = GASPDB_NONE };
	gaspdb_groups_init(&t->lines, 3, LINE_VALUES);
}

void gaspdb_team_times_fini(times *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->teams[i].baselines);
	free(t->teams);
	free(t->called);
	gaspdb_groups_fini(&t->lines);
}

void gaspdb_team_times_add_team(times *t)
{
	if (gaspdb_grow(t->run, &t->teams, t->n, &t->room, sizeof *t->teams))
		t->teams[t->n++] = (team){ .thread = GASPDB_NONE };
}

void gaspdb_team_times_start_thread(times *t)
{
	gaspdb_groups_clear(&t->lines);
	t->threads++;
	t->ticks = 0;
	t->newest = 0;
	t->call = GASPDB_NONE;
}

/* The team's state for the current thread. */
static team *team_of(times *t, size_t number)
{
	team *of = &t->teams[number];

	if (of->thread != t->threads) {
		of->thread = t->threads;
		of->tick = 0;
		of->n = 0;
	}
	return of;
}

size_t gaspdb_team_times_later(times *t, size_t number, size_t other)
{
	return team_of(t, other)->tick > team_of(t, number)->tick ? other
								  : number;
}

/* --- times ---------------------------------------------------------------- */

static void add_baseline(times *t, team *of, size_t line, int64_t ns)
{
	if (gaspdb_grow(t->run, &of->baselines, of->n, &of->room,
			sizeof *of->baselines))
		of->baselines[of->n++] = (struct baseline){ line, ns };
}

/* Exclude time of a line: raise its baseline, mostly the last one. */
static void exclude(team *of, size_t line, int64_t ns)
{
	size_t i = of->n;

	while (i && of->baselines[i - 1].line != line)
		i--;
	if (i)
		gaspdb_add_to(&of->baselines[i - 1].ns, ns);
}

/* Visit a line: record baselines. *row: its row. Returns its values; NULL: a
   failure. */
static int64_t *visit_line(times *t, enum gaspdb_activity_kind kind,
			   int64_t from, int64_t to, size_t *row)
{
	const uint64_t hash = (uint64_t)from * 13 + (uint64_t)to * 5 + kind;
	uint32_t *recent = &t->recent[hash % GASPDB_RECENT_LINES];
	int64_t *line = gaspdb_group_cached(
		t->run, &t->lines, (int64_t[]){ kind, from, to }, recent);

	if (!line)
		return NULL;
	*row = *recent;
	for (size_t i = t->newest; i && t->teams[i - 1].tick > line[TICK];
	     i = t->teams[i - 1].older)
		add_baseline(t, &t->teams[i - 1], *row, line[NS]);
	line[TICK] = t->ticks;
	return line;
}

void gaspdb_team_times_add(times *t, enum gaspdb_activity_kind kind,
			   int64_t from, int64_t to, int64_t ns)
{
	size_t row;
	int64_t *line = visit_line(t, kind, from, to, &row);

	if (line)
		gaspdb_add_to(&line[NS], ns);
}

void gaspdb_team_times_add_call(times *t, int64_t event,
				enum gaspdb_activity_kind kind, int64_t from,
				int64_t to, int64_t ns)
{
	size_t row;

	if (event != t->call || !visit_line(t, kind, from, to, &row))
		return;
	for (size_t i = 0; i < t->n_called; i++)
		exclude(&t->teams[t->called[i]], row, ns);
}

/* --- teams ---------------------------------------------------------------- */

static void unlink_team(times *t, team *of)
{
	if (of->newer)
		t->teams[of->newer - 1].older = of->older;
	else
		t->newest = of->older;
	if (of->older)
		t->teams[of->older - 1].newer = of->newer;
}

void gaspdb_team_times_clear(times *t, size_t number)
{
	team *of = team_of(t, number);

	if (of->tick)
		unlink_team(t, of);
	of->n = 0;
	of->tick = ++t->ticks;
	of->newer = 0;
	of->older = t->newest;
	if (t->newest)
		t->teams[t->newest - 1].newer = number + 1;
	t->newest = number + 1;
}

void gaspdb_team_times_exclude_call(times *t, size_t number, int64_t event)
{
	if (event != t->call)
		t->n_called = 0;
	t->call = event;
	for (size_t i = 0; i < t->n_called; i++)
		if (t->called[i] == number)
			return;
	if (gaspdb_grow(t->run, &t->called, t->n_called, &t->called_room,
			sizeof *t->called))
		t->called[t->n_called++] = number;
}

void gaspdb_team_times_cut(times *t, size_t number, size_t whole)
{
	bool called = false;

	gaspdb_team_times_clear(t, number);
	for (size_t i = 0; t->call != GASPDB_NONE && i < t->n_called; i++) {
		called |= t->called[i] == number || t->called[i] == whole;
		/* Otherwise the whole's times would be later than those of the
		   call's team, and would replace them. */
		if (number == whole && t->called[i] != number)
			gaspdb_team_times_clear(t, t->called[i]);
	}
	if (called)
		gaspdb_team_times_exclude_call(t, number, t->call);
}

/* A synchronized team has a baseline for each line visited since. */
size_t gaspdb_team_times_lines(times *t, size_t number)
{
	const team *of = team_of(t, number);

	return of->tick ? of->n : t->lines.n;
}

const int64_t *gaspdb_team_times_line(times *t, size_t number, size_t i,
				      int64_t *ns)
{
	const team *of = team_of(t, number);
	const size_t row = of->tick ? of->baselines[i].line : i;
	const int64_t *line = gaspdb_groups_row(&t->lines, row);

	*ns = line[t->lines.n_keys + NS];
	if (of->tick)
		*ns -= of->baselines[i].ns;
	return line;
}
