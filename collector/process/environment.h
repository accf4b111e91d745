/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The environment, and whether it may be believed.  A program that has more
 * rights than the user who started it (set-user-id, set-group-id, file
 * capabilities: the kernel sets AT_SECURE) is not recorded at all, for the
 * user would choose by environment variables where its logs are made.
 * secure_getenv() gives nothing in such a program either; it is the second line
 * of defence, for a caller that has not asked.  A program that such a program
 * starts with all its rights is an ordinary one, and the variables are what the
 * parent has left in its environment: then the directory's owner decides
 * (run_dir.h).
 */
#ifndef GASPDB_COLLECTOR_PROCESS_ENVIRONMENT_H
#define GASPDB_COLLECTOR_PROCESS_ENVIRONMENT_H

#include <stdbool.h>
#include <stdlib.h>
#include <sys/auxv.h>

/* Does the program have more rights than its user?  Then nothing is recorded,
   nothing told, and no file is looked at. */
static inline bool gaspdb_is_privileged(void)
{
	return getauxval(AT_SECURE) != 0;
}

/* NULL: not set, or not to be believed. */
static inline const char *gaspdb_getenv(const char *name)
{
	return secure_getenv(name);
}

#endif
