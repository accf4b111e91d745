/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Making of a database from a run: import, analyses, publication. */
#ifndef GASPDB_CLI_IMPORT_MAKE_H
#define GASPDB_CLI_IMPORT_MAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "importer/import.h"

struct gaspdb_make_options {
	/* jobs 0: all available processors. progress is ignored. diagnostics
	   may be NULL. */
	struct gaspdb_import_options import;
	const char *output; /* the database to make */
	bool force;	    /* replace output if it exists */
	bool by_inserts;    /* SQLite writes all tables: slow, for comparison */
	/*
	 * Progress callback; may be NULL. phase: description for people; done
	 * and total: elapsed and estimated time in ns. done / total never
	 * decreases, and is 1 when only the file's name is missing.
	 */
	void (*progress)(void *user, const char *phase, uint64_t done,
			 uint64_t total);
	void *user;
};

struct gaspdb_made {
	struct gaspdb_import_result
		import;	    /* losses: including those of the analyses */
	uint64_t passes_ns; /* elapsed time of the analyses */
	char members[16];   /* word for its threads: "rank", "ranks" */
};

/*
 * Imports a run to a temporary file next to the output, analyzes it, and
 * renames it to the output. Returns OK, also if data are lost (see
 * made->import), or FAILED with err filled; then no file is left. A signal ends
 * it early, and is raised again after the temporary file is removed.
 */
enum gaspdb_status gaspdb_make(const struct gaspdb_make_options *options,
			       struct gaspdb_made *made,
			       struct gaspdb_error *err);

#endif
