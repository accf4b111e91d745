/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Safe text for output. */
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

/* Width of the first character of a non-empty text; *size: its bytes. */
size_t gaspdb_text_character(const char *safe, size_t *size);

/* Bytes of the longest prefix of at most width columns. */
size_t gaspdb_text_beginning(const char *safe, size_t width);

/*
 * A copy cut to at most width columns, with "..." for the part left out.
 * Cutting the middle keeps names with equal beginnings or ends distinguishable.
 * The caller frees it.
 */
enum gaspdb_text_end {
	GASPDB_TEXT_BEGINNING, /* keep the beginning */
	GASPDB_TEXT_END,
	GASPDB_TEXT_BOTH, /* both; more of the end, where a place has its line
			   */
};
char *gaspdb_text_cut(const char *safe, size_t width,
		      enum gaspdb_text_end keep);

/* Print the safe text in a field of width columns. */
void gaspdb_text_pad(FILE *out, const char *safe, size_t width, bool right);

/* Exits the command: memory has run out. */
_Noreturn void gaspdb_memory_none(void);
/* Allocation that exits the command when memory runs out. */
void *gaspdb_memory_new(size_t n, size_t size); /* zeroed */
void *gaspdb_memory_grow(void *p, size_t n, size_t size);
char *gaspdb_text_copy(const char *s, size_t n);
char *gaspdb_text_format(const char *fmt, ...)
	__attribute__((format(printf, 1, 2)));

/* Prints one line on stderr, "gaspdb: ...", made safe. */
void gaspdb_print_error(const char *fmt, ...)
	__attribute__((format(printf, 1, 2)));

#endif
