/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * By reading: a map was slower, for the copy brings a page into the processor's
 * caches at once, and a map only as rows are looked at.
 */
#include "sql/store/btree/page_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
	HEADER_BYTES = 100,
	AT_PAGE_BYTES = 16,
	AT_VERSION = 18,
	AT_RESERVED = 20
};

bool gaspdb_read_at(int fd, void *to, size_t bytes, off_t at)
{
	size_t done = 0;

	while (done < bytes) {
		const ssize_t n = pread(fd, (uint8_t *)to + done, bytes - done,
					at + (off_t)done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n == 0)
			errno = EIO;
		if (n <= 0)
			return false;
		done += (size_t)n;
	}
	return true;
}

bool gaspdb_write_at(int fd, const void *from, size_t bytes, off_t at)
{
	size_t done = 0;

	while (done < bytes) {
		const ssize_t n = pwrite(fd, (const uint8_t *)from + done,
					 bytes - done, at + (off_t)done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n == 0)
			errno = ENOSPC;
		if (n <= 0)
			return false;
		done += (size_t)n;
	}
	return true;
}

static bool read_header(struct gaspdb_page_file *f)
{
	uint8_t h[HEADER_BYTES];

	if (!gaspdb_read_at(f->fd, h, sizeof h, 0) ||
	    memcmp(h, "SQLite format 3", 16) || h[AT_VERSION] != 1)
		return false;
	f->page_bytes = (size_t)(h[AT_PAGE_BYTES] << 8 | h[AT_PAGE_BYTES + 1]);
	if (f->page_bytes == 1)
		f->page_bytes = 65536;
	f->usable = f->page_bytes - h[AT_RESERVED];
	return f->page_bytes >= 512 && f->usable >= 480;
}

bool gaspdb_page_file_open(struct gaspdb_page_file *f, const char *path)
{
	*f = (struct gaspdb_page_file){ .fd = open(path,
						   O_RDONLY | O_CLOEXEC) };
	return f->fd >= 0 && read_header(f);
}

void gaspdb_page_file_close(struct gaspdb_page_file *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}

bool gaspdb_page_file_read(const struct gaspdb_page_file *f, uint32_t number,
			   uint8_t *to)
{
	if (f->on_read)
		f->on_read(f->user, 1);
	return number &&
	       gaspdb_read_at(f->fd, to, f->page_bytes,
			      (off_t)(number - 1) * (off_t)f->page_bytes);
}

bool gaspdb_page_file_read_all(const struct gaspdb_page_file *f, uint32_t first,
			       unsigned n, uint8_t *const *to)
{
	struct iovec pieces[GASPDB_READ_ALL_MAX];

	if (!first || n > GASPDB_READ_ALL_MAX)
		return false;
	if (f->on_read)
		f->on_read(f->user, n);
	for (unsigned i = 0; i < n; i++)
		pieces[i] = (struct iovec){ to[i], f->page_bytes };
	return preadv(f->fd, pieces, (int)n,
		      (off_t)(first - 1) * (off_t)f->page_bytes) ==
	       (ssize_t)(n * f->page_bytes);
}
