/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gaspdb record: runs a command with the collector, and makes a run directory.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/info/logs.h"
#include "cli/next_command.h"
#include "cli/options.h"
#include "cli/output/human.h"
#include "cli/output/text.h"
#include "cli/record/record.h"
#include "collector/core/selection/phase_list.h"
#include "collector/core/selection/throttle_limit.h"
#include "collector/models/mpi/clocks/period.h"
#include "collector/core/size_limit.h"
#include "collector/log/log_format.h"
#include "importer/import.h"
#include "importer/inspect/inspect.h"

static int run(int argc, char **argv);

enum {
	OUTPUT,
	FORCE,
	REPORT,
	ONLY,
	EXCEPT,
	FILTER,
	START,
	PHASE,
	NESTED,
	IO,
	MEMORY,
	STACK,
	THROTTLE,
	MODE,
	SYNC_COLLECTIVES,
	CLOCK_SAMPLING,
	MAX_LOG_SIZE,
	MAX_SIZE
};

static const struct gaspdb_option options[] = {
	[OUTPUT] = { 'o', "output", "DIR",
		     "the run directory to make "
		     "(gaspdb-PROGRAM-TIME)" },
	[FORCE] = { 'f', "force", NULL,
		    "replace DIR if it is a run directory" },
	[REPORT] = { 0, "report", "FILE.html",
		     "then import the run, and write the report as a page" },
	[ONLY] = { 0, "only", "LIST",
		   "record only operations and functions that LIST selects" },
	[EXCEPT] = { 0, "except", "LIST", "record none that LIST selects" },
	[FILTER] = { 0, "filter", "FILE",
		     "leave out what a Score-P filter file excludes" },
	[START] = { 0, "start", "WHEN",
		    "on, or off: until the program switches recording on (on)" },
	[PHASE] = { 0, "phase", "PHASES",
		    "trace a thread only while one of these user events is "
		    "open" },
	[NESTED] = { 0, "nested", NULL,
		     "record also the calls that a runtime makes to itself" },
	[IO] = { 0, "io", NULL,
		 "record also calls on files (POSIX, stdio) of MPI and "
		 "OpenSHMEM programs" },
	[MEMORY] = { 0, "memory", NULL,
		     "count private memory (malloc, new), too: leaks and peaks "
		     "by line" },
	[STACK] = { 0, "stack", "N",
		    "record up to N callers of each MPI or OpenSHMEM call (0)" },
	[THROTTLE] = { 0, "throttle", "LIMIT",
		       "after CALLS[,DURATION] only count calls of a function "
		       "(100000,10us); off" },
	[MODE] = { 0, "mode", "MODE",
		   "trace; profile: sums by call path, in a log of constant "
		   "size; both" },
	[SYNC_COLLECTIVES] = { 0, "sync-collectives", NULL,
			       "time a barrier of its own before each blocking "
			       "collective of MPI" },
	[CLOCK_SAMPLING] = { 0, "clock-sampling", "T",
			     "on several hosts, compare their clocks every "
			     "T (5s); off" },
	[MAX_LOG_SIZE] = { 0, "max-log-size", "SIZE",
			   "stop recording a thread when its log has this "
			   "size (64M, 2G)" },
	[MAX_SIZE] = { 0, "max-size", "SIZE",
		       "the same for all logs together; 0: no limit "
		       "(16G, half the free disk)" },
	{ 0, NULL, NULL, NULL },
};

const struct gaspdb_command gaspdb_cmd_record = {
	.name = "record",
	.synopsis = "record [-o DIR] [--force] "
		    "[OPTION...] [--] COMMAND [ARGUMENT...]",
	.summary = "run a command with the collector, leave a run directory",
	.options = options,
	.doc = "COMMAND is the command without gaspdb: mpirun with its "
	       "options, or the unchanged program itself.\n"
	       "The exit status is that of COMMAND: 128 + n if signal n "
	       "ended it, 127 if it was not found, 126 if it\n"
	       "could not be started; 2 if DIR exists.  --force accepts a "
	       "run directory as DIR and keeps it until\n"
	       "the new one has a log; it replaces no other directory.  A "
	       "run directory without recorded data is\n"
	       "removed.  Compile the program with -g to get source lines.\n\n"
	       "With --report the run is imported beside DIR when COMMAND has "
	       "ended.  If the database or the page\n"
	       "cannot be written, the reason is printed, DIR is kept, and "
	       "the exit status stays COMMAND's.\n\n"
	       "LIST is globs separated by commas, such as 'MPI_I*,barrier'. "
	       " They are compared without case with an\n"
	       "operation's symbol, name, type and category (gaspdb events), "
	       "and with names of functions and user\n"
	       "events.  name:GLOB, type:GLOB and model:GLOB (mpi, shmem, upc, "
	       "posix, user, functions, mapping) are\n"
	       "compared with one of these; function:GLOB and file:GLOB select "
	       "functions of COMMAND's programs.\n"
	       "Events left out are counted.\n\n"
	       "LIMIT: when a function has had CALLS in a thread, shorter than "
	       "DURATION on average (ns, us, ms, s),\n"
	       "its further calls there are counted and timed, and not "
	       "written; off: all are written.\n\n"
	       "MODE profile counts and times calls by call path, and writes "
	       "no events: no waits, no time lines.\n"
	       "both: a profile of everything, and a trace of what --start, "
	       "--phase and the program's switch record.\n"
	       "Without --mode it is trace, or both if --phase is given.\n"
	       "A trace that reaches its size limit goes on as a profile.\n\n"
	       "T is a duration from 1ms on.  If it is given, all "
	       "processes of an MPI program must be recorded;\n"
	       "else clocks are compared if the run directory shows that "
	       "rank 0 is.\n\n"
	       "PHASES is names of user events (pupc.h) separated by commas, "
	       "each with the starts that count, in\n"
	       "each thread from 1: 'step:10..20,solve'.  Recording is "
	       "switched as by pupc_control() and\n"
	       "MPI_Pcontrol(); waits at a window's edges are lower bounds.  "
	       "With --start=off nothing is\n"
	       "recorded before that call.\n",
	.run = run,
};

/* Reports that a log reached its size limit, which may be a default. */
static void print_limit(const struct gaspdb_recording *r)
{
	struct stat st;

	if (r->folder >= 0 && fstatat(r->folder, GASPDB_LIMIT_MARK, &st,
				      AT_SYMLINK_NOFOLLOW) == 0)
		gaspdb_print_error("not all is traced: a log has reached its "
				   "size limit, and has sums from then on, but "
				   "no events; see --max-size, --max-log-size");
}

static void print_summary(const struct gaspdb_recording *r, int64_t n_logs,
			  int64_t bytes)
{
	const struct gaspdb_input_options input = { .path = r->directory };
	char count[GASPDB_HUMAN_BYTES], size[GASPDB_HUMAN_BYTES];
	struct gaspdb_inspection members;
	struct gaspdb_run_words words;
	struct gaspdb_error ignored;

	gaspdb_inspect_members(&members, &input, &ignored);
	gaspdb_info_words(&members, &words);
	gaspdb_print_error("recorded %s %s, %s, in '%s'",
			   gaspdb_human_count(count, n_logs),
			   gaspdb_run_words_threads(&words, n_logs),
			   gaspdb_human_size(size, bytes), r->directory);
	gaspdb_run_words_free(&words);
	gaspdb_inspection_free(&members);
}

/*
 * Reports what the collector could not see, or why there are no events. Small
 * recordings only, because the logs are read; an import reports it anyway.
 * Returns false if there are no events.
 */
static bool print_not_seen(const struct gaspdb_recording *r, int64_t bytes)
{
	enum { MOST_BYTES = 16 << 20 };
	struct gaspdb_input_options input = { .path = r->directory };
	struct gaspdb_inspection inspection;
	struct gaspdb_error err;
	const char *last = "";

	if (bytes > MOST_BYTES)
		return true;
	bool is_empty = gaspdb_inspect(&inspection, &input, &err) != GASPDB_OK;
	if (is_empty)
		gaspdb_print_error("%s", err.msg);
	for (size_t i = 0; i < inspection.n_threads; i++) {
		const char *not_seen = inspection.threads[i].not_seen;
		if (is_empty || !not_seen || !strcmp(not_seen, last))
			continue;
		gaspdb_print_error("not all was recorded: %s", not_seen);
		last = not_seen;
	}
	gaspdb_inspection_free(&inspection);
	return !is_empty;
}

/*
 * Handles a run without logs. Other files in the directory are the program's.
 */
static void finish_empty(struct gaspdb_recording *r)
{
	if (r->started) {
		r->reason = gaspdb_record_explain(r);
		gaspdb_print_error("nothing was recorded: %s", r->reason);
		if (r->io)
			gaspdb_print_error("--io records calls on files in "
					   "programs of MPI and OpenSHMEM "
					   "only");
	}
	if (!gaspdb_record_remove(r)) {
		gaspdb_record_write_facts(r);
		return;
	}
	if (!r->aside)
		gaspdb_print_error("the empty run directory '%s' was removed",
				   r->name);
}

/* The run that --force replaced may have a database. */
static void print_next(const struct gaspdb_recording *r)
{
	char *database = gaspdb_default_output(r->name, NULL);

	gaspdb_print_next(access(database, F_OK) ? "import" : "import --force",
			  r->name);
	free(database);
}

/* A database of an earlier run by that name stays, and its page cannot be that
   of this run. */
static bool keeps_database(const char *database)
{
	if (access(database, F_OK))
		return false;
	gaspdb_print_error("no page: the database '%s' of an earlier run is kept",
			   database);
	return true;
}

/* Imports the run and writes the page; what failed is said by either, and here
   how it is done again. force: replace the database. */
static void make_page(const struct gaspdb_recording *r, const char *page,
		      bool force)
{
	char *database = gaspdb_default_output(r->name, NULL);
	char *import[] = { "import", "-o", database, r->directory,
			   force ? "--force" : NULL, NULL };
	char *report[] = { "report", "--html", (char *)page, database, NULL };
	const int status =
		!force && keeps_database(database)
			? GASPDB_EXIT_FAILED
			: gaspdb_command_find(import[0])->run(4 + force, import);

	if (status != GASPDB_EXIT_DONE && status != GASPDB_EXIT_DAMAGED)
		print_next(r);
	else if (gaspdb_command_find(report[0])->run(4, report))
		gaspdb_print_next("report --html=FILE.html", database);
	free(database);
}

static void finish_recorded(struct gaspdb_recording *r, int64_t n_logs,
			    int64_t bytes)
{
	struct gaspdb_error err;

	gaspdb_record_discard_aside(r);
	if (gaspdb_resolve_lines(r->directory, &err) != GASPDB_OK)
		gaspdb_print_error("no source lines: %s", err.msg);
	gaspdb_record_write_facts(r);
	print_summary(r, n_logs, bytes);
	print_limit(r);
	if (!print_not_seen(r, bytes))
		return;
	if (r->page)
		make_page(r, r->page, r->replaces);
	else
		print_next(r);
}

/* Finishes the recording when the command has ended: lines, facts, messages. */
static void finish(struct gaspdb_recording *r)
{
	int64_t bytes;
	int64_t n_logs = gaspdb_record_count_logs(r, &bytes);

	if (!gaspdb_record_has_directory(r)) {
		gaspdb_print_error("the recording is lost: '%s' is not the "
				   "directory that was made",
				   r->directory);
		return;
	}
	if (n_logs == 0)
		finish_empty(r);
	else
		finish_recorded(r, n_logs, bytes);
}

static void free_recording(struct gaspdb_recording *r)
{
	if (r->link_folder) {
		unlink(r->library_folder);
		rmdir(r->link_folder);
	}
	if (r->folder >= 0)
		close(r->folder);
	gaspdb_filter_free(&r->filter);
	free(r->link_folder);
	free(r->library_folder);
	free(r->directory);
	free(r->name);
	free(r->aside);
	free(r->reason);
}

/* Creates the run directory. false: one exists that may not be replaced,
   reported. After another failure the command runs unrecorded. */
static bool make_place(struct gaspdb_recording *r, const char *path, bool force)
{
	if (force && path && !gaspdb_record_set_aside(r, path))
		return false;
	if (gaspdb_record_make_directory(r, path) != EEXIST || !path)
		return true;
	gaspdb_options_usage(&gaspdb_cmd_record,
			     "'%s' exists already; --force replaces a run "
			     "directory",
			     path);
	gaspdb_record_restore_aside(r,
				    path); /* another directory has its name */
	return false;
}

static int record(struct gaspdb_recording *r, const char *path, bool force)
{
	/* no directory without the library: it would stay empty */
	if (gaspdb_record_find_library(r) && !make_place(r, path, force))
		return GASPDB_EXIT_USAGE;
	if (r->directory)
		gaspdb_record_select(r);
	gaspdb_record_run(r);
	if (r->directory)
		finish(r);
	/* if it is still set aside, nothing replaced it */
	gaspdb_record_restore_aside(r, r->name);
	return r->status;
}

/* Parses a log size of at least GASPDB_LOG_LEAST_BYTES; false: invalid,
   reported. */
static bool parse_log_size(const char *text, bool may_be_0, int64_t *bytes)
{
	const bool good =
		gaspdb_human_parse_size(text, bytes) &&
		(*bytes >= GASPDB_LOG_LEAST_BYTES || (may_be_0 && *bytes == 0));

	if (!good)
		gaspdb_options_usage(&gaspdb_cmd_record,
				     "'%s' is not a size of %u KiB or more",
				     text, GASPDB_LOG_LEAST_BYTES >> 10);
	return good;
}

/* A number of callers; false: complained. */
static bool parse_depth(const char *text, unsigned *depth)
{
	char *end;
	const unsigned long n = strtoul(text, &end, 10);
	const bool good =
		*text >= '0' && *text <= '9' && !*end && n <= GASPDB_STACK_MAX;

	if (!good)
		gaspdb_options_usage(&gaspdb_cmd_record,
				     "'%s' is not a number from 0 to %d", text,
				     GASPDB_STACK_MAX);
	*depth = (unsigned)n;
	return good;
}

/* Whether it is a limit of throttling; false: complained. */
static bool check_throttle(const char *text)
{
	struct gaspdb_throttle_limit ignored;
	const bool good = gaspdb_throttle_parse(text, &ignored);

	if (!good)
		gaspdb_options_usage(&gaspdb_cmd_record,
				     "'%s' is not CALLS, CALLS,DURATION (as in "
				     "100000,10us) or off",
				     text);
	return good;
}

static bool check_mode(const char *mode)
{
	const bool good = !strcmp(mode, "trace") || !strcmp(mode, "profile") ||
			  !strcmp(mode, "both");

	if (!good)
		gaspdb_options_usage(&gaspdb_cmd_record,
				     "'%s' is not trace, profile or both",
				     mode);
	return good;
}

/* Whether it is a time between clock samples; false: complained. */
static bool check_period(const char *text)
{
	uint64_t ignored;
	const bool good = gaspdb_clock_period_parse(text, &ignored);

	if (!good)
		gaspdb_options_usage(&gaspdb_cmd_record,
				     "'%s' is not a duration from 1ms on (as "
				     "in 5s, 200ms) or off",
				     text);
	return good;
}

static bool check_start(const char *when)
{
	const bool good = !strcmp(when, "on") || !strcmp(when, "off");

	if (!good)
		gaspdb_options_usage(&gaspdb_cmd_record,
				     "'%s' is neither on nor off", when);
	return good;
}

static bool check_phases(const char *text)
{
	struct gaspdb_phase_list list;
	const char *wrong = gaspdb_phase_list_parse(&list, text);

	if (wrong)
		gaspdb_options_usage(&gaspdb_cmd_record, "'%.200s': %s", text,
				     wrong);
	return !wrong;
}

/* Reads the filter; false: it has an error, reported. */
static bool read_filter(struct gaspdb_recording *r)
{
	struct gaspdb_error err;

	if (!r->filter_path ||
	    gaspdb_filter_read(&r->filter, r->filter_path, &err) == GASPDB_OK)
		return true;
	gaspdb_print_error("%s", err.msg);
	return false;
}

/* A parsed command line. */
struct request {
	struct gaspdb_recording *recording;
	const char *path; /* NULL: a generated name */
	bool force;
};

static bool take_option(void *user, int option, const char *argument)
{
	struct request *request = user;
	struct gaspdb_recording *r = request->recording;

	switch (option) {
	case OUTPUT:
		request->path = argument;
		return true;
	case FORCE:
		return request->force = r->replaces = true;
	case REPORT:
		r->page = argument;
		return true;
	case ONLY:
		r->only = argument;
		return true;
	case EXCEPT:
		r->except = argument;
		return true;
	case FILTER:
		r->filter_path = argument;
		return true;
	case START:
		r->start = argument;
		return check_start(argument);
	case PHASE:
		r->phase = argument;
		return check_phases(argument);
	case NESTED:
		return r->nested = true;
	case IO:
		return r->io = true;
	case MEMORY:
		return r->memory = true;
	case STACK:
		return parse_depth(argument, &r->stack_depth);
	case THROTTLE:
		r->throttle = argument;
		return check_throttle(argument);
	case MODE:
		r->mode = argument;
		return check_mode(argument);
	case SYNC_COLLECTIVES:
		return r->sync_collectives = true;
	case CLOCK_SAMPLING:
		r->clock_sampling = argument;
		return check_period(argument);
	case MAX_SIZE:
		return parse_log_size(argument, true, &r->max_run_bytes);
	default:
		return parse_log_size(argument, false, &r->max_log_bytes);
	}
}

/* A variable's value; NULL: it has none. */
static const char *value_of(const char *variable)
{
	const char *value = getenv(variable);

	return value && *value ? value : NULL;
}

/* Whether a variable is set, and not to 0. */
static bool is_set(const char *variable)
{
	const char *value = value_of(variable);

	return value && *value != '0';
}

static int run(int argc, char **argv)
{
	struct gaspdb_options o = { .command = &gaspdb_cmd_record,
				    .argc = argc,
				    .argv = argv,
				    .in_order = true };
	struct gaspdb_recording r = { .folder = -1,
				      .io = is_set("GASPDB_IO"),
				      .only = value_of("GASPDB_ONLY"),
				      .except = value_of("GASPDB_EXCEPT"),
				      .filter_path = value_of("GASPDB_FILTER"),
				      .memory = is_set("GASPDB_MEMORY"),
				      .max_run_bytes = -1 };
	struct request request = { .recording = &r };
	int status;

	if (!gaspdb_options_take(&o, take_option, &request, &status))
		return status;
	if (o.n_operands == 0)
		return gaspdb_options_usage(o.command,
					    "a command to run is needed");
	r.command = o.operands;
	status = read_filter(&r) ? record(&r, request.path, request.force)
				 : GASPDB_EXIT_USAGE;
	free_recording(&r);
	return status;
}
