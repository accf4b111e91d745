/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sums of calls on files by file, line and thread. A file is the team of the
 * processes that opened it; MPI_File_open has that team in its argument
 * `created`.
 */
#include "analysis/io/files.h"

#include <stdlib.h>

#include "analysis/engine/run.h"
#include "analysis/engine/scan.h"
#include "analysis/rows/groups.h"
#include "sql/passes/io.h"

static const enum gaspdb_type types[] = { GASPDB_TYPE_file,
					  GASPDB_TYPE_file_sync,
					  GASPDB_TYPE_file_read,
					  GASPDB_TYPE_file_write,
					  GASPDB_TYPE_file_read_nb,
					  GASPDB_TYPE_file_write_nb,
					  GASPDB_TYPE_file_read_begin,
					  GASPDB_TYPE_file_write_begin,
					  GASPDB_TYPE_file_end };

enum { N_TYPES = sizeof types / sizeof *types };

/* Arguments that name a file. */
enum { CREATED, TEAM, OTHER };
static const char *const names[] = { "created", "team" };

enum { CALLS, TIME, BYTES, WAIT, N_SUMS };

struct files {
	struct gaspdb_run *run;
	struct gaspdb_event_args arguments;
	unsigned char *role; /* by argument.id */
	int64_t n_roles;
	bool *creates; /* by source.id: the call has `created`, and its `team`
			  is not the file */
	sqlite3_stmt *waits;	     /* in the order of their events */
	int64_t wait_event, wait_ns; /* the next wait; event NONE: no more */
	struct gaspdb_groups sums;   /* file, source, thread */
};

static bool is_on_file(enum gaspdb_type type)
{
	for (size_t i = 0; i < N_TYPES; i++)
		if (types[i] == type)
			return true;
	return false;
}

static void next_wait(struct files *f)
{
	f->wait_event = GASPDB_NONE;
	if (!gaspdb_row(f->run, f->waits))
		return;
	f->wait_event = gaspdb_column(f->waits, 0);
	f->wait_ns = gaspdb_column(f->waits, 1);
}

/* Waits in an event, ns. Events come in the order of their ids. */
static int64_t waited_in(struct files *f, int64_t event)
{
	int64_t ns = 0;

	while (f->wait_event != GASPDB_NONE && f->wait_event < event)
		next_wait(f);
	for (; f->wait_event == event; next_wait(f))
		ns += f->wait_ns;
	return ns;
}

static int64_t file_of(struct files *f, const struct gaspdb_event *e)
{
	struct gaspdb_event_arg args[GASPDB_ARGS_OF_EVENT];
	const size_t n = gaspdb_event_args_read(&f->arguments, e->id, args);
	int64_t file = GASPDB_NONE;

	for (size_t i = 0; i < n; i++)
		if (args[i].argument >= 0 && args[i].argument < f->n_roles &&
		    f->role[args[i].argument] ==
			    (f->creates[e->source] ? CREATED : TEAM))
			file = args[i].value;
	return file;
}

static void take(void *user, const struct gaspdb_event *e)
{
	struct files *f = user;
	const struct gaspdb_run_source *source =
		gaspdb_run_source(f->run, e->source);
	int64_t *sums;

	if (!source || !is_on_file(source->type))
		return;
	sums = gaspdb_group(f->run, &f->sums,
			    (int64_t[]){ file_of(f, e), e->source, e->thread });
	if (!sums)
		return;
	sums[CALLS]++;
	sums[TIME] += e->duration_ns;
	sums[BYTES] += e->bytes != GASPDB_NONE ? e->bytes : 0;
	sums[WAIT] += waited_in(f, e->id);
}

enum gaspdb_status gaspdb_pass_files(struct gaspdb_run *run)
{
	struct files f = { .run = run };

	if (!gaspdb_run_has(run, types, N_TYPES))
		return run->status;
	f.role = gaspdb_argument_roles(run, names, OTHER, &f.n_roles);
	f.creates = gaspdb_sources_with(run, "created");
	gaspdb_event_args_open(&f.arguments, run);
	gaspdb_groups_init(&f.sums, 3, N_SUMS);
	f.waits = gaspdb_prepare(run, gaspdb_sql_waits_of_events);
	next_wait(&f);
	if (f.creates)
		gaspdb_scan_events(run, take, &f);
	sqlite3_finalize(f.waits);
	gaspdb_groups_write(run, &f.sums, gaspdb_sql_file_use_add);
	gaspdb_groups_fini(&f.sums);
	gaspdb_event_args_close(&f.arguments);
	free(f.creates);
	free(f.role);
	return run->status;
}
