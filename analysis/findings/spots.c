/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view is not in the file yet: a temporary one is made. */
#include "analysis/findings/spots.h"

#include "sql/sql.h"

struct gaspdb_spot *gaspdb_spots_read(struct gaspdb_run *run)
{
	struct gaspdb_spot *spots =
		gaspdb_zeroed(run, (size_t)run->n_sources + 1, sizeof *spots);
	char *views = gaspdb_views_hold("spots", false);
	sqlite3_stmt *stmt;

	gaspdb_exec(run, views ? views : "");
	sqlite3_free(views);
	stmt = gaspdb_prepare(
		run, "SELECT source_id, spot, place_source_id FROM spots");
	while (spots && gaspdb_row(run, stmt))
		spots[sqlite3_column_int64(stmt, 0)] =
			(struct gaspdb_spot){ sqlite3_column_int64(stmt, 1),
					      sqlite3_column_int64(stmt, 2) };
	sqlite3_finalize(stmt);
	return spots;
}
