/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The run directory: how all processes of one run find the same one with no
 * help from the user, and never that of another run.
 */
#ifndef GASPDB_COLLECTOR_PROCESS_RUN_DIR_H
#define GASPDB_COLLECTOR_PROCESS_RUN_DIR_H

#include <stdint.h>
#include <sys/types.h>

struct gaspdb_run_dir {
	char path[3072]; /* absolute */
	dev_t device;	 /* what it is by, whatever becomes of the name */
	ino_t inode;
	uint64_t run; /* the same for all processes of the run */
	uint64_t job; /* of the launcher, or the initial process: one
			 `gaspdb record` can start several */
};

/*
 * Note what only the initial process knows: a runtime that forks its threads
 * from it then has one run.  From the library's constructor.
 */
void gaspdb_run_dir_note_process(void);

/* When the process began, in clock ticks since the host's boot; an exec does
   not change that.  0: not to be had.  The process's lock is held. */
unsigned long long gaspdb_run_dir_start_time(void);

/*
 * Find the directory, and make it if need be.  In this order: GASPDB_DIR (and
 * GASPDB_RUN_ID), as `gaspdb record` sets them; the launcher's job; the
 * initial process.  Only the user has rights in one that is made, whatever the
 * umask; one of another user is refused, be it root's, or root the caller: its
 * owner can put other files in the place of logs.  So is a symbolic link.
 * 0, or a failure (failure.h) with path telling what failed.
 */
int gaspdb_run_dir_find(struct gaspdb_run_dir *dir);

/*
 * A descriptor for making files in the directory that was found (O_PATH), the
 * caller's to close.  -1: *error is why, and GASPDB_DIR_REPLACED if its name
 * stands for another one now.
 */
int gaspdb_run_dir_open(const struct gaspdb_run_dir *dir, int *error);

#endif
