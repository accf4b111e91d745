/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preparation of a recording: the run directory and the preload library. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/record/record.h"
#include "cli/output/text.h"

/* gaspdb-PROGRAM-YYYYMMDDTHHMMSS, in local time */
static char *own_name(char **command)
{
	struct gaspdb_programs programs;
	const char *word = command[0];
	char stamp[32];
	time_t now = time(NULL);
	struct tm tm;

	gaspdb_programs_find(&programs, command);
	if (programs.n > 0)
		word = programs.names[0];
	localtime_r(&now, &tm);
	strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%S", &tm);
	const char *slash = strrchr(word, '/');
	char *name = gaspdb_text_format("gaspdb-%.64s-%s",
					slash ? slash + 1 : word, stamp);
	gaspdb_programs_free(&programs);
	for (char *p = name; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr("._+-", *p))
			*p = '_';
	return name;
}

/*
 * Opens the new directory, and keeps it open. Others who may write to its
 * parent could have replaced it, so that owner and name are checked. Gives its
 * owner all rights.
 */
static int open_made(struct gaspdb_recording *r, const char *name)
{
	struct stat st;
	char self[64];

	r->folder = open(name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (r->folder < 0 || fstat(r->folder, &st))
		return errno;
	if (st.st_uid != geteuid())
		return EPERM;
	snprintf(self, sizeof self, "/proc/self/fd/%d", r->folder);
	if ((st.st_mode & 0700) != 0700)
		chmod(self, (st.st_mode & 07777) | 0700);
	r->directory = realpath(name, NULL);
	if (!r->directory)
		return errno;
	return gaspdb_record_has_directory(r) ? 0 : EPERM;
}

bool gaspdb_record_has_directory(const struct gaspdb_recording *r)
{
	struct stat st, named;

	return fstat(r->folder, &st) == 0 && lstat(r->directory, &named) == 0 &&
	       st.st_dev == named.st_dev && st.st_ino == named.st_ino;
}

int gaspdb_record_make_file(const struct gaspdb_recording *r, const char *name)
{
	int fd = openat(r->folder, name,
			O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			0600);

	if (fd >= 0)
		fchmod(fd, 0600); /* whatever the umask */
	return fd;
}

DIR *gaspdb_record_open_directory(const struct gaspdb_recording *r)
{
	int fd = openat(r->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (fd >= 0 && !dir)
		close(fd);
	return dir;
}

/* Creates the folder with a generated name, numbered if the name is taken. */
static int make_own(char **command, char **made)
{
	char *base = own_name(command);
	char *name = gaspdb_text_copy(base, strlen(base));
	int error = 0;

	for (int i = 2; mkdir(name, 0700); i++) {
		error = errno;
		if (error != EEXIST || i > 1000)
			break;
		error = 0;
		free(name);
		name = gaspdb_text_format("%s-%d", base, i);
	}
	free(base);
	*made = name;
	return error;
}

int gaspdb_record_make_directory(struct gaspdb_recording *r, const char *path)
{
	char *name;
	int error = 0;

	if (!path) {
		error = make_own(r->command, &name);
	} else {
		name = gaspdb_text_copy(path, strlen(path));
		struct stat st;
		/* an existing name is refused, even if not writable */
		if (lstat(name, &st) == 0)
			error = EEXIST;
		else if (mkdir(name, 0700))
			error = errno;
	}
	if (error == 0 && (error = open_made(r, name)) != 0) {
		free(r->directory);
		r->directory = NULL;
	}
	if (error && (error != EEXIST || !path))
		gaspdb_print_error("nothing is recorded: cannot make '%s': %s",
				   name, strerror(error));
	r->name = name;
	return error;
}

static bool has_library(const char *folder)
{
	char *path = gaspdb_text_format("%s/" GASPDB_PRELOAD_LIBRARY, folder);
	bool has = access(path, R_OK) == 0;

	free(path);
	return has;
}

/* Links to the library's folder if its path has a space or a colon, which
   LD_PRELOAD cannot contain. */
static void avoid_separators(struct gaspdb_recording *r)
{
	char folder[] = "/tmp/gaspdb-XXXXXX";

	if (!strpbrk(r->library_folder, " :") || !mkdtemp(folder))
		return;
	char *link = gaspdb_text_format("%s/lib", folder);
	if (symlink(r->library_folder, link)) {
		rmdir(folder);
		free(link);
		return;
	}
	r->link_folder = gaspdb_text_copy(folder, strlen(folder));
	free(r->library_folder);
	r->library_folder = link;
}

bool gaspdb_record_find_library(struct gaspdb_recording *r)
{
	/* as built; as installed */
	static const char *const places[] = { "", "/../lib/gaspdb" };
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

	self[n > 0 ? n : 0] = '\0';
	char *slash = strrchr(self, '/');
	if (slash)
		*slash = '\0';
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		char *folder = gaspdb_text_format("%s%s", self, places[i]);
		if (has_library(folder))
			r->library_folder = realpath(folder, NULL);
		free(folder);
		if (r->library_folder) {
			avoid_separators(r);
			return true;
		}
	}
	gaspdb_print_error("nothing is recorded: '" GASPDB_PRELOAD_LIBRARY
			   "' is neither in '%s' nor in '%s%s'",
			   self, self, places[1]);
	return false;
}
