/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replay: reads the logs, thread after thread, and makes their rows. */
#ifndef GASPDB_IMPORTER_REPLAY_REPLAY_H
#define GASPDB_IMPORTER_REPLAY_REPLAY_H

#include "common/size_class.h"
#include "importer/hosts/align.h"
#include "importer/import.h"
#include "importer/log/ahead.h"
#include "importer/log/arguments.h"
#include "importer/log/identity.h"
#include "importer/profile/cells.h"
#include "importer/quality/quality.h"
#include "importer/replay/event_rows.h"
#include "importer/replay/p2p/p2p.h"
#include "importer/replay/profile/rest.h"
#include "importer/replay/stacks.h"
#include "importer/rollups/cache_use.h"
#include "importer/rollups/callpaths.h"
#include "importer/rollups/regions.h"
#include "importer/rollups/rollups.h"
#include "importer/rollups/throttled.h"
#include "importer/rollups/time_bins.h"
#include "importer/run/entities.h"
#include "importer/run/segments.h"
#include "importer/run/source.h"
#include "importer/run/teams.h"
#include "importer/symbols/symbols.h"

struct gaspdb_tally {
	uint64_t count;
	uint64_t offset; /* of the first one, in the log */
	int64_t event, time_ns;
};

struct gaspdb_sizes {
	int64_t operations, bytes;
};

/* A row of size_total of a thread that has a trace, too: analysis/passes.c
   writes it, with what events have if is_rest, else instead. */
struct gaspdb_kept_size {
	int64_t thread, from_bytes;
	const char *direction;
	struct gaspdb_sizes sizes;
	bool is_rest;
};

/* State of the thread being read; zeroed for each thread. */
struct gaspdb_thread_reading {
	const struct gaspdb_source_thread *thread;
	int64_t id;			    /* thread.id */
	const struct gaspdb_reader *reader; /* of the last piece */
	struct gaspdb_clock_line
		time; /* the log's clock, from the run's start; of several
			 pieces the last one used */
	uint64_t ticks;		       /* of the block's last event */
	uint64_t event_ticks;	       /* of the last event; 0: none */
	bool damaged;		       /* blocks before this one were skipped */
	bool ahead;		/* the rest was searched for definitions */
	int64_t off_ns;		/* switched off at; GASPDB_NULL: on */
	int64_t on_ns;		/* last switched on at */
	int64_t off_total_ns;	/* switched off for, so far */
	uint64_t events_off;	/* raw events that came then */
	bool perhaps_off;	/* damage may have lost the switch-off */
	int64_t last_record_ns; /* latest time of CLOCK records */
	struct gaspdb_frame
		*ending;    /* open event of the program's end; NULL: none */
	bool ending_atomic; /* it was an ATOMIC record */
	/* Definitions left out; of texts and sources: before this thread. */
	uint64_t modules_left_out, operations_left_out, facts_left_out,
		texts_left_out, sources_left_out;
	struct gaspdb_identity identity; /* from META records */
	bool models;			 /* a second model was reported */
	uint32_t model; /* text of the first */
	uint64_t raw_events;
	int64_t masked;
	double event_cost_ns; /* 0: unknown */
	int64_t tool_ns;
	struct gaspdb_processor_use {
		bool known;
		int64_t used_ns, unserved_ns; /* total; without a processor */
	} processor;
	bool size_limit; /* the log reached its size limit */
	bool has_mode;	 /* it has a profile from the start */
	bool is_rest;	 /* its profile goes on where its trace ended, at */
	int64_t rest_ns;
	int64_t until_ns; /* the trace's end, as far as known */
	bool traced;	 /* it has events */
	int64_t n_open_calls; /* rows of open_call */
	bool open_runtime; /* its profile has an open call of the runtime */
	struct gaspdb_profile_reading {
		int64_t category_ns[GASPDB_CATEGORIES_MAX];
		int64_t unknown_ns; /* in calls at unknown sites */
		/* Operations by size, of traffic and of collectives */
		struct gaspdb_sizes sizes[GASPDB_SEND + 2][GASPDB_SIZE_CLASSES];
		struct gaspdb_tally full;
	} profile;
	uint64_t losses; /* damages of the log */
	struct gaspdb_tally crossed, backwards, contradiction, unknown_site,
		unknown_object, unknown_entity, too_deep, too_large, unknown_kind[64];
	uint64_t lost_reported, lost_total;
};

/* An import: state shared by all threads. */
struct gaspdb_importer {
	const struct gaspdb_import_options *options;
	struct gaspdb_import_result *result;
	struct gaspdb_store *store;
	struct gaspdb_defects quality;
	struct gaspdb_diagnostics *diagnostics;

	/* The run */
	struct gaspdb_registry registry;
	struct gaspdb_input input;
	struct gaspdb_source source;
	struct gaspdb_alignment alignment;
	struct gaspdb_symbols symbols;
	struct gaspdb_segments segments;
	struct gaspdb_teams teams;
	struct gaspdb_entities entities;
	uint64_t bytes_read;
	char not_seen[512]; /* reason of calls that were not seen */
	uint64_t masked_of_all;
	uint64_t heap_records; /* HEAP: a run may have nothing else */
	int64_t profile_calls; /* of profiles, but for start and end */
	bool has_profile;
	uint32_t limits;   /* text: what the runtime cannot report */
	bool is_synchronized; /* the program, by barriers of ours */
	int64_t last_ns;   /* latest time of any thread */
	int64_t failed_ns; /* end of a recorded command that failed;
			      GASPDB_NULL: unknown, or it did not */

	/* Its rows */
	struct gaspdb_event_rows rows;
	struct gaspdb_rollups rollups;
	struct gaspdb_paths paths;
	struct gaspdb_regions regions;
	struct gaspdb_bins bins;
	struct gaspdb_cache_use cache;
	struct gaspdb_throttled throttled;
	struct gaspdb_p2p p2p;
	struct gaspdb_argument_rows arguments;
	int64_t of_type[GASPDB_OPTYPE_unknown + 1]; /* events */
	struct {
		struct gaspdb_kept_size *row;
		size_t n, capacity;
	} kept_sizes;

	/* The thread being read; memory is reused by the next */
	struct gaspdb_ahead *logs;
	struct gaspdb_definitions definitions;
	struct gaspdb_cells cells;
	struct gaspdb_rest rest;
	struct gaspdb_stack stack;
	struct gaspdb_map facts; /* META: texts of keys and values seen */
	struct gaspdb_clock_pieces pieces; /* of its clock */
	struct gaspdb_thread_reading reading;
};

/* Reads the logs of all threads, with calls of progress. FAILED: the database
   cannot be written, or the import was interrupted. */
enum gaspdb_status gaspdb_replay(struct gaspdb_importer *im,
				 struct gaspdb_error *err);

/* Numbers of rows so far. */
struct gaspdb_row_counts gaspdb_replay_rows(const struct gaspdb_importer *im);
/* Calls the progress callback of the options, if set. */
void gaspdb_replay_progress(struct gaspdb_importer *im,
			    enum gaspdb_import_stage stage, const char *phase,
			    uint64_t done, uint64_t total);

/* --- replay_events.c: a block's records, and those of events -------------- */
void gaspdb_replay_records(struct gaspdb_importer *im,
			   const struct gaspdb_records *records);
/* The source of a site, added if it is new. */
uint32_t gaspdb_replay_source(struct gaspdb_importer *im,
			      struct gaspdb_log_site *site);
/* Closes the open calls of the runtime, as ended at an unknown time. */
void gaspdb_replay_leave(struct gaspdb_importer *im);

/* Closes f at the stack's current time; open: its end was not recorded. */
void gaspdb_replay_close(struct gaspdb_importer *im, struct gaspdb_frame *f,
			 bool open);

/* --- replay_defects.c: rows of quality at a thread's end ------------------ */
void gaspdb_replay_note_defects(struct gaspdb_importer *im);

/* --- replay_rows.c: rows that a thread has once --------------------------- */
/* Does anything in the log have a time? */
bool gaspdb_replay_has_time(const struct gaspdb_importer *im);
void gaspdb_replay_insert_categories(struct gaspdb_importer *im);
/* Inserts the thread's row. No events: last_event is below first_event. */
void gaspdb_replay_insert_thread(struct gaspdb_importer *im,
				 int64_t first_event, int64_t last_event);
/* Inserts what its recording and its use of processors were. */
void gaspdb_replay_insert_recording(struct gaspdb_importer *im);

/* --- replay_processor.c: a PROCESSOR record ------------------------------- */
void gaspdb_replay_processor(struct gaspdb_importer *im,
			     const struct gaspdb_field *f);

/* --- replay_throttled.c: a THROTTLED record ------------------------------- */
void gaspdb_replay_throttled(struct gaspdb_importer *im,
			     const struct gaspdb_record *rec,
			     const struct gaspdb_field *f);
/* Reports the thread's throttled functions. */
void gaspdb_replay_note_throttled(struct gaspdb_importer *im);
/* --- profile/profile.c: a profile, after all records ---------------------- */
/* Advances time to the profile's last event, before open calls end. */
void gaspdb_replay_profile_end(struct gaspdb_importer *im);
/* Replaces the thread's sums by those of its profile; if this goes on from the
   trace, adds them. */
void gaspdb_replay_profile(struct gaspdb_importer *im);
/* The length of ticks in ns, bounded as all times. */
int64_t gaspdb_replay_length(const struct gaspdb_importer *im, uint64_t ticks);
/* --- replay_heap.c: a HEAP record ----------------------------------------- */
void gaspdb_replay_heap(struct gaspdb_importer *im,
			const struct gaspdb_field *f);

/* --- replay_models.c: the models of a thread ------------------------------ */
#define GASPDB_MODEL_BYTES 64 /* of a name; longer ones are cut */
#define GASPDB_MODELS_BYTES ((GASPDB_MODELS_MAX + 1) * GASPDB_MODEL_BYTES)

/* Takes the model of a META record. */
void gaspdb_replay_model(struct gaspdb_importer *im, uint32_t text);
/* Writes thread.model: that of the first META record, then those of its
   events, with + between. */
void gaspdb_replay_models(const struct gaspdb_importer *im,
			  char list[GASPDB_MODELS_BYTES]);

/* --- replay_ending.c: the end of a UPC program ---------------------------- */
/*
 * Keeps f, the event of the program's end, open if it is the innermost (f may
 * be NULL). atomic: it is one record, not a pair. Returns whether it stays
 * open.
 */
bool gaspdb_replay_begin_ending(struct gaspdb_importer *im,
				struct gaspdb_frame *f, bool atomic);
/*
 * Ends that event now, if there is one; open: the log ends without END block.
 */
void gaspdb_replay_ending(struct gaspdb_importer *im, bool open);
/* Extends open calls of a log without end to the end of the command. */
void gaspdb_replay_outlast(struct gaspdb_importer *im);

/* --- replay_definitions.c: records of definitions ------------------------- */
/* Adds a definition. false: the record is none. */
bool gaspdb_replay_definition(struct gaspdb_importer *im,
			      const struct gaspdb_record *rec,
			      const struct gaspdb_field *f);
/* Reads the definitions in the rest of the log, after damage. */
void gaspdb_replay_look_ahead(struct gaspdb_importer *im);

/* --- replay_others.c: any other record ------------------------------------ */
void gaspdb_replay_other(struct gaspdb_importer *im,
			 const struct gaspdb_record *rec);

/* First of the threads of the process of the thread being read. */
int64_t gaspdb_replay_process(const struct gaspdb_importer *im);

/* --- shared by these ------------------------------------------------------ */

/* A site by its id in the log; NULL: id 0, or not defined. */
static inline struct gaspdb_log_site *
gaspdb_replay_site(struct gaspdb_importer *im, uint64_t id)
{
	return id ? gaspdb_definitions_site(&im->definitions, id) : NULL;
}

static inline int64_t gaspdb_replay_ns(struct gaspdb_importer *im,
				       uint64_t ticks)
{
	return gaspdb_clock_pieces_ns(&im->pieces, &im->reading.time, ticks);
}
/* The time of a record that is no event, which may come after the trace. */
static inline int64_t gaspdb_replay_moment(struct gaspdb_importer *im,
					   uint64_t ticks)
{
	const int64_t ns = gaspdb_replay_ns(im, ticks);

	return ns < im->reading.until_ns ? ns : im->reading.until_ns;
}
void gaspdb_replay_gap(struct gaspdb_importer *im, const char *kind,
		       int64_t start_ns, int64_t end_ns);
/* Switches recording off or on at the current time. */
void gaspdb_replay_off(struct gaspdb_importer *im);
void gaspdb_replay_on(struct gaspdb_importer *im);
void gaspdb_tally(struct gaspdb_tally *t, const struct gaspdb_record *rec);
/* Reports a record whose fields are invalid. */
void gaspdb_replay_malformed(struct gaspdb_importer *im,
			     const struct gaspdb_record *rec);

#endif
