/* SPDX-License-Identifier: GPL-3.0-or-later */
/* n x squares - sum^2, without overflow of its terms. */
#include "importer/rollups/variation.h"

double gaspdb_variation(const struct gaspdb_durations *d)
{
	gaspdb_wide mean_ns, rest_ns, above;

	if (d->n < 2)
		return 0;
	mean_ns = d->sum_ns / d->n;
	rest_ns = d->sum_ns % d->n;
	/* With sum = n x mean + rest: the result is n x above - rest^2. */
	above = d->squares - mean_ns * mean_ns * d->n - 2 * mean_ns * rest_ns;
	if (above <= UINT64_MAX && d->n <= UINT64_MAX)
		return (double)(d->n * above - rest_ns * rest_ns);
	return (double)d->n * (double)above;
}
