/* SPDX-License-Identifier: BSD-2-Clause */
/* The mark of a recorded first process: a file. */
#include "collector/process/clock_mark.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/core/collector.h"
#include "collector/process/process.h"

/* Opens the mark; -1: there is none, and none was made. */
static int open_mark(int world, int flags)
{
	char name[32] = GASPDB_CLOCK_MARK;
	int ignored, fd = -1,
		     folder = gaspdb_run_dir_open(&gaspdb_process.dir, &ignored);

	if (world > 0)
		snprintf(name, sizeof name, "%d" GASPDB_CLOCK_MARK_SUFFIX,
			 world);
	if (folder >= 0) {
		fd = openat(folder, name, flags | O_NOFOLLOW | O_CLOEXEC, 0600);
		close(folder);
	}
	return fd;
}

GASPDB_EXPORT void gaspdb_clock_mark_host(char host[GASPDB_HOST_BYTES])
{
	memset(host, 0, GASPDB_HOST_BYTES);
	if (gethostname(host, GASPDB_HOST_BYTES - 1) || !*host)
		strcpy(host, "?");
}

static void write_host(int fd)
{
	char host[GASPDB_HOST_BYTES];

	gaspdb_clock_mark_host(host);
	if (write(fd, host, strlen(host)) < 0)
		gaspdb_complain("%s: %s", GASPDB_CLOCK_MARK, strerror(errno));
}

GASPDB_EXPORT void gaspdb_clock_mark_make(int world)
{
	const char *rank = gaspdb_run_dir_world_rank();
	const int saved = errno;
	int fd = -1;

	if (rank && !strcmp(rank, "0"))
		fd = open_mark(world, O_WRONLY | O_CREAT);
	if (fd >= 0 && world > 0)
		write_host(fd);
	if (fd >= 0)
		close(fd);
	errno = saved;
}

GASPDB_EXPORT bool gaspdb_clock_mark_read(int world,
					  char host[GASPDB_HOST_BYTES])
{
	const int saved = errno, fd = open_mark(world, O_RDONLY);

	memset(host, 0, GASPDB_HOST_BYTES);
	if (fd >= 0) {
		if (read(fd, host, GASPDB_HOST_BYTES - 1) < 0)
			*host = 0;
		close(fd);
	}
	errno = saved;
	return fd >= 0;
}
