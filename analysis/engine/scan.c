/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/engine/scan.h"

#include <assert.h>
#include <string.h>

#include "sql/passes/engine.h"
#include "sql/store/table.h"

struct taker {
	gaspdb_event_fn fn;
	void *user;
};

struct scan {
	struct gaspdb_run *run;
	const struct taker *takers, *end;
};

static bool take_row(void *user, const int64_t *values)
{
	const struct scan *scan = user;
	const struct gaspdb_event *event = gaspdb_event_of(values);

	if (event->nested)
		return true;
	for (const struct taker *t = scan->takers; t < scan->end; t++)
		t->fn(t->user, event);
	return scan->run->status == GASPDB_OK;
}

static void scan_for(struct gaspdb_run *run, const struct taker *takers,
		     size_t n)
{
	struct scan scan = { run, takers, takers + n };
	struct gaspdb_table events;

	gaspdb_table_open(&events, &run->tables, "event", GASPDB_EVENT_COLUMNS);
	gaspdb_table_scan(&events, take_row, &scan);
	gaspdb_table_close(&events);
}

void gaspdb_scan_events(struct gaspdb_run *run, gaspdb_event_fn fn, void *user)
{
	scan_for(run, &(struct taker){ fn, user }, 1);
}

void gaspdb_run_event_passes(struct gaspdb_run *run,
			     const struct gaspdb_event_pass *const *passes,
			     size_t n)
{
	const struct gaspdb_event_pass *open[GASPDB_EVENT_PASSES_MAX];
	struct taker takers[GASPDB_EVENT_PASSES_MAX];
	size_t n_open = 0;

	assert(n <= GASPDB_EVENT_PASSES_MAX);
	for (size_t i = 0; i < n; i++) {
		void *object = passes[i]->open(run);

		if (!object)
			continue;
		takers[n_open] = (struct taker){ passes[i]->take, object };
		open[n_open++] = passes[i];
	}
	if (n_open)
		scan_for(run, takers, n_open);
	for (size_t i = 0; i < n_open; i++)
		open[i]->close(takers[i].user);
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
