/* SPDX-License-Identifier: BSD-2-Clause */
/* Why files cannot be made or written: errno values, and what has none. */
#ifndef GASPDB_COLLECTOR_LOG_FAILURE_H
#define GASPDB_COLLECTOR_LOG_FAILURE_H

/* Beside errno values, which are positive; 0 is success. */
enum {
	GASPDB_LOG_LIMIT = -1,	  /* the log's size limit */
	GASPDB_LOG_REPLACED = -2, /* under its name there is another file */
	GASPDB_DIR_FOREIGN = -3,  /* the run directory is another user's */
	GASPDB_DIR_REPLACED = -4  /* it is another one than at the start */
};

/* In words.  Neither allocates nor translates: for signal handlers. */
const char *gaspdb_failure(int error);

#endif
