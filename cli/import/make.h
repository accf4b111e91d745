/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A database made of a run: its import, the analyses, and its name. */
#ifndef GASPDB_CLI_IMPORT_MAKE_H
#define GASPDB_CLI_IMPORT_MAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "importer/import.h"

struct gaspdb_make_options {
	/* jobs 0: all processors that may be used; its progress is ignored;
	   complaints may be NULL. */
	struct gaspdb_import_options import;
	const char *output; /* the database to make */
	bool force;	    /* replace output if it exists */
	bool by_inserts;    /* SQLite writes all tables: slowly, to compare */
	/*
	 * Called now and then; NULL: not.  phase: what goes on, for a
	 * person; done: ns that it has taken, of total that it will take, as
	 * is estimated.  done / total never gets smaller, and is 1 when all
	 * but the file's name is made.
	 */
	void (*progress)(void *user, const char *phase, uint64_t done,
			 uint64_t total);
	void *user;
};

struct gaspdb_made {
	struct gaspdb_import_result import; /* losses: also of the analyses */
	uint64_t passes_ns; /* of elapsed time: for the analyses */
	char members[16];   /* what its threads are called: "rank", "ranks" */
};

/*
 * Import a run to a temporary file beside the output, analyze it, and give it
 * the output's name.  Returns OK (also with losses: see made->import), or
 * FAILED with err filled; then there is no output and no debris.  A signal ends
 * it early: it is raised again when no debris is left.
 */
enum gaspdb_status gaspdb_make(const struct gaspdb_make_options *options,
			       struct gaspdb_made *made,
			       struct gaspdb_error *err);

#endif
