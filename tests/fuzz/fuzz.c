/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[100];

static void remove_folder(void)
{
	char command[200];

	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	if (system(command))
		return;
}

static const char *top(void)
{
	if (*folder)
		return folder;
	strcpy(folder, access("/dev/shm", W_OK)
			       ? "/tmp/gaspdb-fuzz-XXXXXX"
			       : "/dev/shm/gaspdb-fuzz-XXXXXX");
	if (!mkdtemp(folder))
		abort();
	atexit(remove_folder);
	return folder;
}

char *fuzz_path(const char *name)
{
	static struct {
		char name[40], path[200];
	} known[8];
	size_t i = 0;

	while (*known[i].name && strcmp(known[i].name, name))
		i++;
	snprintf(known[i].name, sizeof known[i].name, "%s", name);
	snprintf(known[i].path, sizeof known[i].path, "%s/%s", top(), name);
	return known[i].path;
}

char *fuzz_folder(const char *name)
{
	char *path = fuzz_path(name);

	mkdir(path, 0700);
	return path;
}

void fuzz_write(const char *path, const void *bytes, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || write(fd, bytes, n) != (ssize_t)n)
		abort();
	close(fd);
}

void fuzz_quiet(bool quiet)
{
	static int old = -1;

	if (quiet) {
		int null = open("/dev/null", O_WRONLY);

		old = dup(2);
		dup2(null, 2);
		close(null);
	} else {
		dup2(old, 2);
		close(old);
	}
}
