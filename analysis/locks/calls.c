/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scan of the events for lock calls. Whether an attempt succeeded is one of its
   arguments. */
#include "analysis/locks/calls.h"

#include <stdlib.h>

#include "analysis/engine/scan.h"
#include "analysis/locks/identity.h"
#include "sql/store/table.h"

struct gather {
	struct gaspdb_run *run;
	struct gaspdb_sorter *calls;
	struct gaspdb_lock_identity identity;
	struct gaspdb_event_args arguments;
	unsigned char *roles; /* by argument: enum role */
	int64_t n_roles;
};

enum role { SUCCESS, ATTEMPTS, ROLES };

static const char *const role_names[ROLES] = { "success", "attempts" };

/* Did an attempt get the lock? An unknown result counts as failure. *attempts:
   number of calls folded into the event, unchanged where it is one. */
static bool succeeded(struct gather *g, int64_t event, int64_t *attempts)
{
	struct gaspdb_event_arg args[GASPDB_ARGS_OF_EVENT];
	const size_t n = gaspdb_event_args_read(&g->arguments, event, args);
	bool success = false;

	for (size_t i = 0; i < n; i++) {
		const int64_t argument = args[i].argument,
			      value = args[i].value;
		const int role = argument >= 0 && argument < g->n_roles
					 ? g->roles[argument]
					 : ROLES;

		if (role == SUCCESS)
			success = value != 0 && value != GASPDB_NONE;
		else if (role == ATTEMPTS && value > 1)
			*attempts = value;
	}
	return success;
}

static void gather_event(void *user, const struct gaspdb_event *e)
{
	struct gather *g = user;
	const struct gaspdb_run_source *source =
		gaspdb_run_source(g->run, e->source);
	const enum gaspdb_type type = source ? source->type : GASPDB_N_TYPES;
	const int64_t end_ns = e->start_ns + e->duration_ns;
	int64_t kind, attempts = 1;

	gaspdb_lock_identity_consume(&g->identity, e, type);
	if (type == GASPDB_TYPE_unlock)
		kind = GASPDB_LOCK_RELEASE;
	else if (type == GASPDB_TYPE_lock_free && e->object != GASPDB_NONE)
		kind = GASPDB_LOCK_FREE;
	else if (type != GASPDB_TYPE_lock && type != GASPDB_TYPE_lock_attempt)
		return;
	else if (e->open && type == GASPDB_TYPE_lock_attempt)
		return; /* its result is unknown */
	else if (e->open)
		kind = GASPDB_LOCK_PENDING;
	else if (type == GASPDB_TYPE_lock_attempt &&
		 !succeeded(g, e->id, &attempts))
		kind = GASPDB_LOCK_FAILED_ATTEMPT;
	else
		kind = GASPDB_LOCK_ACQUIRE;
	gaspdb_sorter_add(
		g->calls,
		(int64_t[]){ [GASPDB_LOCK_OBJECT] = e->object,
			     [GASPDB_LOCK_EFFECT] = kind == GASPDB_LOCK_ACQUIRE
							    ? end_ns
							    : e->start_ns,
			     [GASPDB_LOCK_EVENT] = e->id,
			     [GASPDB_LOCK_THREAD] = e->thread,
			     [GASPDB_LOCK_START] = e->start_ns,
			     [GASPDB_LOCK_END] = end_ns,
			     [GASPDB_LOCK_KIND] = kind,
			     [GASPDB_LOCK_SOURCE] = e->source,
			     [GASPDB_LOCK_ATTEMPTS] = attempts });
}

void gaspdb_lock_calls_gather(struct gaspdb_run *run,
			      struct gaspdb_sorter *calls)
{
	struct gather g = { .run = run, .calls = calls };

	gaspdb_sorter_init(calls, run, GASPDB_LOCK_COLUMNS,
			   GASPDB_LOCK_EVENT + 1);
	gaspdb_event_args_open(&g.arguments, run);
	g.roles = gaspdb_argument_roles(run, role_names, ROLES, &g.n_roles);
	gaspdb_lock_identity_open(&g.identity, run);
	gaspdb_scan_events(run, gather_event, &g);
	gaspdb_lock_identity_close(&g.identity);
	gaspdb_event_args_close(&g.arguments);
	free(g.roles);
}
