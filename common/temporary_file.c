/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Temporary files by O_TMPFILE; where the file system does not support it, by a
   name that is removed at once. */
#include "common/temporary_file.h"

#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int gaspdb_temporary_file_open(const char *path)
{
	static const char suffix[] = "-XXXXXX";
	char *name = malloc(strlen(path) + sizeof suffix);
	int fd;

	if (!name)
		return -1;
	strcpy(name, path);
	fd = open(dirname(name), O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
	if (fd < 0) {
		strcpy(name, path);
		strcat(name, suffix);
		fd = mkostemp(name, O_CLOEXEC);
		if (fd >= 0)
			unlink(name);
	}
	free(name);
	return fd;
}
