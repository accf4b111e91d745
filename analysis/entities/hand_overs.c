/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hand-overs and runs go to a temporary table; SQL joins them. */
#include "analysis/entities/hand_overs.h"

#include <stdlib.h>

#include "sql/passes/entities.h"

void gaspdb_hand_overs_open(struct gaspdb_hand_overs *w, struct gaspdb_run *run)
{
	static const char *const names[] = { "work" };

	w->run = run;
	gaspdb_exec(run, gaspdb_sql_work_seen_make);
	w->add = gaspdb_prepare(run, gaspdb_sql_work_seen_add);
	w->roles = gaspdb_argument_roles(run, names, 1, &w->n_roles);
	gaspdb_event_args_open(&w->args, run);
}

/* Its number; 0: not known. */
static int64_t number_of(struct gaspdb_hand_overs *w, int64_t event)
{
	struct gaspdb_event_arg args[GASPDB_ARGS_OF_EVENT];
	const size_t n = gaspdb_event_args_read(&w->args, event, args);

	for (size_t i = 0; i < n; i++)
		if (args[i].argument >= 0 && args[i].argument < w->n_roles &&
		    w->roles[args[i].argument] == 0)
			return args[i].value;
	return 0;
}

void gaspdb_hand_overs_add(struct gaspdb_hand_overs *w,
			   const struct gaspdb_event *event, bool put)
{
	const int64_t work = number_of(w, event->id);

	if (work == 0 || work == GASPDB_NONE)
		return;
	gaspdb_write(w->run, w->add, 7,
		     (int64_t[]){ work, put, event->id, event->thread,
				  event->object, event->start_ns,
				  event->start_ns + event->duration_ns },
		     NULL);
}

void gaspdb_hand_overs_close(struct gaspdb_hand_overs *w)
{
	sqlite3_finalize(w->add);
	gaspdb_event_args_close(&w->args);
	free(w->roles);
	gaspdb_exec(w->run, gaspdb_sql_entity_work);
}
