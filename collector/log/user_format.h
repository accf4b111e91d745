/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The parser of a user event's printf format: the type of each argument. The
 * collector reads arguments by it, and the command names them by it.
 */
#ifndef GASPDB_COLLECTOR_LOG_USER_FORMAT_H
#define GASPDB_COLLECTOR_LOG_USER_FORMAT_H

#include <stddef.h>

#define GASPDB_FORMAT_MAX 60 /* arguments of a format */

/* Precision of a string argument: bytes, or one of these. */
enum {
	GASPDB_PRECISION_NONE = -1,
	GASPDB_PRECISION_AT = -2 /* less n: the int argument n, from 0 */
};

/*
 * A parsed format. codes: the type of each argument, up to a 0: i int, y signed
 * char, h short, l 64-bit signed, u unsigned int, Y unsigned char, H unsigned
 * short, v 64-bit unsigned, d double, D long double, s string, S wide string, p
 * pointer, n pointer that is not recorded.
 */
struct gaspdb_format {
	char codes[GASPDB_FORMAT_MAX + 1];
	int precision[GASPDB_FORMAT_MAX]; /* of s and S */
};

/* A word in a format, borrowed; bytes 0: none. */
struct gaspdb_format_word {
	const char *text;
	size_t bytes;
};

/*
 * Parses a format, which the program supplies (NULL: no arguments). An unknown
 * conversion, positional arguments (%2$d) beside others, and an argument with
 * two types end the arguments; positions that no conversion names end them,
 * too. words, if not NULL, has GASPDB_FORMAT_MAX elements: the last word of the
 * text before the argument's first conversion, since the conversion before.
 */
void gaspdb_format_parse(const char *text, struct gaspdb_format *format,
			 struct gaspdb_format_word *words);

#endif
