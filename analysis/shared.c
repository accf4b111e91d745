/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions of SQL of one argument, the place where the pointer goes. */
#include "analysis/shared.h"

#include <stdio.h>

#define POINTER "gaspdb_shared"

static void hand_out(sqlite3_context *context, int n, sqlite3_value **values)
{
	void **to = sqlite3_value_pointer(values[0], POINTER);

	(void)n;
	if (to)
		*to = sqlite3_user_data(context);
}

static void fail(struct gaspdb_run *run, const char *name)
{
	if (run->status == GASPDB_OK)
		run->status = gaspdb_fail(run->err, GASPDB_FAILED, "%s: %s",
					  name, sqlite3_errmsg(run->db));
}

void *gaspdb_shared_get(struct gaspdb_run *run, const char *name)
{
	sqlite3_stmt *stmt = NULL;
	void *object = NULL;
	char sql[80];
	int rc;

	snprintf(sql, sizeof sql, "SELECT %s(?)", name);
	rc = sqlite3_prepare_v2(run->db, sql, -1, &stmt, NULL);
	if (!rc)
		rc = sqlite3_bind_pointer(stmt, 1, &object, POINTER, NULL);
	if (!rc)
		gaspdb_row(run, stmt);
	else if (rc != SQLITE_ERROR) /* that is: no such function */
		fail(run, name);
	sqlite3_finalize(stmt);
	return object;
}

bool gaspdb_shared_put(struct gaspdb_run *run, const char *name, void *object,
		       void (*destroy)(void *))
{
	if (!sqlite3_create_function_v2(run->db, name, 1, SQLITE_UTF8, object,
					object ? hand_out : NULL, NULL, NULL,
					object ? destroy : NULL))
		return true;
	fail(run, name);
	return false;
}

void gaspdb_shared_lend(struct gaspdb_run *from, struct gaspdb_run *to,
			const char *name)
{
	void *object = gaspdb_shared_get(from, name);

	if (object)
		gaspdb_shared_put(to, name, object, NULL);
}
