/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions on streams.  A stream's file is that of its descriptor; streams in
 * memory have none, and are passed on.  Functions of one character each have no
 * wrapper.
 */
#include <stdio.h>
#include <string.h>

#include "collector/models/posix/adapter.h"

/* clang-format off */

/* --- opening and closing -------------------------------------------------- */

static void opened(const struct gaspdb_posix_call *call, FILE *f)
{
	if (f)
		gaspdb_posix_set(fileno(f), call->number);
}

#define FOPEN(name)                                                            \
WRAPPER(FILE *, name, (const char *path, const char *mode))                    \
{                                                                              \
	CALL(FOPEN, "fopen");                                                  \
	FILE *f;                                                               \
	                                                                       \
	if (!gaspdb_posix_enter_name(&call, path))                             \
		return NEXT(name)(path, mode);                                 \
	gaspdb_posix_start(&call, 0, NULL);                                    \
	f = NEXT(name)(path, mode);                                            \
	gaspdb_posix_finish(&call, !f);                                        \
	opened(&call, f);                                                      \
	return f;                                                              \
}

FOPEN(fopen)
FOPEN(fopen64)

WRAPPER(FILE *, fdopen, (int fd, const char *mode))
{
	CALL(FOPEN, "fdopen");
	FILE *f;

	if (!gaspdb_posix_enter(&call, fd))
		return NEXT(fdopen)(fd, mode);
	gaspdb_posix_start(&call, 0, NULL);
	f = NEXT(fdopen)(fd, mode);
	gaspdb_posix_finish(&call, !f);
	return f;
}

/* Without a path the same file is opened again, in another mode. */
#define FREOPEN(name)                                                          \
WRAPPER(FILE *, name, (const char *path, const char *mode, FILE *f))           \
{                                                                              \
	CALL(FOPEN, "freopen");                                                \
	const int fd = fileno(f);                                              \
	const bool is_recorded = path ? gaspdb_posix_enter_name(&call, path)   \
				      : gaspdb_posix_enter(&call, fd);         \
	                                                                       \
	if (path)                                                              \
		gaspdb_posix_set(fd, GASPDB_POSIX_UNKNOWN);                    \
	if (!is_recorded)                                                      \
		return NEXT(name)(path, mode, f);                              \
	gaspdb_posix_start(&call, 0, NULL);                                    \
	f = NEXT(name)(path, mode, f);                                         \
	gaspdb_posix_finish(&call, !f);                                        \
	opened(&call, f);                                                      \
	return f;                                                              \
}

FREOPEN(freopen)
FREOPEN(freopen64)

WRAPPER(int, fclose, (FILE *f))
{
	CALL(CLOSE, "fclose");
	const int fd = fileno(f);
	const bool is_recorded = gaspdb_posix_enter(&call, fd);
	int rc;

	gaspdb_posix_set(fd, GASPDB_POSIX_UNKNOWN);
	if (!is_recorded)
		return NEXT(fclose)(f);
	gaspdb_posix_start(&call, 0, NULL);
	rc = NEXT(fclose)(f);
	gaspdb_posix_finish(&call, rc != 0);
	return rc;
}

/* --- reading and writing -------------------------------------------------- */

#define LIST(...) ((const uint64_t[]){ __VA_ARGS__ })

/* finish may use rc. */
#define ON_STREAM(ident, public, type, name, n, args, finish, PARAMETERS, ...) \
WRAPPER(type, name, PARAMETERS)                                                \
{                                                                              \
	CALL(ident, public);                                                   \
	type rc;                                                               \
	                                                                       \
	if (!gaspdb_posix_enter(&call, fileno(f)))                             \
		return NEXT(name)(__VA_ARGS__);                                \
	gaspdb_posix_start(&call, n, args);                                    \
	rc = NEXT(name)(__VA_ARGS__);                                          \
	finish;                                                                \
	return rc;                                                             \
}

/* Whole items; a call that moves fewer than it should may be at the end. */
#define ITEMS gaspdb_posix_finish_result(&call, rc < n && ferror(f), rc * size)

#define FREAD(name)                                                            \
ON_STREAM(READ, "fread", size_t, name, 1, LIST(size * n), ITEMS,               \
	  (void *buffer, size_t size, size_t n, FILE *f), buffer, size, n, f)
#define FREAD_CHK(name)                                                        \
ON_STREAM(READ, "fread", size_t, name, 1, LIST(size * n), ITEMS,               \
	  (void *buffer, size_t room, size_t size, size_t n, FILE *f),         \
	  buffer, room, size, n, f)
#define FWRITE(name)                                                           \
ON_STREAM(WRITE, "fwrite", size_t, name, 0, NULL, ITEMS,                       \
	  (const void *buffer, size_t size, size_t n, FILE *f),                \
	  buffer, size, n, f)

FREAD(fread)
FREAD(fread_unlocked)
FREAD_CHK(__fread_chk)
FREAD_CHK(__fread_unlocked_chk)
FWRITE(fwrite)
FWRITE(fwrite_unlocked)

/* A line up to its first NUL. */
#define TEXT gaspdb_posix_finish_result(&call, !rc && ferror(f),               \
					rc ? strlen(rc) : 0)

#define FGETS(name)                                                            \
ON_STREAM(READ, "fgets", char *, name, 1, LIST((uint64_t)n), TEXT,             \
	  (char *buffer, int n, FILE *f), buffer, n, f)
#define FGETS_CHK(name)                                                        \
ON_STREAM(READ, "fgets", char *, name, 1, LIST((uint64_t)n), TEXT,             \
	  (char *buffer, size_t room, int n, FILE *f), buffer, room, n, f)

FGETS(fgets)
FGETS(fgets_unlocked)
FGETS_CHK(__fgets_chk)
FGETS_CHK(__fgets_unlocked_chk)

/* At the end of the file they return -1, which is no error. */
#define LINE gaspdb_posix_finish_result(&call, rc < 0 && ferror(f),            \
					rc > 0 ? (uint64_t)rc : 0)
#define GETDELIM(public, name)                                                 \
ON_STREAM(READ, public, ssize_t, name, 0, NULL, LINE,                          \
	  (char **line, size_t *n, int end, FILE *f), line, n, end, f)

/* Inlined, getline calls __getdelim. */
ON_STREAM(READ, "getline", ssize_t, getline, 0, NULL, LINE,
	  (char **line, size_t *n, FILE *f), line, n, f)
GETDELIM("getdelim", getdelim)
GETDELIM("getline", __getdelim)

#define STRING gaspdb_posix_finish_bytes(&call, rc < 0 ? -1                    \
						: (int64_t)strlen(text))

ON_STREAM(WRITE, "fputs", int, fputs, 0, NULL, STRING,
	  (const char *text, FILE *f), text, f)
ON_STREAM(WRITE, "fputs", int, fputs_unlocked, 0, NULL, STRING,
	  (const char *text, FILE *f), text, f)

/* --- position and buffer -------------------------------------------------- */

#define POSITION gaspdb_posix_finish_result(&call, rc < 0, (uint64_t)-1)

#define SEEK(public, name, type)                                               \
ON_STREAM(SEEK, public, int, name, 0, NULL, POSITION,                          \
	  (FILE *f, type offset, int from), f, offset, from)

SEEK("fseek", fseek, long)
SEEK("fseeko", fseeko, off_t)
SEEK("fseeko", fseeko64, off64_t)

WRAPPER(void, rewind, (FILE *f))
{
	CALL(SEEK, "rewind");

	if (!gaspdb_posix_enter(&call, fileno(f))) {
		NEXT(rewind)(f);
		return;
	}
	gaspdb_posix_start(&call, 0, NULL);
	NEXT(rewind)(f);
	gaspdb_posix_finish_result(&call, false, 0);
}

#define FFLUSH(name)                                                           \
WRAPPER(int, name, (FILE *f))                                                  \
{                                                                              \
	CALL(FLUSH, "fflush");                                                 \
	int rc;                                                                \
	                                                                       \
	if (!(f ? gaspdb_posix_enter(&call, fileno(f))                         \
		: gaspdb_posix_enter_all(&call)))                              \
		return NEXT(name)(f);                                          \
	gaspdb_posix_start(&call, 0, NULL);                                    \
	rc = NEXT(name)(f);                                                    \
	gaspdb_posix_finish(&call, rc != 0);                                   \
	return rc;                                                             \
}

FFLUSH(fflush)
FFLUSH(fflush_unlocked)
/* clang-format on */
