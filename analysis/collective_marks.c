/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the importer noted of the events (sql/event_marks.h). */
#include "analysis/collective_marks.h"

#include "sql/event_marks.h"
#include "sum.h"

void gaspdb_collective_marks_open(struct gaspdb_collective_marks *m,
				  const struct gaspdb_run *run)
{
	*m = (struct gaspdb_collective_marks){ .events = run->marks };
}

void gaspdb_collective_marks_source(struct gaspdb_collective_marks *m,
				    int64_t source, bool collective, bool other)
{
	if (collective)
		m->collective |= gaspdb_event_mark(source);
	if (other)
		m->other |= gaspdb_event_mark(source);
}

int64_t gaspdb_collective_marks_find(struct gaspdb_collective_marks *m,
				     int64_t id, bool others)
{
	const uint64_t wanted = m->collective | (others ? m->other : 0);
	const struct gaspdb_event_marks *of = m->events;
	size_t i;

	if (!of) {
		m->until = INT64_MAX;
		return id;
	}
	i = (size_t)(id >> of->shift);
	while (i < of->n && !(of->bits[i] & wanted))
		i++;
	if (i >= of->n)
		return GASPDB_NONE;
	m->until = (int64_t)(i + 1) << of->shift;
	return gaspdb_max(id, (int64_t)i << of->shift);
}
