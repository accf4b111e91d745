/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What must be known of a log before any is read. */
#ifndef GASPDB_IMPORTER_RUN_PRESCAN_H
#define GASPDB_IMPORTER_RUN_PRESCAN_H

#include "importer/run/source.h"

/* What all are read with. */
struct gaspdb_scanner {
	const struct gaspdb_input *input;
	struct gaspdb_registry *registry;
	bool has_run; /* some log's header was right */
	uint64_t run; /* that is looked into: at first such a log's */
	struct gaspdb_reader reader;
	uint8_t kept[GASPDB_CACHED_MAX];
};

/*
 * Look at log->file: its header alone if that tells of another run than the
 * scanner's.  Else also the thread's host, rank and number, its first moment,
 * and the clocks' readings.  Damage is left for the reading to find and tell.
 */
enum gaspdb_status gaspdb_prescan(struct gaspdb_log_file *log,
				  struct gaspdb_scanner *scanner,
				  struct gaspdb_hosts *hosts,
				  struct gaspdb_error *err);

#endif
