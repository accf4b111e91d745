/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scan of window calls for epochs. A process has at most one access epoch and
 * one exposure epoch of a window at a time. The logged numbers of epochs
 * include unrecorded ones. Without logged numbers, epochs of a process with
 * gaps have no number and are not matched.
 */
#include "analysis/onesided/window_epochs.h"

#include <stdlib.h>

#include "analysis/onesided/window_calls.h"
#include "analysis/rows/groups.h"
#include "sql/passes/onesided.h"

struct member {
	int64_t process, number;
};

struct epoch {
	bool open;
	int64_t row[GASPDB_EPOCH_COLUMNS]; /* without the member's columns */
	struct member *members;
	size_t n, room;
	int64_t number; /* as logged; 0: members have different numbers */
};

struct epochs {
	struct gaspdb_run *run;
	struct gaspdb_sorter *out;
	struct epoch current[2];     /* by role */
	struct gaspdb_groups counts; /* role, process: epochs so far */
	bool *has_gaps;		     /* by process: calls may be missing */
	int64_t process, window;
	enum gaspdb_epoch_role
		member_role; /* of the epoch whose members follow */
};

static void load_has_gaps(struct epochs *s)
{
	sqlite3_stmt *stmt =
		gaspdb_prepare(s->run, gaspdb_sql_threads_with_gaps);

	s->has_gaps = gaspdb_zeroed(s->run, (size_t)s->run->n_threads,
				    sizeof(*s->has_gaps));
	while (s->has_gaps && gaspdb_row(s->run, stmt)) {
		const int64_t process = gaspdb_run_process(
			s->run, sqlite3_column_int64(stmt, 0));

		if (process != GASPDB_NONE)
			s->has_gaps[process] = true;
	}
	sqlite3_finalize(stmt);
}

/* The number of the current epoch among those with a process; NONE: unknown. */
static int64_t number_of(struct epochs *s, enum gaspdb_epoch_role role,
			 int64_t process)
{
	int64_t *count =
		gaspdb_group(s->run, &s->counts, (int64_t[]){ role, process });

	if (!count)
		return GASPDB_NONE;
	if (s->current[role].number)
		*count = s->current[role].number;
	else
		++*count;
	return s->current[role].number || !s->has_gaps[s->process]
		       ? *count
		       : GASPDB_NONE;
}

static void finish(struct epochs *s, enum gaspdb_epoch_role role)
{
	struct epoch *e = &s->current[role];

	for (size_t i = 0; e->open && i < e->n; i++) {
		const struct member *m = &e->members[i];
		const bool access = role == GASPDB_EPOCH_ACCESS;

		e->row[access ? GASPDB_EPOCH_TARGET : GASPDB_EPOCH_ORIGIN] =
			m->process;
		e->row[GASPDB_EPOCH_NUMBER] = m->number;
		gaspdb_sorter_add(s->out, e->row);
	}
	e->open = false;
}

static void begin(struct epochs *s, enum gaspdb_epoch_role role,
		  const int64_t *call)
{
	struct epoch *e = &s->current[role];

	finish(s, role);
	e->open = true;
	e->n = 0;
	e->number = call[GASPDB_WINDOW_EPOCH];
	e->row[GASPDB_EPOCH_TEAM] = call[GASPDB_WINDOW_TEAM];
	e->row[GASPDB_EPOCH_ORIGIN] = e->row[GASPDB_EPOCH_TARGET] = s->process;
	e->row[GASPDB_EPOCH_ROLE] = role;
	e->row[GASPDB_EPOCH_EVENT] = call[GASPDB_WINDOW_EVENT];
	e->row[GASPDB_EPOCH_ENTER] = call[GASPDB_WINDOW_ENTER];
	e->row[GASPDB_EPOCH_THREAD] = call[GASPDB_WINDOW_THREAD];
	e->row[GASPDB_EPOCH_WINDOW] = s->window;
	e->row[GASPDB_EPOCH_END_EVENT] = GASPDB_NONE;
	e->row[GASPDB_EPOCH_LAST_ACCESS] = GASPDB_NONE;
	s->member_role = role;
}

static void add_member(struct epochs *s, int64_t process)
{
	struct epoch *e = &s->current[s->member_role];

	if (gaspdb_grow(s->run, &e->members, e->n, &e->room,
			sizeof(*e->members)))
		e->members[e->n++] = (struct member){
			process, process == GASPDB_NONE
					 ? GASPDB_NONE
					 : number_of(s, s->member_role, process)
		};
}

static void end(struct epochs *s, enum gaspdb_epoch_role role,
		const int64_t *call)
{
	int64_t *row = s->current[role].row;

	row[GASPDB_EPOCH_END_EVENT] = call[GASPDB_WINDOW_EVENT];
	row[GASPDB_EPOCH_END_ENTER] = call[GASPDB_WINDOW_ENTER];
	row[GASPDB_EPOCH_END_LEAVE] = call[GASPDB_WINDOW_LEAVE];
	row[GASPDB_EPOCH_END_THREAD] = call[GASPDB_WINDOW_THREAD];
	row[GASPDB_EPOCH_END_OPEN] = call[GASPDB_WINDOW_OPEN];
	row[GASPDB_EPOCH_END_IS_TEST] =
		call[GASPDB_WINDOW_KIND] == GASPDB_WINDOW_TEST;
	finish(s, role);
}

static void process_call(struct epochs *s, const int64_t *call)
{
	int64_t *last =
		&s->current[GASPDB_EPOCH_ACCESS].row[GASPDB_EPOCH_LAST_ACCESS];

	switch ((enum gaspdb_window_kind)call[GASPDB_WINDOW_KIND]) {
	case GASPDB_WINDOW_START:
		begin(s, GASPDB_EPOCH_ACCESS, call);
		break;
	case GASPDB_WINDOW_POST:
		begin(s, GASPDB_EPOCH_EXPOSURE, call);
		break;
	case GASPDB_WINDOW_MEMBER:
		add_member(s, call[GASPDB_WINDOW_PEER]);
		break;
	case GASPDB_WINDOW_ACCESS:
		if (call[GASPDB_WINDOW_LEAVE] > *last)
			*last = call[GASPDB_WINDOW_LEAVE];
		break;
	case GASPDB_WINDOW_COMPLETE:
		end(s, GASPDB_EPOCH_ACCESS, call);
		break;
	case GASPDB_WINDOW_WAIT:
	case GASPDB_WINDOW_TEST:
		end(s, GASPDB_EPOCH_EXPOSURE, call);
		break;
	default:
		break;
	}
}

static void finish_window(struct epochs *s)
{
	finish(s, GASPDB_EPOCH_ACCESS);
	finish(s, GASPDB_EPOCH_EXPOSURE);
	gaspdb_groups_clear(&s->counts);
}

void gaspdb_window_epochs(struct gaspdb_run *run, struct gaspdb_sorter *calls,
			  struct gaspdb_sorter *out)
{
	struct epochs s = { .run = run, .out = out, .process = GASPDB_NONE };
	const int64_t *call;

	gaspdb_groups_init(&s.counts, 2, 1);
	load_has_gaps(&s);
	while (s.has_gaps && (call = gaspdb_sorter_next(calls))) {
		if (call[GASPDB_WINDOW_PROCESS] != s.process ||
		    call[GASPDB_WINDOW_NUMBER] != s.window) {
			finish_window(&s);
			s.process = call[GASPDB_WINDOW_PROCESS];
			s.window = call[GASPDB_WINDOW_NUMBER];
		}
		process_call(&s, call);
	}
	finish_window(&s);
	gaspdb_groups_fini(&s.counts);
	free(s.current[0].members);
	free(s.current[1].members);
	free(s.has_gaps);
}
