/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Test of the settings for an untrusted database, whatever else guards it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "cli/database/database.h"
#include "sql/sql.h"

static char path[] = "/tmp/test_database-XXXXXX";

static int setting(const struct gaspdb_database *db, int which)
{
	int on = -2;

	sqlite3_db_config(db->sql, which, -1, &on);
	return on;
}

static void settings(void **state)
{
	struct gaspdb_error err = { 0 };
	struct gaspdb_database db;

	(void)state;
	if (gaspdb_database_open(&db, path, &err))
		fail_msg("%s", err.msg);
	assert_int_equal(setting(&db, SQLITE_DBCONFIG_DEFENSIVE), 1);
	assert_int_equal(setting(&db, SQLITE_DBCONFIG_TRUSTED_SCHEMA), 0);
	assert_int_equal(setting(&db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION),
			 0);
	assert_int_equal(setting(&db, SQLITE_DBCONFIG_ENABLE_TRIGGER), 0);
	assert_int_equal(setting(&db, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER),
			 0);
	assert_int_equal(setting(&db, SQLITE_DBCONFIG_WRITABLE_SCHEMA), 0);
	assert_int_equal(setting(&db, SQLITE_DBCONFIG_DQS_DML), 0);
	assert_int_equal(setting(&db, SQLITE_DBCONFIG_DQS_DDL), 0);
	assert_int_equal(sqlite3_limit(db.sql, SQLITE_LIMIT_ATTACHED, -1), 0);
	assert_int_equal(sqlite3_limit(db.sql, SQLITE_LIMIT_LENGTH, -1),
			 1 << 20);
	assert_int_equal(sqlite3_db_readonly(db.sql, "main"), 1);
	assert_int_equal(
		gaspdb_database_integer(&db, "PRAGMA cell_size_check", -1),
		-1); /* the authorizer hides even its existence */
	gaspdb_database_close(&db);
}

static int set_up(void **state)
{
	const int fd = mkstemp(path);
	char header[100];
	sqlite3 *db;
	int rc;

	(void)state;
	if (fd < 0)
		return -1;
	close(fd);
	snprintf(header, sizeof header,
		 "PRAGMA application_id = %d; PRAGMA user_version = %d",
		 GASPDB_APPLICATION_ID, GASPDB_SCHEMA_VERSION);
	rc = sqlite3_open(path, &db) ||
	     sqlite3_exec(db, header, NULL, NULL, NULL) ||
	     sqlite3_exec(db, gaspdb_schema, NULL, NULL, NULL) ||
	     sqlite3_exec(db, gaspdb_views, NULL, NULL, NULL);
	sqlite3_close(db);
	return rc;
}

static int tear_down(void **state)
{
	(void)state;
	return unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(settings) };

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
