/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Entries one after another in the chunks of a ring, each followed by its
 * values and the bytes of texts.  All of it is made of words, so that all is
 * aligned.  Rows of integers and cells join those of the same table before
 * them.
 */
#include "sql/page_queue.h"

#include <setjmp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "ring.h"
#include "sql/page_writer.h"

#define CHUNKS	    4
#define CHUNK_WORDS ((size_t)1 << 15)

enum kind { ROWS, CELLS, ROW };

struct entry {
	struct gaspdb_page_table *table;
	union {
		int64_t rowid; /* of a row of anything */
		size_t n;      /* rows of integers */
	};
	uint32_t kind, bytes; /* that follow */
};
#define ENTRY_WORDS (sizeof(struct entry) / 8)

/* What may be read before cells, which copies of them do. */
#define WORDS_BEFORE (GASPDB_CELLS_BEFORE / 8)

struct chunk {
	size_t used;
	struct entry *last; /* NULL: none */
	int64_t words[CHUNK_WORDS];
};

struct gaspdb_page_queue {
	const struct gaspdb_queue_calls *calls;
	struct gaspdb_ring ring;
	pthread_t thread;
	struct chunk *chunks[CHUNKS];
	struct chunk *head; /* being filled */
	atomic_bool failed;
};

/* --- the thread ----------------------------------------------------------- */

static size_t words_of(size_t bytes)
{
	return (bytes + 7) / 8;
}

static void take_entry(const struct gaspdb_queue_calls *calls,
		       const struct entry *e)
{
	const void *values = e + 1;

	switch (e->kind) {
	case ROWS:
		calls->rows(e->table, values, e->n);
		break;
	case CELLS:
		calls->cells(e->table, values, e->bytes);
		break;
	default:
		calls->row(e->table, e->rowid, values);
	}
}

static void take_chunk(const struct gaspdb_page_queue *q, const struct chunk *c)
{
	for (size_t i = WORDS_BEFORE; i < c->used;) {
		const struct entry *e = (const void *)&c->words[i];

		take_entry(q->calls, e);
		i += ENTRY_WORDS + words_of(e->bytes);
	}
}

/* Without memory a table is left as it is then: no row may follow. */
static void take_safely(struct gaspdb_page_queue *q, struct chunk *c)
{
	jmp_buf exhausted;

	gaspdb_mem_exhausted = &exhausted;
	if (setjmp(exhausted))
		q->failed = true;
	else if (!q->failed)
		take_chunk(q, c);
	gaspdb_mem_exhausted = NULL;
}

static void *take_all(void *user)
{
	struct gaspdb_page_queue *q = user;
	unsigned slot;

	while ((slot = gaspdb_ring_full_slot(&q->ring)) != GASPDB_RING_CLOSED) {
		take_safely(q, q->chunks[slot]);
		gaspdb_ring_empty(&q->ring);
	}
	return NULL;
}

/* --- the queue ------------------------------------------------------------ */

struct gaspdb_page_queue *
gaspdb_page_queue_new(const struct gaspdb_queue_calls *calls)
{
	struct gaspdb_page_queue *q = gaspdb_mem_alloc(sizeof *q);

	q->calls = calls;
	gaspdb_ring_init(&q->ring, CHUNKS);
	if (gaspdb_thread_start(&q->thread, take_all, q))
		return q;
	gaspdb_ring_fini(&q->ring);
	free(q);
	return NULL;
}

void gaspdb_page_queue_free(struct gaspdb_page_queue *q)
{
	if (!q)
		return;
	gaspdb_ring_close(&q->ring);
	pthread_join(q->thread, NULL);
	gaspdb_ring_fini(&q->ring);
	for (int i = 0; i < CHUNKS; i++)
		free(q->chunks[i]);
	free(q);
}

static void pass_on(struct gaspdb_page_queue *q)
{
	unsigned slot;

	if (q->head)
		gaspdb_ring_fill(&q->ring);
	slot = gaspdb_ring_empty_slot(&q->ring);
	q->head = NULL; /* for want of memory the next line may not return */
	if (!q->chunks[slot])
		q->chunks[slot] = gaspdb_mem_alloc(sizeof *q->chunks[slot]);
	q->head = q->chunks[slot];
	q->head->used = WORDS_BEFORE;
	q->head->last = NULL;
}

static size_t room(const struct gaspdb_page_queue *q)
{
	return q->head ? CHUNK_WORDS - q->head->used : 0;
}

/* Room for so many more bytes, at *at: behind those of the same kind for the
   same table if these came last, or in an entry of their own. */
static struct entry *put(struct gaspdb_page_queue *q,
			 struct gaspdb_page_table *table, enum kind kind,
			 size_t bytes, uint8_t **at)
{
	struct entry *e = q->head ? q->head->last : NULL;
	size_t used;

	if (!e || e->table != table || e->kind != kind || kind == ROW ||
	    room(q) < words_of(bytes)) {
		if (room(q) < ENTRY_WORDS + words_of(bytes))
			pass_on(q);
		e = (void *)&q->head->words[q->head->used];
		*e = (struct entry){ .table = table, .kind = kind };
		q->head->last = e;
		q->head->used += ENTRY_WORDS;
	}
	used = words_of(e->bytes);
	*at = (uint8_t *)(e + 1) + e->bytes;
	e->bytes += (uint32_t)bytes;
	q->head->used += words_of(e->bytes) - used;
	return e;
}

/* How many rows can be put together, into this chunk or the next. */
static size_t rows_at_once(const struct gaspdb_page_queue *q, size_t columns)
{
	size_t words = room(q);

	if (words < ENTRY_WORDS + columns)
		words = CHUNK_WORDS - WORDS_BEFORE;
	return (words - ENTRY_WORDS) / columns;
}

void gaspdb_page_queue_rows(struct gaspdb_page_queue *q,
			    struct gaspdb_page_table *table,
			    const int64_t *rows, size_t n, size_t columns)
{
	while (n > 0) {
		const size_t most = rows_at_once(q, columns);
		const size_t part = n < most ? n : most;
		const size_t bytes = part * columns * sizeof *rows;
		uint8_t *at;

		put(q, table, ROWS, bytes, &at)->n += part;
		memcpy(at, rows, bytes);
		rows += part * columns;
		n -= part;
	}
}

void gaspdb_page_queue_cell(struct gaspdb_page_queue *q,
			    struct gaspdb_page_table *table,
			    const uint8_t *cell, size_t bytes)
{
	uint8_t *at;

	put(q, table, CELLS, bytes, &at);
	memcpy(at, cell, bytes);
}

/* --- rows of anything ----------------------------------------------------- */

static bool has_bytes(const struct gaspdb_value *v)
{
	return v->is == GASPDB_IS_TEXT || v->is == GASPDB_IS_BLOB;
}

static void copy_row(struct gaspdb_value *to, const struct gaspdb_value *values,
		     unsigned n)
{
	char *bytes = (char *)(to + n);

	memcpy(to, values, n * sizeof *values);
	for (unsigned i = 0; i < n; i++) {
		if (!has_bytes(&to[i]))
			continue;
		if (to[i].n > 0)
			memcpy(bytes, to[i].blob, to[i].n);
		to[i].blob = bytes;
		bytes += to[i].n;
	}
}

bool gaspdb_page_queue_row(struct gaspdb_page_queue *q,
			   struct gaspdb_page_table *table, int64_t rowid,
			   const struct gaspdb_value *values, unsigned n)
{
	size_t bytes = n * sizeof *values;
	uint8_t *at;

	for (unsigned i = 0; i < n; i++)
		if (has_bytes(&values[i]))
			bytes += values[i].n;
	if (bytes > (CHUNK_WORDS - WORDS_BEFORE - ENTRY_WORDS) * 8) {
		gaspdb_page_queue_settle(q);
		return false;
	}
	put(q, table, ROW, bytes, &at)->rowid = rowid;
	copy_row((void *)at, values, n);
	return true;
}

/* --- the end -------------------------------------------------------------- */

void gaspdb_page_queue_settle(struct gaspdb_page_queue *q)
{
	if (q->head && q->head->last)
		pass_on(q);
	gaspdb_ring_settle(&q->ring);
}

bool gaspdb_page_queue_failed(const struct gaspdb_page_queue *q)
{
	return q->failed;
}
