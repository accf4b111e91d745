/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gaspdb import: makes a database of a run. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/command.h"
#include "cli/import/make.h"
#include "cli/next_command.h"
#include "cli/options.h"
#include "cli/output/human.h"
#include "cli/output/progress.h"
#include "cli/output/text.h"
#include "cli/run_choice.h"
#include "cli/run_facts.h"

static int run(int argc, char **argv);

#define JOBS_MAX 1024

enum { OUTPUT, FORCE, RUN, JOBS, LOCAL_MODULES, USER_CODE, UNPACK_LIMIT };

static const struct gaspdb_option options[] = {
	[OUTPUT] = { 'o', "output", "FILE", "the database to make (RUN.db)" },
	[FORCE] = { 'f', "force", NULL, "replace FILE if it exists" },
	[RUN] = { 0, "run", "NAME", "import this one of several runs in RUN" },
	[JOBS] = { 'j', "jobs", "N",
		   "use N processors (all there are); 1: one thread" },
	[LOCAL_MODULES] = { 0, "local-modules", NULL,
			    "find an archive's source lines in this machine's "
			    "programs, too" },
	[USER_CODE] = { 0, "user-code", "PATTERN",
			"libraries whose lines count as the program's in call "
			"stacks" },
	[UNPACK_LIMIT] = { 0, "unpack-limit", "SIZE",
			   GASPDB_INPUT_UNPACK_LIMIT_DOC },
	{ 0, NULL, NULL, NULL },
};

const struct gaspdb_command gaspdb_cmd_import = {
	.name = "import",
	.synopsis = "import [-o FILE] [--force] [--run=NAME] [--jobs=N] RUN",
	.summary = "convert a run into one SQLite file",
	.options = options,
	.doc = "RUN is a directory made by 'gaspdb record', an archive of it "
	       "(.tar, .zip, .7z, .cpio; also .tar.gz,\n"
	       ".xz, .zst, .bz2, .lz4, .lzma, .lz), a single log, compressed "
	       "or not, or any of these on standard\n"
	       "input (-).  Archives are read as a stream and never "
	       "extracted.  FILE appears when it is complete,\n"
	       "and not at all if the import fails.  --force replaces a file and "
	       "the files SQLite left beside it,\n"
	       "unless another program uses it; if FILE is a link, it replaces "
	       "the target.  Exit status 3: done,\n"
	       "but recorded data is missing or damaged; 2 also: RUN holds "
	       "several runs, which are listed.\n",
	.run = run,
};

/* ", N raw events/s": those that were read one by one; "" of a profile. */
static void format_rate(char *text, size_t bytes,
			const struct gaspdb_import_result *result,
			uint64_t elapsed_ns)
{
	const double seconds = elapsed_ns ? (double)elapsed_ns / 1e9 : 1e-9;
	const uint64_t read = result->raw_events - result->counted_events;
	char rate[GASPDB_HUMAN_BYTES];

	*text = '\0';
	if (read || !result->counted_events)
		snprintf(text, bytes, ", %s raw events/s",
			 gaspdb_human_count(rate,
					    (int64_t)((double)read / seconds)));
}

static void print_summary(const struct gaspdb_make_options *options_,
			  const struct gaspdb_made *made, uint64_t elapsed_ns)
{
	const struct gaspdb_import_result *result = &made->import;
	char threads[GASPDB_HUMAN_BYTES], events[GASPDB_HUMAN_BYTES];
	char size[GASPDB_HUMAN_BYTES], time[GASPDB_HUMAN_BYTES];
	char rate[GASPDB_HUMAN_BYTES + 32], raw[GASPDB_HUMAN_BYTES];
	char passes[GASPDB_HUMAN_BYTES];
	struct stat st = { 0 };

	format_rate(rate, sizeof rate, result, elapsed_ns);
	stat(options_->output, &st);
	gaspdb_print_error(
		"%s: %s %s, %s %s (%s raw), %s, in %s (%s for analyses%s)",
		options_->output,
		gaspdb_human_count(threads, (int64_t)result->threads),
		made->members,
		gaspdb_human_count(events, (int64_t)result->events),
		gaspdb_human_plural((int64_t)result->events, "event", "events"),
		gaspdb_human_count(raw, (int64_t)result->raw_events),
		gaspdb_human_size(size, st.st_size),
		gaspdb_human_time(time, (int64_t)elapsed_ns),
		gaspdb_human_time(passes, (int64_t)made->passes_ns), rate);
}

/* Prints why the recording is empty, as written by gaspdb record. */
static void print_reason(const char *run_dir)
{
	char *recorded = gaspdb_run_fact(run_dir, GASPDB_RUN_NOTHING);

	if (recorded)
		gaspdb_print_error("nothing was recorded: %s", recorded);
	free(recorded);
}

static int import(struct gaspdb_make_options *make_options)
{
	struct gaspdb_made made = { 0 };
	struct gaspdb_error err = { 0 };
	struct gaspdb_diagnostics diagnostics = { 0 };
	struct gaspdb_progress progress;
	int exit_status;

	gaspdb_progress_init(&progress);
	make_options->progress = gaspdb_progress_update;
	make_options->user = &progress;
	make_options->import.diagnostics = &diagnostics;
	enum gaspdb_status status = gaspdb_make(make_options, &made, &err);
	uint64_t elapsed_ns = gaspdb_progress_fini(&progress);
	if (status == GASPDB_OK) {
		print_summary(make_options, &made, elapsed_ns);
		gaspdb_print_diagnostics(&diagnostics);
		gaspdb_print_next("report", make_options->output);
		exit_status = made.import.losses ? GASPDB_EXIT_DAMAGED
						 : GASPDB_EXIT_DONE;
	} else {
		gaspdb_print_diagnostics(&diagnostics);
		gaspdb_print_error("%s", err.msg);
		if (!*made.import.empty_reason)
			print_reason(make_options->import.run);
		exit_status = gaspdb_print_runs(&made.import.runs);
	}
	gaspdb_diagnostics_free(&diagnostics);
	return exit_status;
}

static bool take_jobs(const char *argument, unsigned *jobs)
{
	char *end;
	const unsigned long n = strtoul(argument, &end, 10);

	*jobs = (unsigned)n;
	return *argument >= '0' && *argument <= '9' && !*end && n >= 1 &&
	       n <= JOBS_MAX;
}

/* Reports an invalid value of an option; returns good. */
static bool is_value(bool good, const char *argument, const char *what)
{
	if (!good)
		gaspdb_options_usage(&gaspdb_cmd_import, "'%s' is no %s",
				     argument, what);
	return good;
}

static bool take_option(void *user, int option, const char *argument)
{
	struct gaspdb_make_options *to = user;

	switch (option) {
	case OUTPUT:
		to->output = argument;
		return true;
	case FORCE:
		return to->force = true;
	case RUN:
		to->import.name = argument;
		return true;
	case JOBS:
		return is_value(take_jobs(argument, &to->import.jobs), argument,
				"number of processors");
	case LOCAL_MODULES:
		return to->import.local_modules = true;
	case USER_CODE:
		to->import.user_code = argument;
		return true;
	default:
		return is_value(
			gaspdb_parse_limit(argument, &to->import.unpack_max),
			argument, "size");
	}
}

static int run(int argc, char **argv)
{
	struct gaspdb_options o = { .command = &gaspdb_cmd_import,
				    .argc = argc,
				    .argv = argv };
	struct gaspdb_make_options make_options = { 0 };
	int status;

	signal(SIGXFSZ,
	       SIG_IGN); /* a file-size limit is reported as an error */
	if (!gaspdb_options_take(&o, take_option, &make_options, &status))
		return status;
	if (o.n_operands != 1)
		return gaspdb_options_usage(o.command, "one run is needed");
	make_options.import.run = o.operands[0];
	if (!make_options.output && !strcmp(make_options.import.run, "-"))
		return gaspdb_options_usage(
			o.command, "for standard input, -o FILE is needed");
	if (make_options.output && !strcmp(make_options.output, "-"))
		return gaspdb_options_usage(
			o.command,
			"a database cannot be written to standard output");
	/* for tests and measurements */
	make_options.by_inserts = getenv("GASPDB_IMPORT_BY_INSERTS") != NULL;
	char *output = NULL;
	if (!make_options.output)
		make_options.output = output = gaspdb_default_output(
			make_options.import.run, make_options.import.name);
	status = import(&make_options);
	free(output);
	return status;
}
