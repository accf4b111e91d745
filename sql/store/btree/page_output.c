/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A ring of buffers: the caller fills one, a thread writes the full ones. */
#include "sql/store/btree/page_output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/memory.h"
#include "common/ring.h"
#include "common/file_at.h"

#define BUFFER_BYTES ((size_t)1 << 20)
#define BUFFERS	     4

struct buffer {
	uint8_t *bytes;
	uint32_t first, n; /* pages, successive ones */
};

struct gaspdb_output {
	int fd;
	const char *path;
	size_t page_bytes;
	uint32_t pages_max; /* of a buffer */
	struct buffer buffers[BUFFERS];
	struct buffer *head; /* being filled */
	bool threaded;
	pthread_t thread;
	struct gaspdb_ring ring;
	atomic_int error;
};

/* --- writing -------------------------------------------------------------- */

/* Write a buffer. Returns 0 or errno. */
static int write_buffer(const struct gaspdb_output *o, const struct buffer *b)
{
	const off_t offset = (off_t)(b->first - 1) * (off_t)o->page_bytes;
	const size_t bytes = b->n * o->page_bytes;

	if (!gaspdb_write_at(o->fd, b->bytes, bytes, offset))
		return errno;
	/* Start write-back now: the import waits for the disk at its end. A few
	   pages are better written with their neighbours. */
	if (b->n == o->pages_max)
		sync_file_range(o->fd, offset, (off_t)bytes,
				SYNC_FILE_RANGE_WRITE);
	return 0;
}

static void take_buffer(struct gaspdb_output *o, struct buffer *b)
{
	if (!o->error)
		o->error = write_buffer(o, b);
	b->n = 0;
}

static void *write_all(void *user)
{
	struct gaspdb_output *o = user;
	unsigned slot;

	while ((slot = gaspdb_ring_full_slot(&o->ring)) != GASPDB_RING_CLOSED) {
		take_buffer(o, &o->buffers[slot]);
		gaspdb_ring_empty(&o->ring);
	}
	return NULL;
}

/* --- filling -------------------------------------------------------------- */

struct gaspdb_output *gaspdb_output_new(int fd, const char *path,
					size_t page_bytes)
{
	struct gaspdb_output *o = gaspdb_mem_alloc(sizeof *o);

	o->fd = fd;
	o->path = path;
	o->page_bytes = page_bytes;
	o->pages_max = (uint32_t)(BUFFER_BYTES / page_bytes);
	o->head = o->buffers;
	gaspdb_ring_init(&o->ring, BUFFERS);
	return o;
}

void gaspdb_output_thread(struct gaspdb_output *o)
{
	o->threaded = gaspdb_thread_start(&o->thread, write_all, o);
}

/* Hand the head to the writer. The next buffer is free once it is written. */
static void pass_on(struct gaspdb_output *o)
{
	if (!o->head->n)
		return;
	if (!o->threaded) {
		take_buffer(o, o->head);
		return;
	}
	gaspdb_ring_fill(&o->ring);
	o->head = &o->buffers[gaspdb_ring_empty_slot(&o->ring)];
}

uint8_t *gaspdb_output_page(struct gaspdb_output *o, uint32_t page)
{
	struct buffer *b = o->head;

	if (b->n == o->pages_max || (b->n && page != b->first + b->n)) {
		pass_on(o);
		b = o->head;
	}
	if (!b->bytes)
		b->bytes = gaspdb_mem_room(BUFFER_BYTES);
	if (!b->n)
		b->first = page;
	return b->bytes + o->page_bytes * b->n++;
}

/* --- the end -------------------------------------------------------------- */

enum gaspdb_status gaspdb_output_status(const struct gaspdb_output *o,
					struct gaspdb_error *err)
{
	if (!o->error)
		return GASPDB_OK;
	errno = o->error;
	return gaspdb_fail_errno(err, "cannot write '%s'", o->path);
}

enum gaspdb_status gaspdb_output_finish(struct gaspdb_output *o,
					struct gaspdb_error *err)
{
	pass_on(o);
	gaspdb_ring_settle(&o->ring);
	return gaspdb_output_status(o, err);
}

void gaspdb_output_free(struct gaspdb_output *o)
{
	if (!o)
		return;
	gaspdb_ring_close(&o->ring);
	if (o->threaded)
		pthread_join(o->thread, NULL);
	gaspdb_ring_fini(&o->ring);
	for (int i = 0; i < BUFFERS; i++)
		free(o->buffers[i].bytes);
	free(o);
}
