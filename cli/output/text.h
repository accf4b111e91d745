/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text from files, made fit to be shown. */
#ifndef GASPDB_CLI_OUTPUT_TEXT_H
#define GASPDB_CLI_OUTPUT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Decode one UTF-8 character of the n bytes at s (n > 0).  *size is set to the
 * bytes it takes: 1 where they are no UTF-8.  Returns the character, or -1.
 */
int32_t gaspdb_text_decode(const char *s, size_t n, size_t *size);

/*
 * A copy of the n bytes at s that any terminal shows as text: control
 * characters, whatever changes the direction of writing, and bytes that are
 * no UTF-8 appear as \n, \x1b, \u{202e}.  The caller frees it.
 */
char *gaspdb_text_safe(const char *s, size_t n);

/* Columns that a safe text takes on a terminal. */
size_t gaspdb_text_width(const char *safe);

/* Columns of its first character, and its bytes; it is not empty. */
size_t gaspdb_text_character(const char *safe, size_t *size);

/* Bytes of its longest beginning that takes at most width columns. */
size_t gaspdb_text_beginning(const char *safe, size_t width);

/*
 * A copy of the safe text that takes at most width columns, "..." standing
 * for what was left out.  The middle: names that share their beginnings, or
 * their ends, can be told apart all the same.  The caller frees it.
 */
enum gaspdb_text_end {
	GASPDB_TEXT_BEGINNING, /* keep that */
	GASPDB_TEXT_END,
	GASPDB_TEXT_BOTH, /* of places more of the end, where the line is */
};
char *gaspdb_text_cut(const char *safe, size_t width,
		      enum gaspdb_text_end keep);

/* Print the safe text in a field of width columns. */
void gaspdb_text_pad(FILE *out, const char *safe, size_t width, bool right);

/* malloc and friends that end the command when there is no memory. */
void *gaspdb_memory_new(size_t n, size_t size); /* zeroed */
void *gaspdb_memory_grow(void *p, size_t n, size_t size);
char *gaspdb_text_copy(const char *s, size_t n);
char *gaspdb_text_format(const char *fmt, ...)
	__attribute__((format(printf, 1, 2)));

/*
 * One line on stderr, "gaspdb: ...", in which whatever is no plain text is
 * escaped.
 */
void gaspdb_print_error(const char *fmt, ...)
	__attribute__((format(printf, 1, 2)));

#endif
