/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An import, step by step: open the input, replay the logs, finish the tables.
 */
#include "importer/import.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/memory.h"
#include "importer/replay/replay.h"
#include "importer/run/facts.h"
#include "sql/passes/import.h"
#include "sql/passes/rollups.h"
#include "sql/sql.h"

/* --- facts about the run -------------------------------------------------- */

static void add_meta(struct gaspdb_importer *im, const char *key,
		     struct gaspdb_value value)
{
	gaspdb_insert(im->store, GASPDB_INSERT_meta,
		      GASPDB_VALUES(meta){ [GASPDB_META_KEY] = gaspdb_str(key),
					   [GASPDB_META_VALUE] = value });
}

static void add_start_time(struct gaspdb_importer *im)
{
	const int64_t ns = im->source.zero_ns;
	time_t seconds = ns / 1000000000 - (ns % 1000000000 < 0);
	char text[64];
	struct tm tm;

	add_meta(im, "start_real_ns", gaspdb_int(ns));
	if (gmtime_r(&seconds, &tm) &&
	    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm))
		add_meta(im, "start_time", gaspdb_str(text));
}

/* Exit status and command from the file that gaspdb record wrote. Closes f;
   NULL: recorded without gaspdb record. */
static void add_recorded_facts(struct gaspdb_importer *im, FILE *f)
{
	struct gaspdb_registry *r = &im->registry;
	char *status = f ? gaspdb_run_fact_in(f, GASPDB_RUN_STATUS) : NULL;
	char *command = f ? gaspdb_run_fact_in(f, GASPDB_RUN_COMMAND) : NULL;
	int n;

	if (status && sscanf(status, "%3d", &n) == 1 && n >= 0 && n <= 255)
		add_meta(im, "exit_status", gaspdb_int(n));
	if (command && *command)
		add_meta(im, "command",
			 gaspdb_str(gaspdb_text_get(
				 r, gaspdb_text_of(r, command))));
	free(status);
	free(command);
	if (f)
		fclose(f);
}

/* Sets im->failed_ns: end of a command that failed or was ended. Closes f. */
static void find_failure(struct gaspdb_importer *im, FILE *f)
{
	char *status = f ? gaspdb_run_fact_in(f, GASPDB_RUN_STATUS) : NULL;
	char *end = f ? gaspdb_run_fact_in(f, GASPDB_RUN_END) : NULL;
	int64_t real_ns;

	im->failed_ns = GASPDB_NULL;
	if (status && strcmp(status, "0") && end &&
	    gaspdb_run_time_of(end, &real_ns) && real_ns > im->source.zero_ns)
		im->failed_ns = real_ns - im->source.zero_ns;
	free(status);
	free(end);
	if (f)
		fclose(f);
}

static void add_facts(struct gaspdb_importer *im)
{
	const struct gaspdb_source *s = &im->source;

	add_meta(im, "schema_version", gaspdb_int(GASPDB_SCHEMA_VERSION));
	add_meta(im, "gaspdb_version", gaspdb_str(GASPDB_VERSION));
	add_meta(im, "run_directory", gaspdb_str(im->input.where));
	add_meta(im, "run_name", gaspdb_str(im->input.name));
	add_start_time(im);
	gaspdb_alignment_rows(&im->alignment, &im->registry, im->store);
	add_meta(im, "duration_ns", gaspdb_int(im->last_ns));
	add_meta(im, "threads", gaspdb_int((int64_t)s->n_threads));
	add_meta(im, "threads_missing",
		 gaspdb_int((int64_t)im->result->threads_missing));
	add_meta(im, "processes", gaspdb_int(s->n_ranks));
	add_meta(im, "hosts", gaspdb_int((int64_t)s->hosts.n));
	add_meta(im, "log_bytes", gaspdb_int((int64_t)s->log_bytes));
	add_meta(im, "log_files", gaspdb_int((int64_t)s->n_files));
	add_meta(im, "raw_events", gaspdb_int((int64_t)im->result->raw_events));
	add_meta(im, "events", gaspdb_int(im->rows.next - 1));
	if (im->has_profile)
		add_meta(im, "mode",
			 gaspdb_str(im->rows.next > 1 ? "both" : "profile"));
}

static enum gaspdb_status execute(struct gaspdb_importer *im, const char *sql,
				  struct gaspdb_error *err)
{
	sqlite3 *db = gaspdb_store_db(im->store);

	if (sqlite3_exec(db, sql, NULL, NULL, NULL))
		return gaspdb_fail(err, GASPDB_FAILED, "cannot write '%s': %s",
				   gaspdb_store_path(im->store),
				   sqlite3_errmsg(db));
	return GASPDB_OK;
}

/* Checks first whether there is any: most runs have none, and preparing the
   statements costs more than the check. */
static enum gaspdb_status mark_full_logs(struct gaspdb_importer *im,
					 struct gaspdb_error *err)
{
	sqlite3_stmt *stmt = NULL;
	int rc;

	sqlite3_prepare_v2(gaspdb_store_db(im->store), gaspdb_sql_any_full_log,
			   -1, &stmt, NULL);
	rc = sqlite3_step(stmt);
	sqlite3_finalize(stmt);
	return rc == SQLITE_DONE ? GASPDB_OK
				 : execute(im, gaspdb_sql_mark_full_logs, err);
}

/* Hands over the sizes that a profile has of threads with a trace. */
static enum gaspdb_status keep_sizes(struct gaspdb_importer *im,
				     struct gaspdb_error *err)
{
	sqlite3 *db = gaspdb_store_db(im->store);
	sqlite3_stmt *stmt = NULL;

	if (!im->kept_sizes.n)
		return GASPDB_OK;
	if (execute(im, gaspdb_sql_make_profile_sizes, err) ||
	    sqlite3_prepare_v2(db, gaspdb_sql_add_profile_size, -1, &stmt,
			       NULL))
		return execute(im, gaspdb_sql_add_profile_size, err);
	for (size_t i = 0; i < im->kept_sizes.n; i++) {
		const struct gaspdb_kept_size *k = &im->kept_sizes.row[i];

		sqlite3_bind_int64(stmt, 1, k->thread);
		sqlite3_bind_text(stmt, 2, k->direction, -1, SQLITE_STATIC);
		sqlite3_bind_int64(stmt, 3, k->from_bytes);
		sqlite3_bind_int64(stmt, 4, k->sizes.operations);
		sqlite3_bind_int64(stmt, 5, k->sizes.bytes);
		sqlite3_bind_int(stmt, 6, k->is_rest);
		sqlite3_step(stmt);
		sqlite3_reset(stmt);
	}
	sqlite3_finalize(stmt);
	return GASPDB_OK;
}

/* --- defects found in finished tables ------------------------------------- */

/* One defect for each module with calls whose line is unknown. */
static enum gaspdb_status note_lines(struct gaspdb_importer *im,
				     struct gaspdb_error *err)
{
	sqlite3_stmt *stmt;
	char detail[1024];

	if (sqlite3_prepare_v2(gaspdb_store_db(im->store),
			       gaspdb_sql_calls_without_line, -1, &stmt, NULL))
		return execute(im, gaspdb_sql_calls_without_line, err);
	while (sqlite3_step(stmt) == SQLITE_ROW) {
		const char *module = (const char *)sqlite3_column_text(stmt, 0);
		const char *why = gaspdb_symbols_why(&im->symbols, module);

		snprintf(detail, sizeof detail, "%.700s%s%s", module,
			 *why ? ": " : "", why);
		gaspdb_defect_add(
			&im->quality, GASPDB_QUALITY_NO_LINES,
			&(struct gaspdb_defect){
				.count =
					(uint64_t)sqlite3_column_int64(stmt, 1),
				.detail = detail });
	}
	sqlite3_finalize(stmt);
	return GASPDB_OK;
}

/* --- the steps ------------------------------------------------------------ */

static void report_defect(void *user, enum gaspdb_quality_kind kind,
			  int64_t thread, const struct gaspdb_defect *d)
{
	struct gaspdb_importer *im = user;
	const struct gaspdb_source_thread *t =
		thread == GASPDB_NULL ? NULL : &im->source.threads[thread];
	const char *model = NULL;

	if (kind == GASPDB_QUALITY_MASKED)
		im->masked_of_all += d->count;
	if (t && t->log)
		model = gaspdb_text_get(&im->registry, t->log->model);
	gaspdb_diagnostics_add(im->diagnostics, kind, t ? t->rank : GASPDB_NULL,
			       model, d);
}

static void set_up(struct gaspdb_importer *im)
{
	gaspdb_defects_init(&im->quality, im->store);
	im->quality.report = report_defect;
	im->quality.user = im;
	gaspdb_registry_init(&im->registry, im->store);
	gaspdb_definitions_init(&im->definitions, &im->registry);
	gaspdb_symbols_init(&im->symbols, &im->registry);
	gaspdb_segments_init(&im->segments, &im->registry);
	gaspdb_teams_init(&im->teams, &im->registry, &im->source);
	gaspdb_entities_init(&im->entities, &im->registry);
	gaspdb_event_rows_init(&im->rows, im->store);
	gaspdb_rollups_init(&im->rollups, &im->registry);
	gaspdb_paths_init(&im->paths, im->store, &im->rollups);
	gaspdb_regions_init(&im->regions, &im->registry);
	im->arguments.store = im->p2p.store = im->cache.store = im->store;
	im->arguments.teams = &im->teams;
	im->arguments.segments = &im->segments;
	im->p2p.rows = &im->rows;
	im->p2p.rollups = &im->rollups;
	im->p2p.paths = &im->paths;
	im->p2p.source = &im->source;
	im->p2p.teams = &im->teams;
	gaspdb_p2p_init(&im->p2p);
}

/* Frees what is not used after the tables are finished. */
static void free_reading(struct gaspdb_importer *im)
{
	gaspdb_definitions_free(&im->definitions);
	gaspdb_cells_free(&im->cells);
	gaspdb_replay_rest_free(&im->rest);
	gaspdb_stack_free(&im->stack);
	gaspdb_p2p_free(&im->p2p);
	gaspdb_rollups_free(&im->rollups);
	gaspdb_paths_free(&im->paths);
	gaspdb_regions_free(&im->regions);
	gaspdb_bins_free(&im->bins);
	gaspdb_cache_use_free(&im->cache);
	gaspdb_throttled_free(&im->throttled);
	gaspdb_map_free(&im->facts);
	gaspdb_teams_free(&im->teams);
	gaspdb_entities_free(&im->entities);
	gaspdb_segments_free(&im->segments);
	gaspdb_symbols_free(&im->symbols);
}

static void tear_down(struct gaspdb_importer *im)
{
	gaspdb_ahead_close(im->logs);
	free_reading(im);
	free(im->kept_sizes.row);
	gaspdb_clock_pieces_free(&im->pieces);
	gaspdb_alignment_free(&im->alignment);
	gaspdb_source_close(&im->source);
	gaspdb_input_close(&im->input);
	gaspdb_registry_free(&im->registry);
	free(im);
}

/* Number of events, without the start and end of the runtime. */
static int64_t count_calls(const struct gaspdb_importer *im)
{
	int64_t n = 0;

	for (int i = 0; i <= GASPDB_OPTYPE_unknown; i++)
		n += im->of_type[i];
	return n - im->of_type[GASPDB_OPTYPE_init] -
	       im->of_type[GASPDB_OPTYPE_finalize] + im->profile_calls;
}

/* A run without events fails the import, with the reason if one is known. */
static enum gaspdb_status look_for_events(struct gaspdb_importer *im,
					  struct gaspdb_error *err)
{
	struct gaspdb_import_result *result = im->result;

	if (count_calls(im) == 0)
		snprintf(result->empty_reason, sizeof result->empty_reason,
			 "%s", im->not_seen);
	if (im->rows.next > 1 || im->heap_records || im->profile_calls)
		return GASPDB_OK;
	return gaspdb_diagnostics_empty(im->diagnostics, im->options->run,
					im->not_seen, im->masked_of_all, err);
}

static enum gaspdb_status finish_tables(struct gaspdb_importer *im,
					struct gaspdb_error *err)
{
	gaspdb_replay_progress(im, GASPDB_IMPORT_FINISHING, "resolving lines",
			       0, 0);
	gaspdb_registry_finish(&im->registry);
	gaspdb_paths_finish(&im->paths);
	gaspdb_regions_finish(&im->regions);
	gaspdb_bins_finish(&im->bins);
	gaspdb_bins_free(&im->bins);
	gaspdb_segments_finish(&im->segments, &im->symbols);
	gaspdb_teams_finish(&im->teams);
	gaspdb_entities_finish(&im->entities);
	gaspdb_rollups_finish(&im->rollups);
	add_facts(im);
	add_recorded_facts(im,
			   gaspdb_input_other(&im->input, GASPDB_RUN_FACTS));
	if (gaspdb_store_settle(im->store, err))
		return GASPDB_FAILED;
	if (im->rollups.totals.has_late_bytes &&
	    execute(im, gaspdb_sql_late_bytes, err))
		return GASPDB_FAILED;
	if (execute(im, gaspdb_sql_common_facts, err) ||
	    mark_full_logs(im, err) || keep_sizes(im, err) ||
	    note_lines(im, err))
		return GASPDB_FAILED;
	free_reading(im);
	return gaspdb_store_status(im->store, err);
}

static void report_unpacking(void *user, const char *phase, uint64_t done,
			     uint64_t total)
{
	gaspdb_replay_progress(user, GASPDB_IMPORT_UNPACKING, phase, done,
			       total);
}

/* The spool's folder: that of the output, because the output needs space there
   anyway. The caller frees it. */
static char *spool_folder(const char *output)
{
	const char *slash = strrchr(output, '/');
	size_t n = slash ? (size_t)(slash - output) : 1;
	char *folder = gaspdb_mem_alloc(n + 2);

	memcpy(folder, slash ? output : ".", n ? n : 1);
	if (slash && !n)
		folder[0] = '/';
	return folder;
}

static enum gaspdb_status open_input(struct gaspdb_importer *im,
				     struct gaspdb_error *err)
{
	const struct gaspdb_import_options *o = im->options;
	struct gaspdb_input_options options = { .path = o->run,
						.run = o->name,
						.unpack_max = o->unpack_max,
						.progress = report_unpacking,
						.user = im };
	char *folder = spool_folder(gaspdb_store_path(im->store));
	enum gaspdb_status status;

	options.spool = folder;
	status = gaspdb_input_open(&im->input, &options, &im->quality, err);
	free(folder);
	if (im->input.several)
		gaspdb_run_list_make(&im->result->runs, &im->input);
	im->symbols.no_files = im->input.foreign && !o->local_modules;
	return status;
}

static enum gaspdb_status align(struct gaspdb_importer *im,
				struct gaspdb_error *err)
{
	if (im->source.hosts.n > 1)
		gaspdb_replay_progress(im, GASPDB_IMPORT_READING,
				       "comparing clocks", 0,
				       im->source.log_bytes);
	return gaspdb_align(&im->alignment, &im->source,
			    gaspdb_store_path(im->store), &im->registry,
			    &im->quality, err);
}

static enum gaspdb_status read_run(struct gaspdb_importer *im,
				   struct gaspdb_error *err)
{
	if (open_input(im, err) ||
	    gaspdb_source_open(&im->source, &im->input, &im->registry,
			       &im->quality, err) ||
	    align(im, err))
		return GASPDB_FAILED;
	gaspdb_lines_read(&im->symbols,
			  gaspdb_input_other(&im->input, GASPDB_LINES_FILE));
	find_failure(im, gaspdb_input_other(&im->input, GASPDB_RUN_FACTS));
	if (gaspdb_replay(im, err)) {
		/*
		 * Where an interrupted replay stops, the logs are not damaged.
		 */
		gaspdb_diagnostics_free(im->diagnostics);
		return GASPDB_FAILED;
	}
	return look_for_events(im, err);
}

static enum gaspdb_status import(void *user, struct gaspdb_error *err)
{
	struct gaspdb_importer *im = user;
	struct gaspdb_import_result *result = im->result;

	set_up(im);
	if (read_run(im, err))
		return GASPDB_FAILED;
	if (finish_tables(im, err))
		return gaspdb_store_fail_named(im->store, err);
	result->threads = im->source.n_threads;
	result->events = (uint64_t)im->rows.next - 1;
	result->log_bytes = im->source.log_bytes;
	result->rows = gaspdb_replay_rows(im);
	result->defects = im->quality.n;
	result->losses = im->diagnostics->losses;
	return GASPDB_OK;
}

enum gaspdb_status gaspdb_import(struct gaspdb_store *store,
				 const struct gaspdb_import_options *options,
				 struct gaspdb_import_result *result,
				 struct gaspdb_error *err)
{
	struct gaspdb_importer *im = calloc(1, sizeof *im);
	enum gaspdb_status status;

	memset(result, 0, sizeof *result);
	if (!im)
		return gaspdb_fail(err, GASPDB_FAILED, "out of memory");
	im->store = store;
	im->options = options;
	im->result = result;
	im->diagnostics = options->diagnostics;
	im->input.spool = -1;
	status = gaspdb_mem_try(import, im, err);
	tear_down(im);
	return status;
}
