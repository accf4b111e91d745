/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Synchronization flags of UPC collectives. */
#include "analysis/collectives/calls/upc_flags.h"

#include <stdio.h>

#include "sql/passes/collectives.h"

void gaspdb_upc_flags_load(struct gaspdb_upc_flags *f, struct gaspdb_run *run)
{
	sqlite3_stmt *stmt = gaspdb_prepare(run, gaspdb_sql_upc_sync_flags);

	*f = (struct gaspdb_upc_flags){ .known = false };
	if (gaspdb_row(run, stmt))
		f->known = sscanf((const char *)sqlite3_column_text(stmt, 0),
				  "%9d %9d %9d %9d %9d %9d", &f->in_all,
				  &f->in_my, &f->in_no, &f->out_all, &f->out_my,
				  &f->out_no) == 6;
	sqlite3_finalize(stmt);
}

/* Neither NOSYNC nor MYSYNC means ALLSYNC, which has no bit in some
   implementations. */
enum gaspdb_upc_sync gaspdb_upc_flags_sync(const struct gaspdb_upc_flags *f,
					   int64_t value)
{
	bool in_no, in_all, out_all;

	if (!f->known || value == GASPDB_NONE)
		return GASPDB_UPC_SYNC_UNKNOWN;
	in_no = value & f->in_no;
	in_all = !in_no && !(value & f->in_my);
	out_all = !(value & (f->out_no | f->out_my));
	if (in_all || out_all)
		return GASPDB_UPC_SYNC_ALL;
	return in_no ? GASPDB_UPC_SYNC_NONE : GASPDB_UPC_SYNC_DATA;
}
