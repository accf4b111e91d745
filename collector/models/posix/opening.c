/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions that make and close descriptors.  Some leave no event: what they do
   to a descriptor is noted. */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "collector/models/posix/adapter.h"

/* clang-format off */

/* --- opening -------------------------------------------------------------- */

/* open and openat: folder is AT_FDCWD where the function has none. */
#define OPEN(public, name, folder, PARAMETERS, ...)                            \
WRAPPER(int, name, PARAMETERS)                                                 \
{                                                                              \
	CALL(OPEN, public);                                                    \
	int fd;                                                                \
	MODE;                                                                  \
	                                                                       \
	if (!gaspdb_posix_enter_at(&call, folder, path))                       \
		return NEXT(name)(__VA_ARGS__);                                \
	gaspdb_posix_start(&call, 1, (uint64_t[]){ (uint64_t)flags });         \
	fd = NEXT(name)(__VA_ARGS__);                                          \
	gaspdb_posix_finish(&call, fd < 0);                                    \
	if (fd >= 0)                                                           \
		gaspdb_posix_set(fd, call.number);                             \
	return fd;                                                             \
}

/* A mode is passed where a file may be made. */
#define MODE                                                                   \
	mode_t mode = 0;                                                       \
	va_list ap;                                                            \
	                                                                       \
	va_start(ap, flags);                                                   \
	if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE)               \
		mode = va_arg(ap, mode_t);                                     \
	va_end(ap)

OPEN("open", open, AT_FDCWD, (const char *path, int flags, ...),
     path, flags, mode)
OPEN("open", open64, AT_FDCWD, (const char *path, int flags, ...),
     path, flags, mode)
OPEN("openat", openat, folder, (int folder, const char *path, int flags, ...),
     folder, path, flags, mode)
OPEN("openat", openat64, folder, (int folder, const char *path, int flags, ...),
     folder, path, flags, mode)

#undef MODE
#define MODE ((void)0)
OPEN("open", __open_2, AT_FDCWD, (const char *path, int flags), path, flags)
OPEN("open", __open64_2, AT_FDCWD, (const char *path, int flags), path, flags)
OPEN("openat", __openat_2, folder, (int folder, const char *path, int flags),
     folder, path, flags)
OPEN("openat", __openat64_2, folder, (int folder, const char *path, int flags),
     folder, path, flags)

#undef MODE
#define MODE const int flags = O_CREAT | O_WRONLY | O_TRUNC
OPEN("creat", creat, AT_FDCWD, (const char *path, mode_t mode), path, mode)
OPEN("creat", creat64, AT_FDCWD, (const char *path, mode_t mode), path, mode)

/* --- closing -------------------------------------------------------------- */

/* The descriptor is forgotten before another thread can get it. */
WRAPPER(int, close, (int fd))
{
	CALL(CLOSE, "close");
	const bool is_own = gaspdb_posix_is_own();
	const bool is_recorded = is_own && gaspdb_posix_enter(&call, fd);
	int rc;

	if (is_own)
		gaspdb_posix_set(fd, GASPDB_POSIX_UNKNOWN);
	if (!is_recorded)
		return NEXT(close)(fd);
	gaspdb_posix_start(&call, 0, NULL);
	rc = NEXT(close)(fd);
	gaspdb_posix_finish(&call, rc < 0);
	return rc;
}

WRAPPER(int, close_range, (unsigned first, unsigned last, int flags))
{
	gaspdb_posix_forget(first, last);
	return NEXT(close_range)(first, last, flags);
}

WRAPPER(void, closefrom, (int first))
{
	gaspdb_posix_forget((unsigned)first, ~0u);
	NEXT(closefrom)(first);
}

/* --- copies --------------------------------------------------------------- */

static int copied(int from, int to)
{
	if (to >= 0 && gaspdb_posix_is_own())
		gaspdb_posix_set(to, gaspdb_posix_get(from));
	return to;
}

WRAPPER(int, dup, (int fd))
{
	return copied(fd, NEXT(dup)(fd));
}

WRAPPER(int, dup2, (int fd, int to))
{
	return copied(fd, NEXT(dup2)(fd, to));
}

WRAPPER(int, dup3, (int fd, int to, int flags))
{
	return copied(fd, NEXT(dup3)(fd, to, flags));
}

/* Its argument is a number or an address; what was not passed does no harm. */
#define FCNTL(name)                                                            \
WRAPPER(int, name, (int fd, int command, ...))                                 \
{                                                                              \
	va_list ap;                                                            \
	void *argument;                                                        \
	int rc;                                                                \
	                                                                       \
	va_start(ap, command);                                                 \
	argument = va_arg(ap, void *);                                         \
	va_end(ap);                                                            \
	rc = NEXT(name)(fd, command, argument);                                \
	return command == F_DUPFD || command == F_DUPFD_CLOEXEC                \
		       ? copied(fd, rc) : rc;                                  \
}

FCNTL(fcntl)
FCNTL(fcntl64)

/* --- files without a name, or with one of the library's ------------------- */

static int made(int fd)
{
	gaspdb_posix_set(fd, GASPDB_POSIX_UNKNOWN);
	return fd;
}

#define MAKE(name, PARAMETERS, ...)                                            \
WRAPPER(int, name, PARAMETERS)                                                 \
{                                                                              \
	return made(NEXT(name)(__VA_ARGS__));                                  \
}

MAKE(mkstemp, (char *path), path)
MAKE(mkstemp64, (char *path), path)
MAKE(mkostemp, (char *path, int flags), path, flags)
MAKE(mkostemp64, (char *path, int flags), path, flags)
MAKE(shm_open, (const char *path, int flags, mode_t mode), path, flags, mode)
MAKE(memfd_create, (const char *name, unsigned flags), name, flags)

#define MAKE_STREAM(name)                                                      \
WRAPPER(FILE *, name, (void))                                                  \
{                                                                              \
	FILE *f = NEXT(name)();                                                \
	                                                                       \
	if (f)                                                                 \
		made(fileno(f));                                               \
	return f;                                                              \
}

MAKE_STREAM(tmpfile)
MAKE_STREAM(tmpfile64)

WRAPPER(int, pclose, (FILE *f))
{
	made(fileno(f));
	return NEXT(pclose)(f);
}
/* clang-format on */
