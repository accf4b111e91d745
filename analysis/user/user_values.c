/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values given with user events: count, sum, mean, least, largest and deviation
 * by event, argument and thread, and over time. SQL sums them; the names of
 * arguments are words of the printf format.
 */
#include "analysis/user/user_values.h"

#include <string.h>

#include "analysis/engine/run.h"
#include "collector/log/user_format.h"
#include "sql/passes/user.h"

/* Inserts the label of an argument; arguments count from 1. */
static void insert_label(struct gaspdb_run *run, sqlite3_stmt *insert,
			 int64_t argument, int64_t position, const char *format)
{
	struct gaspdb_format_word words[GASPDB_FORMAT_MAX];
	struct gaspdb_format types;
	char label[64];
	size_t n;

	if (!format || position < 1 || position > GASPDB_FORMAT_MAX)
		return;
	gaspdb_format_parse(format, &types, words);
	n = words[position - 1].bytes;
	if (n == 0 || n >= sizeof label)
		return;
	memcpy(label, words[position - 1].text, n);
	label[n] = 0;
	gaspdb_write(run, insert, 1, &argument, label);
}

static void insert_labels(struct gaspdb_run *run)
{
	sqlite3_stmt *arguments =
		gaspdb_prepare(run, gaspdb_sql_user_arguments);
	sqlite3_stmt *insert =
		gaspdb_prepare(run, gaspdb_sql_user_argument_add);

	while (gaspdb_row(run, arguments))
		insert_label(run, insert, gaspdb_column(arguments, 0),
			     gaspdb_column(arguments, 1),
			     (const char *)sqlite3_column_text(arguments, 2));
	sqlite3_finalize(insert);
	sqlite3_finalize(arguments);
}

enum gaspdb_status gaspdb_pass_user_values(struct gaspdb_run *run)
{
	static const enum gaspdb_type user[] = { GASPDB_TYPE_user };

	if (!gaspdb_run_has(run, user, 1))
		return run->status;
	insert_labels(run);
	gaspdb_exec(run, gaspdb_sql_user_values);
	return run->status;
}
