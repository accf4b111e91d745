/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The name of the output file. Until the file is complete it has a temporary
 * name in the same folder. SQLite keeps a journal or a write-ahead log beside a
 * database and finds them by name alone. It would apply those of an older file
 * to the new one. So they are removed first, and before them the older file,
 * which is invalid without them. So a kill never leaves a database beside
 * another one's journal.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/memory.h"
#include "sql/store/parts.h"

/* Journals of a database in use, and the index of its write-ahead log. */
static const char *const companions[] = { "-journal", "-wal", "-shm" };

enum { N_BELONGING = 2, N_COMPANIONS = 3, SUFFIX_BYTES = 32 };

/* SQLite's lock bytes. A connection holds a lock on one of them. */
enum { LOCK_AT = 0x40000000, LOCK_BYTES = 512 };

/* --- what is there -------------------------------------------------------- */

static char *companion(const struct gaspdb_store *s, int i)
{
	const size_t n = strlen(s->path) + SUFFIX_BYTES;
	char *name = gaspdb_mem_alloc(n);

	snprintf(name, n, "%s%s", s->path, companions[i]);
	return name;
}

/* The index of an existing companion; -1: none. */
static int find_companion(const struct gaspdb_store *s)
{
	for (int i = 0; i < N_BELONGING; i++) {
		char *name = companion(s, i);
		const bool is_there = !access(name, F_OK);

		free(name);
		if (is_there)
			return i;
	}
	return -1;
}

/* Returns 0 or errno. */
static int remove_companions(const struct gaspdb_store *s)
{
	int failed = 0;

	for (int i = 0; i < N_COMPANIONS && !failed; i++) {
		char *name = companion(s, i);

		if (unlink(name) && errno != ENOENT)
			failed = errno;
		free(name);
	}
	return failed;
}

/* Lock the old file against other programs until *fd is closed; *fd < 0: no
   such file. Returns 0 or errno; EAGAIN: another program uses it. */
static int lock_old(const struct gaspdb_store *s, int *fd)
{
	struct flock all = { .l_type = F_WRLCK,
			     .l_whence = SEEK_SET,
			     .l_start = LOCK_AT,
			     .l_len = LOCK_BYTES };
	struct stat st;

	*fd = -1;
	if (stat(s->path, &st) || !S_ISREG(st.st_mode))
		return 0;
	*fd = open(s->path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (*fd < 0)
		return errno;
	if (!fcntl(*fd, F_SETLK, &all))
		return 0;
	return errno == EACCES ? EAGAIN : errno;
}

static enum gaspdb_status exists(const char *path, struct gaspdb_error *err)
{
	return gaspdb_fail(err, GASPDB_FAILED,
			   "'%s' already exists; --force replaces it", path);
}

/* Is the output file allowed? locked: result of lock_old(). */
static enum gaspdb_status may_make(const struct gaspdb_store *s, int locked,
				   struct gaspdb_error *err)
{
	const int left = find_companion(s);
	struct stat st;
	const bool is_there = !stat(s->path, &st);

	if (is_there && !S_ISREG(st.st_mode))
		return gaspdb_fail(err, GASPDB_FAILED, "'%s' is %s", s->path,
				   S_ISDIR(st.st_mode) ? "a folder"
						       : "no regular file");
	if (is_there && !s->force)
		return exists(s->path, err);
	if (left < 0 || (s->force && !locked))
		return GASPDB_OK;
	if (!s->force)
		return gaspdb_fail(err, GASPDB_FAILED,
				   "'%s%s' is left of an older database; "
				   "--force removes it",
				   s->path, companions[left]);
	if (locked == EAGAIN)
		return gaspdb_fail(err, GASPDB_FAILED,
				   "another program writes '%s', or may: close "
				   "it first",
				   s->path);
	errno = locked;
	return gaspdb_fail_errno(err, "cannot replace '%s' with its '%s'",
				 s->path, companions[left]);
}

/* --- choosing ------------------------------------------------------------- */

/* A symbolic link is followed, as by a shell's >: the link stays, its target is
   replaced. */
enum gaspdb_status gaspdb_store_choose_name(struct gaspdb_store *s,
					    const char *path,
					    struct gaspdb_error *err)
{
	enum gaspdb_status status;
	struct stat st;
	int fd, locked;

	if (!lstat(path, &st) && S_ISLNK(st.st_mode)) {
		if (!s->force)
			return exists(path, err);
		s->path = realpath(path, NULL);
	} else {
		s->path = gaspdb_mem_alloc(strlen(path) + 3);
		/* SQLite reads such a name as a URI. */
		if (!strncmp(path, "file:", 5))
			strcpy(s->path, "./");
		strcat(s->path, path);
	}
	if (!s->path)
		return gaspdb_fail_errno(err, "cannot create '%s'", path);
	locked = lock_old(s, &fd);
	status = may_make(s, locked, err);
	if (fd >= 0)
		close(fd);
	return status;
}

/* --- taking --------------------------------------------------------------- */

static enum gaspdb_status sync_path(const char *path, int flags,
				    struct gaspdb_error *err)
{
	int fd = open(path, flags | O_CLOEXEC);
	enum gaspdb_status status = GASPDB_OK;

	if (fd < 0 || fsync(fd))
		status = gaspdb_fail_errno(err, "cannot write '%s'", path);
	if (fd >= 0)
		close(fd);
	return status;
}

/* Errors are ignored: some file systems cannot sync a folder. */
static void sync_folder(const struct gaspdb_store *s)
{
	struct gaspdb_error ignored = { 0 };
	char *folder = strdup(s->path);

	sync_path(folder ? dirname(folder) : ".", O_RDONLY | O_DIRECTORY,
		  &ignored);
	free(folder);
}

/* Returns 0 or errno. */
static int remove_old(const struct gaspdb_store *s)
{
	int failed = unlink(s->path) && errno != ENOENT ? errno : 0;

	if (!failed)
		failed = remove_companions(s);
	if (!failed)
		sync_folder(s);
	return failed;
}

/* Without force a file created since the check is not replaced. */
static int move(const struct gaspdb_store *s)
{
	if (!s->force && !link(s->temporary, s->path)) {
		unlink(s->temporary);
		return 0;
	}
	if (!s->force && errno == EEXIST)
		return EEXIST;
	return rename(s->temporary, s->path) ? errno : 0;
}

static enum gaspdb_status replace(const struct gaspdb_store *s, int locked,
				  struct gaspdb_error *err)
{
	int failed = 0;

	if (may_make(s, locked, err))
		return GASPDB_FAILED;
	if (find_companion(s) >= 0)
		failed = remove_old(s);
	if (!failed)
		failed = move(s);
	if (failed == EEXIST)
		return exists(s->path, err);
	errno = failed;
	return failed ? gaspdb_fail_errno(err, "cannot create '%s'", s->path)
		      : GASPDB_OK;
}

enum gaspdb_status gaspdb_store_take_name(struct gaspdb_store *s,
					  struct gaspdb_error *err)
{
	enum gaspdb_status status;
	int fd, locked;

	if (sync_path(s->temporary, O_RDWR, err))
		return GASPDB_FAILED;
	locked = lock_old(s, &fd);
	status = replace(s, locked, err);
	if (fd >= 0)
		close(fd);
	if (status)
		return status;
	gaspdb_store_unlock(s);
	sync_folder(s);
	return GASPDB_OK;
}
