/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Error record of the command's code. Libraries fill it and return its status;
   only cli/ prints. */
#ifndef GASPDB_COMMON_ERROR_H
#define GASPDB_COMMON_ERROR_H

#include <stdint.h>

enum gaspdb_status {
	GASPDB_OK,
	GASPDB_EOF,	/* no more */
	GASPDB_DAMAGED, /* data were skipped; the caller may go on */
	GASPDB_FAILED,	/* this operation failed */
	GASPDB_FATAL	/* only closing is possible */
};

struct gaspdb_error {
	enum gaspdb_status status;
	int sys_errno;	 /* 0: not a system call */
	uint64_t offset; /* byte offset, if msg is about a file */
	char msg[512];	 /* lower case, no full stop, no newline */
};

/* Fills err (may be NULL) and returns status. */
enum gaspdb_status gaspdb_fail(struct gaspdb_error *err,
			       enum gaspdb_status status, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The same with GASPDB_FAILED; appends ": " and strerror(errno). */
enum gaspdb_status gaspdb_fail_errno(struct gaspdb_error *err, const char *fmt,
				     ...) __attribute__((format(printf, 2, 3)));

#endif
