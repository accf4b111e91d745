/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A process has one access and one exposure epoch of a window at a time.  What
 * it did while it was not recorded shows in the running numbers; where these do
 * not tell, what follows belongs to nothing.
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
	int64_t row[GASPDB_EPOCH_COLUMNS]; /* but for its other side */
	struct member *members;
	size_t n, room;
	int64_t number; /* as logged; 0: not the same with all */
};

struct epochs {
	struct gaspdb_run *run;
	struct gaspdb_sorter *out;
	struct epoch going[2];	     /* by role */
	struct gaspdb_groups counts; /* role, process: epochs with it so far */
	bool *gaps;		     /* by process: calls are missing */
	int64_t process, window;
	enum gaspdb_epoch_role told; /* whose members follow */
};

static void load_gaps(struct epochs *s)
{
	sqlite3_stmt *stmt =
		gaspdb_prepare(s->run, gaspdb_sql_threads_with_gaps);

	s->gaps = gaspdb_zeroed(s->run, (size_t)s->run->n_threads,
				sizeof(*s->gaps));
	while (s->gaps && gaspdb_row(s->run, stmt)) {
		const int64_t process = gaspdb_run_process(
			s->run, sqlite3_column_int64(stmt, 0));

		if (process != GASPDB_NONE)
			s->gaps[process] = true;
	}
	sqlite3_finalize(stmt);
}

/* Which epoch with that process this one is; NONE: nobody knows. */
static int64_t number_of(struct epochs *s, enum gaspdb_epoch_role role,
			 int64_t process)
{
	int64_t *count =
		gaspdb_group(s->run, &s->counts, (int64_t[]){ role, process });

	if (!count)
		return GASPDB_NONE;
	if (s->going[role].number)
		*count = s->going[role].number;
	else
		++*count;
	return s->going[role].number || !s->gaps[s->process] ? *count
							     : GASPDB_NONE;
}

static void finish(struct epochs *s, enum gaspdb_epoch_role role)
{
	struct epoch *e = &s->going[role];

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
	struct epoch *e = &s->going[role];

	finish(s, role);
	e->open = true;
	e->n = 0;
	e->number = call[GASPDB_WINDOW_EPOCH];
	e->row[GASPDB_EPOCH_TEAM] = call[GASPDB_WINDOW_TEAM];
	e->row[GASPDB_EPOCH_ORIGIN] = e->row[GASPDB_EPOCH_TARGET] = s->process;
	e->row[GASPDB_EPOCH_ROLE] = role;
	e->row[GASPDB_EPOCH_EVENT] = call[GASPDB_WINDOW_EVENT];
	e->row[GASPDB_EPOCH_AT] = call[GASPDB_WINDOW_AT];
	e->row[GASPDB_EPOCH_THREAD] = call[GASPDB_WINDOW_THREAD];
	e->row[GASPDB_EPOCH_WINDOW] = s->window;
	e->row[GASPDB_EPOCH_END_EVENT] = GASPDB_NONE;
	e->row[GASPDB_EPOCH_LAST_NS] = GASPDB_NONE;
	s->told = role;
}

static void add_member(struct epochs *s, int64_t process)
{
	struct epoch *e = &s->going[s->told];

	if (gaspdb_grow(s->run, &e->members, e->n, &e->room,
			sizeof(*e->members)))
		e->members[e->n++] = (struct member){
			process, process == GASPDB_NONE
					 ? GASPDB_NONE
					 : number_of(s, s->told, process)
		};
}

static void end(struct epochs *s, enum gaspdb_epoch_role role,
		const int64_t *call)
{
	int64_t *row = s->going[role].row;

	row[GASPDB_EPOCH_END_EVENT] = call[GASPDB_WINDOW_EVENT];
	row[GASPDB_EPOCH_END_AT] = call[GASPDB_WINDOW_AT];
	row[GASPDB_EPOCH_END_NS] = call[GASPDB_WINDOW_END];
	row[GASPDB_EPOCH_END_THREAD] = call[GASPDB_WINDOW_THREAD];
	row[GASPDB_EPOCH_END_OPEN] = call[GASPDB_WINDOW_OPEN];
	row[GASPDB_EPOCH_END_TESTS] =
		call[GASPDB_WINDOW_WHAT] == GASPDB_WINDOW_TEST;
	finish(s, role);
}

static void take(struct epochs *s, const int64_t *call)
{
	int64_t *last =
		&s->going[GASPDB_EPOCH_ACCESS].row[GASPDB_EPOCH_LAST_NS];

	switch ((enum gaspdb_window_what)call[GASPDB_WINDOW_WHAT]) {
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
		if (call[GASPDB_WINDOW_END] > *last)
			*last = call[GASPDB_WINDOW_END];
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
	load_gaps(&s);
	while (s.gaps && (call = gaspdb_sorter_next(calls))) {
		if (call[GASPDB_WINDOW_PROCESS] != s.process ||
		    call[GASPDB_WINDOW_NUMBER] != s.window) {
			finish_window(&s);
			s.process = call[GASPDB_WINDOW_PROCESS];
			s.window = call[GASPDB_WINDOW_NUMBER];
		}
		take(&s, call);
	}
	finish_window(&s);
	gaspdb_groups_fini(&s.counts);
	free(s.going[0].members);
	free(s.going[1].members);
	free(s.gaps);
}
