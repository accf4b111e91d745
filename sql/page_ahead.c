/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows in chunks, each what a scan gives that goes on where the one before
 * stopped.  The first is the caller's own: most tables have no more.
 */
#include "sql/page_ahead.h"

#include <stdlib.h>

#include "ring.h"

enum { CHUNKS = 3, CHUNK_ROWS = 4096 };

struct chunk {
	int64_t *rows;
	size_t n;
	bool last, bad;
};

struct ahead {
	struct gaspdb_page_reader *reader;
	size_t columns;
	int64_t from; /* of the next chunk */
	struct chunk first, chunks[CHUNKS];
	struct gaspdb_ring ring;
};

static bool take_row(void *user, const int64_t *values)
{
	struct chunk *c = user;

	(void)values; /* that is where it is to stay */
	return ++c->n < CHUNK_ROWS;
}

static void read_chunk(struct ahead *a, struct chunk *c)
{
	int64_t last;

	c->n = 0;
	c->bad = !gaspdb_page_reader_scan_into(a->reader, a->from, take_row, c,
					       c->rows);
	c->last = true;
	if (c->bad || c->n < CHUNK_ROWS)
		return;
	last = c->rows[(CHUNK_ROWS - 1) * a->columns];
	c->last = last == INT64_MAX;
	a->from = last + !c->last;
}

static void *read_ahead(void *user)
{
	struct ahead *a = user;
	bool last = false;
	unsigned slot;

	while (!last && (slot = gaspdb_ring_empty_slot(&a->ring)) !=
				GASPDB_RING_CLOSED) {
		read_chunk(a, &a->chunks[slot]);
		last = a->chunks[slot].last;
		gaspdb_ring_fill(&a->ring);
	}
	return NULL;
}

/* false: enough, or that was the last. */
static bool give(const struct ahead *a, const struct chunk *c, gaspdb_row_fn fn,
		 void *user)
{
	const int64_t *row = c->rows;

	for (size_t i = 0; i < c->n; i++, row += a->columns)
		if (!fn(user, row))
			return false;
	return !c->last;
}

/* The rest, by the thread; false: something was bad. */
static bool give_ahead(struct ahead *a, gaspdb_row_fn fn, void *user)
{
	const struct chunk *c = &a->first;
	bool bad = false, more = give(a, c, fn, user);

	while (more) {
		c = &a->chunks[gaspdb_ring_full_slot(&a->ring)];
		more = give(a, c, fn, user);
		bad |= c->bad;
		gaspdb_ring_empty(&a->ring);
	}
	return !bad;
}

static bool give_alone(struct ahead *a, gaspdb_row_fn fn, void *user)
{
	return !give(a, &a->first, fn, user) ||
	       gaspdb_page_reader_scan(a->reader, a->from, fn, user);
}

static bool scan(struct ahead *a, gaspdb_row_fn fn, void *user)
{
	pthread_t thread;
	bool good;

	read_chunk(a, &a->first);
	if (a->first.last) {
		give(a, &a->first, fn, user);
		return !a->first.bad;
	}
	gaspdb_ring_init(&a->ring, CHUNKS);
	if (gaspdb_thread_start(&thread, read_ahead, a)) {
		good = give_ahead(a, fn, user);
		gaspdb_ring_close(&a->ring);
		pthread_join(thread, NULL);
	} else {
		good = give_alone(a, fn, user);
	}
	gaspdb_ring_fini(&a->ring);
	return good;
}

bool gaspdb_page_ahead_scan(struct gaspdb_page_reader *reader, size_t columns,
			    gaspdb_row_fn fn, void *user)
{
	struct ahead a = { .reader = reader,
			   .columns = columns,
			   .from = INT64_MIN };
	const size_t words = CHUNK_ROWS * columns;
	int64_t *rows = calloc((CHUNKS + 1) * words, sizeof *rows);
	bool good;

	if (!rows)
		return gaspdb_page_reader_scan(reader, INT64_MIN, fn, user);
	a.first.rows = rows;
	for (size_t i = 0; i < CHUNKS; i++)
		a.chunks[i].rows = rows + (i + 1) * words;
	good = scan(&a, fn, user);
	free(rows);
	return good;
}
