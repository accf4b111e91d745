/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Losses by line.  View loss has them by line and thread; a report shows them
 * by line (view loss_line).  With thousands of threads the sums take most of a
 * second, so they are stored.
 */
#include "analysis/findings/findings.h"

#include "analysis/engine/run.h"
#include "sql/passes/findings.h"
#include "sql/sql.h"

enum gaspdb_status gaspdb_pass_findings(struct gaspdb_run *run)
{
	char *views = gaspdb_views_hold("loss_line", false);

	gaspdb_exec(run, views ? views : "");
	gaspdb_exec(run, gaspdb_sql_loss_total_fill);
	sqlite3_free(views);
	return run->status;
}
