/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stale temporary files of killed imports. A process locks its temporary file
 * as long as the file has that name, and the kernel releases the lock at its
 * end. Locks of other computers may be invisible here, and so are those from
 * before a reboot. So the name contains the boot id of the system, and only
 * files of this boot are judged.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/memory.h"
#include "sql/store/parts.h"

enum { DIGITS = 8, SUFFIX_BYTES = 32 };

static const char mark[] = ".tmp-";

/* The boot id, which containers share. false: unknown. */
static bool get_system(char id[DIGITS + 1])
{
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, id, DIGITS);

	if (fd >= 0)
		close(fd);
	id[DIGITS] = 0;
	return n == DIGITS && strspn(id, "0123456789abcdef") == DIGITS;
}

/* --- a new one ------------------------------------------------------------ */

/* A new name at each call. by_lock: with the boot id; otherwise with a random
   number, so that no process judges the file. */
static bool make_name(struct gaspdb_store *s, bool by_lock)
{
	const size_t n = strlen(s->path) + SUFFIX_BYTES;
	char system[DIGITS + 1];
	uint32_t random[2];

	/* A process id is not unique: another computer or container may have
	   the same. */
	if (getrandom(random, sizeof random, 0) != sizeof random)
		return false;
	if (!by_lock || !get_system(system))
		snprintf(system, sizeof system, "%08x", random[1]);
	free(s->temporary);
	s->temporary = gaspdb_mem_alloc(n);
	snprintf(s->temporary, n, "%s%s%s-%08x", s->path, mark, system,
		 random[0]);
	return true;
}

/* Lock the new file. false: another process has locked or removed it as stale,
   or the file system has no locks (*by_lock becomes false). */
static bool lock_new(struct gaspdb_store *s, bool *by_lock)
{
	struct stat st;

	if (!flock(s->lock_fd, LOCK_EX | LOCK_NB))
		return fstat(s->lock_fd, &st) || st.st_nlink > 0;
	if (errno != EWOULDBLOCK) {
		*by_lock = false;
		unlink(s->temporary);
	}
	return false;
}

enum gaspdb_status gaspdb_store_create(struct gaspdb_store *s,
				       struct gaspdb_error *err)
{
	bool by_lock = true;

	while (!s->named) {
		if (make_name(s, by_lock))
			s->lock_fd = open(s->temporary,
					  O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
					  0666);
		if (s->lock_fd < 0 && errno != EEXIST)
			return gaspdb_fail_errno(err, "cannot create '%s'",
						 s->path);
		s->named =
			s->lock_fd >= 0 && (!by_lock || lock_new(s, &by_lock));
		if (!s->named)
			gaspdb_store_unlock(s);
	}
	return GASPDB_OK;
}

void gaspdb_store_unlock(struct gaspdb_store *s)
{
	if (s->lock_fd >= 0)
		close(s->lock_fd);
	s->lock_fd = -1;
	s->named = false;
}

void gaspdb_store_remove(struct gaspdb_store *s)
{
	if (s->named)
		unlink(s->temporary);
	gaspdb_store_unlock(s);
}

/* --- those of the dead ---------------------------------------------------- */

/* Is `name` a temporary file for base, made since this boot? */
static bool is_ours(const char *name, const char *base, const char *system)
{
	char begin[DIGITS + sizeof mark + 1];
	const size_t n = strlen(base);

	if (strncmp(name, base, n) != 0)
		return false;
	snprintf(begin, sizeof begin, "%s%s-", mark, system);
	if (strncmp(name + n, begin, sizeof begin - 1) != 0)
		return false;
	name += n + sizeof begin - 1;
	return strspn(name, "0123456789abcdef") == DIGITS && !name[DIGITS];
}

/* Remove the file unless it is locked. Symbolic links are not followed. */
static void remove_if_dead(int folder, const char *name)
{
	int fd = openat(folder, name,
			O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) &&
	    !flock(fd, LOCK_EX | LOCK_NB))
		unlinkat(folder, name, 0);
	close(fd);
}

void gaspdb_store_remove_stale(const struct gaspdb_store *s)
{
	char *path = strdup(s->path), *copy = strdup(s->path);
	char system[DIGITS + 1];
	DIR *folder = NULL;
	struct dirent *entry;

	if (path && copy && get_system(system))
		folder = opendir(dirname(path));
	while (folder && (entry = readdir(folder)))
		if (is_ours(entry->d_name, basename(copy), system))
			remove_if_dead(dirfd(folder), entry->d_name);
	if (folder)
		closedir(folder);
	free(path);
	free(copy);
}
