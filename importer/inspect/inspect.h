/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inspection of a run without an import: its threads, and every loss that an
   import would find. */
#ifndef GASPDB_IMPORTER_INSPECT_INSPECT_H
#define GASPDB_IMPORTER_INSPECT_INSPECT_H

#include "importer/quality/diagnostics.h"
#include "importer/input/input.h"
#include "importer/quality/quality.h"
#include "importer/inspect/rate.h"
#include "importer/run/runs.h"

struct gaspdb_inspection_thread {
	int64_t rank, number; /* GASPDB_NULL: unknown */
	const char *file;     /* the log's name; NULL: missing */
	uint64_t bytes, events;
	/* NULL: not in the log */
	char *host, *model, *program, *runtime, *not_seen, *mode;
	bool whole; /* closed properly and undamaged */
	uint64_t ticks_hz;
	struct gaspdb_rate rate;
};

struct gaspdb_inspection_defect {
	enum gaspdb_quality_kind kind;
	int64_t thread;	     /* index; GASPDB_NULL: of the run */
	char *file, *detail; /* NULL: none */
	uint64_t offset, count;
};

struct gaspdb_inspection {
	struct gaspdb_input input;
	struct gaspdb_inspection_thread *threads; /* by rank */
	size_t n_threads;
	struct gaspdb_inspection_defect *defects; /* losses */
	size_t n_defects, defect_capacity;
	struct gaspdb_diagnostics diagnostics; /* messages about defects */
	uint64_t n_missing;		     /* ranks without a log */
	/* The runs found, if none was chosen. */
	struct gaspdb_run_list runs;
};

/* Inspects a run. FAILED in the cases in which an import fails: err says why,
   and threads may be filled. The caller frees the inspection in any case. */
enum gaspdb_status gaspdb_inspect(struct gaspdb_inspection *inspection,
				  const struct gaspdb_input_options *options,
				  struct gaspdb_error *err);
/* The same without reading the logs: of threads only rank, number, host, model,
   file, bytes and ticks_hz are filled. */
enum gaspdb_status
gaspdb_inspect_members(struct gaspdb_inspection *inspection,
		       const struct gaspdb_input_options *options,
		       struct gaspdb_error *err);
void gaspdb_inspection_free(struct gaspdb_inspection *inspection);

#endif
