/* SPDX-License-Identifier: BSD-2-Clause */
/* The mark of a recorded first process: an empty file. */
#include "collector/process/clock_mark.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/core/collector.h"
#include "collector/process/process.h"

/* Opens the mark; false: there is none, and none was made. */
static bool open_mark(int flags)
{
	const int saved = errno;
	int ignored, fd = -1,
		     folder = gaspdb_run_dir_open(&gaspdb_process.dir, &ignored);

	if (folder >= 0) {
		fd = openat(folder, GASPDB_CLOCK_MARK,
			    flags | O_NOFOLLOW | O_CLOEXEC, 0600);
		close(folder);
	}
	if (fd >= 0)
		close(fd);
	errno = saved;
	return fd >= 0;
}

GASPDB_EXPORT void gaspdb_clock_mark_make(void)
{
	const char *rank = gaspdb_run_dir_launcher_rank();

	if (rank && !strcmp(rank, "0"))
		open_mark(O_WRONLY | O_CREAT);
}

GASPDB_EXPORT bool gaspdb_clock_mark_found(void)
{
	return open_mark(O_RDONLY);
}
