/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of delivery times. A delivery is slow if it takes more than three times
   the median of blocking puts. */
#include "analysis/signals/delivery_times.h"

#include <stdlib.h>

#include "analysis/engine/scan.h"
#include "analysis/rows/durations.h"
#include "analysis/rows/groups.h"
#include "analysis/signals/deliveries.h"
#include "common/sum.h"
#include "sql/store/table.h"

/* Values of delivery_total. */
enum { WAITS, SLOW, SLOW_TIME, SLOW_LONGEST, N_DELIVERED };

struct gaspdb_delivery_times {
	struct gaspdb_run *run;
	struct gaspdb_sorter *delivered;
	struct gaspdb_durations puts; /* in group 0 */
	struct gaspdb_groups sums;
};

typedef struct gaspdb_delivery_times times;

struct gaspdb_delivery_times *gaspdb_delivery_times_open(struct gaspdb_run *run)
{
	struct gaspdb_sorter *delivered = gaspdb_deliveries(run);
	times *t;

	if (!delivered || (!delivered->n && !delivered->n_parts))
		return NULL;
	t = gaspdb_zeroed(run, 1, sizeof *t);
	if (!t)
		return NULL;
	t->run = run;
	t->delivered = delivered;
	gaspdb_durations_init(&t->puts);
	gaspdb_groups_init(&t->sums, 2, N_DELIVERED);
	return t;
}

void gaspdb_delivery_times_put(times *t, int64_t duration_ns)
{
	if (t)
		gaspdb_durations_add(t->run, &t->puts, 0, duration_ns, 1);
}

static void add_delivery(times *t, const int64_t *call, int64_t ns,
			 int64_t median_ns)
{
	int64_t *v = gaspdb_group(t->run, &t->sums,
				  (int64_t[]){ call[GASPDB_EVENT_SOURCE],
					       call[GASPDB_EVENT_THREAD] });

	if (!v)
		return;
	v[WAITS]++;
	if (median_ns <= 0 || ns <= gaspdb_times(3, median_ns))
		return;
	v[SLOW]++;
	gaspdb_add_to(&v[SLOW_TIME], ns);
	if (ns > v[SLOW_LONGEST])
		v[SLOW_LONGEST] = ns;
}

static void write_deliveries(times *t)
{
	struct gaspdb_table events;
	const int64_t *row;
	int64_t median_ns;

	gaspdb_durations_sort(t->run, &t->puts);
	median_ns = gaspdb_durations_of(&t->puts, 0).median_ns;
	gaspdb_table_open(&events, &t->run->tables, "event",
			  GASPDB_EVENT_COLUMNS);
	while ((row = gaspdb_sorter_next(t->delivered))) {
		int64_t call[GASPDB_EVENT_COLUMNS];

		if (gaspdb_table_get(&events, row[GASPDB_DELIVERY_EVENT],
				     GASPDB_EVENT_SOURCE + 1, call))
			add_delivery(t, call, row[GASPDB_DELIVERY_NS],
				     median_ns);
	}
	gaspdb_table_close(&events);
	gaspdb_groups_write(t->run, &t->sums,
			    GASPDB_INSERT_INTO_delivery_total);
}

void gaspdb_delivery_times_close(times *t)
{
	if (!t)
		return;
	write_deliveries(t);
	gaspdb_durations_fini(&t->puts);
	gaspdb_groups_fini(&t->sums);
	gaspdb_sorter_empty(t->delivered);
	free(t);
}
