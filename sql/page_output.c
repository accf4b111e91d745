/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A ring of buffers: the caller fills the one at the head, the thread writes
 * those behind it, in order.  Without a thread (there may be a limit of them)
 * the caller writes by itself.
 */
#include "sql/page_output.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"

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
	bool threaded;
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	/* Guarded by the mutex: buffers handed over and written, ever. */
	unsigned long filled, written;
	bool over;
	int error;
};

/* --- writing -------------------------------------------------------------- */

/* errno, or 0. */
static int write_buffer(const struct gaspdb_output *o, const struct buffer *b)
{
	const off_t offset = (off_t)(b->first - 1) * (off_t)o->page_bytes;
	const size_t bytes = b->n * o->page_bytes;
	size_t done = 0;

	while (done < bytes) {
		ssize_t n = pwrite(o->fd, b->bytes + done, bytes - done,
				   offset + (off_t)done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? errno : ENOSPC;
		done += (size_t)n;
	}
	/* On to the disk now: the import waits for it at its end. */
	sync_file_range(o->fd, offset, (off_t)bytes, SYNC_FILE_RANGE_WRITE);
	return 0;
}

static void *write_all(void *user)
{
	struct gaspdb_output *o = user;

	pthread_mutex_lock(&o->mutex);
	for (;;) {
		int error = o->error;

		if (o->written == o->filled && o->over)
			break;
		if (o->written == o->filled) {
			pthread_cond_wait(&o->changed, &o->mutex);
			continue;
		}
		pthread_mutex_unlock(&o->mutex);
		if (!error)
			error = write_buffer(o,
					     &o->buffers[o->written % BUFFERS]);
		pthread_mutex_lock(&o->mutex);
		o->error = error;
		o->written++;
		pthread_cond_broadcast(&o->changed);
	}
	pthread_mutex_unlock(&o->mutex);
	return NULL;
}

/* Signals are the main thread's; a write beyond the size limit then fails
   instead of killing. */
static void start_thread(struct gaspdb_output *o)
{
	sigset_t all, old;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	o->threaded = !pthread_create(&o->thread, NULL, write_all, o);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
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
	for (int i = 0; i < BUFFERS; i++)
		o->buffers[i].bytes = gaspdb_mem_alloc(BUFFER_BYTES);
	pthread_mutex_init(&o->mutex, NULL);
	pthread_cond_init(&o->changed, NULL);
	start_thread(o);
	return o;
}

/* The buffer being filled. */
static struct buffer *head(struct gaspdb_output *o)
{
	return &o->buffers[o->filled % BUFFERS];
}

static void wait_until_written(struct gaspdb_output *o, unsigned long n)
{
	while (o->written < n)
		pthread_cond_wait(&o->changed, &o->mutex);
}

/* Hand over the head; the next is free when it has been written. */
static void pass_on(struct gaspdb_output *o)
{
	if (!head(o)->n)
		return;
	if (!o->threaded) {
		if (!o->error)
			o->error = write_buffer(o, head(o));
		o->filled++;
		o->written++;
	} else {
		pthread_mutex_lock(&o->mutex);
		o->filled++;
		pthread_cond_broadcast(&o->changed);
		if (o->filled >= BUFFERS)
			wait_until_written(o, o->filled - BUFFERS + 1);
		pthread_mutex_unlock(&o->mutex);
	}
	head(o)->n = 0;
}

uint8_t *gaspdb_output_page(struct gaspdb_output *o, uint32_t page)
{
	struct buffer *b = head(o);

	if (b->n == o->pages_max || (b->n && page != b->first + b->n)) {
		pass_on(o);
		b = head(o);
	}
	if (!b->n)
		b->first = page;
	return b->bytes + o->page_bytes * b->n++;
}

/* --- the end -------------------------------------------------------------- */

bool gaspdb_output_failed(struct gaspdb_output *o)
{
	bool failed;

	pthread_mutex_lock(&o->mutex);
	failed = o->error != 0;
	pthread_mutex_unlock(&o->mutex);
	return failed;
}

enum gaspdb_status gaspdb_output_finish(struct gaspdb_output *o,
					struct gaspdb_error *err)
{
	int error;

	pass_on(o);
	pthread_mutex_lock(&o->mutex);
	wait_until_written(o, o->filled);
	error = o->error;
	pthread_mutex_unlock(&o->mutex);
	if (!error)
		return GASPDB_OK;
	errno = error;
	return gaspdb_fail_errno(err, "cannot write '%s'", o->path);
}

void gaspdb_output_free(struct gaspdb_output *o)
{
	if (!o)
		return;
	pthread_mutex_lock(&o->mutex);
	o->over = true;
	pthread_cond_broadcast(&o->changed);
	pthread_mutex_unlock(&o->mutex);
	if (o->threaded)
		pthread_join(o->thread, NULL);
	pthread_mutex_destroy(&o->mutex);
	pthread_cond_destroy(&o->changed);
	for (int i = 0; i < BUFFERS; i++)
		free(o->buffers[i].bytes);
	free(o);
}
