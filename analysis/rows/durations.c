/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Multisets of durations by group. Durations are appended to an array without a
 * look-up. When the array is full, the short durations move to a table of
 * counts. If that frees little room, the rest is sorted, merged with the sorted
 * part, and equal rows are merged. The array grows up to a limit; beyond it
 * durations are rounded.
 */
#include "analysis/rows/durations.h"

#include <stdlib.h>
#include <string.h>

enum {
	LIMIT = 1 << 20, /* different durations kept */
	ROOM_MAX = 2 * LIMIT,
	ROOM_MIN = 1 << 16, /* a smaller array grows instead of being sorted */
	COUNTS_MAX = 1 << 19, /* entries of the table of counts */
	EXACT = GASPDB_DURATIONS_EXACT
};

typedef struct gaspdb_radix_row row;

void gaspdb_durations_init(struct gaspdb_durations *d)
{
	*d = (struct gaspdb_durations){ .digits = EXACT };
}

void gaspdb_durations_fini(struct gaspdb_durations *d)
{
	free(d->rows);
	free(d->counts);
	free(d->first);
}

void gaspdb_durations_clear(struct gaspdb_durations *d)
{
	d->n = d->n_sorted = d->n_first = 0;
	d->digits = EXACT;
}

/* --- order ---------------------------------------------------------------- */

/* Sort by group and duration. other: scratch array of the same size. Returns
   the array that holds the result. */
static row *sort_rows(row *rows, row *other, size_t n)
{
	uint64_t ns = 0;
	uint32_t group = 0;
	row *sorted;

	for (size_t i = 0; i < n; i++) {
		ns |= rows[i].key;
		group |= rows[i].row;
	}
	sorted = gaspdb_radix_sort(rows, other, n, ns);
	return gaspdb_radix_sort_by_row(sorted, sorted == rows ? other : rows,
					n, group);
}

/*
 * Merge equal neighbours of sorted rows; a row whose count would overflow stays
 * apart. Returns the number of rows left. Branch-free, like merge(): a
 * processor cannot predict which rows are equal.
 */
static size_t merge_equal(const row *from, size_t n, row *to)
{
	size_t last = 0;

	if (!n)
		return 0;
	to[0] = from[0];
	for (size_t i = 1; i < n; i++) {
		const row r = from[i], before = to[last];
		const bool equal = (r.key == before.key) &
				   (r.row == before.row) &
				   (r.more <= UINT32_MAX - before.more);

		last += !equal;
		to[last] = (row){ r.key, r.row,
				  r.more + (equal ? before.more : 0) };
	}
	return last + 1;
}

static inline bool after(const row *a, const row *b)
{
	return (a->row > b->row) | ((a->row == b->row) & (a->key > b->key));
}

/* Merge two sorted arrays into the first, which has room for both; from the
   end. */
static void merge(row *rows, size_t n, const row *others, size_t n_others)
{
	while (n && n_others) {
		const bool front = after(&rows[n - 1], &others[n_others - 1]);
		const row *last = front ? &rows[n - 1] : &others[n_others - 1];

		rows[n + n_others - 1] = *last;
		n -= front;
		n_others -= !front;
	}
	memcpy(rows, others, n_others * sizeof *rows);
}

/* Are all rows sorted, without equal ones? */
static bool is_sorted(const struct gaspdb_durations *d)
{
	size_t n = d->n_sorted;

	while (n < d->n && (!n || after(&d->rows[n], &d->rows[n - 1])))
		n++;
	return n == d->n;
}

/* Sort all rows by group and duration, and merge equal ones. */
static void sort_all(struct gaspdb_run *run, struct gaspdb_durations *d)
{
	const size_t n = d->n - d->n_sorted;
	row *added, *other, *sorted;

	if (is_sorted(d)) {
		d->n_sorted = d->n;
		return;
	}
	added = d->rows + d->n_sorted;
	other = gaspdb_resized(run, NULL, n, sizeof *other);
	if (!other)
		return;
	sorted = sort_rows(added, other, n);
	if (d->n_sorted) {
		if (sorted == added)
			memcpy(other, added, n * sizeof *other);
		merge(d->rows, d->n_sorted, other, n);
		sorted = d->rows;
	}
	d->n = d->n_sorted = merge_equal(sorted, d->n, d->rows);
	free(other);
}

/* --- counting ------------------------------------------------------------- */

/* Create the table of counts: for durations up to the longest so far, and as
   many of the first groups as fit. */
static void create_counts(struct gaspdb_run *run, struct gaspdb_durations *d)
{
	uint32_t last_group = 0;
	uint64_t longest_ns = 0;

	for (size_t i = 0; i < d->n; i++) {
		if (d->rows[i].row > last_group)
			last_group = d->rows[i].row;
		if (d->rows[i].key > longest_ns)
			longest_ns = d->rows[i].key;
	}
	if (last_group >= COUNTS_MAX)
		return;
	d->short_ns = COUNTS_MAX / (last_group + 1);
	if (longest_ns < d->short_ns)
		d->short_ns = (uint32_t)longest_ns + 1;
	d->groups_max = COUNTS_MAX / d->short_ns;
	d->n_groups = 0;
	d->counts = gaspdb_zeroed(run, COUNTS_MAX, sizeof *d->counts);
}

/* Move the short durations of the unsorted rows to the table of counts. */
static void count_short(struct gaspdb_durations *d)
{
	size_t n = d->n_sorted;

	for (size_t i = n; i < d->n; i++) {
		const row r = d->rows[i];
		uint32_t *times;

		if (r.row < d->groups_max && r.key < d->short_ns) {
			times = &d->counts[(size_t)r.row * d->short_ns + r.key];
			if (*times <= UINT32_MAX - r.more) {
				*times += r.more;
				if (r.row >= d->n_groups)
					d->n_groups = r.row + 1;
				continue;
			}
		}
		d->rows[n++] = r;
	}
	d->n = n;
}

/* Turn the table of counts into sorted rows, and free it. Each entry is written
   without a branch; the next one overwrites it if its count is 0. */
static void append_counted(struct gaspdb_run *run, struct gaspdb_durations *d)
{
	const uint32_t *times = d->counts;
	bool other_rows;

	count_short(d);
	other_rows = d->n;
	for (uint32_t group = 0; group < d->n_groups; group++) {
		row *to;

		if (!gaspdb_grow_by(run, &d->rows, d->n, d->short_ns, &d->room,
				    sizeof *d->rows))
			break;
		to = d->rows + d->n;
		for (uint32_t ns = 0; ns < d->short_ns; ns++, times++) {
			*to = (row){ ns, group, *times };
			to += *times != 0;
		}
		d->n = (size_t)(to - d->rows);
	}
	if (!other_rows)
		d->n_sorted = d->n;
	free(d->counts);
	d->counts = NULL;
}

/* --- sorting -------------------------------------------------------------- */

/* Index the first row of each group. */
static void index_groups(struct gaspdb_run *run, struct gaspdb_durations *d)
{
	const size_t n = d->n ? (size_t)d->rows[d->n - 1].row + 2 : 1;
	size_t i = 0;

	d->n_first = 0;
	if (n > d->first_room) {
		uint32_t *first =
			gaspdb_resized(run, d->first, 2 * n, sizeof *first);

		if (!first)
			return;
		d->first = first;
		d->first_room = 2 * n;
	}
	for (size_t group = 0; group < n; group++) {
		while (i < d->n && d->rows[i].row < group)
			i++;
		d->first[group] = (uint32_t)i;
	}
	d->n_first = n;
}

void gaspdb_durations_sort(struct gaspdb_run *run, struct gaspdb_durations *d)
{
	if (d->counts)
		append_counted(run, d);
	sort_all(run, d);
	index_groups(run, d);
}

/* --- adding --------------------------------------------------------------- */

/* A duration with only its leading binary digits. */
static uint64_t round_down(uint64_t ns, int digits)
{
	int length = 0;

	if (digits == EXACT)
		return ns;
	while (length < EXACT && ns >> length)
		length++;
	if (length <= digits)
		return ns;
	return ns >> (length - digits) << (length - digits);
}

/* Round to fewer digits until the rows fill at most half of the limit. Rounding
   down keeps sorted rows sorted. */
static void coarsen(struct gaspdb_durations *d)
{
	while (d->n > LIMIT / 2 && d->digits > 4) {
		d->digits = d->digits > 20 ? 20 : d->digits - 2;
		for (size_t i = 0; i < d->n; i++)
			d->rows[i].key = round_down(d->rows[i].key, d->digits);
		d->n = d->n_sorted = merge_equal(d->rows, d->n, d->rows);
	}
}

/* Make room for one more row; false: a failure. */
static bool make_room(struct gaspdb_run *run, struct gaspdb_durations *d)
{
	const size_t limit = d->room < ROOM_MAX ? d->room / 4 * 3 : LIMIT;

	if (d->room >= ROOM_MIN && !d->counts)
		create_counts(run, d);
	if (d->counts)
		count_short(d);
	if (d->room >= ROOM_MIN && d->n >= limit)
		sort_all(run, d);
	if (d->room >= ROOM_MAX && d->n >= LIMIT)
		coarsen(d);
	if (d->n < d->room / 4 * 3)
		return run->status == GASPDB_OK;
	return gaspdb_grow(run, &d->rows, d->room, &d->room, sizeof *d->rows);
}

void gaspdb_durations_add_slowly(struct gaspdb_run *run,
				 struct gaspdb_durations *d, uint32_t group,
				 int64_t ns, uint32_t times)
{
	if (d->n < d->room || make_room(run, d))
		d->rows[d->n++] = (row){ round_down((uint64_t)ns, d->digits),
					 group, times };
}

/* --- reading -------------------------------------------------------------- */

static size_t begin_of(const struct gaspdb_durations *d, uint32_t group)
{
	return group < d->n_first ? d->first[group] : d->n;
}

static size_t end_of(const struct gaspdb_durations *d, uint32_t group)
{
	return begin_of(d, group + 1);
}

struct gaspdb_distribution gaspdb_durations_of(const struct gaspdb_durations *d,
					       uint32_t group)
{
	struct gaspdb_distribution x = { .median_ns = -1, .p95_ns = -1 };
	const size_t first = begin_of(d, group), end = end_of(d, group);
	int64_t n = 0, seen = 0;

	for (size_t i = first; i < end; i++)
		n += d->rows[i].more;
	if (!n)
		return (struct gaspdb_distribution){ 0 };
	x.min_ns = (int64_t)d->rows[first].key;
	x.max_ns = (int64_t)d->rows[end - 1].key;
	/* The percentile p of n durations is the ceil(p n)-th smallest. */
	for (size_t i = first; i < end && x.p95_ns < 0; i++) {
		seen += d->rows[i].more;
		if (x.median_ns < 0 && seen >= (n + 1) / 2)
			x.median_ns = (int64_t)d->rows[i].key;
		if (seen >= (n * 19 + 19) / 20)
			x.p95_ns = (int64_t)d->rows[i].key;
	}
	return x;
}

void gaspdb_durations_copy(struct gaspdb_run *run, struct gaspdb_durations *to,
			   uint32_t to_group,
			   const struct gaspdb_durations *from,
			   uint32_t from_group)
{
	const size_t end = end_of(from, from_group);

	for (size_t i = begin_of(from, from_group); i < end; i++)
		gaspdb_durations_add(run, to, to_group,
				     (int64_t)from->rows[i].key,
				     from->rows[i].more);
}
