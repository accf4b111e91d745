/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The logs of a run directory, read with the importer's reader. */
#include "run_logs.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/log_format.h"
#include "importer/log_reader.h"
#include "text.h"

/* The place of a META key's value, NULL if nobody asks for it. */
static char **place_of(struct gaspdb_run_log *log,
		       const struct gaspdb_text *key)
{
	const struct {
		const char *key;
		char **place;
	} places[] = {
		{ "rank", &log->rank },	      { "ranks", &log->ranks },
		{ "thread", &log->thread },   { "model", &log->model },
		{ "host", &log->host },	      { "program", &log->program },
		{ "runtime", &log->runtime }, { "not_seen", &log->not_seen },
	};

	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		if (key->n == strlen(places[i].key) &&
		    !memcmp(key->p, places[i].key, key->n))
			return places[i].place;
	return NULL;
}

static void take_record(struct gaspdb_run_log *log,
			const struct gaspdb_record *record)
{
	struct gaspdb_field fields[GASPDB_FIELDS_MAX];

	if (record->phase == GASPDB_PHASE_START ||
	    record->phase == GASPDB_PHASE_END ||
	    record->phase == GASPDB_PHASE_ATOMIC)
		log->events++;
	if (record->phase != GASPDB_PHASE_OTHER ||
	    record->kind != GASPDB_RECORD_META ||
	    gaspdb_record_fields(record, fields) < 2)
		return;
	char **place = place_of(log, &fields[0].s);
	if (!place)
		return;
	free(*place);
	*place = gaspdb_text_copy(fields[1].s.p, fields[1].s.n);
}

static void note_defect(struct gaspdb_run_log *log,
			const struct gaspdb_error *err)
{
	log->whole = false;
	if (!*log->defect)
		snprintf(log->defect, sizeof log->defect,
			 "%.200s at byte %" PRIu64, err->msg, err->offset);
}

static void read_block(struct gaspdb_run_log *log, struct gaspdb_reader *rd)
{
	struct gaspdb_record record;
	struct gaspdb_error err = { 0 };
	enum gaspdb_status status;

	log->lost = rd->block.lost;
	gaspdb_rate_block(&log->rate, rd);
	while ((status = gaspdb_reader_record(rd, &record, &err)) ==
	       GASPDB_OK) {
		take_record(log, &record);
		gaspdb_rate_record(&log->rate, rd, &record);
	}
	if (status != GASPDB_EOF)
		note_defect(log, &err);
}

static void read_log(struct gaspdb_run_log *log, const char *path)
{
	struct gaspdb_reader *rd = gaspdb_memory_new(1, sizeof *rd);
	struct gaspdb_error err = { 0 };
	enum gaspdb_status status = gaspdb_reader_open(rd, path, &err);

	if (status != GASPDB_OK) {
		snprintf(log->defect, sizeof log->defect, "%.250s", err.msg);
		free(rd);
		return;
	}
	log->whole = !rd->header.damaged;
	if (rd->header.damaged)
		strcpy(log->defect, "damaged header");
	log->bytes = rd->size;
	log->run = rd->header.run;
	log->ticks_hz = rd->header.ticks_hz;
	log->start_real_ns = rd->header.start_real_ns;
	while ((status = gaspdb_reader_block(rd, &err)) == GASPDB_OK ||
	       status == GASPDB_DAMAGED)
		if (status == GASPDB_OK)
			read_block(log, rd);
		else
			note_defect(log, &err);
	if (status != GASPDB_EOF)
		note_defect(log, &err);
	if (!rd->whole && !*log->defect)
		strcpy(log->defect, "it was not closed: its process was "
				    "killed or ended abruptly");
	log->whole = log->whole && rd->whole;
	gaspdb_reader_close(rd);
	free(rd);
}

static long number(const char *text)
{
	return text ? strtol(text, NULL, 10) : -1;
}

static int compare(const void *a, const void *b)
{
	const struct gaspdb_run_log *x = a, *y = b;
	long rx = number(x->rank), ry = number(y->rank);
	long tx = number(x->thread), ty = number(y->thread);

	if (rx != ry)
		return rx < ry ? -1 : 1;
	if (tx != ty)
		return tx < ty ? -1 : 1;
	return strcmp(x->name, y->name);
}

static bool is_log(const char *name)
{
	size_t n = strlen(name), n_suffix = strlen(GASPDB_LOG_SUFFIX);

	return n > n_suffix && !strcmp(name + n - n_suffix, GASPDB_LOG_SUFFIX);
}

static void add_log(struct gaspdb_run_logs *logs, const char *directory,
		    const char *name)
{
	char *path = gaspdb_text_format("%s/%s", directory, name);

	logs->logs =
		gaspdb_memory_grow(logs->logs, logs->n + 1, sizeof *logs->logs);
	struct gaspdb_run_log *log = &logs->logs[logs->n++];
	memset(log, 0, sizeof *log);
	log->name = gaspdb_text_copy(name, strlen(name));
	read_log(log, path);
	free(path);
}

enum gaspdb_status gaspdb_run_logs_read(struct gaspdb_run_logs *logs,
					const char *directory,
					struct gaspdb_error *err)
{
	DIR *dir = opendir(directory);
	const struct dirent *entry;

	memset(logs, 0, sizeof *logs);
	if (!dir)
		return gaspdb_fail_errno(err, "cannot open '%s'", directory);
	while ((entry = readdir(dir)))
		if (is_log(entry->d_name))
			add_log(logs, directory, entry->d_name);
	closedir(dir);
	if (logs->n)
		qsort(logs->logs, logs->n, sizeof *logs->logs, compare);
	return GASPDB_OK;
}

void gaspdb_run_logs_free(struct gaspdb_run_logs *logs)
{
	for (size_t i = 0; i < logs->n; i++) {
		struct gaspdb_run_log *log = &logs->logs[i];
		free(log->name);
		free(log->rank);
		free(log->ranks);
		free(log->thread);
		free(log->model);
		free(log->host);
		free(log->program);
		free(log->runtime);
		free(log->not_seen);
		gaspdb_rate_free(&log->rate);
	}
	free(logs->logs);
}
