/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words of a script, and the memory that they lie in. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/script/script.h"

/* --- memory ----------------------------------------------------------------
 */

struct piece {
	struct piece *next;
	_Alignas(16) char bytes[];
};

void *script_alloc(struct script *s, size_t n)
{
	struct piece *p = calloc(1, sizeof *p + n);

	if (!p) {
		fputs("out of memory\n", stderr);
		exit(1);
	}
	p->next = s->memory;
	s->memory = p;
	return p->bytes;
}

void script_free(struct script *s)
{
	struct piece *p = s->memory, *next;

	for (; p; p = next) {
		next = p->next;
		free(p);
	}
	memset(s, 0, sizeof *s);
}

void *script_grow(struct script *s, void *array, size_t n, size_t *room,
		  size_t size)
{
	void *larger;

	if (n < *room)
		return array;
	*room = *room ? 2 * *room : 8;
	larger = script_alloc(s, *room * size);
	if (n)
		memcpy(larger, array, n * size);
	return larger;
}

char *script_print(struct script *s, const char *fmt, ...)
{
	va_list ap, again;
	char *text;
	int n;

	va_start(ap, fmt);
	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	text = script_alloc(s, (size_t)n + 1);
	vsnprintf(text, (size_t)n + 1, fmt, again);
	va_end(again);
	va_end(ap);
	return text;
}

enum gaspdb_status script_fail(struct gaspdb_error *err,
			       const struct script_word *at, const char *fmt,
			       ...)
{
	char what[200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof what, fmt, ap);
	va_end(ap);
	return gaspdb_fail(err, GASPDB_FAILED, "%u:%u: %s", at->line,
			   at->column, what);
}

/* --- words -----------------------------------------------------------------
 */

/* One word from p on; quotes keep spaces in it and are left out. */
static const char *take_word(struct script *s, const char *p, char **word)
{
	char *to = script_alloc(s, strcspn(p, "\n") + 1);
	bool quoted = false;

	*word = to;
	for (; *p && *p != '\n' && (quoted || !strchr(" \t", *p)); p++) {
		if (*p == '"')
			quoted = !quoted;
		else
			*to++ = *p;
	}
	return quoted ? NULL : p;
}

enum gaspdb_status script_words(struct script *s, const char **text,
				unsigned line, struct script_words *words,
				bool *indented, struct gaspdb_error *err)
{
	const char *begin = *text, *p = begin, *end = p + strcspn(p, "\n");
	char *word;

	memset(words, 0, sizeof *words);
	*indented = *p == ' ' || *p == '\t';
	*text = *end ? end + 1 : end;
	while (p += strspn(p, " \t"), p < end && *p != '#') {
		struct script_word at = { NULL, line,
					  (unsigned)(p - begin) + 1 };

		p = take_word(s, p, &word);
		if (!p)
			return script_fail(err, &at, "quote without end");
		at.text = word;
		words->word = script_grow(s, words->word, words->n,
					  &words->room, sizeof *words->word);
		words->word[words->n++] = at;
	}
	return GASPDB_OK;
}

bool script_number(const char *text, int64_t *n)
{
	char *end;
	int base = strncmp(text + (*text == '-'), "0x", 2) ? 10 : 16;

	if (!*text || !strchr("+-0123456789", *text))
		return false;
	*n = strtoll(text, &end, base);
	return !*end;
}

bool script_split(struct script *s, const struct script_word *w,
		  struct script_value *v)
{
	const char *equals = strchr(w->text, '=');

	if (!equals || equals == w->text)
		return false;
	v->name = *w;
	v->name.text =
		script_print(s, "%.*s", (int)(equals - w->text), w->text);
	v->value = *w;
	v->value.text = equals + 1;
	v->value.column += (unsigned)(equals + 1 - w->text);
	return true;
}
