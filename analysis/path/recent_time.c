/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines in one array, found through open addressing. */
#include "analysis/path/recent_time.h"

#include <string.h>

_Static_assert(GASPDB_SPENT_SLOTS == 1 << (64 - 57), "a place is of 7 bits");

void gaspdb_spent_init(struct gaspdb_spent *s, gaspdb_spent_fn fn, void *user)
{
	*s = (struct gaspdb_spent){ .fn = fn, .user = user };
}

void gaspdb_spent_tell(struct gaspdb_spent *s)
{
	for (size_t i = 0; i < s->n; i++)
		s->fn(s->user, &s->lines[i]);
	s->n = s->times = 0;
	memset(s->slots, 0, sizeof s->slots);
}

/* Where a thread does what it has not just done before, lines cost more than
   they save. */
static void tell_full(struct gaspdb_spent *s)
{
	if (s->times < GASPDB_SPENT_PAYS)
		s->alone = GASPDB_SPENT_ALONE;
	gaspdb_spent_tell(s);
}

void gaspdb_spent_add_line(struct gaspdb_spent *s, enum gaspdb_doing doing,
			   int64_t from, int64_t to, int64_t ns)
{
	size_t at = gaspdb_spent_place(doing, from, to);
	struct gaspdb_spent_line *line = &s->lines[s->n++];

	while (s->slots[at])
		at = (at + 1) % GASPDB_SPENT_SLOTS;
	s->slots[at] = (unsigned char)s->n;
	*line = (struct gaspdb_spent_line){ .doing = doing,
					    .from = from,
					    .to = to };
	line->ns[s->side] = ns;
	if (s->n == GASPDB_SPENT_LINES)
		tell_full(s);
}

void gaspdb_spent_tell_one(struct gaspdb_spent *s, enum gaspdb_doing doing,
			   int64_t from, int64_t to, int64_t ns)
{
	struct gaspdb_spent_line line = { .doing = doing,
					  .from = from,
					  .to = to };

	s->alone--;
	line.ns[s->side] = ns;
	s->fn(s->user, &line);
}
