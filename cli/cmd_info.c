/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gaspdb info: what a run or a database holds, and is it whole. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "database.h"
#include "info.h"
#include "options.h"
#include "run_choice.h"
#include "text.h"

static int run(int argc, char **argv);

enum { RUN, UNPACK_LIMIT };

static const struct gaspdb_option options[] = {
	[RUN] = { 0, "run", "NAME", "of several runs in RUN, this one" },
	[UNPACK_LIMIT] = { 0, "unpack-limit", "SIZE",
			   GASPDB_INPUT_UNPACK_LIMIT_DOC },
	{ 0, NULL, NULL, NULL },
};

const struct gaspdb_command gaspdb_cmd_info = {
	.name = "info",
	.synopsis = "info [--run=NAME] RUN|FILE",
	.summary = "tell what a run or a database holds",
	.options = options,
	.doc = "RUN is whatever 'gaspdb import' takes; the losses told are "
	       "those that an import would find.\n"
	       "Exit status 3: recorded data is missing or damaged; 2 also: "
	       "RUN holds several runs, which are\n"
	       "listed.\n",
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

static bool is_database(const char *path)
{
	struct stat st;

	return strcmp(path, "-") && !stat(path, &st) && S_ISREG(st.st_mode) &&
	       gaspdb_database_is_one(path);
}

static int run(int argc, char **argv)
{
	struct gaspdb_options o = { .command = &gaspdb_cmd_info,
				    .argc = argc,
				    .argv = argv };
	const char *name = NULL;
	uint64_t unpack_max = 0;
	int i;

	while ((i = gaspdb_options_next(&o)) >= 0) {
		if (i == RUN) {
			name = o.argument;
		} else if (!gaspdb_parse_limit(o.argument, &unpack_max)) {
			gaspdb_options_fini(&o);
			return gaspdb_options_usage(
				o.command, "'%s' is no size", o.argument);
		}
	}
	if (i == GASPDB_OPTIONS_HELP)
		return gaspdb_options_help(o.command);
	if (i == GASPDB_OPTIONS_WRONG)
		return GASPDB_EXIT_USAGE;
	if (o.n_operands != 1)
		return gaspdb_options_usage(o.command,
					    "one run or database is needed");
	return is_database(o.operands[0])
		       ? gaspdb_info_database(o.operands[0])
		       : gaspdb_info_run(o.operands[0], name, unpack_max);
}
