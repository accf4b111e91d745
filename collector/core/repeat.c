/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Repetition of definitions, so that the loss of a block does not make later
 * events unreadable.  Each definition's record is copied.  The next block
 * begins with the copies; and when the log is long compared with all copies,
 * and whenever it has grown fourfold since, all are repeated, over several
 * blocks if need be.
 */
#include <string.h>

#include "collector/base/pages.h"
#include "collector/core/context.h"

#define FIRST_BYTES (8u << 10)
#define MOST_BYTES  (1u << 20)
/* When the memory is full, copies beyond these bytes are dropped once they are
   in two blocks. */
#define LASTING_BYTES (MOST_BYTES - 4 * GASPDB_BLOCK_MAX)
/* Most repetitions in a block, so that new definitions are repeated as fast as
   they come. */
#define BLOCK_BYTES (GASPDB_BLOCK_MAX / 2)
/* A full repetition is at most this part of the log. */
#define SHARE 32

/* Doubles the memory.  A signal handler, or code after a longjmp, finds it
   consistent at any time. */
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

/* Drops the copies that are in two blocks, beyond the lasting ones. */
static void drop_repeated(struct gaspdb_repeats *t)
{
	const size_t from = t->fresh, left = t->n - from;

	if (from <= t->lasting)
		return;
	t->n = t->fresh = t->lasting;
	if (t->repeat_end > t->lasting)
		t->repeat_end = t->lasting;
	if (t->next > t->repeat_end)
		t->next = t->repeat_end;
	atomic_signal_fence(memory_order_seq_cst);
	memmove(t->bytes + t->lasting, t->bytes + from, left);
	atomic_signal_fence(memory_order_seq_cst);
	t->n += left;
}

void gaspdb_repeats_add(struct gaspdb_context *c, const unsigned char *record,
			size_t bytes)
{
	struct gaspdb_repeats *t = &c->repeats;

	/* After the log's end there is no next block. */
	if (!c->live || bytes > BLOCK_BYTES / 2)
		return;
	while (bytes > t->size - t->n && grow(t))
		;
	if (bytes > t->size - t->n)
		drop_repeated(t);
	if (bytes > t->size - t->n)
		return;
	memcpy(t->bytes + t->n, record, bytes);
	atomic_signal_fence(memory_order_seq_cst);
	t->n += bytes;
	if (t->n <= LASTING_BYTES)
		t->lasting = t->n;
}

/* Bytes of the record at p, as emit.c writes it. */
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

/* Copies whole records of [*from, to), at most room bytes, into the log;
   returns the bytes. */
static size_t copy_records(struct gaspdb_context *c, size_t *from, size_t to,
			   size_t room)
{
	const unsigned char *const p = c->repeats.bytes + *from;
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
	struct gaspdb_repeats *t = &c->repeats;
	size_t room = (size_t)(c->log.limit - c->log.at);

	room = room > spare ? room - spare : 0;
	if (room > BLOCK_BYTES)
		room = BLOCK_BYTES;
	if (t->next == t->repeat_end && c->log.offset >= t->due &&
	    c->log.offset / SHARE >= t->fresh) {
		t->next = 0;
		t->repeat_end = t->fresh;
		t->due = 4 * c->log.offset;
	}
	room -= copy_records(c, &t->fresh, t->n, room);
	copy_records(c, &t->next, t->repeat_end, room);
}

void gaspdb_repeats_free(struct gaspdb_context *c)
{
	if (c->repeats.bytes)
		munmap(c->repeats.bytes, c->repeats.size);
	c->repeats = (struct gaspdb_repeats){ 0 };
}
