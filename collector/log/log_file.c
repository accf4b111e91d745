/* SPDX-License-Identifier: BSD-2-Clause */
/* A growing file, written through a mapped window. */
#include "collector/log/log_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static uint64_t page_bytes(void)
{
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Checks RLIMIT_FSIZE: growth beyond it would raise SIGXFSZ, which kills. */
static int within_limit(uint64_t end)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
	    limit.rlim_cur != RLIM_INFINITY && end > limit.rlim_cur)
		return EFBIG;
	return 0;
}

/* Gives the owner read and write rights, which later opens need, whatever the
   umask. */
static void allow_owner(int fd)
{
	struct stat st;

	if (!fstat(fd, &st) && (st.st_mode & 0600) != 0600)
		fchmod(fd, (st.st_mode & 07777) | 0600);
}

const char *gaspdb_log_file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Notes the file's identity, and pins its inode number. */
static int identify(struct gaspdb_log_file *f, int fd)
{
	struct stat st;
	void *p;

	if (fstat(fd, &st))
		return errno;
	f->device = st.st_dev;
	f->inode = st.st_ino;
	p = mmap(NULL, page_bytes(), PROT_NONE, MAP_PRIVATE, fd, 0);
	f->pin = p == MAP_FAILED ? NULL : p;
	if (f->pin)
		madvise(p, page_bytes(), MADV_DONTFORK);
	return 0;
}

/* Opens the file by name and checks its identity.  A replacement is not
   followed, waited for, or made the controlling terminal. */
static int open_own(const struct gaspdb_log_file *f, int *fd)
{
	struct stat st;
	int error = 0;

	*fd = open(f->path,
		   O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (*fd < 0)
		return errno == ELOOP || errno == EISDIR || errno == ENXIO
			       ? GASPDB_LOG_REPLACED
			       : errno;
	if (fstat(*fd, &st))
		error = errno;
	else if (!S_ISREG(st.st_mode) || st.st_dev != f->device ||
		 st.st_ino != f->inode)
		error = GASPDB_LOG_REPLACED;
	if (error)
		close(*fd);
	return error;
}

int gaspdb_log_file_create(struct gaspdb_log_file *f, int folder,
			   const char *path, uint64_t max_bytes)
{
	int fd, error;

	if (snprintf(f->path, sizeof f->path, "%s", path) >=
	    (int)sizeof f->path)
		return ENAMETOOLONG;
	fd = openat(folder, gaspdb_log_file_name(path),
		    O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return errno;
	allow_owner(fd);
	error = identify(f, fd);
	close(fd);
	if (error)
		return error;
	f->window = NULL;
	f->window_bytes = 0;
	f->window_offset = f->flushed = 0;
	f->max_bytes = max_bytes & ~(page_bytes() - 1);
	f->buffered = false;
	return 0;
}

static int write_all(int fd, const unsigned char *p, size_t n, uint64_t offset)
{
	while (n > 0) {
		ssize_t done = pwrite(fd, p, n, (off_t)offset);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return done < 0 ? errno : EIO;
		p += done;
		n -= (size_t)done;
		offset += (uint64_t)done;
	}
	return 0;
}

int gaspdb_log_file_flush(struct gaspdb_log_file *f, uint64_t offset)
{
	int fd, error;

	if (!f->buffered || offset <= f->flushed)
		return 0;
	error = within_limit(offset);
	if (error)
		return error;
	error = open_own(f, &fd);
	if (error)
		return error;
	error = write_all(fd, gaspdb_log_file_at(f, f->flushed),
			  (size_t)(offset - f->flushed), f->flushed);
	close(fd);
	return error;
}

/* Maps [start, start + bytes) of the file, after reserving its disk space. */
static int map_shared(struct gaspdb_log_file *f, uint64_t start, size_t bytes,
		      unsigned char **window)
{
	int fd, error = open_own(f, &fd);
	void *p;

	if (error)
		return error;
	do
		error = posix_fallocate(fd, (off_t)start, (off_t)bytes);
	while (error == EINTR);
	if (error) {
		close(fd);
		return error;
	}
	p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
		 fd, (off_t)start);
	error = p == MAP_FAILED ? errno : 0;
	close(fd);
	if (error)
		return error;
	madvise(p, bytes, MADV_DONTFORK);
	*window = p;
	return 0;
}

static int move_buffer(struct gaspdb_log_file *f, uint64_t start, size_t bytes,
		       uint64_t offset)
{
	unsigned char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return errno;
	if (f->window) {
		memcpy(p, gaspdb_log_file_at(f, start),
		       (size_t)(offset - start));
		munmap(f->window, f->window_bytes);
	}
	f->window = p;
	f->window_offset = start;
	f->window_bytes = bytes;
	return 0;
}

int gaspdb_log_file_advance(struct gaspdb_log_file *f, uint64_t offset,
			    size_t bytes)
{
	const uint64_t page = page_bytes();
	const uint64_t start = offset & ~(page - 1);
	const size_t least =
		(size_t)(offset - start) + bytes + GASPDB_RESERVE_BYTES;
	size_t length = least;
	unsigned char *window = NULL;
	int error;

	if (length < GASPDB_WINDOW_BYTES)
		length = GASPDB_WINDOW_BYTES;
	length = (size_t)((length + page - 1) & ~(page - 1));
	if (f->max_bytes && start + least > f->max_bytes)
		return GASPDB_LOG_LIMIT;
	if (f->max_bytes && start + length > f->max_bytes)
		length = (size_t)(f->max_bytes - start);
	error = within_limit(start + length);
	if (error)
		return error;
	if (f->buffered)
		return move_buffer(f, start, length, offset);
	error = map_shared(f, start, length, &window);
	if ((error == ENODEV || error == EINVAL || error == EOPNOTSUPP) &&
	    !f->window) {
		f->buffered = true;
		return move_buffer(f, start, length, offset);
	}
	if (error)
		return error;
	if (f->window)
		munmap(f->window, f->window_bytes);
	f->window = window;
	f->window_offset = start;
	f->window_bytes = length;
	return 0;
}

int gaspdb_log_file_finish(struct gaspdb_log_file *f, uint64_t bytes)
{
	int fd, error = gaspdb_log_file_flush(f, bytes);

	if (!error)
		error = open_own(f, &fd);
	if (error)
		return error;
	error = ftruncate(fd, (off_t)bytes) ? errno : 0;
	close(fd);
	return error;
}

void gaspdb_log_file_unmap(struct gaspdb_log_file *f)
{
	if (f->window)
		munmap(f->window, f->window_bytes);
	if (f->pin)
		munmap(f->pin, page_bytes());
	f->window = f->pin = NULL;
	f->window_bytes = 0;
}
