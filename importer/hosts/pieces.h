/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The clock of a log of an aligned host: pieces, each a line from ticks to
 * common time, one behind the other.
 */
#ifndef GASPDB_IMPORTER_HOSTS_PIECES_H
#define GASPDB_IMPORTER_HOSTS_PIECES_H

#include "importer/hosts/system.h"
#include "importer/run/clock.h"

struct gaspdb_clock_pieces {
	struct gaspdb_clock_line *line; /* in the order of ticks0 */
	size_t n, capacity;
};

/*
 * Makes the pieces of a log with this timeline. zero_ns: of the times of the
 * knots; moved_ns: is added to common times.
 */
void gaspdb_clock_pieces_make(struct gaspdb_clock_pieces *p,
			      const struct gaspdb_timeline *t, int64_t zero_ns,
			      const struct gaspdb_clock_host *h,
			      int64_t moved_ns);
void gaspdb_clock_pieces_free(struct gaspdb_clock_pieces *p);

/* Copies the piece for ticks to *line. */
void gaspdb_clock_pieces_select(const struct gaspdb_clock_pieces *p,
				uint64_t ticks, struct gaspdb_clock_line *line);

/* Common time, with the last piece in *line. Called for each event. */
static inline int64_t
gaspdb_clock_pieces_ns(const struct gaspdb_clock_pieces *p,
		       struct gaspdb_clock_line *line, uint64_t ticks)
{
	if (__builtin_expect(ticks - line->ticks0 >= line->span, 0))
		gaspdb_clock_pieces_select(p, ticks, line);
	return gaspdb_clock_line_ns(line, ticks);
}

#endif
