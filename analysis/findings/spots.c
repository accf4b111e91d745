/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table spot, which later passes read as an array. */
#include "analysis/findings/spots.h"

#include "sql/passes/findings.h"
#include "sql/sql.h"

enum gaspdb_status gaspdb_pass_spots(struct gaspdb_run *run)
{
	char *views = gaspdb_views_hold("spots", false);

	gaspdb_exec(run, views ? views : "");
	gaspdb_exec(run, gaspdb_sql_spot_fill);
	sqlite3_free(views);
	return run->status;
}

struct gaspdb_spot *gaspdb_spots_read(struct gaspdb_run *run)
{
	struct gaspdb_spot *spots =
		gaspdb_zeroed(run, (size_t)run->n_sources + 1, sizeof *spots);
	sqlite3_stmt *stmt = gaspdb_prepare(run, gaspdb_sql_spot_places);

	while (spots && gaspdb_row(run, stmt))
		spots[sqlite3_column_int64(stmt, 0)] =
			(struct gaspdb_spot){ sqlite3_column_int64(stmt, 1),
					      sqlite3_column_int64(stmt, 2) };
	sqlite3_finalize(stmt);
	return spots;
}
