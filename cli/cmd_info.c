/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gaspdb info: what a run directory or database holds, and is it whole. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "info.h"
#include "options.h"
#include "text.h"

static int run(int argc, char **argv);

static const struct gaspdb_option options[] = { { 0, NULL, NULL, NULL } };

const struct gaspdb_command gaspdb_cmd_info = {
	.name = "info",
	.synopsis = "info RUN|FILE",
	.summary = "tell what a run directory or a database holds",
	.options = options,
	.doc = "Exit status 3: recorded data is missing or damaged.\n",
	.run = run,
};

void gaspdb_info_print(const char *key, const char *value)
{
	if (!value || !*value)
		return;
	char *safe = gaspdb_text_safe(value, strlen(value));
	printf("%-15s %s\n", key, safe);
	free(safe);
}

static int run(int argc, char **argv)
{
	struct gaspdb_options o = { .command = &gaspdb_cmd_info,
				    .argc = argc,
				    .argv = argv };
	struct stat st;
	int status;

	if (!gaspdb_options_none(&o, &status))
		return status;
	if (o.n_operands != 1)
		return gaspdb_options_usage(o.command, "one run directory or "
						       "database is needed");
	if (stat(o.operands[0], &st)) {
		gaspdb_print_error("cannot open '%s': %s", o.operands[0],
				   strerror(errno));
		return GASPDB_EXIT_FAILED;
	}
	return S_ISDIR(st.st_mode) ? gaspdb_info_run(o.operands[0])
				   : gaspdb_info_database(o.operands[0]);
}
