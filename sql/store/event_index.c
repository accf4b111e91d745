/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where there would be too many stretches two become one. */
#include "sql/store/event_index.h"

#include <stdlib.h>
#include <string.h>

#include "common/memory.h"

enum { SHIFT_MIN = 6, STRETCHES_MAX = 1 << 16 };

_Static_assert(1 << SHIFT_MIN == GASPDB_EVENT_STRETCH_MIN, "the least");

static void join(struct gaspdb_event_marks *m)
{
	for (size_t i = 0; i < STRETCHES_MAX / 2; i++)
		m->bits[i] = m->bits[2 * i] | m->bits[2 * i + 1];
	memset(m->bits + STRETCHES_MAX / 2, 0,
	       STRETCHES_MAX / 2 * sizeof *m->bits);
	m->shift++;
}

void gaspdb_event_marks_grow(struct gaspdb_event_marks *m, int64_t id)
{
	size_t n;

	if (!m->shift)
		m->shift = SHIFT_MIN;
	while ((uint64_t)id >> m->shift >= STRETCHES_MAX) {
		if (m->n < STRETCHES_MAX)
			gaspdb_event_marks_grow(
				m, ((int64_t)STRETCHES_MAX << m->shift) - 1);
		join(m);
	}
	n = (size_t)((uint64_t)id >> m->shift) + 1;
	if (n <= m->n)
		return;
	m->bits = gaspdb_mem_grow(m->bits, &m->room, n, sizeof *m->bits);
	memset(m->bits + m->n, 0, (n - m->n) * sizeof *m->bits);
	m->n = n;
}

void gaspdb_event_marks_free(struct gaspdb_event_marks *m)
{
	free(m->bits);
	memset(m, 0, sizeof *m);
}
