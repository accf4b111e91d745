/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/util_input.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/util_log.h"

struct log *input_logs[INPUT_LOGS];
size_t input_events_end[INPUT_LOGS][INPUT_CALLS];
const char input_lines[] = "01020304\t2f\tf\tb.c\t7\t0\n";
char *input_folder;

static void make_log(int rank)
{
	struct log *l = log_rank(rank, INPUT_LOGS);
	unsigned put = log_site_pc(
		l, log_op(l, "put", "put", "communication", "peer:i", ""),
		0x4030);

	log_module(l, 0x4000, 0x5000, 0x4000, "\1\2\3\4", 4, "/nonexistent");
	for (uint64_t i = 0; i < INPUT_CALLS; i++) {
		log_start(l, 10 * i, put, ARGS((rank + 1) % INPUT_LOGS));
		input_events_end[rank][i] = l->n;
		log_end(l, 10 * i + 5, put, NONE);
	}
	log_close(l);
	input_logs[rank] = l;
}

int input_set_up(void **state)
{
	(void)state;
	for (int rank = 0; rank < INPUT_LOGS; rank++)
		make_log(rank);
	input_folder = run_new();
	return 0;
}

int input_tear_down(void **state)
{
	(void)state;
	for (int rank = 0; rank < INPUT_LOGS; rank++)
		log_free(input_logs[rank]);
	run_remove(input_folder);
	return 0;
}

const char *input_log_name(int rank)
{
	static char name[INPUT_LOGS][40];

	snprintf(name[rank], sizeof name[rank], "node-%d-0.gasplog",
		 100 + rank);
	return name[rank];
}

const char *input_path(const char *name)
{
	static char path[400];

	snprintf(path, sizeof path, "%s/%s", input_folder, name);
	return path;
}

/* prefix is "" or ends with a slash. */
void input_add_run(struct archive_file *a, const char *prefix)
{
	char name[300];

	for (int rank = 0; rank < INPUT_LOGS; rank++) {
		snprintf(name, sizeof name, "%s%s", prefix,
			 input_log_name(rank));
		archive_add(a, name, input_logs[rank]->bytes,
			    input_logs[rank]->n);
	}
	snprintf(name, sizeof name, "%slines.tsv", prefix);
	archive_add(a, name, input_lines, strlen(input_lines));
	snprintf(name, sizeof name, "%sother.txt", prefix);
	archive_add(a, name, "no log", 6);
}

sqlite3 *input_import(const char *path, const char *name,
		      struct gaspdb_import_result *result,
		      struct gaspdb_error *err)
{
	return run_import_to(input_folder, path, name, result, err);
}
