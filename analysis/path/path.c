/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One walk along what all threads did serves both, and one along waits. */
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
	struct gaspdb_sorter *causes; /* while waits are told: their sources */
	int64_t kind_word;	      /* of the wait before, and its kind */
	enum gaspdb_wait_kind kind;
	struct gaspdb_recent_time spent;
	struct gaspdb_activity_calls calls;
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

static int64_t at(void *user, int64_t thread, int64_t at_ns,
		  enum gaspdb_path_side *side, bool *pieces)
{
	parts *p = user;
	int64_t path_ns, delays_ns;

	*side = gaspdb_critical_path_at(&p->path, thread, at_ns, &path_ns);
	*pieces = gaspdb_delays_need(&p->delays, thread, at_ns, &delays_ns);
	return gaspdb_min(path_ns, delays_ns);
}

static void piece(void *user, const struct gaspdb_piece *piece)
{
	parts *p = user;

	gaspdb_delays_add(&p->delays, piece);
}

static void spent(void *user, const struct gaspdb_recent_time_line *line)
{
	parts *p = user;

	gaspdb_path_lines_add(&p->lines, line);
	if (p->delays.collective.any)
		gaspdb_collective_delays_spent(&p->delays.collective, line);
}

static int64_t next_whole(void *user)
{
	const parts *p = user;

	return gaspdb_collective_delays_next(&p->delays.collective);
}

/* --- all together --------------------------------------------------------- */

static void begin(parts *p)
{
	gaspdb_recent_time_init(&p->spent, spent, p);
	gaspdb_delays_begin(&p->delays, &p->spent);
	p->spent.pays = p->delays.collective.any;
	p->calls = (struct gaspdb_activity_calls){
		.user = p, .at = at, .piece = piece, .next_whole = next_whole
	};
	gaspdb_critical_path_begin(&p->path);
	p->activity =
		gaspdb_activity_open(p->run, &p->lines, &p->spent, &p->calls);
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

static void take(void *user, const struct gaspdb_event *e)
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

const struct gaspdb_event_pass gaspdb_path = { open_parts, take, close_parts };
