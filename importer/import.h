/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run becomes one SQLite file. */
#ifndef GASPDB_IMPORT_H
#define GASPDB_IMPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "importer/diagnostics.h"
#include "common/error.h"
#include "importer/run/runs.h"

struct gaspdb_import_options {
	const char *run;     /* directory, archive, log; "-": standard input */
	const char *name;    /* of several runs, this; NULL: there is but one */
	bool local_modules;  /* follow also an archive's paths to modules */
	uint64_t unpack_max; /* bytes; 0: as in limits.h */
	const char *output;  /* the database to make */
	bool force;	     /* replace output if it exists */
	unsigned jobs;	     /* processors to use; 0: those that may be used */
	bool by_inserts;     /* SQLite writes all tables: slowly, to compare */
	/*
	 * Called now and then; NULL: not.  phase: what goes on, for a
	 * person; done: ns that the import has taken, of total that it will
	 * take, as is estimated.  done / total never gets smaller, and is 1
	 * when all but the file's name is made.
	 */
	void (*progress)(void *user, const char *phase, uint64_t done,
			 uint64_t total);
	void *user;
	/* What is wrong with the run, also if it cannot be imported; free it.
	   NULL: not wanted. */
	struct gaspdb_diagnostics *complaints;
};

struct gaspdb_import_result {
	uint64_t threads, threads_missing; /* rows of thread; without a log */
	/* raw_events: in the logs, a start, an end and an atomic one each;
	   events: rows of table event */
	uint64_t log_bytes, raw_events, events;
	uint64_t passes_ns; /* of elapsed time: for the passes of analysis/ */
	uint64_t losses;    /* quality rows of severity loss: exit status 3 */
	/*
	 * Why nothing was found in an empty recording (the Fortran notice
	 * and its like), "" if nothing is known.
	 */
	char empty_reason[512];
	/* Filled if the import failed because there are several runs, or none
	   of that name; free it. */
	struct gaspdb_run_list runs;
};

/*
 * Import options->run into a temporary file beside the output, which takes
 * its name when whole.  Returns OK (also with losses: see the result), or
 * FAILED with err filled; then there is no output and no debris.
 */
enum gaspdb_status gaspdb_import(const struct gaspdb_import_options *options,
				 struct gaspdb_import_result *result,
				 struct gaspdb_error *err);

/*
 * Resolve the return addresses of a run's logs to function, file and line and
 * leave the answer in the run directory (lines.tsv), so that an import on
 * another machine has them.  For `gaspdb record`, when its command has ended.
 */
enum gaspdb_status gaspdb_resolve_lines(const char *run,
					struct gaspdb_error *err);

#endif
