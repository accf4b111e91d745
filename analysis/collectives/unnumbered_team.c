/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Made where a collective is met that tells of no team. */
#include "analysis/collectives/unnumbered_team.h"

int64_t gaspdb_unnumbered_team(struct gaspdb_run *run, int64_t thread)
{
	int64_t team;
	sqlite3_stmt *stmt;

	gaspdb_exec(run, "INSERT INTO team"
			 "(parent_id, ordinal, kind, name, size, inter) "
			 "VALUES(NULL, 0, 'world', 'all threads', 0, 0)");
	team = sqlite3_last_insert_rowid(run->db);
	stmt = gaspdb_prepare(
		run, "INSERT INTO team_member(team_id, rank, thread_id) "
		     "SELECT ?1, row_number() OVER (ORDER BY id) - 1, id "
		     "FROM thread WHERE first_ns IS NULL OR model IS "
		     "(SELECT model FROM thread WHERE id = ?2)");
	gaspdb_write(run, stmt, 2, (int64_t[]){ team, thread }, NULL);
	sqlite3_finalize(stmt);
	gaspdb_exec(run, "UPDATE team SET size = (SELECT count(*) "
			 "FROM team_member WHERE team_id = team.id) "
			 "WHERE id = last_insert_rowid()");
	return team;
}
