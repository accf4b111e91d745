/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to source: which logs are read. */
#ifndef GASPDB_IMPORTER_RUN_SOURCE_PARTS_H
#define GASPDB_IMPORTER_RUN_SOURCE_PARTS_H

#include "importer/run/source.h"

/* Logs of other runs than the main one are left out: which that is. */
uint64_t gaspdb_source_one_run(struct gaspdb_source *s,
			       struct gaspdb_defects *quality);
/* Of several copies of a log one stays. */
void gaspdb_source_one_copy(struct gaspdb_source *s, struct gaspdb_reader *rd,
			    struct gaspdb_defects *quality);
/* Logs of other jobs than the main one are left out.  Logs are in order of
   threads. */
void gaspdb_source_one_job(struct gaspdb_source *s,
			   struct gaspdb_defects *quality);

/* source_ranks.c: ranks that a log's teams tell; those of other logs of its
   process, logs being in that order. */
void gaspdb_source_team_ranks(struct gaspdb_source *s);
void gaspdb_source_share_ranks(struct gaspdb_source *s);
/* Logs without a rank, which come last and by process, get that of a rank that
   has none; what can be of no thread is left out. */
void gaspdb_source_infer_ranks(struct gaspdb_source *s,
			       struct gaspdb_defects *quality);

/* Rows for logs whose numbers are missing between a process's others.  Logs are
   in order of processes and numbers. */
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

/* When its first record was, CLOCK_REALTIME; of a log that has one. */
int64_t gaspdb_source_start(const struct gaspdb_log_file *log);

/* source_clocks.c: hosts whose wall clocks are astray are put to the others. */
void gaspdb_source_align(struct gaspdb_source *s,
			 const struct gaspdb_registry *r,
			 struct gaspdb_defects *quality);

#endif
