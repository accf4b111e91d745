/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recent time: an array of lines, and a hash table with open addressing. */
#include "analysis/path/recent_time.h"

#include <string.h>

_Static_assert(GASPDB_RECENT_TIME_SLOTS == 1 << (64 - 57),
	       "a slot's index has 7 bits");

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

/* Emit a full cache. If its lines were rarely repeated, it is bypassed for a
   while. */
static void emit_full(struct gaspdb_recent_time *s)
{
	if (s->times < GASPDB_RECENT_TIME_PAYS)
		s->bypass = GASPDB_RECENT_TIME_BYPASS;
	gaspdb_recent_time_emit(s);
}

void gaspdb_recent_time_add_line(struct gaspdb_recent_time *s,
				 enum gaspdb_activity_kind kind, int64_t from,
				 int64_t to, int64_t ns)
{
	size_t at = gaspdb_recent_time_place(kind, from, to);
	struct gaspdb_recent_time_line *line = &s->lines[s->n++];

	while (s->slots[at])
		at = (at + 1) % GASPDB_RECENT_TIME_SLOTS;
	s->slots[at] = (unsigned char)s->n;
	*line = (struct gaspdb_recent_time_line){ .kind = kind,
						  .from = from,
						  .to = to };
	line->ns[s->side] = ns;
	if (s->n == GASPDB_RECENT_TIME_LINES)
		emit_full(s);
}

void gaspdb_recent_time_add_bypassing(struct gaspdb_recent_time *s,
				      enum gaspdb_activity_kind kind,
				      int64_t from, int64_t to, int64_t ns)
{
	struct gaspdb_recent_time_line line = { .kind = kind,
						.from = from,
						.to = to };

	s->bypass--;
	line.ns[s->side] = ns;
	s->fn(s->user, &line);
}
