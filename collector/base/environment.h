/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The environment, and whether it is trusted.  A program with more rights than
 * the user who started it (set-user-id, set-group-id, file capabilities: the
 * kernel sets AT_SECURE) is not recorded at all, because the user would choose
 * by variables where its logs are made. secure_getenv() returns NULL there too,
 * as a second line of defence.  A program started by such a program with its
 * full rights is an ordinary one, and its variables are those that the parent
 * left: then the directory's owner decides (run_dir.h).
 */
#ifndef GASPDB_COLLECTOR_BASE_ENVIRONMENT_H
#define GASPDB_COLLECTOR_BASE_ENVIRONMENT_H

#include <stdbool.h>
#include <stdlib.h>
#include <sys/auxv.h>

/* Whether the program has more rights than its user: then nothing is recorded
   or reported, and no file is opened. */
static inline bool gaspdb_is_privileged(void)
{
	return getauxval(AT_SECURE) != 0;
}

/* A variable's value; NULL: not set, or not trusted. */
static inline const char *gaspdb_getenv(const char *name)
{
	return secure_getenv(name);
}

/* Whether a variable asks for what it is of: it is set, and not 0. */
static inline bool gaspdb_env_asks(const char *name)
{
	const char *value = gaspdb_getenv(name);

	return value && *value && *value != '0';
}

#endif
