/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of team members, identified by their number and two 64-bit sums of mixed
   member numbers. A collision is practically impossible. */
#include "analysis/engine/team_sets.h"

#include "sql/passes/engine.h"

enum { MEMBERS, SUM, OTHER_SUM, N_KEYS };

/* The finalizer of splitmix64. */
static uint64_t mixed(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

/* Add a complete team. key identifies its members, if all are known. processes:
   number of processes of the run. */
static void add_team(struct gaspdb_team_sets *s, struct gaspdb_run *run,
		     struct gaspdb_groups *sets, int64_t processes,
		     int64_t team, int64_t size, const int64_t *key)
{
	int64_t *of = gaspdb_group(run, &s->teams, &team);
	int64_t *set;

	if (!of)
		return;
	*of = s->n;
	if (key[MEMBERS] >= size) {
		set = gaspdb_group(run, sets, key);
		if (!set)
			return;
		if (!*set)
			*set = s->n + 1;
		*of = *set - 1;
	}
	if (*of == s->n)
		s->n++;
	if (key[MEMBERS] >= size && key[MEMBERS] == processes)
		s->whole = *of;
}

void gaspdb_team_sets_load(struct gaspdb_team_sets *s, struct gaspdb_run *run)
{
	sqlite3_stmt *stmt = gaspdb_prepare(run, gaspdb_sql_team_members);
	int64_t team = GASPDB_NONE, size = 0, key[N_KEYS] = { 0 };
	const int64_t processes = gaspdb_run_processes(run);
	struct gaspdb_groups sets;

	*s = (struct gaspdb_team_sets){ .whole = GASPDB_NONE };
	gaspdb_groups_init(&s->teams, 1, 1);
	gaspdb_groups_init(&sets, N_KEYS, 1);
	while (gaspdb_row(run, stmt)) {
		const uint64_t member =
			mixed((uint64_t)sqlite3_column_int64(stmt, 2) +
			      0x9e3779b97f4a7c15u);

		if (sqlite3_column_int64(stmt, 0) != team) {
			if (team != GASPDB_NONE)
				add_team(s, run, &sets, processes, team, size,
					 key);
			team = sqlite3_column_int64(stmt, 0);
			size = sqlite3_column_int64(stmt, 1);
			key[MEMBERS] = key[SUM] = key[OTHER_SUM] = 0;
		}
		if (sqlite3_column_type(stmt, 2) == SQLITE_NULL)
			continue;
		key[MEMBERS]++;
		key[SUM] = (int64_t)((uint64_t)key[SUM] + member);
		key[OTHER_SUM] =
			(int64_t)((uint64_t)key[OTHER_SUM] + mixed(~member));
	}
	if (team != GASPDB_NONE)
		add_team(s, run, &sets, processes, team, size, key);
	sqlite3_finalize(stmt);
	gaspdb_groups_fini(&sets);
}

void gaspdb_team_sets_free(struct gaspdb_team_sets *s)
{
	gaspdb_groups_fini(&s->teams);
}

int64_t gaspdb_team_set(const struct gaspdb_team_sets *s, int64_t team)
{
	const int64_t *set = gaspdb_groups_find(&s->teams, &team);

	return set ? *set : GASPDB_NONE;
}
