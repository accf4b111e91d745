/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to source: selection of logs and their ranks. */
#ifndef GASPDB_IMPORTER_RUN_SOURCE_PARTS_H
#define GASPDB_IMPORTER_RUN_SOURCE_PARTS_H

#include "importer/run/source.h"

/* Removes logs of other runs than the main one; returns the main run. */
uint64_t gaspdb_source_one_run(struct gaspdb_source *s,
			       struct gaspdb_defects *quality);
/* Removes copies of logs. */
void gaspdb_source_one_copy(struct gaspdb_source *s, struct gaspdb_reader *rd,
			    struct gaspdb_defects *quality);
/*
 * Removes logs of other jobs than the main one. Logs are in order of threads.
 */
void gaspdb_source_one_job(struct gaspdb_source *s,
			   struct gaspdb_defects *quality);

/* source_ranks.c: ranks from TEAM records; ranks from other logs of the
   process, with logs in order of processes. */
void gaspdb_source_team_ranks(struct gaspdb_source *s);
void gaspdb_source_share_ranks(struct gaspdb_source *s);
/* Assigns ranks without a log to logs without a rank, which are last and sorted
   by process. Removes empty logs that can belong to no rank. */
void gaspdb_source_infer_ranks(struct gaspdb_source *s,
			       struct gaspdb_defects *quality);

/* Reports gaps in the numbers of a process's logs. Logs are in order of
   processes and numbers. */
void gaspdb_source_note_ordinals(const struct gaspdb_source *s,
				 struct gaspdb_defects *quality);

static inline bool gaspdb_same_process(const struct gaspdb_log_file *a,
				       const struct gaspdb_log_file *b)
{
	return a->host == b->host && a->header.pid == b->header.pid &&
	       a->program == b->program;
}

static inline int gaspdb_compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* Time of a log's first record, by CLOCK_REALTIME; it must have one. */
int64_t gaspdb_source_start(const struct gaspdb_log_file *log);

/* source_clocks.c: aligns hosts with wrong wall clocks to the others. */
void gaspdb_source_align(struct gaspdb_source *s,
			 const struct gaspdb_registry *r,
			 struct gaspdb_defects *quality);

#endif
