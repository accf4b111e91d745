/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages of wrong channels, by their events. */
#include "analysis/waits/distrusted.h"

#include <stdlib.h>

#include "sql/passes/waits.h"

static int by_event(const void *a, const void *b)
{
	const struct gaspdb_distrusted_end *x = a, *y = b;

	return x->event != y->event
		       ? (x->event > y->event ? 1 : -1)
		       : (x->waiting > y->waiting) - (x->waiting < y->waiting);
}

static void sort(struct gaspdb_distrusted_end *ends, size_t n)
{
	if (n)
		qsort(ends, n, sizeof *ends, by_event);
}

void gaspdb_distrusted_load(struct gaspdb_distrusted *d, struct gaspdb_run *run)
{
	sqlite3_stmt *stmt =
		gaspdb_prepare(run, gaspdb_sql_distrusted_messages);

	*d = (struct gaspdb_distrusted){ .run = run };
	gaspdb_unknown_waits_open(&d->unknown_waits, run);
	while (gaspdb_row(run, stmt) &&
	       gaspdb_grow(run, &d->sends, d->n, &d->room[0],
			   sizeof *d->sends) &&
	       gaspdb_grow(run, &d->posts, d->n, &d->room[1],
			   sizeof *d->posts)) {
		d->sends[d->n] = (struct gaspdb_distrusted_end){
			gaspdb_column(stmt, 0), gaspdb_column(stmt, 3)
		};
		d->posts[d->n++] = (struct gaspdb_distrusted_end){
			gaspdb_column(stmt, 1), gaspdb_column(stmt, 2)
		};
	}
	sqlite3_finalize(stmt);
	sort(d->sends, d->n);
	sort(d->posts, d->n);
}

bool gaspdb_distrusted_has(struct gaspdb_distrusted *d,
			   const struct gaspdb_wait *wait)
{
	const bool sends = wait->kind == GASPDB_WAIT_LATE_SENDER;
	const struct gaspdb_distrusted_end key = {
		wait->cause_event, gaspdb_run_process(d->run, wait->thread)
	};

	if (!d->n || (!sends && wait->kind != GASPDB_WAIT_LATE_RECEIVER) ||
	    !bsearch(&key, sends ? d->sends : d->posts, d->n, sizeof *d->sends,
		     by_event))
		return false;
	gaspdb_unknown_waits_add(&d->unknown_waits, wait->event);
	return true;
}

void gaspdb_distrusted_free(struct gaspdb_distrusted *d)
{
	free(d->sends);
	free(d->posts);
}
