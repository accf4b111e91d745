/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replay of the logs, thread after thread: their blocks, and what begins and
   ends a thread. */
#include "importer/replay/replay.h"

#include "common/interrupt.h"
#include "importer/log/damage.h"

void gaspdb_replay_gap(struct gaspdb_importer *im, const char *kind,
		       int64_t start_ns, int64_t end_ns)
{
	if (end_ns > start_ns)
		gaspdb_insert(im->store, GASPDB_INSERT_gap,
			      GASPDB_VALUES(gap){
				      [GASPDB_GAP_THREAD] =
					      gaspdb_int(im->reading.id),
				      [GASPDB_GAP_KIND] = gaspdb_str(kind),
				      [GASPDB_GAP_START] = gaspdb_int(start_ns),
				      [GASPDB_GAP_END] = gaspdb_int(end_ns) });
}

void gaspdb_replay_off(struct gaspdb_importer *im)
{
	if (!im->stack.off)
		im->reading.off_ns = im->stack.now_ns;
	im->stack.off = true;
}

/* The interval in which recording was off ends now. */
static void end_off(struct gaspdb_importer *im)
{
	im->reading.off_total_ns += im->stack.now_ns - im->reading.off_ns;
	gaspdb_replay_gap(im, "off", im->reading.off_ns, im->stack.now_ns);
}

void gaspdb_replay_on(struct gaspdb_importer *im)
{
	if (!im->stack.off)
		return;
	end_off(im);
	im->reading.off_ns = GASPDB_NULL;
	im->reading.until_ns = INT64_MAX;
	im->reading.on_ns = im->stack.now_ns;
	im->stack.off = false;
}

void gaspdb_tally(struct gaspdb_tally *t, const struct gaspdb_record *rec)
{
	if (!t->count++)
		t->offset = rec->offset;
}

/* --- damage --------------------------------------------------------------- */

static void note_damage(struct gaspdb_importer *im,
			const struct gaspdb_error *err)
{
	im->reading.losses++;
	gaspdb_damage_block(&im->quality, im->reading.thread->log, err);
	im->reading.damaged = true;
	if (!im->reading.ahead)
		gaspdb_replay_look_ahead(im);
	im->reading.ahead = true;
}

void gaspdb_replay_leave(struct gaspdb_importer *im)
{
	struct gaspdb_frame *f, *below;

	/* Stops after the outermost one: user code below may be deep. */
	im->reading.ending = NULL;
	for (f = gaspdb_stack_top(&im->stack); f && im->stack.n_runtime;
	     f = below) {
		below = f->below;
		if (f->operation->runtime)
			gaspdb_replay_close(im, f, true);
	}
}

/* To the latest CLOCK record; not beyond the end of the trace. */
static void advance_to_clock(struct gaspdb_importer *im)
{
	const int64_t ns = im->reading.last_record_ns;

	gaspdb_stack_advance(&im->stack,
			     ns < im->reading.until_ns ? ns
						       : im->reading.until_ns,
			     GASPDB_STEP_NORMAL);
}

/*
 * Passes over damage: the time up to the next block is unknown. Open calls of
 * the runtime are closed, because their ends are most likely lost and they
 * would enclose all that follows; user code stays open. Recording counts as on,
 * unless the next RECORDING record switches it on.
 */
static void pass_damage(struct gaspdb_importer *im)
{
	int64_t from;

	advance_to_clock(im);
	from = im->stack.now_ns;
	gaspdb_replay_on(im);
	im->reading.perhaps_off = true;
	gaspdb_replay_leave(im);
	gaspdb_stack_advance(
		&im->stack,
		gaspdb_replay_moment(im, im->reading.reader->block.ticks),
		GASPDB_STEP_DAMAGE);
	gaspdb_replay_gap(im, "damage", from, im->stack.now_ns);
}

/* --- blocks --------------------------------------------------------------- */

static void read_profile(struct gaspdb_importer *im)
{
	gaspdb_cells_block(&im->cells, im->reading.reader, &im->quality,
			   im->reading.thread->log);
	if (im->cells.from)
		im->reading.until_ns = gaspdb_replay_ns(im, im->cells.from);
}

static void read_block(struct gaspdb_importer *im,
		       const struct gaspdb_records *records)
{
	const uint64_t before = im->reading.raw_events;

	if (im->reading.reader->block.type == GASPDB_BLOCK_PROFILE) {
		read_profile(im);
		return;
	}
	if (im->reading.damaged)
		pass_damage(im);
	im->reading.damaged = false;
	im->reading.ticks = im->reading.reader->block.ticks;
	if (im->reading.reader->block.lost > im->reading.lost_total)
		im->reading.lost_total = im->reading.reader->block.lost;
	gaspdb_definitions_block(&im->definitions);
	gaspdb_replay_records(im, records);
	if (im->reading.raw_events > before)
		im->reading.event_ticks = im->reading.ticks;
	if (records->status == GASPDB_DAMAGED)
		note_damage(im, &records->err);
}

struct gaspdb_row_counts gaspdb_replay_rows(const struct gaspdb_importer *im)
{
	struct gaspdb_row_counts rows = { .events = im->rows.next - 1,
					  .p2p = im->p2p.next_id };

	for (int i = GASPDB_OPTYPE_broadcast; i <= GASPDB_OPTYPE_neighbor; i++)
		rows.collectives += im->of_type[i];
	for (int i = GASPDB_OPTYPE_barrier; i <= GASPDB_OPTYPE_barrier_wait;
	     i++)
		rows.collectives += im->of_type[i];
	return rows;
}

void gaspdb_replay_progress(struct gaspdb_importer *im,
			    enum gaspdb_import_stage stage, const char *phase,
			    uint64_t done, uint64_t total)
{
	const struct gaspdb_import_options *o = im->options;

	if (o->progress)
		o->progress(o->user, &(struct gaspdb_import_progress){
					     .stage = stage,
					     .phase = phase,
					     .done = done,
					     .total = total,
					     .rows = gaspdb_replay_rows(im) });
}

static void progress(struct gaspdb_importer *im)
{
	gaspdb_replay_progress(im, GASPDB_IMPORT_READING, "reading logs",
			       im->bytes_read + im->reading.reader->next,
			       im->source.log_bytes);
}

static enum gaspdb_status read_blocks(struct gaspdb_importer *im,
				      struct gaspdb_error *err)
{
	for (;;) {
		const struct gaspdb_piece *piece = gaspdb_ahead_next(im->logs);

		im->reading.reader = &piece->reader;
		switch (piece->status) {
		case GASPDB_OK:
			read_block(im, &piece->records);
			break;
		case GASPDB_DAMAGED:
			note_damage(im, &piece->err);
			break;
		case GASPDB_EOF:
			return GASPDB_OK;
		default:
			im->reading.ahead = true; /* unreadable */
			note_damage(im, &piece->err);
			return GASPDB_OK;
		}
		progress(im);
		if (gaspdb_interrupted)
			return gaspdb_fail(err, GASPDB_FAILED, "interrupted");
		if (gaspdb_store_status(im->store, err))
			return GASPDB_FAILED;
		if (piece->last)
			return GASPDB_OK;
	}
}

/* --- the thread's end ----------------------------------------------------- */

static void close_all(struct gaspdb_importer *im)
{
	struct gaspdb_stack *s = &im->stack;
	struct gaspdb_frame *f;

	advance_to_clock(im);
	gaspdb_replay_profile_end(im);
	if (im->reading.off_ns != GASPDB_NULL)
		end_off(im);
	gaspdb_replay_outlast(im);
	gaspdb_replay_ending(im, !im->reading.reader->whole);
	while ((f = gaspdb_stack_top(s)) || (f = gaspdb_stack_overlay(s)))
		gaspdb_replay_close(im, f, true);
}

/* --- threads -------------------------------------------------------------- */

int64_t gaspdb_replay_process(const struct gaspdb_importer *im)
{
	const struct gaspdb_source_thread *t = im->reading.thread;

	while (t > im->source.threads && !t->new_process)
		t--;
	return t - im->source.threads;
}

/* First of the threads that have this rank. */
static int64_t first_of_process(const struct gaspdb_importer *im)
{
	const struct gaspdb_source_thread *t = im->reading.thread;

	while (t > im->source.threads && t->rank != GASPDB_NULL &&
	       t[-1].rank == t->rank)
		t--;
	return t - im->source.threads;
}

/* Is it the only thread of its process? */
static bool is_alone(const struct gaspdb_importer *im)
{
	const struct gaspdb_source_thread *t = im->reading.thread;
	const struct gaspdb_source_thread *end =
		im->source.threads + im->source.n_threads;

	return t->new_process && (t + 1 == end || t[1].new_process);
}

static void begin_thread(struct gaspdb_importer *im)
{
	const struct gaspdb_log_file *log = im->reading.thread->log;
	int64_t first;

	im->reading.time =
		gaspdb_alignment_clock(&im->alignment, log, &im->pieces);
	first = log->has_first ? gaspdb_replay_ns(im, log->first_ticks) : 0;
	if (first < 0) /* before the run's start: out of range */
		first = 0;
	gaspdb_definitions_log(&im->definitions);
	gaspdb_cells_clear(&im->cells);
	gaspdb_stack_init(&im->stack, first);
	gaspdb_map_clear(&im->facts);
	im->reading.off_ns = GASPDB_NULL;
	im->reading.until_ns = INT64_MAX;
	im->reading.on_ns = im->reading.last_record_ns = first;
	im->arguments.dropped = 0;
	gaspdb_defects_thread(&im->quality, im->reading.id);
	gaspdb_damage_header(&im->quality, &im->registry, log);
	gaspdb_segments_log(&im->segments);
	gaspdb_teams_log(&im->teams);
	gaspdb_entities_log(&im->entities);
	im->reading.texts_left_out = im->registry.texts_left_out;
	im->reading.sources_left_out = im->registry.sources_left_out;
	if (im->reading.thread->new_process) {
		gaspdb_teams_process(&im->teams);
		gaspdb_entities_process(&im->entities);
	}
	gaspdb_p2p_thread(&im->p2p, im->reading.id,
			  im->reading.thread->new_process, is_alone(im));
	gaspdb_event_rows_thread(&im->rows, im->reading.id);
	gaspdb_rollups_thread(&im->rollups, im->reading.id,
			      first_of_process(im));
	gaspdb_paths_thread(&im->paths, im->reading.id);
	gaspdb_bins_thread(&im->bins, &im->stack);
}

/* Ends the bins of events; a profile has none. */
static void end_bins(struct gaspdb_importer *im)
{
	if (im->cells.any && !im->reading.traced && !im->reading.is_rest) {
		gaspdb_bins_discard(&im->bins, &im->stack);
		return;
	}
	gaspdb_bins_end(&im->bins, &im->stack);
	gaspdb_bins_flush(&im->bins, im->reading.id, &im->stack);
}

/* Ends a thread: closes its events and writes its sums. */
static void end_thread(struct gaspdb_importer *im)
{
	im->reading.traced = im->reading.raw_events > 0;
	close_all(im);
	end_bins(im);
	if (im->cells.any)
		gaspdb_replay_profile(im);
	im->has_profile |= im->cells.any && !im->reading.is_rest;
	gaspdb_replay_note_defects(im);
	gaspdb_replay_insert_categories(im);
	gaspdb_event_rows_flush(&im->rows);
	gaspdb_arguments_flush(&im->arguments);
	if (gaspdb_replay_has_time(im))
		gaspdb_totals_thread(&im->rollups.totals, im->reading.id);
	gaspdb_paths_flush(&im->paths); /* from the profile, too */
	gaspdb_rollups_flush(&im->rollups, im->reading.event_cost_ns);
	gaspdb_regions_flush(&im->regions, im->reading.id);
	gaspdb_cache_use_flush(&im->cache, im->reading.id);
	gaspdb_throttled_flush(&im->throttled, im->store, im->reading.id);
	if (im->stack.now_ns > im->last_ns)
		im->last_ns = im->stack.now_ns;
}

static enum gaspdb_status read_thread(struct gaspdb_importer *im,
				      struct gaspdb_error *err)
{
	const struct gaspdb_log_file *log = im->reading.thread->log;
	const int64_t first_event = im->rows.next;
	enum gaspdb_status status;

	begin_thread(im);
	status = read_blocks(im, err);
	end_thread(im);
	gaspdb_replay_insert_thread(im, first_event, im->rows.next - 1);
	gaspdb_replay_insert_recording(im);
	im->bytes_read += log->size;
	return status;
}

static void miss_thread(struct gaspdb_importer *im)
{
	gaspdb_source_note_missing(&im->source, im->reading.id, &im->quality);
	gaspdb_replay_insert_thread(im, 0, -1);
}

/* Number of reading workers: one processor is for the replay; the writer of
   pages has little to do. */
static unsigned workers(const struct gaspdb_importer *im)
{
	return im->options->jobs > GASPDB_READERS_MAX ? GASPDB_READERS_MAX
						      : im->options->jobs - 1;
}

/* Lower bound of the run's duration, from the prescan. */
static int64_t reached_ns(struct gaspdb_alignment *a)
{
	const struct gaspdb_source *source = a->source;
	int64_t most = 0;

	for (size_t i = 0; i < source->n_logs; i++) {
		const struct gaspdb_log_file *log = &source->logs[i];
		int64_t ns;

		if (!log->has_first || !log->reached_ticks)
			continue;
		ns = gaspdb_alignment_ns(a, log, log->reached_ticks);
		if (ns > most)
			most = ns;
	}
	return most;
}

enum gaspdb_status gaspdb_replay(struct gaspdb_importer *im,
				 struct gaspdb_error *err)
{
	enum gaspdb_status status = GASPDB_OK;

	gaspdb_bins_init(&im->bins, im->store, &im->registry, &im->rollups,
			 im->source.n_threads, reached_ns(&im->alignment));
	gaspdb_replay_progress(im, GASPDB_IMPORT_READING, "reading logs", 0,
			       im->source.log_bytes);
	gaspdb_ahead_open(&im->logs, &im->source, workers(im));
	for (size_t i = 0; i < im->source.n_threads && !status; i++) {
		im->reading = (struct gaspdb_thread_reading){
			.thread = &im->source.threads[i], .id = (int64_t)i
		};
		if (im->reading.thread->log)
			status = read_thread(im, err);
		else
			miss_thread(im);
	}
	gaspdb_ahead_close(im->logs);
	im->logs = NULL; /* its memory is needed later */
	im->result->threads_missing = im->source.n_missing;
	gaspdb_p2p_process_end(&im->p2p);
	gaspdb_defects_thread(&im->quality, GASPDB_NULL);
	return status;
}
