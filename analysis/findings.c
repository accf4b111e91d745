/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is lost is known by line and thread, in view loss; a report shows it by
 * line (view loss_line).  With thousands of threads summing it up takes most of
 * a second, so it is done once.
 */
#include "analysis/findings.h"

#include "analysis/run.h"
#include "sql/sql.h"

enum gaspdb_status gaspdb_pass_findings(sqlite3 *db, struct gaspdb_error *err)
{
	struct gaspdb_run run;

	gaspdb_run_open(&run, db, err);
	if (run.status == GASPDB_OK)
		gaspdb_check(&run, gaspdb_views_hold(db, "loss_line"));
	gaspdb_exec(&run, "INSERT INTO loss_total SELECT * FROM loss_line");
	return gaspdb_run_close(&run);
}
