/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Preloaded: the call number FAULT_AT of FAULT_CALL fails with EIO; 0: each
 * does.  How many there were goes to the file FAULT_COUNT.  With FAULT_SHORT
 * what reads gives less than it is asked for.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_int calls;

static int fails(const char *call)
{
	const char *which = getenv("FAULT_CALL"), *at = getenv("FAULT_AT");

	if (!which || strcmp(which, call))
		return 0;
	const int n = ++calls;
	if (!at || (atoi(at) && n != atoi(at)))
		return 0;
	errno = EIO;
	return 1;
}

static size_t some(size_t n)
{
	return getenv("FAULT_SHORT") ? n - n / 3 : n;
}

__attribute__((destructor)) static void tell(void)
{
	const char *name = getenv("FAULT_COUNT");
	FILE *f = name ? fopen(name, "w") : NULL;

	if (f) {
		fprintf(f, "%d\n", calls);
		fclose(f);
	}
}

#define CALL(type, name, failed, parameters, ...)                    \
	type name parameters;                                        \
	type name parameters                                         \
	{                                                            \
		type(*next) parameters =                             \
			(type(*) parameters)dlsym(RTLD_NEXT, #name); \
		return fails(#name) ? failed : next(__VA_ARGS__);    \
	}

// clang-format off
CALL(ssize_t, read, -1, (int fd, void *to, size_t n), fd, to, some(n))
CALL(ssize_t, pread, -1, (int fd, void *to, size_t n, off_t at), fd, to, some(n), at)
CALL(ssize_t, pread64, -1, (int fd, void *to, size_t n, off64_t at), fd, to, some(n), at)
CALL(ssize_t, pwrite, -1, (int fd, const void *from, size_t n, off_t at), fd, from, n, at)
CALL(ssize_t, pwrite64, -1, (int fd, const void *from, size_t n, off64_t at), fd, from, n, at)
CALL(int, ftruncate, -1, (int fd, off_t n), fd, n)
CALL(int, ftruncate64, -1, (int fd, off64_t n), fd, n)
CALL(int, fsync, -1, (int fd), fd)
CALL(int, link, -1, (const char *from, const char *to), from, to)
CALL(int, fstat, -1, (int fd, struct stat *to), fd, to)
CALL(int, lstat, -1, (const char *path, struct stat *to), path, to)
CALL(off_t, lseek, -1, (int fd, off_t at, int from), fd, at, from)
CALL(int, access, -1, (const char *path, int how), path, how)
CALL(char *, realpath, NULL, (const char *path, char *to), path, to)
CALL(DIR *, opendir, NULL, (const char *path), path)
CALL(struct dirent *, readdir, NULL, (DIR *dir), dir)
// clang-format on
