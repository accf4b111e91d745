/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Definitions are told more than once, so that the loss of a block is not that
 * of all later events.  A copy of each is kept, as its record stands in the
 * log; the next block begins with it; and when the log has grown long against
 * all of them, and again each time it is four times as long, all are told once
 * more, by several blocks if need be.
 */
#include <string.h>

#include "collector/core/context.h"
#include "collector/core/table.h"

#define FIRST_BYTES (8u << 10)
#define MOST_BYTES  (1u << 20)
/* When that is full those beyond the first so many are kept until they have
   been told twice. */
#define LASTING_BYTES (MOST_BYTES - 4 * GASPDB_BLOCK_MAX)
/* No block has more of them, so that new ones are told as fast as they come. */
#define BLOCK_BYTES (GASPDB_BLOCK_MAX / 2)
/* All at once are at most this part of the log. */
#define SHARE 32

/* Whoever finds the old memory may be a handler, or who goes on after one that
   left this by a jump: whatever it finds is whole. */
static bool grow(struct gaspdb_repeats *t)
{
	const size_t size = t->size ? 2 * t->size : FIRST_BYTES;
	unsigned char *const old = t->bytes, *bytes;

	if (size > MOST_BYTES)
		return false;
	bytes = gaspdb_pages(size);
	if (!bytes)
		return false;
	if (old)
		memcpy(bytes, old, t->n);
	t->bytes = bytes;
	atomic_signal_fence(memory_order_seq_cst);
	if (old)
		munmap(old, t->size);
	t->size = size;
	return true;
}

/* Those that stand in two blocks give way. */
static void forget(struct gaspdb_repeats *t)
{
	const size_t from = t->fresh, left = t->n - from;

	if (from <= t->lasting)
		return;
	t->n = t->fresh = t->lasting;
	if (t->until > t->lasting)
		t->until = t->lasting;
	if (t->again > t->until)
		t->again = t->until;
	atomic_signal_fence(memory_order_seq_cst);
	memmove(t->bytes + t->lasting, t->bytes + from, left);
	atomic_signal_fence(memory_order_seq_cst);
	t->n += left;
}

void gaspdb_repeats_keep(struct gaspdb_context *c, const unsigned char *record,
			 size_t bytes)
{
	struct gaspdb_repeats *t = &c->told;

	/* The end, of which there is no next block, may have interrupted us. */
	if (!c->live || bytes > BLOCK_BYTES / 2)
		return;
	while (bytes > t->size - t->n && grow(t))
		;
	if (bytes > t->size - t->n)
		forget(t);
	if (bytes > t->size - t->n)
		return;
	memcpy(t->bytes + t->n, record, bytes);
	atomic_signal_fence(memory_order_seq_cst);
	t->n += bytes;
	if (t->n <= LASTING_BYTES)
		t->lasting = t->n;
}

/* Of the record at p, as emit.c writes it. */
static size_t record_bytes(const unsigned char *p)
{
	size_t payload = 0, at = 0;
	unsigned shift = 0;

	do {
		payload |= (size_t)(p[++at] & 0x7f) << shift;
		shift += 7;
	} while (p[at] & 0x80);
	return 1 + at + payload;
}

/* Whole records of [*from, to), at most room bytes; returns how many. */
static size_t tell(struct gaspdb_context *c, size_t *from, size_t to,
		   size_t room)
{
	const unsigned char *const p = c->told.bytes + *from;
	const size_t most = to - *from;
	size_t n = 0, next;

	while (n < most && (next = n + record_bytes(p + n)) <= room)
		n = next;
	if (n) {
		memcpy(c->log.at, p, n);
		gaspdb_log_writer_commit(&c->log, c->log.at + n);
	}
	*from += n;
	return n;
}

void gaspdb_repeats_write(struct gaspdb_context *c, size_t spare)
{
	struct gaspdb_repeats *t = &c->told;
	size_t room = (size_t)(c->log.limit - c->log.at);

	room = room > spare ? room - spare : 0;
	if (room > BLOCK_BYTES)
		room = BLOCK_BYTES;
	if (t->again == t->until && c->log.offset >= t->due &&
	    c->log.offset / SHARE >= t->fresh) {
		t->again = 0;
		t->until = t->fresh;
		t->due = 4 * c->log.offset;
	}
	room -= tell(c, &t->fresh, t->n, room);
	tell(c, &t->again, t->until, room);
}

void gaspdb_repeats_free(struct gaspdb_context *c)
{
	if (c->told.bytes)
		munmap(c->told.bytes, c->told.size);
	c->told = (struct gaspdb_repeats){ 0 };
}
