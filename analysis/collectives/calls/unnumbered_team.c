/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The team of unnumbered calls, created at the first such call. */
#include "analysis/collectives/calls/unnumbered_team.h"

#include "sql/passes/collectives.h"

int64_t gaspdb_unnumbered_team(struct gaspdb_run *run, int64_t thread)
{
	int64_t team;
	sqlite3_stmt *stmt;

	gaspdb_exec(run, gaspdb_sql_unnumbered_team_add);
	team = sqlite3_last_insert_rowid(run->db);
	stmt = gaspdb_prepare(run, gaspdb_sql_unnumbered_team_members);
	gaspdb_write(run, stmt, 2, (int64_t[]){ team, thread }, NULL);
	sqlite3_finalize(stmt);
	gaspdb_exec(run, gaspdb_sql_unnumbered_team_size);
	return team;
}
