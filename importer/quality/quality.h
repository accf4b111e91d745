/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Defects: rows of table quality. */
#ifndef GASPDB_IMPORTER_QUALITY_QUALITY_H
#define GASPDB_IMPORTER_QUALITY_QUALITY_H

#include <stdint.h>

#include "common/limits.h"
#include "common/quality.h"
#include "sql/store/store.h"

/* Contents of a row; 0 and NULL: none. count 0 means 1. */
struct gaspdb_defect {
	int64_t event;
	const char *file;
	uint64_t offset; /* valid with file */
	uint64_t count, bytes, time_ns;
	const char *detail;
};

/* Callback for each defect. */
typedef void (*gaspdb_defect_fn)(void *user, enum gaspdb_quality_kind kind,
				 int64_t thread, const struct gaspdb_defect *d);

struct gaspdb_defects {
	struct gaspdb_store *store; /* NULL: no rows */
	gaspdb_defect_fn report;
	void *user;
	int64_t thread; /* of the next rows; GASPDB_NULL: the run */
	int64_t n;	/* rows in the store: the last id */
	/* Of the current thread: rows, and defects beyond the limit. */
	uint64_t rows[GASPDB_N_QUALITY], further[GASPDB_N_QUALITY];
};

/* Initialises q and fills the table of kinds; store may be NULL. */
void gaspdb_defects_init(struct gaspdb_defects *q, struct gaspdb_store *store);

/* Sets the thread of the next rows; GASPDB_NULL: the run. */
void gaspdb_defects_thread(struct gaspdb_defects *q, int64_t thread);

/* Adds a row; d may be NULL. */
void gaspdb_defect_add(struct gaspdb_defects *q, enum gaspdb_quality_kind kind,
		       const struct gaspdb_defect *d);

#endif
