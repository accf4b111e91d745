/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Safe text: nothing in a log or a database may reach a terminal as a control
   sequence. */
#include "cli/output/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

void gaspdb_memory_none(void)
{
	fputs("gaspdb: out of memory\n", stderr);
	exit(1);
}

void *gaspdb_memory_new(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);

	if (!p)
		gaspdb_memory_none();
	return p;
}

void *gaspdb_memory_grow(void *p, size_t n, size_t size)
{
	void *q = reallocarray(p, n ? n : 1, size);

	if (!q)
		gaspdb_memory_none();
	return q;
}

char *gaspdb_text_copy(const char *s, size_t n)
{
	char *copy = gaspdb_memory_new(n + 1, 1);

	if (n)
		memcpy(copy, s, n);
	return copy;
}

static char *format_list(const char *fmt, va_list ap)
{
	char *s;

	if (vasprintf(&s, fmt, ap) < 0)
		gaspdb_memory_none();
	return s;
}

char *gaspdb_text_format(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	char *s = format_list(fmt, ap);
	va_end(ap);
	return s;
}

void gaspdb_print_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	char *raw = format_list(fmt, ap);
	va_end(ap);
	char *safe = gaspdb_text_safe(raw, strlen(raw));
	/* keep the order with stdout on a terminal */
	fflush(stdout);
	fprintf(stderr, "gaspdb: %s\n", safe);
	free(safe);
	free(raw);
}

/* Length of the UTF-8 sequence that begins with this byte; 0: invalid. */
static size_t sequence_size(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first >= 0xc2 && first <= 0xdf)
		return 2;
	if (first >= 0xe0 && first <= 0xef)
		return 3;
	if (first >= 0xf0 && first <= 0xf4)
		return 4;
	return 0;
}

int32_t gaspdb_text_decode(const char *s, size_t n, size_t *size)
{
	static const int32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *u = (const unsigned char *)s;
	size_t length = sequence_size(u[0]);

	*size = 1;
	if (length == 1)
		return u[0];
	if (length == 0 || length > n)
		return -1;
	int32_t c = u[0] & (0x7f >> length);
	for (size_t i = 1; i < length; i++) {
		if ((u[i] & 0xc0) != 0x80)
			return -1;
		c = c << 6 | (u[i] & 0x3f);
	}
	if (c < least[length] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return -1;
	*size = length;
	return c;
}

/* Is it a character that changes the writing direction, or an invisible
   separator? */
static bool is_disguise(int32_t c)
{
	return c == 0x061c || (c >= 0x200b && c <= 0x200f) ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) ||
	       c == 0xfeff;
}

/* Writes character c (-1: the byte) escaped to out; returns at most 12, the
   number of bytes. */
static size_t make_safe(char *out, int32_t c, const char *s, size_t size)
{
	if (c == '\n' || c == '\t' || c == '\r')
		return (size_t)sprintf(out, "\\%c",
				       c == '\n'   ? 'n'
				       : c == '\t' ? 't'
						   : 'r');
	if (c < 0x20 || c == 0x7f)
		return (size_t)sprintf(out, "\\x%02x", (unsigned char)*s);
	if ((c >= 0x80 && c < 0xa0) || is_disguise(c))
		return (size_t)sprintf(out, "\\u{%x}", (unsigned)c);
	memcpy(out, s, size);
	return size;
}

char *gaspdb_text_safe(const char *s, size_t n)
{
	enum { LONGEST = 12 };
	size_t used = 0, room = n + LONGEST + 1;
	char *out = gaspdb_memory_new(room, 1);

	while (n > 0) {
		size_t size;
		int32_t c = gaspdb_text_decode(s, n, &size);
		if (room - used <= LONGEST) {
			room = room * 2 + LONGEST;
			out = gaspdb_memory_grow(out, room, 1);
		}
		used += make_safe(out + used, c, s, size);
		s += size;
		n -= size;
	}
	out[used] = '\0';
	return out;
}

/* Width of a character; 1 if the locale does not know it. */
static size_t character_width(int32_t c)
{
	int width = c < 0x80 ? 1 : wcwidth((wchar_t)c);

	return width < 0 ? 1 : (size_t)width;
}

size_t gaspdb_text_character(const char *safe, size_t *size)
{
	return character_width(
		gaspdb_text_decode(safe, strnlen(safe, 4), size));
}

size_t gaspdb_text_width(const char *safe)
{
	size_t width = 0, size;

	for (size_t n = strlen(safe); n > 0; n -= size, safe += size)
		width += character_width(gaspdb_text_decode(safe, n, &size));
	return width;
}

size_t gaspdb_text_beginning(const char *safe, size_t width)
{
	size_t n = strlen(safe), at = 0, size;

	while (at < n) {
		size_t w = character_width(
			gaspdb_text_decode(safe + at, n - at, &size));
		if (w > width)
			break;
		width -= w;
		at += size;
	}
	return at;
}

/* Longest suffix of at most width columns. */
static const char *end_of(const char *safe, size_t width)
{
	size_t all = gaspdb_text_width(safe), size;

	for (size_t n = strlen(safe); all > width; n -= size) {
		all -= character_width(gaspdb_text_decode(safe, n, &size));
		safe += size;
	}
	return safe;
}

char *gaspdb_text_cut(const char *safe, size_t width, enum gaspdb_text_end keep)
{
	size_t front;

	if (gaspdb_text_width(safe) <= width)
		return gaspdb_text_copy(safe, strlen(safe));
	if (width <= 3)
		return gaspdb_text_copy("...", width);
	width -= 3;
	front = keep == GASPDB_TEXT_BEGINNING ? width
		: keep == GASPDB_TEXT_BOTH    ? width / 3
					      : 0;
	return gaspdb_text_format("%.*s...%s", (int)gaspdb_text_beginning(safe, front), safe,
				  end_of(safe, width - front));
}

void gaspdb_text_pad(FILE *out, const char *safe, size_t width, bool right)
{
	size_t own = gaspdb_text_width(safe);
	int fill = own < width ? (int)(width - own) : 0;

	if (right)
		fprintf(out, "%*s%s", fill, "", safe);
	else
		fprintf(out, "%s%*s", safe, fill, "");
}
