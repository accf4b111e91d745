/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Page reads by pread(). A memory map was slower: a read copies a page into the
   processor's caches at once, a map faults it in row by row. */
#include "sql/store/btree/page_file.h"

#include <fcntl.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "common/file_at.h"

enum {
	HEADER_BYTES = 100,
	AT_PAGE_BYTES = 16,
	AT_VERSION = 18,
	AT_RESERVED = 20
};

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
	return number &&
	       gaspdb_read_at(f->fd, to, f->page_bytes,
			      (off_t)(number - 1) * (off_t)f->page_bytes);
}

unsigned gaspdb_page_file_read_several(const struct gaspdb_page_file *f,
				       uint32_t number, uint8_t *const *to,
				       unsigned n)
{
	struct iovec parts[16];
	ssize_t got;

	for (unsigned i = 0; i < n; i++)
		parts[i] = (struct iovec){ to[i], f->page_bytes };
	got = preadv(f->fd, parts, (int)n,
		     (off_t)(number - 1) * (off_t)f->page_bytes);
	return got > 0 ? (unsigned)((size_t)got / f->page_bytes) : 0;
}
