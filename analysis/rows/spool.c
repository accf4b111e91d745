/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spool files with a buffer: a call of the system per large piece costs a third
   of calls for small pieces. */
#include "analysis/rows/spool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/file_at.h"
#include "common/temporary_file.h"

/* LARGE_BYTES or more at once bypass the buffer. */
enum { BUFFER_BYTES = 128 << 10, LARGE_BYTES = 64 << 10 };

struct gaspdb_spool {
	int fd;
	int64_t bytes;	   /* in the file */
	int64_t at;	   /* offset in the file of the buffer's end, reading */
	size_t begin, end; /* bytes of the buffer still to be written or read */
	uint8_t buffer[BUFFER_BYTES];
};

static void fail(struct gaspdb_run *run)
{
	const char *database = sqlite3_db_filename(run->db, "main");

	if (run->status == GASPDB_OK)
		run->status = gaspdb_fail_errno(
			run->err, "cannot use a temporary file beside '%s'",
			database ? database : "");
}

/* Open the file beside the database; for a database in memory, in the system's
   directory of temporary files. */
static int open_file(const char *database)
{
	return gaspdb_temporary_file_open(
		database && *database ? database : P_tmpdir "/gaspdb");
}

struct gaspdb_spool *gaspdb_spool_open(struct gaspdb_run *run)
{
	struct gaspdb_spool *s;

	if (run->status != GASPDB_OK)
		return NULL;
	s = malloc(sizeof *s);
	if (s) {
		s->fd = open_file(sqlite3_db_filename(run->db, "main"));
		s->bytes = s->at = 0;
		s->begin = s->end = 0;
	}
	if (s && s->fd >= 0)
		return s;
	fail(run);
	free(s);
	return NULL;
}

void gaspdb_spool_close(struct gaspdb_spool *s)
{
	if (!s)
		return;
	close(s->fd);
	free(s);
}

static void write_out(struct gaspdb_run *run, struct gaspdb_spool *s,
		      const uint8_t *from, size_t left)
{
	while (left && run->status == GASPDB_OK) {
		const ssize_t n = write(s->fd, from, left);

		if (n < 0 && errno == EINTR) {
			gaspdb_run_stopped(run);
			continue;
		}
		if (n < 0) {
			fail(run);
			return;
		}
		from += n;
		left -= (size_t)n;
		s->bytes += n;
	}
}

static void flush(struct gaspdb_run *run, struct gaspdb_spool *s)
{
	write_out(run, s, s->buffer + s->begin, s->end - s->begin);
	s->begin = s->end = 0;
}

void gaspdb_spool_write(struct gaspdb_run *run, struct gaspdb_spool *s,
			const void *bytes, size_t n)
{
	const uint8_t *from = bytes;

	if (run->status == GASPDB_OK && n < BUFFER_BYTES - s->end) {
		memcpy(s->buffer + s->end, bytes, n); /* the usual case */
		s->end += n;
		return;
	}
	if (n >= LARGE_BYTES) {
		flush(run, s);
		write_out(run, s, bytes, n);
		return;
	}
	while (n && run->status == GASPDB_OK) {
		const size_t room = BUFFER_BYTES - s->end;
		const size_t part = n < room ? n : room;

		memcpy(s->buffer + s->end, from, part);
		s->end += part;
		from += part;
		n -= part;
		if (s->end == BUFFER_BYTES)
			flush(run, s);
	}
}

int64_t gaspdb_spool_bytes(const struct gaspdb_spool *s)
{
	return s->bytes + (int64_t)s->end;
}

void gaspdb_spool_rewind(struct gaspdb_run *run, struct gaspdb_spool *s)
{
	if (!s->at) /* nothing was read so far */
		flush(run, s);
	s->at = 0;
	s->begin = s->end = 0;
}

bool gaspdb_spool_read_at(struct gaspdb_run *run, struct gaspdb_spool *s,
			  int64_t offset, void *bytes, size_t n)
{
	if (run->status == GASPDB_OK &&
	    !gaspdb_read_at(s->fd, bytes, n, (off_t)offset))
		fail(run);
	return run->status == GASPDB_OK;
}

bool gaspdb_spool_read(struct gaspdb_run *run, struct gaspdb_spool *s,
		       void *bytes, size_t n)
{
	uint8_t *to = bytes;

	if (run->status == GASPDB_OK && n <= s->end - s->begin) {
		memcpy(to, s->buffer + s->begin, n); /* the usual case */
		s->begin += n;
		return true;
	}
	if (n >= LARGE_BYTES && s->begin == s->end) {
		s->at += (int64_t)n;
		return gaspdb_spool_read_at(run, s, s->at - (int64_t)n, bytes,
					    n);
	}
	while (n && run->status == GASPDB_OK) {
		const size_t there = s->end - s->begin;
		const size_t part = n < there ? n : there;

		memcpy(to, s->buffer + s->begin, part);
		s->begin += part;
		to += part;
		n -= part;
		if (!n)
			break;
		s->begin = 0;
		s->end = BUFFER_BYTES;
		if (s->bytes - s->at < BUFFER_BYTES)
			s->end = (size_t)(s->bytes - s->at);
		if (!s->end) /* the file is too short: reading fails */
			s->end = 1;
		gaspdb_spool_read_at(run, s, s->at, s->buffer, s->end);
		s->at += (int64_t)s->end;
	}
	return run->status == GASPDB_OK;
}
