/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is lost is known by line and thread, in view loss; a report shows it by
 * line (view loss_line).  With thousands of threads summing it up takes most of
 * a second, so it is done once.
 */
#include "analysis/findings/findings.h"

#include "analysis/engine/run.h"
#include "sql/sql.h"

enum gaspdb_status gaspdb_pass_findings(struct gaspdb_run *run)
{
	char *sql = gaspdb_views_hold("loss_line", false);

	gaspdb_exec(run, sql ? sql : "");
	gaspdb_exec(run, "INSERT INTO loss_total SELECT * FROM loss_line");
	sqlite3_free(sql);
	return run->status;
}
