/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preloaded: a file system without locks, shared mappings and O_TMPFILE. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/types.h>

int fcntl(int fd, int command, ...);
int fcntl64(int fd, int command, ...);

static int control(const char *name, int fd, int command, void *argument)
{
	int (*next)(int, int, ...) =
		(int (*)(int, int, ...))dlsym(RTLD_NEXT, name);

	if (command == F_SETLK || command == F_SETLKW || command == F_GETLK) {
		errno = ENOLCK;
		return -1;
	}
	return next(fd, command, argument);
}

int fcntl(int fd, int command, ...)
{
	va_list ap;

	va_start(ap, command);
	void *argument = va_arg(ap, void *);
	va_end(ap);
	return control("fcntl", fd, command, argument);
}

int fcntl64(int fd, int command, ...)
{
	va_list ap;

	va_start(ap, command);
	void *argument = va_arg(ap, void *);
	va_end(ap);
	return control("fcntl64", fd, command, argument);
}

void *mmap64(void *at, size_t n, int protection, int flags, int fd,
	     off64_t offset)
{
	void *(*next)(void *, size_t, int, int, int, off64_t) =
		(void *(*)(void *, size_t, int, int, int, off64_t))dlsym(
			RTLD_NEXT, "mmap64");

	if (fd >= 0 && flags & MAP_SHARED) {
		errno = ENODEV;
		return MAP_FAILED;
	}
	return next(at, n, protection, flags, fd, offset);
}

void *mmap(void *at, size_t n, int protection, int flags, int fd, off_t offset)
{
	return mmap64(at, n, protection, flags, fd, offset);
}

int open(const char *path, int flags, ...);
int open64(const char *path, int flags, ...);

static int open_file(const char *name, const char *path, int flags, int mode)
{
	int (*next)(const char *, int, ...) =
		(int (*)(const char *, int, ...))dlsym(RTLD_NEXT, name);

	if ((flags & O_TMPFILE) == O_TMPFILE) {
		errno = EOPNOTSUPP;
		return -1;
	}
	return next(path, flags, mode);
}

int open(const char *path, int flags, ...)
{
	va_list ap;

	va_start(ap, flags);
	int mode = va_arg(ap, int);
	va_end(ap);
	return open_file("open", path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
	va_list ap;

	va_start(ap, flags);
	int mode = va_arg(ap, int);
	va_end(ap);
	return open_file("open64", path, flags, mode);
}
