/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One scan of what all threads did serves both.  They take pieces many at a
 * time: then waiting for memory about one does not hold up the next.
 */
#include "analysis/path_and_pop.h"

#include "analysis/critical_path.h"
#include "analysis/pop.h"

enum { PIECES = 128 };

struct both {
	struct gaspdb_critical_path path;
	struct gaspdb_pop pop;
	struct gaspdb_piece pieces[PIECES]; /* not passed on yet */
	size_t n;
};

static void pass_on(struct both *both)
{
	gaspdb_critical_path_add(&both->path, both->pieces, both->n);
	gaspdb_pop_add(&both->pop, both->pieces, both->n);
	both->n = 0;
}

static void add_piece(void *user, const struct gaspdb_piece *piece)
{
	struct both *both = user;

	both->pieces[both->n++] = *piece;
	if (both->n == PIECES)
		pass_on(both);
}

enum gaspdb_status gaspdb_pass_path_and_pop(sqlite3 *db,
					    struct gaspdb_error *err)
{
	struct gaspdb_run run;
	struct both both = { .n = 0 };

	gaspdb_run_open(&run, db, err);
	gaspdb_critical_path_open(&both.path, &run);
	gaspdb_pop_open(&both.pop, &run);
	gaspdb_activity(&run, add_piece, &both);
	pass_on(&both);
	gaspdb_critical_path_close(&both.path);
	gaspdb_pop_close(&both.pop);
	return gaspdb_run_close(&run);
}
