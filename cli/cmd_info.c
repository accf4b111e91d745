/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gaspdb info: contents and completeness of a run or a database. */
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/command.h"
#include "cli/database/database.h"
#include "cli/info/info.h"
#include "cli/options.h"
#include "cli/run_choice.h"

static int run(int argc, char **argv);

enum { RUN, UNPACK_LIMIT };

static const struct gaspdb_option options[] = {
	[RUN] = { 0, "run", "NAME", "show this one of several runs in RUN" },
	[UNPACK_LIMIT] = { 0, "unpack-limit", "SIZE",
			   GASPDB_INPUT_UNPACK_LIMIT_DOC },
	{ 0, NULL, NULL, NULL },
};

const struct gaspdb_command gaspdb_cmd_info = {
	.name = "info",
	.synopsis = "info [--run=NAME] RUN|FILE",
	.summary = "show the contents of a run or a database",
	.options = options,
	.doc = "RUN is any input of 'gaspdb import'; the losses shown are "
	       "those that an import would find.\n"
	       "Exit status 3: recorded data is missing or damaged; 2 also: "
	       "RUN holds several runs, which are\n"
	       "listed.\n",
	.run = run,
};

static bool is_database(const char *path)
{
	struct stat st;

	return strcmp(path, "-") && !stat(path, &st) && S_ISREG(st.st_mode) &&
	       gaspdb_database_is_one(path);
}

/* A parsed command line. */
struct request {
	const char *name; /* of a run; NULL: the only one */
	uint64_t unpack_max;
};

static bool take_option(void *user, int option, const char *argument)
{
	struct request *request = user;

	if (option == RUN) {
		request->name = argument;
		return true;
	}
	if (gaspdb_parse_limit(argument, &request->unpack_max))
		return true;
	gaspdb_options_usage(&gaspdb_cmd_info, "'%s' is no size", argument);
	return false;
}

static int run(int argc, char **argv)
{
	struct gaspdb_options o = { .command = &gaspdb_cmd_info,
				    .argc = argc,
				    .argv = argv };
	struct request request = { 0 };
	int status;

	if (!gaspdb_options_take(&o, take_option, &request, &status))
		return status;
	if (o.n_operands != 1)
		return gaspdb_options_usage(o.command,
					    "one run or database is needed");
	return is_database(o.operands[0])
		       ? gaspdb_info_database(o.operands[0])
		       : gaspdb_info_run(o.operands[0], request.name,
					 request.unpack_max);
}
