/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prescan of logs: what must be known of each log before any is read. */
#ifndef GASPDB_IMPORTER_RUN_PRESCAN_H
#define GASPDB_IMPORTER_RUN_PRESCAN_H

#include "importer/run/source.h"

/* State shared by the prescans of a run. */
struct gaspdb_scanner {
	const struct gaspdb_input *input;
	struct gaspdb_registry *registry;
	bool has_run; /* a log's header was undamaged */
	uint64_t run; /* run to scan: at first that of such a log */
	struct gaspdb_reader reader;
	uint8_t cache[GASPDB_CACHED_MAX];
};

/*
 * Scans log->file: the header, and if it is of the scanner's run the thread's
 * host, rank and number, its first time, and readings of clocks. Damage is not
 * reported: reading the log does that.
 */
enum gaspdb_status gaspdb_prescan(struct gaspdb_log_file *log,
				  struct gaspdb_scanner *scanner,
				  struct gaspdb_hosts *hosts,
				  struct gaspdb_error *err);

#endif
