/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of table quality. */
#ifndef GASPDB_IMPORTER_QUALITY_QUALITY_H
#define GASPDB_IMPORTER_QUALITY_QUALITY_H

#include <stdint.h>

#include "common/limits.h"
#include "common/quality.h"
#include "sql/store/store.h"

/* What a row says; 0 and NULL: nothing, but count, which is then 1. */
struct gaspdb_defect {
	int64_t event;
	const char *file;
	uint64_t offset; /* with file */
	uint64_t count, bytes, time_ns;
	const char *detail;
};

/* Where there is no database. */
typedef void (*gaspdb_defect_fn)(void *user, enum gaspdb_quality_kind kind,
				 int64_t thread, const struct gaspdb_defect *d);

struct gaspdb_defects {
	struct gaspdb_store *store; /* NULL: report alone, or nothing */
	gaspdb_defect_fn report;
	void *user;
	int64_t thread; /* of the rows to come; GASPDB_NULL: none */
	int64_t n;	/* rows in the store: the last one's id */
	/* Since the thread was set: so many rows; what came after the limit. */
	uint64_t rows[GASPDB_N_QUALITY], further[GASPDB_N_QUALITY];
};

/* The table of kinds; store may be NULL. */
void gaspdb_defects_init(struct gaspdb_defects *q, struct gaspdb_store *store);

/* Rows are about this thread from now on, or about none. */
void gaspdb_defects_thread(struct gaspdb_defects *q, int64_t thread);

/* A row; d NULL: nothing more to say. */
void gaspdb_defect_add(struct gaspdb_defects *q, enum gaspdb_quality_kind kind,
		       const struct gaspdb_defect *d);

#endif
