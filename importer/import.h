/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Import of a run: fills the tables of an open store from its logs. */
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

/* Progress of an import. */
struct gaspdb_import_progress {
	enum gaspdb_import_stage stage;
	const char *phase;	       /* description for people */
	uint64_t done, total;	       /* bytes unpacked or read; 0: unknown */
	struct gaspdb_row_counts rows; /* so far */
};

struct gaspdb_import_options {
	const char *run;     /* directory, archive, log; "-": standard input */
	const char *name;    /* the run to choose; NULL: the only one */
	bool local_modules;  /* also read modules that an archive's logs name */
	/* Glob of paths or names of modules that are the user's code, besides
	   the program; NULL: none.  Of calls with a call stack. */
	const char *user_code;
	uint64_t unpack_max; /* bytes; 0: as in limits.h */
	unsigned jobs;	     /* processors to use, at least 1 */
	/* Called after each block and each step; may be NULL. */
	void (*progress)(void *user,
			 const struct gaspdb_import_progress *progress);
	void *user;
	/* Defects of the run, also if the import fails. Empty before; the
	   caller frees them. */
	struct gaspdb_diagnostics *diagnostics;
};

struct gaspdb_import_result {
	uint64_t threads, threads_missing; /* rows of table thread; of these
					      without a log */
	/* raw_events: START, END and ATOMIC records in the logs, and those that
	   profiles have counted; counted_events: of these, in profiles alone;
	   events: rows of table event. */
	uint64_t log_bytes, raw_events, counted_events, events;
	struct gaspdb_row_counts rows;
	int64_t defects; /* rows of table quality */
	uint64_t losses; /* of these: of severity loss */
	/* Reason why a recording is empty (for example the notice about
	   Fortran); "": unknown. */
	char empty_reason[512];
	/* The runs found, if the import failed because none was chosen or none
	   has the given name. The caller frees it. */
	struct gaspdb_run_list runs;
};

/*
 * Fills a store that has just been opened, and settles it, so that SQL sees the
 * tables. Logs of an archive are unpacked to a temporary file in the store's
 * folder. An interrupt (common/interrupt.h) ends the reading of logs. Returns
 * OK, also if data are lost (see the result), or FAILED with err filled.
 */
enum gaspdb_status gaspdb_import(struct gaspdb_store *store,
				 const struct gaspdb_import_options *options,
				 struct gaspdb_import_result *result,
				 struct gaspdb_error *err);

/*
 * Resolves the return addresses of a run's logs to function, file and line, and
 * writes them to lines.tsv in the run directory, for imports on other machines.
 * Called by `gaspdb record` after its command has ended.
 */
enum gaspdb_status gaspdb_resolve_lines(const char *run,
					struct gaspdb_error *err);

#endif
