/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which sources' events stand where in table event: noted by who writes it, for
 * those who look for events of few sources, and would have to read all rows.
 * Stretches of ids have a bit each for sources that leave the same remainder;
 * how long stretches are depends on how many events there are, memory does not.
 */
#ifndef GASPDB_SQL_STORE_EVENT_INDEX_H
#define GASPDB_SQL_STORE_EVENT_INDEX_H

#include <stddef.h>
#include <stdint.h>

/* Ids. */
#define GASPDB_EVENT_STRETCH_MIN 64

/* Zeroed: there are no events. */
struct gaspdb_event_marks {
	uint64_t *bits; /* of each stretch */
	size_t n, room;
	unsigned shift; /* 1 << shift ids are a stretch; 0: none is noted */
};

static inline uint64_t gaspdb_event_mark(int64_t source)
{
	return (uint64_t)1 << (source & 63);
}

/* Part of gaspdb_event_marks_add(): there is no such stretch yet. */
void gaspdb_event_marks_grow(struct gaspdb_event_marks *marks, int64_t id);
/* An event with that mark, in any order, or some that are of one stretch
   wherever GASPDB_EVENT_STRETCH_MIN begins a new one. */
static inline void gaspdb_event_marks_add(struct gaspdb_event_marks *marks,
					  int64_t id, uint64_t mark)
{
	if ((uint64_t)id >> marks->shift >= marks->n)
		gaspdb_event_marks_grow(marks, id);
	marks->bits[id >> marks->shift] |= mark;
}
void gaspdb_event_marks_free(struct gaspdb_event_marks *marks);

#endif
