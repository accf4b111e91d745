/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where each thread's rows of table p2p stand, which go by thread, then by the
 * time of the post.  Who writes them notes it on the way, for those who would
 * have to read all of them first.
 */
#ifndef GASPDB_SQL_STORE_P2P_INDEX_H
#define GASPDB_SQL_STORE_P2P_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A thread's: some ids between may be of nothing. */
struct gaspdb_p2p_span {
	int64_t thread, first, last; /* ids */
	int64_t first_ns;	     /* posted */
};

/* Zeroed: there are no rows. */
struct gaspdb_p2p_spans {
	struct gaspdb_p2p_span *span;
	size_t n, room;
	int64_t last_ns; /* of the last row */
	bool unordered; /* rows did not come in that order: this is of no use */
};

/* Part of gaspdb_p2p_spans_add(): another thread's rows begin, or it is out of
   order. */
void gaspdb_p2p_spans_begin(struct gaspdb_p2p_spans *spans, int64_t id,
			    int64_t thread, int64_t posted_ns);
/* The next row. */
static inline void gaspdb_p2p_spans_add(struct gaspdb_p2p_spans *spans,
					int64_t id, int64_t thread,
					int64_t posted_ns)
{
	struct gaspdb_p2p_span *now =
		spans->n ? &spans->span[spans->n - 1] : NULL;

	if (now && now->thread == thread && now->last < id &&
	    spans->last_ns <= posted_ns)
		now->last = id;
	else
		gaspdb_p2p_spans_begin(spans, id, thread, posted_ns);
	spans->last_ns = posted_ns;
}
void gaspdb_p2p_spans_free(struct gaspdb_p2p_spans *spans);

#endif
