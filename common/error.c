/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Constructors of the error record. */
#include "common/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void fill(struct gaspdb_error *err, enum gaspdb_status status,
		 int sys_errno, const char *fmt, va_list ap)
{
	if (!err)
		return;
	err->status = status;
	err->sys_errno = sys_errno;
	err->offset = 0;
	const char *why = sys_errno ? strerror(sys_errno) : "";
	const size_t n = strlen(why) + 2; /* ": " */
	const size_t room = sizeof err->msg - (sys_errno ? n : 0);
	/* a long path is cut, not the reason */
	int got = vsnprintf(err->msg, room, fmt, ap);
	if (got >= (int)room)
		strcpy(err->msg + room - sizeof "...", "...");
	if (sys_errno && got >= 0)
		strcat(strcat(err->msg, ": "), why);
}

enum gaspdb_status gaspdb_fail(struct gaspdb_error *err,
			       enum gaspdb_status status, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fill(err, status, 0, fmt, ap);
	va_end(ap);
	return status;
}

enum gaspdb_status gaspdb_fail_errno(struct gaspdb_error *err, const char *fmt,
				     ...)
{
	int sys_errno = errno;
	va_list ap;

	va_start(ap, fmt);
	fill(err, GASPDB_FAILED, sys_errno, fmt, ap);
	va_end(ap);
	return GASPDB_FAILED;
}
