/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of transfers in the order of their ends, and sums by line. The union of
 * a line's transfers in flight is computed from the number in flight.
 */
#include "analysis/completion/rows.h"

#include <stdlib.h>
#include <string.h>

#include "common/sum.h"

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
	AT_ONCE,
	AT_ONCE_TIME,
	COMPLETED_AT, /* set at the end: the line that completes most */
	COMPLETED,    /* ... and its part of SHARE */
	N_VALUES
};

/* Values of `completers`. */
enum { BY_OPERATIONS, BY_SHARE, N_BY_VALUES };

/* Transfers of a line in flight. */
struct gaspdb_line_state {
	int64_t active, since_ns; /* number, and since when it is not 0 */
	int64_t newest_ns, n_new; /* last begin, number begun then and active */
	int64_t latest_end_ns;
	int64_t completer;    /* source that completed the last; NONE: none */
	size_t completer_row; /* its row in rows->completers */
};

void gaspdb_completion_rows_open(struct gaspdb_completion_rows *rows,
				 struct gaspdb_run *run)
{
	*rows = (struct gaspdb_completion_rows){ .run = run };
	gaspdb_groups_init(&rows->lines, 3, N_VALUES);
	gaspdb_groups_init(&rows->completers, 3, N_BY_VALUES);
	gaspdb_groups_init(&rows->all_lines, 2, N_VALUES);
	gaspdb_groups_init(&rows->all_completers, 2, N_BY_VALUES);
	rows->bulk = gaspdb_table_writer_open(
		&run->tables, GASPDB_TABLE(completion), 0, NULL);
}

static int compare(const int64_t *a, const int64_t *b, size_t n)
{
	size_t i = 0;

	while (i < n && a[i] == b[i])
		i++;
	return i == n ? 0 : a[i] < b[i] ? -1 : 1;
}

/* Does a row complete more than another? */
static bool is_more(const struct gaspdb_groups *by, const int64_t *row,
		    const int64_t *than)
{
	const int64_t *a = row + by->n_keys, *b = than + by->n_keys;

	return a[BY_SHARE] != b[BY_SHARE] ? a[BY_SHARE] > b[BY_SHARE]
					  : a[BY_OPERATIONS] > b[BY_OPERATIONS];
}

/* Set COMPLETED_AT and COMPLETED of each line. Both groups have the same keys,
   except for the last, and are sorted. */
static void find_most(struct gaspdb_groups *lines, struct gaspdb_groups *by)
{
	const size_t n_keys = lines->n_keys - 1;
	size_t first = 0;

	gaspdb_groups_sort(lines);
	gaspdb_groups_sort(by);
	for (size_t i = 0; i < lines->n; i++) {
		int64_t *line = gaspdb_groups_row(lines, i);
		int64_t *v = line + lines->n_keys;
		const int64_t *most = NULL, *row;

		while (first < by->n &&
		       compare(gaspdb_groups_row(by, first), line, n_keys) < 0)
			first++;
		for (size_t k = first; k < by->n; k++) {
			row = gaspdb_groups_row(by, k);
			if (compare(row, line, n_keys) != 0)
				break;
			if (!most || is_more(by, row, most))
				most = row;
		}
		v[COMPLETED_AT] = most ? most[n_keys] : GASPDB_NONE;
		v[COMPLETED] = most ? most[by->n_keys + BY_SHARE] : GASPDB_NONE;
	}
}

void gaspdb_completion_rows_close(struct gaspdb_completion_rows *rows)
{
	find_most(&rows->all_lines, &rows->all_completers);
	gaspdb_groups_write(rows->run, &rows->all_lines,
			    GASPDB_INSERT_INTO_overlap_line);
	gaspdb_groups_fini(&rows->all_lines);
	gaspdb_groups_fini(&rows->all_completers);
	gaspdb_groups_fini(&rows->lines);
	gaspdb_groups_fini(&rows->completers);
	free(rows->states);
}

/* --- in flight ------------------------------------------------------------ */

/* The slow path of find_line(): look the line up, and add it if it is new. */
static bool add_line(struct gaspdb_completion_rows *rows,
		     const struct gaspdb_transfer *t, uint32_t *line)
{
	const int64_t *values =
		gaspdb_group(rows->run, &rows->lines,
			     (int64_t[]){ t->thread, t->source, t->blocking });

	if (!values)
		return false;
	*line = (uint32_t)gaspdb_groups_number(&rows->lines, values);
	if (*line < rows->n_states)
		return true;
	if (!gaspdb_grow(rows->run, &rows->states, rows->n_states,
			 &rows->states_room, sizeof(*rows->states)))
		return false;
	rows->states[rows->n_states++] =
		(struct gaspdb_line_state){ .completer = GASPDB_NONE };
	return true;
}

/* The row of a transfer's line; false: a failure. */
static bool find_line(struct gaspdb_completion_rows *rows,
		      const struct gaspdb_transfer *t, uint32_t *line)
{
	const size_t n = sizeof(rows->recent) / sizeof(*rows->recent);
	uint32_t *recent = &rows->recent[(uint64_t)t->source % n];
	const int64_t *key;

	if (*recent < rows->n_states) {
		key = gaspdb_groups_row(&rows->lines, *recent);
		*line = *recent;
		if (key[0] == t->thread && key[1] == t->source &&
		    key[2] == t->blocking)
			return true;
	}
	if (!add_line(rows, t, line))
		return false;
	*recent = *line;
	return true;
}

void gaspdb_completion_begun(struct gaspdb_completion_rows *rows,
			     struct gaspdb_transfer *t)
{
	struct gaspdb_line_state *s;

	if (!find_line(rows, t, &t->line))
		return;
	s = &rows->states[t->line];
	if (!s->active++) {
		s->since_ns = t->begun_ns;
		s->latest_end_ns = t->begun_ns;
		s->n_new = 0;
	}
	if (s->newest_ns != t->begun_ns)
		s->n_new = 0;
	s->newest_ns = t->begun_ns;
	s->n_new++;
}

/* End a transfer; returns the time to add to IN_FLIGHT. */
static int64_t end_flight(struct gaspdb_line_state *s,
			  const struct gaspdb_transfer *t, int64_t at_ns)
{
	const int64_t since_ns = s->since_ns;

	if (!s->active)
		return 0;
	if (at_ns > s->latest_end_ns)
		s->latest_end_ns = at_ns;
	s->active--;
	s->n_new -= t->begun_ns == s->newest_ns;
	/* Another thread completed it during the begin of the newest. */
	if (s->active && s->active == s->n_new &&
	    s->newest_ns > s->latest_end_ns)
		s->since_ns = s->newest_ns;
	else if (s->active)
		return 0;
	return s->latest_end_ns > since_ns ? s->latest_end_ns - since_ns : 0;
}

/* --- rows ----------------------------------------------------------------- */

/* The sums of a line's completer, mostly the same as the last. */
static int64_t *completed_by(struct gaspdb_completion_rows *rows,
			     struct gaspdb_line_state *s,
			     const struct gaspdb_transfer *t, int64_t source)
{
	int64_t *by;

	if (s->completer == source)
		return gaspdb_groups_row(&rows->completers, s->completer_row) +
		       rows->completers.n_keys;
	by = gaspdb_group(rows->run, &rows->completers,
			  (int64_t[]){ t->thread, t->source, source });
	if (by) {
		s->completer = source;
		s->completer_row = gaspdb_groups_number(&rows->completers, by);
	}
	return by;
}

static void add_sums(struct gaspdb_completion_rows *rows,
		     const struct gaspdb_transfer *t,
		     const struct gaspdb_transfer_end *end)
{
	struct gaspdb_line_state *s = &rows->states[t->line];
	int64_t *v =
		gaspdb_groups_row(&rows->lines, t->line) + rows->lines.n_keys;
	int64_t *by;

	v[OPERATIONS]++;
	gaspdb_add_to(&v[BYTES], t->bytes);
	gaspdb_add_to(&v[INITIATION], t->init_ns);
	gaspdb_add_to(&v[SHARE], end->share_ns);
	if (end->overlapped_ns != GASPDB_NONE)
		gaspdb_add_to(&v[OVERLAPPED], end->overlapped_ns);
	gaspdb_add_to(&v[IN_FLIGHT], end_flight(s, t, end->at_ns));
	v[UNFINISHED] += end->event == GASPDB_NONE;
	v[MEASURED] += t->data_start_ns != GASPDB_NONE;
	if (end->event == t->event) {
		v[AT_ONCE]++;
		gaspdb_add_to(&v[AT_ONCE_TIME], t->init_ns);
	}
	if (end->event == GASPDB_NONE)
		return;
	by = completed_by(rows, s, t, end->source);
	if (!by)
		return;
	by[BY_OPERATIONS]++;
	gaspdb_add_to(&by[BY_SHARE], end->share_ns);
}

void gaspdb_completion_ended(struct gaspdb_completion_rows *rows,
			     const struct gaspdb_transfer *t,
			     const struct gaspdb_transfer_end *end)
{
	const bool seen = end->event != GASPDB_NONE;
	const int64_t values[GASPDB_COMPLETION_COLUMNS] = {
		[GASPDB_COMPLETION_ID] = ++rows->id,
		[GASPDB_COMPLETION_EVENT] = t->event,
		[GASPDB_COMPLETION_COMPLETE_EVENT] = end->event,
		[GASPDB_COMPLETION_BLOCKING] = t->blocking,
		[GASPDB_COMPLETION_GAP] = !seen ? GASPDB_NONE
					  : end->at_ns < t->begun_ns
						  ? 0
						  : end->at_ns - t->begun_ns,
		[GASPDB_COMPLETION_SHARE] = end->share_ns,
		[GASPDB_COMPLETION_EXPOSED] =
			gaspdb_plus(t->init_ns, end->share_ns),
		[GASPDB_COMPLETION_OVERLAPPED] = end->overlapped_ns,
		[GASPDB_COMPLETION_MEASURED] = t->data_start_ns != GASPDB_NONE,
		[GASPDB_COMPLETION_BOUND] = end->bound
	};

	if (rows->run->status != GASPDB_OK)
		return; /* the transfer may have no line */
	gaspdb_table_writer_add(rows->bulk, values);
	add_sums(rows, t, end);
}

/* Add rows, whose first key is the thread, to the sums of all threads. */
static void add_to_all(struct gaspdb_completion_rows *rows,
		       const struct gaspdb_groups *of,
		       struct gaspdb_groups *all)
{
	for (size_t i = 0; i < of->n; i++) {
		const int64_t *row = gaspdb_groups_row(of, i);
		int64_t *sums = gaspdb_group(rows->run, all, row + 1);

		for (size_t k = 0; sums && k < all->n_values; k++)
			gaspdb_add_to(&sums[k], row[of->n_keys + k]);
	}
}

void gaspdb_completion_rows_process(struct gaspdb_completion_rows *rows)
{
	add_to_all(rows, &rows->lines, &rows->all_lines);
	add_to_all(rows, &rows->completers, &rows->all_completers);
	if (rows->lines.n) {
		find_most(&rows->lines, &rows->completers);
		gaspdb_groups_write(rows->run, &rows->lines,
				    GASPDB_INSERT_INTO_overlap_total);
		gaspdb_groups_write(rows->run, &rows->completers,
				    GASPDB_INSERT_INTO_completion_total);
	}
	gaspdb_groups_clear(&rows->lines);
	gaspdb_groups_clear(&rows->completers);
	rows->n_states = 0;
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

	if (n == 1) { /* the usual case, without a 128-bit division */
		parts[0].part = time_ns;
		return;
	}
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
