/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first read of the logs of a run on several hosts, for constraints on
   their clocks. Private to align.c and first_read.c. */
#ifndef GASPDB_IMPORTER_HOSTS_FIRST_READ_H
#define GASPDB_IMPORTER_HOSTS_FIRST_READ_H

#include "importer/hosts/align.h"

/* Reads all logs; false: interrupted. */
bool gaspdb_first_read(struct gaspdb_alignment *a);

/* Reads them once more, for messages and barriers. false: interrupted. */
bool gaspdb_first_read_ends(struct gaspdb_alignment *a);

/* The number of a log's host in the system. */
uint32_t gaspdb_first_read_host(const struct gaspdb_alignment *a,
				const struct gaspdb_log_file *log);
/* A time by the log's own clock. */
int64_t gaspdb_first_read_ns(const struct gaspdb_alignment *a,
			     const struct gaspdb_log_file *log, uint64_t ticks);
/* What it finds: a time of a log, and a REMOTE_CLOCK record. */
void gaspdb_first_read_reached(struct gaspdb_alignment *a,
			       const struct gaspdb_log_file *log,
			       uint64_t ticks);
void gaspdb_first_read_reading(struct gaspdb_alignment *a,
			       const struct gaspdb_log_file *log,
			       const struct gaspdb_field *f);

#endif
