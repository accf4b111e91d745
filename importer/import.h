/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The import of a run: the tables that its logs give. */
#ifndef GASPDB_IMPORTER_IMPORT_H
#define GASPDB_IMPORTER_IMPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "importer/quality/diagnostics.h"
#include "importer/run/runs.h"
#include "sql/store/store.h"

enum gaspdb_import_stage {
	GASPDB_IMPORT_UNPACKING, /* an archive */
	GASPDB_IMPORT_READING,	 /* logs */
	GASPDB_IMPORT_FINISHING	 /* the tables, when all logs are read */
};

/* How far an import is. */
struct gaspdb_import_progress {
	enum gaspdb_import_stage stage;
	const char *phase;    /* what goes on, for a person */
	uint64_t done, total; /* bytes unpacked or read; 0: not known */
	struct gaspdb_row_counts rows; /* so far */
};

struct gaspdb_import_options {
	const char *run;     /* directory, archive, log; "-": standard input */
	const char *name;    /* of several runs, this; NULL: there is but one */
	bool local_modules;  /* follow also an archive's paths to modules */
	/* Glob of paths or names of modules that are the user's code, besides
	   the program; NULL: none.  Of calls with a call stack. */
	const char *user_code;
	uint64_t unpack_max; /* bytes; 0: as in limits.h */
	unsigned jobs;	     /* processors to use, at least 1 */
	/* Called now and then; NULL: not. */
	void (*progress)(void *user,
			 const struct gaspdb_import_progress *progress);
	void *user;
	/* What is wrong with the run, also if it cannot be imported; free it.
	   Empty before. */
	struct gaspdb_diagnostics *complaints;
};

struct gaspdb_import_result {
	uint64_t threads, threads_missing; /* rows of thread; without a log */
	/* raw_events: in the logs, a start, an end and an atomic one each;
	   events: rows of table event */
	uint64_t log_bytes, raw_events, events;
	struct gaspdb_row_counts rows;
	int64_t defects; /* rows of table quality */
	uint64_t losses; /* of these: of severity loss */
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
 * Fill a store that has just been opened, and settle it: SQL sees the tables
 * then.  What archives hold is unpacked to its folder.  An interrupt
 * (common/interrupt.h) is noticed while logs are read.  Returns OK (also with
 * losses: see the result), or FAILED with err filled.
 */
enum gaspdb_status gaspdb_import(struct gaspdb_store *store,
				 const struct gaspdb_import_options *options,
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
