/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Alignment of the clocks of a run's hosts, before its logs are replayed: a
 * first read of the logs finds the constraints, and their solution makes the
 * clocks. A run on one host keeps its wall clock.
 */
#ifndef GASPDB_IMPORTER_HOSTS_ALIGN_H
#define GASPDB_IMPORTER_HOSTS_ALIGN_H

#include "importer/hosts/ends.h"
#include "importer/hosts/matches.h"
#include "importer/hosts/pairs.h"
#include "importer/hosts/pieces.h"
#include "importer/hosts/readings.h"
#include "importer/run/source.h"

struct gaspdb_alignment {
	struct gaspdb_source *source;
	struct gaspdb_map index; /* host name, a text: number in the system */
	uint32_t *host_of_log;	 /* of each log of the source, likewise */
	uint32_t *names;	 /* of each host of the system: text */
	uint64_t *n_readings;	 /* of each host of the system */
	struct gaspdb_readings readings;
	struct gaspdb_clock_system system;
	struct gaspdb_pair_errors pairs;
	uint32_t *host_of_rank;
	struct gaspdb_ends ends;
	struct gaspdb_matches matches;
	struct gaspdb_reader *reader;	   /* of the first read */
	struct gaspdb_clock_pieces pieces; /* of the last log asked for */
	bool done;			   /* the clocks were aligned */
	int64_t zero_ns;		   /* of the times in the system */
	int64_t moved_ns; /* from common time there to the run's start */
};

/* Aligns the hosts of s, whose start it may move. path: of the output, beside
   which temporary files are made. FAILED: interrupted. */
enum gaspdb_status gaspdb_align(struct gaspdb_alignment *a,
				struct gaspdb_source *s, const char *path,
				struct gaspdb_registry *r,
				struct gaspdb_defects *quality,
				struct gaspdb_error *err);
void gaspdb_alignment_free(struct gaspdb_alignment *a);

/* A log's clock: its pieces, and the first of them. p->n 0: it has one line. */
struct gaspdb_clock_line
gaspdb_alignment_clock(const struct gaspdb_alignment *a,
		       const struct gaspdb_log_file *log,
		       struct gaspdb_clock_pieces *p);
/* The same for a single time, from the run's start. */
int64_t gaspdb_alignment_ns(struct gaspdb_alignment *a,
			    const struct gaspdb_log_file *log, uint64_t ticks);

/* --- rows.c --------------------------------------------------------------- */

/* Inserts the rows of host, host_clock and host_pair. */
void gaspdb_alignment_rows(const struct gaspdb_alignment *a,
			   const struct gaspdb_registry *r,
			   struct gaspdb_store *store);

#endif
