/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * To read a row costs as much as what most do with it: so all that is asked of
 * all events, and needs nothing that another part finds, is asked in one walk.
 */
#include "analysis/walk.h"

#include "analysis/accesses.h"
#include "analysis/path_and_pop.h"

struct walk {
	struct gaspdb_run run;
	struct gaspdb_accesses *accesses;
	struct gaspdb_path_and_pop *path;
};

static void take_path(void *user, const struct gaspdb_event *e)
{
	struct walk *w = user;

	gaspdb_path_and_pop_take(w->path, e);
}

static void take_both(void *user, const struct gaspdb_event *e)
{
	struct walk *w = user;

	gaspdb_accesses_take(w->accesses, e);
	gaspdb_path_and_pop_take(w->path, e);
}

static enum gaspdb_status add_line_times(sqlite3 *db, struct gaspdb_error *err)
{
	struct gaspdb_run run;

	gaspdb_run_open(&run, db, err);
	gaspdb_accesses_add_line_times(&run);
	return gaspdb_run_close(&run);
}

enum gaspdb_status gaspdb_pass_walk(sqlite3 *db, struct gaspdb_error *err)
{
	struct walk w;
	enum gaspdb_status status;
	bool lines;

	gaspdb_run_open(&w.run, db, err);
	w.accesses = gaspdb_accesses_open(&w.run);
	w.path = gaspdb_path_and_pop_open(&w.run);
	gaspdb_scan_events(&w.run, w.accesses ? take_both : take_path, &w);
	lines = gaspdb_accesses_close(w.accesses);
	gaspdb_path_and_pop_close(w.path);
	status = gaspdb_run_close(&w.run); /* now access_pair is there */
	return status == GASPDB_OK && lines ? add_line_times(db, err) : status;
}
