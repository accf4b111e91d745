/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What outlives a pass belongs to the connection, as what a function of SQL
 * owns, which hands out the pointer.
 */
#include "analysis/shared_sorter.h"

#include <stdio.h>
#include <stdlib.h>

#define POINTER "gaspdb_sorter"

static void hand_out(sqlite3_context *context, int n, sqlite3_value **values)
{
	struct gaspdb_sorter **to = sqlite3_value_pointer(values[0], POINTER);

	(void)n;
	if (to)
		*to = sqlite3_user_data(context);
}

static void free_sorter(void *sorter)
{
	gaspdb_sorter_fini(sorter);
	free(sorter);
}

static struct gaspdb_sorter *make(struct gaspdb_run *run, const char *name,
				  size_t columns, size_t keys)
{
	struct gaspdb_sorter *made = gaspdb_zeroed(run, 1, sizeof *made);

	if (!made)
		return NULL;
	gaspdb_sorter_init(made, run, columns, keys);
	if (sqlite3_create_function_v2(run->db, name, 1, SQLITE_UTF8, made,
				       hand_out, NULL, NULL, free_sorter)) {
		run->status = gaspdb_fail(run->err, GASPDB_FAILED, "%s: %s",
					  name, sqlite3_errmsg(run->db));
		return NULL; /* and it is freed */
	}
	return made;
}

struct gaspdb_sorter *gaspdb_sorter_share(struct gaspdb_run *run,
					  const char *name, size_t columns,
					  size_t keys)
{
	struct gaspdb_sorter *sorter = NULL;
	sqlite3_stmt *stmt = NULL;
	char sql[80];

	if (run->status != GASPDB_OK)
		return NULL;
	snprintf(sql, sizeof sql, "SELECT %s(?)", name);
	if (sqlite3_prepare_v2(run->db, sql, -1, &stmt, NULL)) {
		sorter = make(run, name, columns, keys);
	} else {
		sqlite3_bind_pointer(stmt, 1, &sorter, POINTER, NULL);
		gaspdb_row(run, stmt);
	}
	sqlite3_finalize(stmt);
	if (sorter)
		sorter->run = run;
	return sorter;
}

void gaspdb_sorter_empty(struct gaspdb_sorter *sorter)
{
	struct gaspdb_run *run = sorter->run;
	const size_t columns = sorter->columns, keys = sorter->keys;

	gaspdb_sorter_fini(sorter);
	gaspdb_sorter_init(sorter, run, columns, keys);
}
