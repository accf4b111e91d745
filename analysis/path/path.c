/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Critical path and delays share one scan of events and one of waits. */
#include "analysis/path/path.h"

#include <stdlib.h>

#include "analysis/path/activity.h"
#include "analysis/path/blame.h"
#include "analysis/path/critical_path.h"
#include "analysis/path/delays.h"

typedef struct {
	struct gaspdb_run *run;
	struct gaspdb_path_lines lines;
	struct gaspdb_critical_path path;
	struct gaspdb_delays delays;
	struct gaspdb_sorter *causes; /* sources of the waits' causes */
	int64_t kind_word;	      /* cache of the last wait's kind */
	enum gaspdb_wait_kind kind;
	struct gaspdb_recent_time recent;
	struct gaspdb_activity_callbacks callbacks;
	struct gaspdb_activity *activity;
} parts;

/* --- waits ---------------------------------------------------------------- */

static bool add_wait(void *user, const int64_t *row)
{
	parts *p = user;
	const int64_t *cause = gaspdb_sorter_next(p->causes);
	const int64_t source =
		cause && row[GASPDB_WAIT_CAUSE_EVENT] != GASPDB_NONE
			? *cause
			: GASPDB_NONE;

	if (row[GASPDB_WAIT_KIND] != p->kind_word) {
		p->kind_word = row[GASPDB_WAIT_KIND];
		p->kind = gaspdb_wait_kind_of(p->kind_word);
	}
	gaspdb_delays_wait(&p->delays, row, p->kind, source);
	gaspdb_critical_path_wait(&p->path, row);
	gaspdb_path_blame_wait(p->run, row, p->kind, source);
	return p->run->status == GASPDB_OK;
}

static void add_waits(parts *p)
{
	struct gaspdb_table waits;

	p->causes = gaspdb_wait_causes(p->run);
	if (!p->causes)
		return;
	gaspdb_table_open(&waits, &p->run->tables, "wait", GASPDB_WAIT_COLUMNS);
	gaspdb_table_scan(&waits, add_wait, p);
	gaspdb_table_close(&waits);
	gaspdb_sorter_empty(p->causes);
}

/* --- activity ------------------------------------------------------------- */

static int64_t state_at(void *user, int64_t thread, int64_t at_ns,
			enum gaspdb_path_side *side, bool *pieces)
{
	parts *p = user;
	int64_t path_ns, delays_ns;

	*side = gaspdb_critical_path_at(&p->path, thread, at_ns, &path_ns);
	*pieces = gaspdb_delays_need(&p->delays, thread, at_ns, &delays_ns);
	return gaspdb_min(path_ns, delays_ns);
}

static void piece(void *user, const struct gaspdb_activity_piece *piece)
{
	parts *p = user;

	gaspdb_delays_add(&p->delays, piece);
}

static void add_recent(void *user, const struct gaspdb_recent_time_line *line)
{
	parts *p = user;

	gaspdb_path_lines_add(&p->lines, line);
	if (p->delays.collective.any)
		gaspdb_collective_delays_add_time(&p->delays.collective, line);
}

static int64_t next_reported(void *user)
{
	const parts *p = user;

	return gaspdb_collective_delays_next(&p->delays.collective);
}

/* --- the pass ------------------------------------------------------------- */

static void begin(parts *p)
{
	gaspdb_recent_time_init(&p->recent, add_recent, p);
	gaspdb_delays_begin(&p->delays, &p->recent);
	p->recent.pays = p->delays.collective.any;
	p->callbacks =
		(struct gaspdb_activity_callbacks){ .user = p,
						    .state_at = state_at,
						    .piece = piece,
						    .next_reported =
							    next_reported };
	gaspdb_critical_path_begin(&p->path);
	p->activity = gaspdb_activity_open(p->run, &p->lines, &p->recent,
					   &p->callbacks);
}

static void *open_parts(struct gaspdb_run *run)
{
	parts *p = gaspdb_zeroed(run, 1, sizeof *p);

	if (!p)
		return NULL;
	p->run = run;
	gaspdb_delays_open(&p->delays, run, &p->lines);
	gaspdb_path_lines_open(&p->lines, run);
	gaspdb_critical_path_open(&p->path, run);
	add_waits(p);
	begin(p);
	return p;
}

static void consume(void *user, const struct gaspdb_event *e)
{
	parts *p = user;

	gaspdb_activity_consume(p->activity, e);
}

static void close_parts(void *user)
{
	parts *p = user;

	gaspdb_activity_close(p->activity);
	gaspdb_delays_close(&p->delays);
	gaspdb_critical_path_close(&p->path);
	gaspdb_path_lines_write(&p->lines, p->path.not_started_ns,
				p->path.ended_ns);
	gaspdb_path_lines_close(&p->lines);
	free(p);
}

const struct gaspdb_event_pass gaspdb_path = { open_parts, consume,
					       close_parts };
