/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows one after another in the chunks of a ring: an entry, its values, and the
 * bytes of texts.  All of it is made of words, so that all is aligned.
 */
#include "sql/page_queue.h"

#include <setjmp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "ring.h"

#define CHUNKS	    4
#define CHUNK_WORDS ((size_t)1 << 15)

struct entry {
	struct gaspdb_page_table *table;
	int64_t rowid;
	uint32_t words; /* that follow */
	bool ints;
};
#define ENTRY_WORDS (sizeof(struct entry) / 8)

struct chunk {
	size_t used;
	int64_t words[CHUNK_WORDS];
};

struct gaspdb_page_queue {
	gaspdb_queue_ints_fn ints;
	gaspdb_queue_row_fn row;
	struct gaspdb_ring ring;
	pthread_t thread;
	struct chunk *chunks[CHUNKS];
	struct chunk *head; /* being filled */
	atomic_bool failed;
};

/* --- the thread ----------------------------------------------------------- */

static void take_chunk(const struct gaspdb_page_queue *q, struct chunk *c)
{
	for (size_t i = 0; i < c->used;) {
		const struct entry *e = (const void *)&c->words[i];
		const int64_t *values = &c->words[i + ENTRY_WORDS];

		if (e->ints)
			q->ints(e->table, e->rowid, values);
		else
			q->row(e->table, e->rowid, (const void *)values);
		i += ENTRY_WORDS + e->words;
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
		q->chunks[slot]->used = 0;
		gaspdb_ring_empty(&q->ring);
	}
	return NULL;
}

/* --- the queue ------------------------------------------------------------ */

struct gaspdb_page_queue *gaspdb_page_queue_new(gaspdb_queue_ints_fn ints,
						gaspdb_queue_row_fn row)
{
	struct gaspdb_page_queue *q = gaspdb_mem_alloc(sizeof *q);

	q->ints = ints;
	q->row = row;
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
}

/* Room for an entry with so many words; its values follow it. */
static inline int64_t *put(struct gaspdb_page_queue *q, const struct entry *e)
{
	const size_t words = ENTRY_WORDS + e->words;
	int64_t *to;

	if (!q->head || q->head->used + words > CHUNK_WORDS)
		pass_on(q);
	to = q->head->words + q->head->used;
	q->head->used += words;
	memcpy(to, e, sizeof *e);
	return to + ENTRY_WORDS;
}

void gaspdb_page_queue_ints(struct gaspdb_page_queue *q,
			    struct gaspdb_page_table *table, int64_t rowid,
			    const int64_t *values, unsigned n)
{
	const struct entry e = { table, rowid, n, true };

	memcpy(put(q, &e), values, n * sizeof *values);
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
	struct entry e = { table, rowid, 0, false };
	size_t bytes = n * sizeof *values;

	for (unsigned i = 0; i < n; i++)
		if (has_bytes(&values[i]))
			bytes += values[i].n;
	if (bytes > (CHUNK_WORDS - ENTRY_WORDS) * 8) {
		gaspdb_page_queue_settle(q);
		return false;
	}
	e.words = (uint32_t)((bytes + 7) / 8);
	copy_row((void *)put(q, &e), values, n);
	return true;
}

/* --- the end -------------------------------------------------------------- */

void gaspdb_page_queue_settle(struct gaspdb_page_queue *q)
{
	if (q->head && q->head->used)
		pass_on(q);
	gaspdb_ring_settle(&q->ring);
}

bool gaspdb_page_queue_failed(const struct gaspdb_page_queue *q)
{
	return q->failed;
}
