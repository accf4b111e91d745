/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One row a transfer, in the order in which they end.  The time in which a line
 * has something in flight is kept while it goes: how many are, and since when.
 */
#include "analysis/completion_rows.h"

#include <stdlib.h>

#include "sum.h"

enum { N_COLUMNS = 10 }; /* of table completion */

/* Values of a line. */
enum {
	OPERATIONS,
	BYTES,
	INITIATION,
	SHARE,
	OVERLAPPED,
	IN_FLIGHT,
	UNFINISHED,
	MEASURED,
	N_VALUES
};

/* Its state.  NEW: how many of the active ones began at NEWEST. */
enum { ACTIVE, SINCE, NEWEST, NEW, LATEST_END, N_STATES };

void gaspdb_completion_rows_open(struct gaspdb_completion_rows *rows,
				 struct gaspdb_run *run)
{
	*rows = (struct gaspdb_completion_rows){ .run = run };
	gaspdb_groups_init(&rows->lines, 3, N_VALUES);
	gaspdb_groups_init(&rows->states, 3, N_STATES);
	gaspdb_groups_init(&rows->by, 3, 2);
	rows->bulk = gaspdb_bulk_open(run, "completion", N_COLUMNS, 0, NULL);
}

void gaspdb_completion_rows_close(struct gaspdb_completion_rows *rows)
{
	gaspdb_groups_fini(&rows->lines);
	gaspdb_groups_fini(&rows->states);
	gaspdb_groups_fini(&rows->by);
}

/* --- in flight ------------------------------------------------------------ */

static int64_t *state_of(struct gaspdb_completion_rows *rows,
			 const struct gaspdb_transfer *t)
{
	return gaspdb_group(rows->run, &rows->states,
			    (int64_t[]){ t->thread, t->source, t->blocking });
}

void gaspdb_completion_begun(struct gaspdb_completion_rows *rows,
			     const struct gaspdb_transfer *t)
{
	int64_t *s = state_of(rows, t);

	if (!s)
		return;
	if (!s[ACTIVE]++) {
		s[SINCE] = t->begun_ns;
		s[LATEST_END] = t->begun_ns;
		s[NEW] = 0;
	}
	if (s[NEWEST] != t->begun_ns)
		s[NEW] = 0;
	s[NEWEST] = t->begun_ns;
	s[NEW]++;
}

/* How much longer the line has had something in flight. */
static int64_t land(struct gaspdb_completion_rows *rows,
		    const struct gaspdb_transfer *t, int64_t at_ns)
{
	int64_t *s = state_of(rows, t), since_ns;

	if (!s || !s[ACTIVE])
		return 0;
	if (at_ns > s[LATEST_END])
		s[LATEST_END] = at_ns;
	since_ns = s[SINCE];
	s[ACTIVE]--;
	s[NEW] -= t->begun_ns == s[NEWEST];
	/* Another thread completed it while the newest was being begun. */
	if (s[ACTIVE] && s[ACTIVE] == s[NEW] && s[NEWEST] > s[LATEST_END])
		s[SINCE] = s[NEWEST];
	else if (s[ACTIVE])
		return 0;
	return s[LATEST_END] > since_ns ? s[LATEST_END] - since_ns : 0;
}

/* --- rows ----------------------------------------------------------------- */

static void add_up(struct gaspdb_completion_rows *rows,
		   const struct gaspdb_transfer *t,
		   const struct gaspdb_transfer_end *end)
{
	const int64_t in_flight_ns = land(rows, t, end->at_ns);
	int64_t *v =
		gaspdb_group(rows->run, &rows->lines,
			     (int64_t[]){ t->thread, t->source, t->blocking });
	int64_t *by;

	if (!v)
		return;
	v[OPERATIONS]++;
	gaspdb_add_to(&v[BYTES], t->bytes);
	gaspdb_add_to(&v[INITIATION], t->init_ns);
	gaspdb_add_to(&v[SHARE], end->share_ns);
	if (end->overlapped_ns != GASPDB_NONE)
		gaspdb_add_to(&v[OVERLAPPED], end->overlapped_ns);
	gaspdb_add_to(&v[IN_FLIGHT], in_flight_ns);
	v[UNFINISHED] += end->event == GASPDB_NONE;
	v[MEASURED] += t->data_start_ns != GASPDB_NONE;
	if (end->event == GASPDB_NONE)
		return;
	by = gaspdb_group(rows->run, &rows->by,
			  (int64_t[]){ t->thread, t->source, end->source });
	if (!by)
		return;
	by[0]++;
	gaspdb_add_to(&by[1], end->share_ns);
}

void gaspdb_completion_ended(struct gaspdb_completion_rows *rows,
			     const struct gaspdb_transfer *t,
			     const struct gaspdb_transfer_end *end)
{
	const bool seen = end->event != GASPDB_NONE;
	const int64_t values[N_COLUMNS] = {
		++rows->id,
		t->event,
		end->event,
		t->blocking,
		!seen			   ? GASPDB_NONE
		: end->at_ns < t->begun_ns ? 0
					   : end->at_ns - t->begun_ns,
		end->share_ns,
		gaspdb_plus(t->init_ns, end->share_ns),
		end->overlapped_ns,
		t->data_start_ns != GASPDB_NONE,
		end->bound
	};

	if (rows->bulk)
		gaspdb_bulk_add(rows->bulk, values);
	add_up(rows, t, end);
}

void gaspdb_completion_rows_process(struct gaspdb_completion_rows *rows)
{
	if (rows->lines.n) {
		gaspdb_groups_write(
			rows->run, &rows->lines,
			"INSERT INTO overlap_total(thread_id, source_id, "
			"blocking, operations, bytes, initiation_ns, share_ns, "
			"overlapped_ns, in_flight_ns, unfinished, measured) "
			"VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
		gaspdb_groups_write(
			rows->run, &rows->by,
			"INSERT INTO completion_total(thread_id, source_id, "
			"complete_source_id, operations, share_ns) "
			"VALUES(?, ?, ?, ?, ?)");
	}
	gaspdb_groups_clear(&rows->lines);
	gaspdb_groups_clear(&rows->states);
	gaspdb_groups_clear(&rows->by);
}

/* --- shares --------------------------------------------------------------- */

static int by_remainder(const void *a, const void *b)
{
	const struct gaspdb_part *x = a, *y = b;

	if (x->remainder != y->remainder)
		return x->remainder > y->remainder ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

static int by_place(const void *a, const void *b)
{
	const struct gaspdb_part *x = a, *y = b;

	return (x->place > y->place) - (x->place < y->place);
}

void gaspdb_share_out(int64_t time_ns, struct gaspdb_part *parts, size_t n)
{
	gaspdb_wide whole = 0, exact;
	bool equal = true;
	int64_t left = time_ns;

	for (size_t i = 0; i < n; i++) {
		whole += (uint64_t)parts[i].weight;
		equal &= parts[i].weight == parts[0].weight;
	}
	for (size_t i = 0; i < n; i++) {
		exact = (gaspdb_wide)(uint64_t)time_ns *
			(whole ? (uint64_t)parts[i].weight : 1);
		parts[i].part = (int64_t)(exact / (whole ? whole : n));
		parts[i].remainder = exact % (whole ? whole : n);
		parts[i].place = i;
		left -= parts[i].part;
	}
	if (!equal)
		qsort(parts, n, sizeof(*parts), by_remainder);
	for (size_t i = 0; i < n && left > 0; i++, left--)
		parts[i].part++;
	if (!equal)
		qsort(parts, n, sizeof(*parts), by_place);
}
