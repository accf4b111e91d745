/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One scan of what all threads did serves both. */
#include "analysis/path_and_pop.h"

#include "analysis/critical_path.h"
#include "analysis/pop.h"

struct both {
	struct gaspdb_critical_path path;
	struct gaspdb_pop pop;
};

static void add_pieces(void *user, const struct gaspdb_piece *pieces, size_t n)
{
	struct both *both = user;

	gaspdb_critical_path_add(&both->path, pieces, n);
	gaspdb_pop_add(&both->pop, pieces, n);
}

enum gaspdb_status gaspdb_pass_path_and_pop(sqlite3 *db,
					    struct gaspdb_error *err)
{
	struct gaspdb_run run;
	struct both both;

	gaspdb_run_open(&run, db, err);
	gaspdb_critical_path_open(&both.path, &run);
	gaspdb_pop_open(&both.pop, &run);
	gaspdb_activity(&run, add_pieces, &both);
	gaspdb_critical_path_close(&both.path);
	gaspdb_pop_close(&both.pop);
	return gaspdb_run_close(&run);
}
