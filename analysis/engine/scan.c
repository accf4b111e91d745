/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scan of table event for one or several consumers, and lookups of arguments.
 */
#include "analysis/engine/scan.h"

#include <assert.h>
#include <string.h>

#include "sql/passes/engine.h"
#include "sql/store/table.h"

/* --- arguments ------------------------------------------------------------ */

enum { ARGS_AHEAD = 256 }; /* rows */

void gaspdb_event_args_open(struct gaspdb_event_args *r, struct gaspdb_run *run)
{
	gaspdb_table_open(&r->table, &run->tables, "event_arg",
			  GASPDB_EVENT_ARG_COLUMNS);
	gaspdb_cursor_open(&r->cursor, &r->table, ARGS_AHEAD);
}

void gaspdb_event_args_close(struct gaspdb_event_args *r)
{
	gaspdb_cursor_close(&r->cursor);
	gaspdb_table_close(&r->table);
}

size_t
gaspdb_event_args_read(struct gaspdb_event_args *r, int64_t event,
		       struct gaspdb_event_arg args[GASPDB_ARGS_OF_EVENT])
{
	const int64_t first = event * GASPDB_ARGS_OF_EVENT;
	const int64_t *row;
	size_t n = 0;

	gaspdb_cursor_seek(&r->cursor, first);
	while ((row = gaspdb_cursor_peek(&r->cursor)) &&
	       row[0] - first < GASPDB_ARGS_OF_EVENT) {
		memcpy(&args[n++], row, sizeof *args);
		r->cursor.at++;
	}
	return n;
}

/* --- events --------------------------------------------------------------- */

struct consumer {
	gaspdb_event_fn fn;
	void *user;
};

struct scan {
	struct gaspdb_run *run;
	const struct consumer *consumers, *end;
};

static bool deliver_row(void *user, const int64_t *values)
{
	const struct scan *scan = user;
	const struct gaspdb_event *event = gaspdb_event_of(values);

	if (event->nested)
		return true;
	for (const struct consumer *t = scan->consumers; t < scan->end; t++)
		t->fn(t->user, event);
	return scan->run->status == GASPDB_OK;
}

static void scan_for(struct gaspdb_run *run, const struct consumer *consumers,
		     size_t n)
{
	struct scan scan = { run, consumers, consumers + n };
	struct gaspdb_table events;

	gaspdb_table_open(&events, &run->tables, "event", GASPDB_EVENT_COLUMNS);
	gaspdb_table_scan(&events, deliver_row, &scan);
	gaspdb_table_close(&events);
}

void gaspdb_scan_events(struct gaspdb_run *run, gaspdb_event_fn fn, void *user)
{
	scan_for(run, &(struct consumer){ fn, user }, 1);
}

void gaspdb_run_event_passes(struct gaspdb_run *run,
			     const struct gaspdb_event_pass *const *passes,
			     size_t n)
{
	const struct gaspdb_event_pass *open[GASPDB_EVENT_PASSES_MAX];
	struct consumer consumers[GASPDB_EVENT_PASSES_MAX];
	size_t n_open = 0;

	assert(n <= GASPDB_EVENT_PASSES_MAX);
	for (size_t i = 0; i < n; i++) {
		void *object = passes[i]->open(run);

		if (!object)
			continue;
		consumers[n_open] =
			(struct consumer){ passes[i]->take, object };
		open[n_open++] = passes[i];
	}
	if (n_open)
		scan_for(run, consumers, n_open);
	for (size_t i = 0; i < n_open; i++)
		open[i]->close(consumers[i].user);
}

unsigned char *gaspdb_argument_roles(struct gaspdb_run *run,
				     const char *const *names, unsigned char n,
				     int64_t *n_ids)
{
	unsigned char *role = NULL;
	sqlite3_stmt *stmt = gaspdb_prepare(run, gaspdb_sql_arguments);

	*n_ids = 0;
	while (gaspdb_row(run, stmt)) {
		const char *name = (const char *)sqlite3_column_text(stmt, 1);
		unsigned char i = 0;

		if (!role) {
			const int64_t ids = sqlite3_column_int64(stmt, 2) + 1;

			role = gaspdb_zeroed(run, (size_t)ids, 1);
			if (!role)
				break;
			memset(role, n, (size_t)ids);
			*n_ids = ids;
		}
		while (i < n && strcmp(name, names[i]) != 0)
			i++;
		role[sqlite3_column_int64(stmt, 0)] = i;
	}
	sqlite3_finalize(stmt);
	return role;
}

bool *gaspdb_sources_with(struct gaspdb_run *run, const char *name)
{
	bool *have = gaspdb_zeroed(run, (size_t)run->n_sources, sizeof *have);
	sqlite3_stmt *stmt = gaspdb_prepare(run, gaspdb_sql_sources_with);

	sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
	while (have && gaspdb_row(run, stmt)) {
		const int64_t source = sqlite3_column_int64(stmt, 0);

		if (gaspdb_run_source(run, source))
			have[source] = true;
	}
	sqlite3_finalize(stmt);
	return have;
}
