/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the logs, thread after thread, and makes rows of what they hold.
 */
#ifndef GASPDB_IMPORTER_REPLAY_REPLAY_H
#define GASPDB_IMPORTER_REPLAY_REPLAY_H

#include "importer/import.h"
#include "importer/log/ahead.h"
#include "importer/log/arguments.h"
#include "importer/log/identity.h"
#include "importer/quality/quality.h"
#include "importer/replay/event_rows.h"
#include "importer/replay/p2p.h"
#include "importer/replay/stacks.h"
#include "importer/rollups/cache_use.h"
#include "importer/rollups/callpaths.h"
#include "importer/rollups/regions.h"
#include "importer/rollups/rollups.h"
#include "importer/rollups/time_bins.h"
#include "importer/run/segments.h"
#include "importer/run/source.h"
#include "importer/run/teams.h"
#include "importer/symbols/symbols.h"

struct gaspdb_tally {
	uint64_t count;
	uint64_t offset; /* of the first, in the log */
	int64_t event, time_ns;
};

/* The thread being read, and its log: zeroed for each. */
struct gaspdb_thread_reading {
	const struct gaspdb_source_thread *thread;
	int64_t id;			    /* its */
	const struct gaspdb_reader *reader; /* of the last piece */
	struct gaspdb_clock_line time; /* its log's, from the run's start */
	uint64_t ticks;		       /* of the last event */
	bool damaged;		       /* blocks were skipped before this one */
	bool ahead;	/* and the rest was looked at for definitions */
	int64_t off_ns; /* recording was switched off; GASPDB_NULL: it is on */
	int64_t on_ns;	/* it was last switched on */
	bool perhaps_off; /* damage may have lost that it was switched off */
	int64_t last_record_ns; /* records that tell the time without moving it
				 */
	struct gaspdb_frame *ending; /* the program's end has been told, and
					nothing since; NULL: it has not */
	bool ending_atomic;	     /* in one record */
	/* Definitions left out; of texts and sources: until it began. */
	uint64_t modules_left_out, operations_left_out, facts_left_out,
		texts_left_out, sources_left_out;
	struct gaspdb_identity identity; /* as the log tells it */
	bool models;	/* it told another model than the first */
	uint32_t model; /* text */
	uint64_t raw_events;
	int64_t masked;
	double event_cost_ns; /* 0: not known */
	int64_t tool_ns;
	struct gaspdb_processor_use {
		bool told;
		int64_t used_ns, unserved_ns; /* without one: in all */
	} processor;
	bool size_limit; /* the log was full */
	uint64_t losses; /* of the log: damage */
	struct gaspdb_tally crossed, backwards, contradiction, unknown_site,
		unknown_object, too_deep, too_large, unknown_kind[64];
	uint64_t lost_told, lost_total;
};

/* An import: what all threads share. */
struct gaspdb_importer {
	const struct gaspdb_import_options *options;
	struct gaspdb_import_result *result;
	struct gaspdb_store *store;
	struct gaspdb_defects quality;
	struct gaspdb_diagnostics *complaints;

	/* The run */
	struct gaspdb_registry registry;
	struct gaspdb_input input;
	struct gaspdb_source source;
	struct gaspdb_symbols symbols;
	struct gaspdb_segments segments;
	struct gaspdb_teams teams;
	uint64_t bytes_read;
	char not_seen[512]; /* calls that the collector could not see */
	uint64_t masked_of_all;
	uint32_t limits;   /* text: what the runtime does not tell */
	int64_t last_ns;   /* of any thread */
	int64_t failed_ns; /* when the recorded command ended, other than by
			      status 0; GASPDB_NULL: not known */

	/* Its rows */
	struct gaspdb_event_rows rows;
	struct gaspdb_rollups rollups;
	struct gaspdb_paths paths;
	struct gaspdb_regions regions;
	struct gaspdb_bins bins;
	struct gaspdb_cache_use cache;
	struct gaspdb_p2p p2p;
	struct gaspdb_argument_rows arguments;
	int64_t of_type[GASPDB_OPTYPE_unknown + 1]; /* events */

	/* The thread being read: memory that the next one uses again */
	struct gaspdb_ahead *logs;
	struct gaspdb_definitions definitions;
	struct gaspdb_stack stack;
	struct gaspdb_map facts; /* META: texts of key and value */
	struct gaspdb_thread_reading reading;
};

/*
 * Read the logs of all threads.  progress is called.  FAILED: the database
 * cannot be written, or the import was interrupted.
 */
enum gaspdb_status gaspdb_replay(struct gaspdb_importer *im,
				 struct gaspdb_error *err);

/* The rows that there are so far. */
struct gaspdb_row_counts gaspdb_replay_rows(const struct gaspdb_importer *im);
/* Call the progress callback of the options, if there is one. */
void gaspdb_replay_progress(struct gaspdb_importer *im,
			    enum gaspdb_import_stage stage, const char *phase,
			    uint64_t done, uint64_t total);

/* --- replay_events.c: a block's records, and those of events ---------------
 */
void gaspdb_replay_records(struct gaspdb_importer *im,
			   const struct gaspdb_records *records);
/* The runtime's open calls are over, when and how is not known. */
void gaspdb_replay_leave(struct gaspdb_importer *im);

/* Close f at the stack's present moment; open: its end was not seen. */
void gaspdb_replay_close(struct gaspdb_importer *im, struct gaspdb_frame *f,
			 bool open);

/* --- replay_processor.c: a PROCESSOR record ---------------------------------
 */
void gaspdb_replay_processor(struct gaspdb_importer *im,
			     const struct gaspdb_field *f);

/* --- replay_ending.c: the end of a UPC program ------------------------------
 */
/* f, if it is the innermost event (NULL: nothing), has told the end, by a pair
   or by one record: it stays open.  false: it does not. */
bool gaspdb_replay_begin_ending(struct gaspdb_importer *im,
				struct gaspdb_frame *f, bool atomic);
/* It ends now, if there is one; open: the log breaks off in it. */
void gaspdb_replay_ending(struct gaspdb_importer *im, bool open);
/* Of a log that has no end: calls that are open last until the command was
   ended. */
void gaspdb_replay_outlast(struct gaspdb_importer *im);

/* --- replay_others.c: any other record -------------------------------------
 */
void gaspdb_replay_other(struct gaspdb_importer *im,
			 const struct gaspdb_record *rec);
/* Something is lost: what the rest of the log defines. */
void gaspdb_replay_look_ahead(struct gaspdb_importer *im);

/* --- shared by these -------------------------------------------------------
 */
static inline int64_t gaspdb_replay_ns(const struct gaspdb_importer *im,
				       uint64_t ticks)
{
	return gaspdb_clock_line_ns(&im->reading.time, ticks);
}
void gaspdb_replay_gap(struct gaspdb_importer *im, const char *kind,
		       int64_t start_ns, int64_t end_ns);
/* Recording is switched off, or on, now. */
void gaspdb_replay_off(struct gaspdb_importer *im);
void gaspdb_replay_on(struct gaspdb_importer *im);
void gaspdb_tally(struct gaspdb_tally *t, const struct gaspdb_record *rec);

#endif
