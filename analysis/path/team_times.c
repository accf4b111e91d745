/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A thread may be in thousands of teams, and most of what it does lies between
 * instances of all of them.  So time is added up once, by line, from the
 * thread's beginning.  What a team needs to know is how much that was when it
 * synchronized: of lines that the thread has come to since, and noted just
 * before it comes there, so that it costs no more than what is told of them in
 * the end.  Teams are in a list, who synchronized last is first: who has not,
 * since the thread came to that line before, is not looked at.
 */
#include "analysis/path/team_times.h"

#include <stdlib.h>

#include "common/sum.h"

/* Values of `lines`: all its time, and the tick of its last piece. */
enum { NS, TICK, LINE_VALUES };

/* Time of a line that is not the team's. */
struct before {
	size_t line; /* row of lines */
	int64_t ns;
};

struct gaspdb_team_time {
	int64_t thread;	     /* the rest is of that one */
	int64_t tick;	     /* when it synchronized; 0: it has not yet */
	size_t newer, older; /* in the list; index + 1, 0: none */
	struct before *before;
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
		free(t->teams[i].before);
	free(t->teams);
	free(t->called);
	gaspdb_groups_fini(&t->lines);
}

void gaspdb_team_times_team(times *t)
{
	if (gaspdb_grow(t->run, &t->teams, t->n, &t->room, sizeof *t->teams))
		t->teams[t->n++] = (team){ .thread = GASPDB_NONE };
}

void gaspdb_team_times_start(times *t)
{
	gaspdb_groups_clear(&t->lines);
	t->threads++;
	t->ticks = 0;
	t->newest = 0;
	t->call = GASPDB_NONE;
}

/* Of the current thread. */
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

static void note(times *t, team *of, size_t line, int64_t ns)
{
	if (gaspdb_grow(t->run, &of->before, of->n, &of->room,
			sizeof *of->before))
		of->before[of->n++] = (struct before){ line, ns };
}

/* It was noted when the thread came to the line, mostly just now. */
static void leave_out(team *of, size_t line, int64_t ns)
{
	size_t i = of->n;

	while (i && of->before[i - 1].line != line)
		i--;
	if (i)
		gaspdb_add_to(&of->before[i - 1].ns, ns);
}

/* The thread comes to a line: its row.  The line's values; NULL after a
   failure. */
static int64_t *come_to(times *t, enum gaspdb_doing doing, int64_t from,
			int64_t to, size_t *row)
{
	const uint64_t hash = (uint64_t)from * 13 + (uint64_t)to * 5 + doing;
	uint32_t *recent = &t->recent[hash % GASPDB_RECENT_LINES];
	int64_t *line = gaspdb_group_cached(
		t->run, &t->lines, (int64_t[]){ doing, from, to }, recent);

	if (!line)
		return NULL;
	*row = *recent;
	for (size_t i = t->newest; i && t->teams[i - 1].tick > line[TICK];
	     i = t->teams[i - 1].older)
		note(t, &t->teams[i - 1], *row, line[NS]);
	line[TICK] = t->ticks;
	return line;
}

void gaspdb_team_times_spend(times *t, enum gaspdb_doing doing, int64_t from,
			     int64_t to, int64_t ns)
{
	size_t row;
	int64_t *line = come_to(t, doing, from, to, &row);

	if (line)
		gaspdb_add_to(&line[NS], ns);
}

void gaspdb_team_times_call(times *t, int64_t event, enum gaspdb_doing doing,
			    int64_t from, int64_t to, int64_t ns)
{
	size_t row;

	if (event != t->call || !come_to(t, doing, from, to, &row))
		return;
	for (size_t i = 0; i < t->n_called; i++)
		leave_out(&t->teams[t->called[i]], row, ns);
}

/* --- teams ---------------------------------------------------------------- */

static void take_from_list(times *t, team *of)
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
		take_from_list(t, of);
	of->n = 0;
	of->tick = ++t->ticks;
	of->newer = 0;
	of->older = t->newest;
	if (t->newest)
		t->teams[t->newest - 1].newer = number + 1;
	t->newest = number + 1;
}

void gaspdb_team_times_leave_out(times *t, size_t number, int64_t event)
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
		/* Or the whole's times, the later ones, would be a team's that
		   the call belongs to. */
		if (number == whole && t->called[i] != number)
			gaspdb_team_times_clear(t, t->called[i]);
	}
	if (called)
		gaspdb_team_times_leave_out(t, number, t->call);
}

/* What it noted are the lines that the thread has come to since. */
size_t gaspdb_team_times_lines(times *t, size_t number)
{
	const team *of = team_of(t, number);

	return of->tick ? of->n : t->lines.n;
}

const int64_t *gaspdb_team_times_line(times *t, size_t number, size_t i,
				      int64_t *ns)
{
	const team *of = team_of(t, number);
	const size_t row = of->tick ? of->before[i].line : i;
	const int64_t *line = gaspdb_groups_row(&t->lines, row);

	*ns = line[t->lines.n_keys + NS];
	if (of->tick)
		*ns -= of->before[i].ns;
	return line;
}
