/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of the input as streams and readers: from the run directory, or from
   the spool. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "importer/input/input.h"
#include "common/memory.h"

enum gaspdb_status gaspdb_input_read(const struct gaspdb_input *in,
				     const struct gaspdb_input_file *file,
				     struct gaspdb_reader *rd, uint8_t *cache,
				     struct gaspdb_error *err)
{
	if (file->why)
		return gaspdb_fail(err, GASPDB_FAILED, "%s", file->why);
	if (file->path)
		return gaspdb_reader_open(rd, file->path, cache, err);
	return gaspdb_reader_open_part(rd, in->spool, file->offset, file->size,
				       cache, err);
}

/* A range of a file as a stream. Reads go on after a signal; stdio's own would
   fail. */
struct part {
	int fd;
	bool owns_fd;
	uint64_t begin, at, end;
};

static ssize_t read_part(void *cookie, char *to, size_t n)
{
	struct part *p = cookie;
	ssize_t got;

	if (n > p->end - p->at)
		n = (size_t)(p->end - p->at);
	do
		got = pread(p->fd, to, n, (off_t)p->at);
	while (got < 0 && errno == EINTR);
	p->at += got > 0 ? (uint64_t)got : 0;
	return got;
}

/* Seeks to the start, or returns the position; other seeks fail. */
static int seek_part(void *cookie, off64_t *offset, int whence)
{
	struct part *p = cookie;

	if (*offset || whence == SEEK_END)
		return -1;
	if (whence == SEEK_SET)
		p->at = p->begin;
	*offset = (off64_t)(p->at - p->begin);
	return 0;
}

static int close_part(void *cookie)
{
	struct part *p = cookie;

	if (p->owns_fd)
		close(p->fd);
	free(p);
	return 0;
}

static FILE *open_part(int fd, bool owns_fd, uint64_t begin, uint64_t end)
{
	struct part *p = gaspdb_mem_alloc(sizeof *p);
	FILE *f = fopencookie(p, "r",
			      (cookie_io_functions_t){ .read = read_part,
						       .seek = seek_part,
						       .close = close_part });

	*p = (struct part){ fd, owns_fd, begin, begin, end };
	if (!f)
		close_part(p);
	return f;
}

int gaspdb_input_regular(const char *path, struct gaspdb_error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd < 0 || fstat(fd, &st)) {
		gaspdb_fail_errno(err, "cannot open");
	} else if (!S_ISREG(st.st_mode)) {
		gaspdb_fail(err, GASPDB_FAILED, "not a regular file");
	} else {
		return fd;
	}
	if (fd >= 0)
		close(fd);
	return -1;
}

FILE *gaspdb_input_file(const char *path)
{
	struct gaspdb_error ignored;
	int fd = gaspdb_input_regular(path, &ignored);

	return fd < 0 ? NULL : open_part(fd, true, 0, INT64_MAX);
}

FILE *gaspdb_input_other(const struct gaspdb_input *in, const char *name)
{
	const struct gaspdb_input_file *file = NULL;

	for (size_t i = 0; i < in->others.n; i++)
		if (in->others.file[i].folder == in->folder &&
		    !strcasecmp(in->others.file[i].name, name))
			file = &in->others.file[i];
	if (!file)
		return NULL;
	if (file->path)
		return gaspdb_input_file(file->path);
	return open_part(in->spool, false, file->offset,
			 file->offset + file->size);
}

int gaspdb_input_failed(const struct gaspdb_input *in,
			const struct gaspdb_input_file *file)
{
	const char *number = strrchr(file->name, '-');
	const char *suffix = strrchr(file->name, '.');
	long error;

	if (file->folder != in->folder || !number || !suffix ||
	    strcasecmp(suffix, GASPDB_FAILED_SUFFIX))
		return 0;
	error = strtol(number + 1, NULL, 10);
	return error > 0 && error < INT_MAX ? (int)error : 0;
}
