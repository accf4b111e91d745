/* SPDX-License-Identifier: BSD-2-Clause */
/* The run directory: all processes of a run find the same one without the
   user's help, and never another run's. */
#ifndef GASPDB_COLLECTOR_PROCESS_RUN_DIR_H
#define GASPDB_COLLECTOR_PROCESS_RUN_DIR_H

#include <stdint.h>
#include <sys/types.h>

struct gaspdb_run_dir {
	char path[3072]; /* absolute */
	dev_t device;	 /* its identity, if the name is reused */
	ino_t inode;
	uint64_t run; /* the same for all processes of the run */
	uint64_t job; /* of the launcher, or of the initial process: one `gaspdb
			 record` can start several */
};

/* The process's rank as its launcher says; NULL: it does not, or it is that of
   another world, for a spawned process. */
const char *gaspdb_run_dir_launcher_rank(void);
/* The same in the own world. */
const char *gaspdb_run_dir_world_rank(void);

/* Notes facts of the initial process, so that a runtime that forks its threads
   has one run.  Called by the library's constructor. */
void gaspdb_run_dir_note_process(void);

/* Start of a process in clock ticks since the host's boot, which an exec does
   not change; 0: not known.  The process's lock is held. */
unsigned long long gaspdb_run_dir_start_time(pid_t pid);

/*
 * Finds the directory, or makes it: by GASPDB_DIR (and GASPDB_RUN_ID), as
 * `gaspdb record` sets them, else by the launcher's job, else by the initial
 * process.  Only the user has rights in a new one, whatever the umask.  A
 * symbolic link is refused, and so is another user's directory, be it root's or
 * for root: its owner can replace logs. 0, or a failure (failure.h) of path.
 */
int gaspdb_run_dir_find(struct gaspdb_run_dir *dir);

/*
 * A descriptor (O_PATH) of the directory that was found, for creating files;
 * the caller closes it. -1: *error is why; GASPDB_DIR_REPLACED: its name is
 * another directory's.
 */
int gaspdb_run_dir_open(const struct gaspdb_run_dir *dir, int *error);

#endif
