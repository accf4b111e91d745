/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of logs that util_log.c built, and their import. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/util_log.h"

char *run_new(void)
{
	/* In memory: imports wait for the disk. */
	char *run = strdup(access("/dev/shm", W_OK)
				   ? "/tmp/gaspdb-test-XXXXXX"
				   : "/dev/shm/gaspdb-test-XXXXXX");

	assert_non_null(run);
	assert_non_null(mkdtemp(run));
	return run;
}

void run_remove(char *run)
{
	DIR *dir = opendir(run);
	struct dirent *entry;
	char path[600];

	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		snprintf(path, sizeof path, "%s/%s", run, entry->d_name);
		unlink(path);
	}
	closedir(dir);
	assert_int_equal(rmdir(run), 0);
	free(run);
}

void run_add_bytes(const char *run, const char *name, const void *bytes,
		   size_t n)
{
	char path[300];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", run, name);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

void run_add(const char *run, struct log *l)
{
	char name[100];

	snprintf(name, sizeof name, "%s-%u-%u.gasplog", l->host, l->pid,
		 l->ordinal);
	run_add_bytes(run, name, l->bytes, l->n);
	log_free(l);
}

sqlite3 *run_import_to(const char *folder, const char *run, const char *name,
		       struct gaspdb_import_result *result,
		       struct gaspdb_error *err)
{
	char output[400];
	struct gaspdb_make_options options = {
		.import = { .run = run, .name = name },
		.output = output,
		.force = true
	};
	struct gaspdb_made made;
	enum gaspdb_status status;
	sqlite3 *db = NULL;

	snprintf(output, sizeof output, "%s/db.sqlite", folder);
	memset(err, 0, sizeof *err);
	status = gaspdb_make(&options, &made, err);
	*result = made.import;
	if (status)
		return NULL;
	assert_int_equal(
		sqlite3_open_v2(output, &db, SQLITE_OPEN_READONLY, NULL),
		SQLITE_OK);
	return db;
}

sqlite3 *run_import(const char *run, struct gaspdb_import_result *result,
		    struct gaspdb_error *err)
{
	return run_import_to(run, run, NULL, result, err);
}

sqlite3 *run_open(const char *run)
{
	struct gaspdb_import_result result;
	struct gaspdb_error err;
	sqlite3 *db = run_import(run, &result, &err);

	if (!db)
		fail_msg("import: %s", err.msg);
	return db;
}

sqlite3 *run_one(struct log *l)
{
	char *run = run_new();
	sqlite3 *db;

	run_add(run, l);
	db = run_open(run);
	run_remove(run); /* the open file stays readable */
	return db;
}
