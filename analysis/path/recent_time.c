/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines in one array, found through open addressing. */
#include "analysis/path/recent_time.h"

#include <string.h>

_Static_assert(GASPDB_RECENT_TIME_SLOTS == 1 << (64 - 57),
	       "a place is of 7 bits");

void gaspdb_recent_time_init(struct gaspdb_recent_time *s,
			     gaspdb_recent_time_fn fn, void *user)
{
	*s = (struct gaspdb_recent_time){ .fn = fn, .user = user };
}

void gaspdb_recent_time_emit(struct gaspdb_recent_time *s)
{
	for (size_t i = 0; i < s->n; i++)
		s->fn(s->user, &s->lines[i]);
	s->n = s->times = 0;
	memset(s->slots, 0, sizeof s->slots);
}

/* Where a thread does what it has not just done before, lines cost more than
   they save. */
static void tell_full(struct gaspdb_recent_time *s)
{
	if (s->times < GASPDB_RECENT_TIME_PAYS)
		s->alone = GASPDB_RECENT_TIME_ALONE;
	gaspdb_recent_time_emit(s);
}

void gaspdb_recent_time_add_line(struct gaspdb_recent_time *s,
				 enum gaspdb_doing doing, int64_t from,
				 int64_t to, int64_t ns)
{
	size_t at = gaspdb_recent_time_place(doing, from, to);
	struct gaspdb_recent_time_line *line = &s->lines[s->n++];

	while (s->slots[at])
		at = (at + 1) % GASPDB_RECENT_TIME_SLOTS;
	s->slots[at] = (unsigned char)s->n;
	*line = (struct gaspdb_recent_time_line){ .doing = doing,
						  .from = from,
						  .to = to };
	line->ns[s->side] = ns;
	if (s->n == GASPDB_RECENT_TIME_LINES)
		tell_full(s);
}

void gaspdb_recent_time_emit_one(struct gaspdb_recent_time *s,
				 enum gaspdb_doing doing, int64_t from,
				 int64_t to, int64_t ns)
{
	struct gaspdb_recent_time_line line = { .doing = doing,
						.from = from,
						.to = to };

	s->alone--;
	line.ns[s->side] = ns;
	s->fn(s->user, &line);
}
