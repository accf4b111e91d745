/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Synchronization flags of UPC collectives. */
#ifndef GASPDB_ANALYSIS_COLLECTIVES_CALLS_UPC_FLAGS_H
#define GASPDB_ANALYSIS_COLLECTIVES_CALLS_UPC_FLAGS_H

#include "analysis/engine/run.h"

enum gaspdb_upc_sync {
	GASPDB_UPC_SYNC_UNKNOWN,
	GASPDB_UPC_SYNC_ALL,  /* all arrive before any leaves, or before data
				 are moved */
	GASPDB_UPC_SYNC_DATA, /* each leaves when its own data are complete */
	GASPDB_UPC_SYNC_NONE
};

/* The values of the flags, which differ between implementations. */
struct gaspdb_upc_flags {
	bool known;
	int in_all, in_my, in_no, out_all, out_my, out_no;
};

/* Load the values that the program recorded (gaspdb_upc.h). */
void gaspdb_upc_flags_load(struct gaspdb_upc_flags *flags,
			   struct gaspdb_run *run);
/* The synchronization of a flags argument; value NONE: not recorded. */
enum gaspdb_upc_sync gaspdb_upc_flags_sync(const struct gaspdb_upc_flags *flags,
					   int64_t value);

#endif
