/* SPDX-License-Identifier: BSD-2-Clause */
/* printf and its kin, and puts.  Those with arguments call the next definition
   of those with a list. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "collector/models/posix/adapter.h"

/* clang-format off */

/* With a list: fd is that of the file. */
#define LISTED(public, name, fd, PARAMETERS, ...)                              \
WRAPPER(int, name, PARAMETERS)                                                 \
{                                                                              \
	CALL(WRITE, public);                                                   \
	int rc;                                                                \
	                                                                       \
	if (!gaspdb_posix_enter(&call, fd))                                    \
		return NEXT(name)(__VA_ARGS__);                                \
	gaspdb_posix_start(&call, 0, NULL);                                    \
	rc = NEXT(name)(__VA_ARGS__);                                          \
	gaspdb_posix_finish_bytes(&call, rc);                                  \
	return rc;                                                             \
}

/* With arguments. */
#define PRINT(public, name, as, fd, PARAMETERS, ...)                           \
WRAPPER(int, name, PARAMETERS)                                                 \
{                                                                              \
	CALL(WRITE, public);                                                   \
	const bool is_recorded = gaspdb_posix_enter(&call, fd);                \
	va_list ap;                                                            \
	int rc;                                                                \
	                                                                       \
	if (is_recorded)                                                       \
		gaspdb_posix_start(&call, 0, NULL);                            \
	va_start(ap, format);                                                  \
	rc = NEXT(as)(__VA_ARGS__, ap);                                        \
	va_end(ap);                                                            \
	if (is_recorded)                                                       \
		gaspdb_posix_finish_bytes(&call, rc);                          \
	return rc;                                                             \
}

LISTED("vfprintf", vfprintf, fileno(f),
       (FILE *f, const char *format, va_list ap), f, format, ap)
LISTED("vfprintf", __vfprintf_chk, fileno(f),
       (FILE *f, int flag, const char *format, va_list ap), f, flag, format, ap)
LISTED("vprintf", vprintf, fileno(stdout),
       (const char *format, va_list ap), format, ap)
LISTED("vprintf", __vprintf_chk, fileno(stdout),
       (int flag, const char *format, va_list ap), flag, format, ap)
LISTED("vdprintf", vdprintf, fd,
       (int fd, const char *format, va_list ap), fd, format, ap)
LISTED("vdprintf", __vdprintf_chk, fd,
       (int fd, int flag, const char *format, va_list ap), fd, flag, format, ap)

PRINT("fprintf", fprintf, vfprintf, fileno(f),
      (FILE *f, const char *format, ...), f, format)
PRINT("fprintf", __fprintf_chk, __vfprintf_chk, fileno(f),
      (FILE *f, int flag, const char *format, ...), f, flag, format)
PRINT("printf", printf, vprintf, fileno(stdout),
      (const char *format, ...), format)
PRINT("printf", __printf_chk, __vprintf_chk, fileno(stdout),
      (int flag, const char *format, ...), flag, format)
PRINT("dprintf", dprintf, vdprintf, fd,
      (int fd, const char *format, ...), fd, format)
PRINT("dprintf", __dprintf_chk, __vdprintf_chk, fd,
      (int fd, int flag, const char *format, ...), fd, flag, format)

/* It writes the end of the line, too. */
WRAPPER(int, puts, (const char *text))
{
	CALL(WRITE, "puts");
	int rc;

	if (!gaspdb_posix_enter(&call, fileno(stdout)))
		return NEXT(puts)(text);
	gaspdb_posix_start(&call, 0, NULL);
	rc = NEXT(puts)(text);
	gaspdb_posix_finish_bytes(&call,
				  rc < 0 ? -1 : (int64_t)strlen(text) + 1);
	return rc;
}
/* clang-format on */
