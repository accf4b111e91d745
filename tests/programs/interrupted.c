/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preloaded: every third call to read or write is ended by a signal, the others
   do half of it. */
#include <errno.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static _Atomic unsigned calls;

static bool tear(size_t *n)
{
	if (++calls % 3 == 0) {
		errno = EINTR;
		return true;
	}
	if (*n > 1)
		*n /= 2;
	return false;
}

ssize_t read(int fd, void *to, size_t n)
{
	return tear(&n) ? -1 : syscall(SYS_read, fd, to, n);
}

ssize_t pread(int fd, void *to, size_t n, off_t at)
{
	return tear(&n) ? -1 : syscall(SYS_pread64, fd, to, n, at);
}

ssize_t write(int fd, const void *from, size_t n)
{
	return tear(&n) ? -1 : syscall(SYS_write, fd, from, n);
}

ssize_t pwrite(int fd, const void *from, size_t n, off_t at)
{
	return tear(&n) ? -1 : syscall(SYS_pwrite64, fd, from, n, at);
}
