/* SPDX-License-Identifier: BSD-2-Clause */
/* Failures of files: errno values, and codes for causes without one. */
#ifndef GASPDB_COLLECTOR_LOG_FAILURE_H
#define GASPDB_COLLECTOR_LOG_FAILURE_H

/* Codes beside errno values, which are positive; 0 is success. */
enum {
	GASPDB_LOG_LIMIT = -1,	  /* the log's size limit */
	GASPDB_LOG_REPLACED = -2, /* its name is another file's */
	GASPDB_DIR_FOREIGN = -3,  /* the run directory is another user's */
	GASPDB_DIR_REPLACED = -4  /* not the directory found at the start */
};

/* Text of a failure. Neither allocates nor translates: for signal handlers. */
const char *gaspdb_failure(int error);

#endif
