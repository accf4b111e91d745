/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Intervals of threads in order; they may overlap. */
#include "analysis/entities/covers.h"

static void next(struct gaspdb_cover *c)
{
	c->more = gaspdb_row(c->run, c->stmt);
	if (!c->more)
		return;
	c->thread = gaspdb_column(c->stmt, 0);
	c->start_ns = gaspdb_column(c->stmt, 1);
	c->end_ns = gaspdb_column(c->stmt, 2);
}

void gaspdb_cover_open(struct gaspdb_cover *c, struct gaspdb_run *run,
		       const char *sql)
{
	*c = (struct gaspdb_cover){ .run = run,
				    .stmt = gaspdb_prepare(run, sql) };
	next(c);
}

void gaspdb_cover_close(struct gaspdb_cover *c)
{
	sqlite3_finalize(c->stmt);
}

bool gaspdb_cover_at(struct gaspdb_cover *c, int64_t thread, int64_t t_ns,
		     int64_t *until_ns)
{
	bool inside;
	int64_t change;

	while (c->more && (c->thread < thread ||
			   (c->thread == thread && c->end_ns <= t_ns)))
		next(c);
	if (!c->more || c->thread != thread)
		return false;
	inside = c->start_ns <= t_ns;
	change = inside ? c->end_ns : c->start_ns;
	if (change < *until_ns)
		*until_ns = change;
	return inside;
}
