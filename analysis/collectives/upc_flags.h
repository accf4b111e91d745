/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the flags of a UPC collective ask for. */
#ifndef GASPDB_ANALYSIS_COLLECTIVES_UPC_FLAGS_H
#define GASPDB_ANALYSIS_COLLECTIVES_UPC_FLAGS_H

#include "analysis/engine/run.h"

enum gaspdb_upc_sync {
	GASPDB_UPC_SYNC_UNKNOWN,
	GASPDB_UPC_SYNC_ALL,  /* all come before anyone goes, or before
				 anything begins */
	GASPDB_UPC_SYNC_DATA, /* each goes when its own data are there */
	GASPDB_UPC_SYNC_NONE
};

/* The numbers that stand for them differ between implementations. */
struct gaspdb_upc_flags {
	bool known;
	int in_all, in_my, in_no, out_all, out_my, out_no;
};

/* From what the program told (gaspdb_upc.h). */
void gaspdb_upc_flags_load(struct gaspdb_upc_flags *flags,
			   struct gaspdb_run *run);
/* value NONE: not recorded. */
enum gaspdb_upc_sync gaspdb_upc_flags_sync(const struct gaspdb_upc_flags *flags,
					   int64_t value);

#endif
