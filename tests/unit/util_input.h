/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One small run for tests of what it can come in, and a folder for them.
 * Every function fails the running test if something goes wrong.
 */
#ifndef GASPDB_TESTS_UNIT_UTIL_INPUT_H
#define GASPDB_TESTS_UNIT_UTIL_INPUT_H

#include "tests/unit/util_archive.h"
#include "tests/unit/util_log.h"

#define INPUT_LOGS  3
#define INPUT_CALLS 5 /* of each log */

extern struct log *input_logs[INPUT_LOGS];
/* The byte after each call's START. */
extern size_t input_events_end[INPUT_LOGS][INPUT_CALLS];
extern const char input_lines[]; /* of lines.tsv */
extern char *input_folder;

/* A group's set-up and tear-down. */
int input_set_up(void **state);
int input_tear_down(void **state);

const char *input_log_name(int rank);
/* Of a file in the folder; until the next call. */
const char *input_path(const char *name);
/* The logs, their lines, and a file that is none; prefix is "" or ends with a
   slash. */
void input_add_run(struct archive_file *a, const char *prefix);
/* NULL: err tells why not.  name: the run's, or NULL. */
sqlite3 *input_import(const char *path, const char *name,
		      struct gaspdb_import_result *result,
		      struct gaspdb_error *err);

#endif
