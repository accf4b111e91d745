/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Removal of run directories: an empty one, and one replaced by --force. Only
   files that gaspdb creates are deleted, by name. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/output/text.h"
#include "cli/record/record.h"
#include "collector/core/selection/selection_file.h"
#include "collector/core/size_limit.h"
#include "collector/log/log_format.h"
#include "collector/process/clock_mark.h"
#include "collector/process/worlds.h"
#include "importer/run/facts.h"
#include "importer/symbols/symbols.h"

static bool is_file_of_run(const char *name)
{
	static const char *const names[] = { GASPDB_RUN_FACTS,
					     GASPDB_LINES_FILE,
					     GASPDB_LIMIT_MARK,
					     GASPDB_CLOCK_MARK,
					     GASPDB_WORLDS,
					     GASPDB_SELECTION_FILE };
	static const char *const suffixes[] = { GASPDB_LOG_SUFFIX,
						GASPDB_FAILED_SUFFIX,
						GASPDB_CLOCK_MARK_SUFFIX };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(name, names[i]))
			return true;
	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
		if (gaspdb_record_has_suffix(name, suffixes[i]))
			return true;
	return false;
}

/* The next entry except . and ..; NULL: none. */
static const char *next_file(DIR *dir)
{
	const struct dirent *entry;

	while ((entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			return entry->d_name;
	return NULL;
}

/* Opens a directory, not through a link; NULL: errno is set. */
static DIR *open_directory(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (fd >= 0 && !dir)
		close(fd);
	return dir;
}

/* Removes a run. Returns 0 or errno; ENOTEMPTY: it has other files. */
static int remove_run(const char *path)
{
	DIR *dir = open_directory(path);
	const char *name;

	if (!dir)
		return errno;
	while ((name = next_file(dir)))
		if (is_file_of_run(name))
			unlinkat(dirfd(dir), name, 0);
	closedir(dir);
	return rmdir(path) ? errno : 0;
}

bool gaspdb_record_remove(const struct gaspdb_recording *r)
{
	DIR *dir = gaspdb_record_open_directory(r);
	const char *name = "";

	while (dir && (name = next_file(dir)) && is_file_of_run(name))
		;
	if (dir)
		closedir(dir);
	return !name && remove_run(r->directory) == 0;
}

/* --- --force
   ------------------------------------------------------------------ */

/* Why the directory is not a run of the user; NULL: it is. For free(). */
static char *find_obstacle(DIR *dir)
{
	bool has_any = false;
	const char *name;
	struct stat st;

	if (fstat(dirfd(dir), &st) || st.st_uid != geteuid())
		return gaspdb_text_format("it is another user's");
	while ((name = next_file(dir))) {
		has_any = true;
		if (!is_file_of_run(name) ||
		    fstatat(dirfd(dir), name, &st, AT_SYMLINK_NOFOLLOW) ||
		    !S_ISREG(st.st_mode))
			return gaspdb_text_format(
				"it has '%s', which is not gaspdb's", name);
	}
	return has_any ? NULL : gaspdb_text_format("it is empty");
}

/* Renames the run within its folder. Returns 0 or errno. */
static int move_aside(struct gaspdb_recording *r, const char *path)
{
	int n = (int)strlen(path);

	while (n > 1 && path[n - 1] == '/')
		n--;
	char *aside = gaspdb_text_format("%.*s.old-XXXXXX", n, path);
	if (!mkdtemp(aside)) {
		const int error = errno;
		free(aside);
		return error;
	}
	if (rename(path, aside)) { /* the empty directory is replaced */
		const int error = errno;
		rmdir(aside);
		free(aside);
		return error;
	}
	r->aside = aside;
	return 0;
}

bool gaspdb_record_set_aside(struct gaspdb_recording *r, const char *path)
{
	DIR *dir = open_directory(path);

	if (!dir && errno == ENOENT)
		return true;
	char *obstacle = dir ? find_obstacle(dir)
			     : gaspdb_text_format("%s", strerror(errno));
	if (dir)
		closedir(dir);
	if (obstacle) {
		gaspdb_print_error("'%s' is no run directory: %s; --force "
				   "replaces nothing else",
				   path, obstacle);
		free(obstacle);
		return false;
	}
	const int error = move_aside(r, path);
	if (error)
		gaspdb_print_error("cannot replace '%s': %s", path,
				   strerror(error));
	return error == 0;
}

void gaspdb_record_discard_aside(struct gaspdb_recording *r)
{
	const int error = r->aside ? remove_run(r->aside) : 0;

	if (error)
		gaspdb_print_error("cannot remove what was in its place, now "
				   "'%s': %s",
				   r->aside, strerror(error));
	free(r->aside);
	r->aside = NULL;
}

void gaspdb_record_restore_aside(struct gaspdb_recording *r, const char *path)
{
	if (!r->aside)
		return;
	if (rename(r->aside, path))
		gaspdb_print_error("the earlier run is in '%s'", r->aside);
	else
		gaspdb_print_error("'%s' is the earlier run, as it was", path);
	free(r->aside);
	r->aside = NULL;
}
