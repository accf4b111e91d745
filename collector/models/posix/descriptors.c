/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions on descriptors. */
#include <sys/uio.h>
#include <unistd.h>

#include "collector/models/posix/adapter.h"

/* Bytes of a list of buffers; of an invalid one, which the call refuses, 0. */
static uint64_t bytes_of(const struct iovec *parts, int n)
{
	uint64_t bytes = 0;

	for (int i = 0; parts && i < n && n <= 1024; i++)
		bytes += parts[i].iov_len;
	return bytes;
}

/* clang-format off */
#define LIST(...) ((const uint64_t[]){ __VA_ARGS__ })

/* finish may use rc. */
#define ON_FILE(ident, public, type, name, n, args, finish, PARAMETERS, ...)   \
WRAPPER(type, name, PARAMETERS)                                                \
{                                                                              \
	CALL(ident, public);                                                   \
	type rc;                                                               \
	                                                                       \
	if (!gaspdb_posix_enter(&call, fd))                                    \
		return NEXT(name)(__VA_ARGS__);                                \
	gaspdb_posix_start(&call, n, args);                                    \
	rc = NEXT(name)(__VA_ARGS__);                                          \
	finish;                                                                \
	return rc;                                                             \
}

#define BYTES	  gaspdb_posix_finish_bytes(&call, rc)
#define FINISH	  gaspdb_posix_finish(&call, rc < 0)
#define POSITION  gaspdb_posix_finish_result(&call, rc < 0, (uint64_t)rc)

#define READ(public, name, limit, PARAMETERS, ...)                             \
ON_FILE(READ, public, ssize_t, name, 1, LIST(limit), BYTES, PARAMETERS,        \
	__VA_ARGS__)
#define READ_AT(public, name, limit, PARAMETERS, ...)                          \
ON_FILE(READ_AT, public, ssize_t, name, 2, LIST((uint64_t)offset, limit),      \
	BYTES, PARAMETERS, __VA_ARGS__)
#define WRITE(public, name, PARAMETERS, ...)                                   \
ON_FILE(WRITE, public, ssize_t, name, 0, NULL, BYTES, PARAMETERS, __VA_ARGS__)
#define WRITE_AT(public, name, PARAMETERS, ...)                                \
ON_FILE(WRITE_AT, public, ssize_t, name, 1, LIST((uint64_t)offset), BYTES,     \
	PARAMETERS, __VA_ARGS__)

/* --- reading -------------------------------------------------------------- */

READ("read", read, n, (int fd, void *buffer, size_t n), fd, buffer, n)
READ("read", __read_chk, n, (int fd, void *buffer, size_t n, size_t size),
     fd, buffer, n, size)
READ("readv", readv, bytes_of(parts, n),
     (int fd, const struct iovec *parts, int n), fd, parts, n)

#define PREAD(name, type)                                                      \
READ_AT("pread", name, n, (int fd, void *buffer, size_t n, type offset),       \
	fd, buffer, n, offset)
#define PREAD_CHK(name, type)                                                  \
READ_AT("pread", name, n,                                                      \
	(int fd, void *buffer, size_t n, type offset, size_t size),            \
	fd, buffer, n, offset, size)
#define PREADV(name, type)                                                     \
READ_AT("preadv", name, bytes_of(parts, n),                                    \
	(int fd, const struct iovec *parts, int n, type offset),               \
	fd, parts, n, offset)
#define PREADV2(name, type)                                                    \
READ_AT("preadv2", name, bytes_of(parts, n),                                   \
	(int fd, const struct iovec *parts, int n, type offset, int flags),    \
	fd, parts, n, offset, flags)

PREAD(pread, off_t)
PREAD(pread64, off64_t)
PREAD_CHK(__pread_chk, off_t)
PREAD_CHK(__pread64_chk, off64_t)
PREADV(preadv, off_t)
PREADV(preadv64, off64_t)
PREADV2(preadv2, off_t)
PREADV2(preadv64v2, off64_t)

/* --- writing -------------------------------------------------------------- */

WRITE("write", write, (int fd, const void *buffer, size_t n), fd, buffer, n)
WRITE("writev", writev, (int fd, const struct iovec *parts, int n),
      fd, parts, n)

#define PWRITE(name, type)                                                     \
WRITE_AT("pwrite", name, (int fd, const void *buffer, size_t n, type offset),  \
	 fd, buffer, n, offset)
#define PWRITEV(name, type)                                                    \
WRITE_AT("pwritev", name,                                                      \
	 (int fd, const struct iovec *parts, int n, type offset),              \
	 fd, parts, n, offset)
#define PWRITEV2(name, type)                                                   \
WRITE_AT("pwritev2", name,                                                     \
	 (int fd, const struct iovec *parts, int n, type offset, int flags),   \
	 fd, parts, n, offset, flags)

PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)
PWRITEV(pwritev, off_t)
PWRITEV(pwritev64, off64_t)
PWRITEV2(pwritev2, off_t)
PWRITEV2(pwritev64v2, off64_t)

/* --- others --------------------------------------------------------------- */

ON_FILE(SYNC, "fsync", int, fsync, 0, NULL, FINISH, (int fd), fd)
ON_FILE(SYNC, "fdatasync", int, fdatasync, 0, NULL, FINISH, (int fd), fd)
ON_FILE(SEEK, "lseek", off_t, lseek, 0, NULL, POSITION,
	(int fd, off_t offset, int from), fd, offset, from)
ON_FILE(SEEK, "lseek", off64_t, lseek64, 0, NULL, POSITION,
	(int fd, off64_t offset, int from), fd, offset, from)
ON_FILE(TRUNCATE, "ftruncate", int, ftruncate, 1, LIST((uint64_t)size), FINISH,
	(int fd, off_t size), fd, size)
ON_FILE(TRUNCATE, "ftruncate", int, ftruncate64, 1, LIST((uint64_t)size),
	FINISH, (int fd, off64_t size), fd, size)
/* clang-format on */
