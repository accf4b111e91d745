/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One error record for all of the command's code.  Libraries fill it and
 * return its status; only cli/ prints.
 */
#ifndef GASPDB_COMMON_ERROR_H
#define GASPDB_COMMON_ERROR_H

#include <stdint.h>

enum gaspdb_status {
	GASPDB_OK,
	GASPDB_EOF,	/* no more */
	GASPDB_DAMAGED, /* something was skipped; going on is possible */
	GASPDB_FAILED,	/* this operation failed */
	GASPDB_FATAL	/* only closing is possible */
};

struct gaspdb_error {
	enum gaspdb_status status;
	int sys_errno;	 /* 0 where no system call failed */
	uint64_t offset; /* byte offset in the file, where msg is of one */
	char msg[512];	 /* lower case, no full stop, no newline */
};

/* Fill err (NULL allowed) and return status. */
enum gaspdb_status gaspdb_fail(struct gaspdb_error *err,
			       enum gaspdb_status status, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* As gaspdb_fail with GASPDB_FAILED; appends ": " and strerror(errno). */
enum gaspdb_status gaspdb_fail_errno(struct gaspdb_error *err, const char *fmt,
				     ...) __attribute__((format(printf, 2, 3)));

#endif
