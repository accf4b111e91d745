/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A library whose constructor must run once a process: it makes a file of its
 * process's, and ends the process with 4 if that is there.  With START it also
 * starts MPI.
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((constructor)) static void construct(void)
{
	const char *prefix = getenv("CONSTRUCTED");
	char path[4096];
	int fd;

	if (!prefix)
		return;
	snprintf(path, sizeof path, "%s-%d", prefix, (int)getpid());
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	if (fd < 0)
		_exit(4);
	close(fd);
#ifdef START
	MPI_Init(NULL, NULL);
#endif
}

int library(void);
int library(void)
{
	return 0;
}
