/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every event of every model, in order of their tags' ranges.  The includer
 * defines GASPDB_EVENT_ROW with the columns of EVENT (events/README.md).
 */

/* The model of a tag, by ranges. */
#define GASPDB_MODEL_OF(tag)         \
	((tag) < 100   ? "C"         \
	 : (tag) < 300 ? "UPC"       \
	 : (tag) < 500 ? "OpenSHMEM" \
	 : (tag) < 900 ? "MPI"       \
	 : (tag) < 950 ? "POSIX"     \
		       : "Mapping")

#define EVENT GASPDB_EVENT_ROW
#include "collector/events/c.tbl.h"
#define EVENT GASPDB_EVENT_ROW
#include "collector/events/upc.tbl.h"
#define EVENT GASPDB_EVENT_ROW
#include "collector/events/shmem.tbl.h"
#define EVENT GASPDB_EVENT_ROW
#include "collector/events/mpi.tbl.h"
#define EVENT GASPDB_EVENT_ROW
#include "collector/events/posix.tbl.h"
#define EVENT GASPDB_EVENT_ROW
#include "collector/events/mapping.tbl.h"
#undef GASPDB_EVENT_ROW
