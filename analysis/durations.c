/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Durations are counted by value; when there are too many, by rounded value. */
#include "analysis/durations.h"

enum { LIMIT = 1 << 20, EXACT = 63 };

void gaspdb_durations_init(struct gaspdb_durations *d)
{
	gaspdb_groups_init(&d->counts, 3, 1);
	d->digits = EXACT;
}

void gaspdb_durations_fini(struct gaspdb_durations *d)
{
	gaspdb_groups_fini(&d->counts);
}

void gaspdb_durations_clear(struct gaspdb_durations *d)
{
	gaspdb_groups_clear(&d->counts);
	d->digits = EXACT;
}

/* Keep the leading binary digits. */
static int64_t round_down(int64_t duration_ns, int digits)
{
	int length = 0;

	if (digits == EXACT)
		return duration_ns;
	while (length < EXACT && duration_ns >> length)
		length++;
	if (length <= digits)
		return duration_ns;
	return duration_ns >> (length - digits) << (length - digits);
}

/* Count again with fewer digits, until half of the limit suffices. */
static void coarsen(struct gaspdb_run *run, struct gaspdb_durations *d)
{
	while (d->counts.n > LIMIT / 2 && d->digits > 4 &&
	       run->status == GASPDB_OK) {
		struct gaspdb_groups old = d->counts;

		d->digits = d->digits > 20 ? 20 : d->digits - 2;
		gaspdb_groups_init(&d->counts, 3, 1);
		for (size_t i = 0; i < old.n; i++) {
			int64_t *row = gaspdb_groups_row(&old, i);
			int64_t *count;

			row[2] = round_down(row[2], d->digits);
			count = gaspdb_group(run, &d->counts, row);
			if (count)
				*count += row[3];
		}
		gaspdb_groups_fini(&old);
	}
}

void gaspdb_durations_add(struct gaspdb_run *run, struct gaspdb_durations *d,
			  int64_t key1, int64_t key2, int64_t duration_ns,
			  int64_t times)
{
	const int64_t keys[] = { key1, key2,
				 round_down(duration_ns, d->digits) };
	int64_t *count = gaspdb_group(run, &d->counts, keys);

	if (count)
		*count += times;
	if (d->counts.n >= LIMIT)
		coarsen(run, d);
}

void gaspdb_durations_sort(struct gaspdb_durations *d)
{
	gaspdb_groups_sort(&d->counts);
}

bool gaspdb_durations_next(const struct gaspdb_durations *d, size_t *at,
			   struct gaspdb_distribution *out)
{
	const int64_t *first;
	int64_t n = 0, seen = 0;
	size_t end = *at;

	if (*at >= d->counts.n)
		return false;
	first = gaspdb_groups_row(&d->counts, *at);
	while (end < d->counts.n) {
		const int64_t *row = gaspdb_groups_row(&d->counts, end);

		if (row[0] != first[0] || row[1] != first[1])
			break;
		n += row[3];
		end++;
	}
	*out = (struct gaspdb_distribution){ .keys = { first[0], first[1] },
					     .min_ns = first[2],
					     .median_ns = -1,
					     .p95_ns = -1 };
	/* Percentile p of n is the ceil(p n)-th smallest. */
	for (; *at < end; ++*at) {
		const int64_t *row = gaspdb_groups_row(&d->counts, *at);

		seen += row[3];
		if (out->median_ns < 0 && seen >= (n + 1) / 2)
			out->median_ns = row[2];
		if (out->p95_ns < 0 && seen >= (n * 19 + 19) / 20)
			out->p95_ns = row[2];
		out->max_ns = row[2];
	}
	return true;
}
