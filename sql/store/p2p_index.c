/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One span a thread. */
#include "sql/store/p2p_index.h"

#include <stdlib.h>
#include <string.h>

#include "common/memory.h"

void gaspdb_p2p_spans_begin(struct gaspdb_p2p_spans *s, int64_t id,
			    int64_t thread, int64_t posted_ns)
{
	if (s->n && (s->span[s->n - 1].thread >= thread ||
		     s->span[s->n - 1].last >= id))
		s->unordered = true;
	if (s->unordered)
		return;
	s->span = gaspdb_mem_grow(s->span, &s->room, s->n + 1, sizeof *s->span);
	s->span[s->n++] = (struct gaspdb_p2p_span){ thread, id, id, posted_ns };
}

void gaspdb_p2p_spans_free(struct gaspdb_p2p_spans *s)
{
	free(s->span);
	memset(s, 0, sizeof *s);
}
