/* SPDX-License-Identifier: BSD-2-Clause */
/* The parser of printf formats: ISO C23, POSIX (%2$d, %C, %S) and glibc (%m,
   %q, %Z). */
#include "collector/log/user_format.h"

#include <stdbool.h>
#include <string.h>

enum { PRECISION_LIMIT = 1 << 20 }; /* larger ones are equal to it */

struct parser {
	const char *p;
	struct gaspdb_format *format;
	struct gaspdb_format_word *words;
	unsigned next; /* argument of a conversion without position */
	bool positions, sequence;	/* which of both the format has */
	struct gaspdb_format_word word; /* before the conversion */
};

/* --- words ---------------------------------------------------------------- */

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_' || (unsigned char)c >= 0x80;
}

/* The last word between two places; - and . may be inside. */
static struct gaspdb_format_word last_word(const char *from, const char *to)
{
	const char *start;

	while (to > from && !is_word(to[-1]))
		to--;
	start = to;
	while (start > from && (is_word(start[-1]) || strchr("-.", start[-1])))
		start--;
	while (start < to && !is_word(*start))
		start++;
	return (struct gaspdb_format_word){ start, (size_t)(to - start) };
}

/* --- numbers -------------------------------------------------------------- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int number(const char **p)
{
	int n = 0;

	for (; is_digit(**p); ++*p)
		if (n < PRECISION_LIMIT)
			n = n * 10 + (**p - '0');
	return n < PRECISION_LIMIT ? n : PRECISION_LIMIT;
}

/* Takes N$; false: there is none. */
static bool take_position(struct parser *s, unsigned *index)
{
	const char *p = s->p;
	const int n = is_digit(*p) ? number(&p) : 0;

	if (n < 1 || *p != '$')
		return false;
	s->p = p + 1;
	*index = (unsigned)n - 1;
	return true;
}

/* --- arguments ------------------------------------------------------------ */

/* Index of an argument with that position, or the next one; false: the format
   has both kinds. */
static bool choose(struct parser *s, bool has_position, unsigned *index)
{
	s->positions |= has_position;
	s->sequence |= !has_position;
	if (!has_position)
		*index = s->next++;
	return !(s->positions && s->sequence);
}

static bool add(struct parser *s, unsigned index, char code, int precision)
{
	struct gaspdb_format *f = s->format;

	if (index >= GASPDB_FORMAT_MAX ||
	    (f->codes[index] && f->codes[index] != code))
		return false;
	if (!f->codes[index]) {
		f->codes[index] = code;
		f->precision[index] = precision;
	}
	return true;
}

/* Takes a * and its argument, an int; false: not possible. */
static bool take_star(struct parser *s, unsigned *index)
{
	s->p++;
	return choose(s, take_position(s, index), index) &&
	       add(s, *index, 'i', GASPDB_PRECISION_NONE);
}

/* Takes flags, width and precision. */
static bool take_modifiers(struct parser *s, int *precision)
{
	unsigned index;

	*precision = GASPDB_PRECISION_NONE;
	s->p += strspn(s->p, "-+ #0'I");
	number(&s->p);
	while (*s->p == '*') /* more than one is no format, but read so */
		if (!take_star(s, &index))
			return false;
	if (*s->p != '.')
		return true;
	if (*++s->p != '*') {
		*precision = number(&s->p);
		return true;
	}
	if (!take_star(s, &index))
		return false;
	*precision = GASPDB_PRECISION_AT - (int)index;
	return true;
}

/* Takes a length modifier: b char, h short, l long or other 64 bits, L long
   double, 0 none. */
static char take_length(struct parser *s)
{
	char size = 0;

	for (; *s->p && strchr("hljztLqZ", *s->p); s->p++) {
		if (*s->p == 'L')
			size = 'L';
		else if (*s->p == 'h')
			size = size == 'h' ? 'b' : 'h';
		else
			size = 'l';
	}
	return size;
}

/* An integer's type of that size: of ints, chars, shorts, 64 bits. */
static char sized(char size, const char *types)
{
	switch (size) {
	case 0:
		return types[0];
	case 'b':
		return types[1];
	case 'h':
		return types[2];
	default:
		return types[3];
	}
}

/* Code of a conversion with an argument; 0: unknown. */
static char conversion(char letter, char size)
{
	if (strchr("di", letter))
		return sized(size, "iyhl");
	if (strchr("uoxXbB", letter))
		return sized(size, "uYHv");
	if (strchr("fFeEgGaA", letter))
		return size == 'L' ? 'D' : 'd';
	switch (letter) {
	case 'c': /* with l: a wint_t */
		return size == 'l' ? 'u' : 'i';
	case 'C':
		return 'u';
	case 's':
		return size == 'l' ? 'S' : 's';
	case 'S':
	case 'p':
	case 'n':
		return letter;
	default:
		return 0;
	}
}

/* Takes a conversion, after its %; false: the arguments end. */
static bool take_conversion(struct parser *s)
{
	unsigned index = 0;
	const bool has_position = take_position(s, &index);
	int precision;
	char size, code;

	if (!take_modifiers(s, &precision))
		return false;
	size = take_length(s);
	if (*s->p == '%' || *s->p == 'm') { /* without an argument */
		s->p++;
		return true;
	}
	code = *s->p ? conversion(*s->p++, size) : 0;
	if (code != 's' && code != 'S')
		precision = GASPDB_PRECISION_NONE;
	if (!code || !choose(s, has_position, &index) ||
	    !add(s, index, code, precision))
		return false;
	if (s->words && !s->words[index].text)
		s->words[index] = s->word;
	return true;
}

/* Ends the arguments at a gap.  A string whose precision is behind it cannot be
   read. */
static void cut(struct gaspdb_format *f)
{
	const size_t n = strlen(f->codes);

	memset(f->codes + n, 0, sizeof f->codes - n);
	for (size_t i = 0; i < n; i++)
		if (f->precision[i] <= GASPDB_PRECISION_AT &&
		    !f->codes[GASPDB_PRECISION_AT - f->precision[i]])
			f->codes[i] = 'n';
}

void gaspdb_format_parse(const char *text, struct gaspdb_format *format,
			 struct gaspdb_format_word *words)
{
	struct parser s = { .p = text, .format = format, .words = words };
	const char *from = text;
	bool more = text != NULL;

	memset(format, 0, sizeof *format);
	if (words)
		memset(words, 0, GASPDB_FORMAT_MAX * sizeof *words);
	while (more && (s.p = strchr(s.p, '%'))) {
		const bool literal = s.p[1] == '%';

		if (words)
			s.word = last_word(from, s.p);
		s.p++;
		more = take_conversion(&s);
		if (!literal)
			from = s.p;
	}
	cut(format);
}
