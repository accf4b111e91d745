/* SPDX-License-Identifier: BSD-2-Clause */
/* Objects of CPython, read in place or through the kernel. */
#ifndef GASPDB_COLLECTOR_CORE_PYTHON_OBJECTS_H
#define GASPDB_COLLECTOR_CORE_PYTHON_OBJECTS_H

#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "collector/base/pages.h"
#include "collector/core/python/interpreter.h"

#define OBJECT_TYPE	 8  /* PyObject */
#define TEXT_LENGTH	 16 /* PyUnicode */
#define TEXT_STATE	 32 /* bits: 2 interned, 3 kind, 1 compact, 1 ascii */
#define TEXT_HEAD	 40
#define BYTES_SIZE	 16 /* PyBytes */
#define BYTES_DATA	 32
#define OWNED_BY_C_STACK 3 /* frame_owner: no code of the program */

static inline bool read_copy(void *to, const void *from, size_t n)
{
	const struct iovec local = { to, n };
	const struct iovec remote = { (void *)(uintptr_t)from, n };

	return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) ==
	       (ssize_t)n;
}

/* n bytes at an address: themselves, or a copy of them; NULL: there are none.
 */
static inline const char *view(bool in_place, const char *at, size_t n,
			       char *copy)
{
	if (in_place || !n)
		return at;
	return read_copy(copy, at, n) ? copy : NULL;
}

static inline const char *pointer_in(const char *bytes, size_t offset)
{
	const char *p;

	memcpy(&p, bytes + offset, sizeof p);
	return p;
}

static inline int int_in(const char *bytes, size_t offset)
{
	int i;

	memcpy(&i, bytes + offset, sizeof i);
	return i;
}

static inline const char *follow(bool in_place, const char *at)
{
	char copy[sizeof at];
	const char *bytes = at ? view(in_place, at, sizeof at, copy) : NULL;

	return bytes ? pointer_in(bytes, 0) : NULL;
}

/* --- texts ---------------------------------------------------------------- */

#define CHARACTERS_MAX 1000
#define TEXT_BYTES     (4 * CHARACTERS_MAX + 1)

/* UTF-8.  A byte of a file name that is no character comes as a half of a
   surrogate pair, and goes as itself. */
static inline char *put_character(char *to, uint32_t c)
{
	if (c < 0x80 || (c >= 0xdc80 && c <= 0xdcff)) {
		*to++ = (char)c;
	} else if (c < 0x800) {
		*to++ = (char)(0xc0 | c >> 6);
		*to++ = (char)(0x80 | (c & 0x3f));
	} else if (c < 0x10000) {
		*to++ = (char)(0xe0 | c >> 12);
		*to++ = (char)(0x80 | (c >> 6 & 0x3f));
		*to++ = (char)(0x80 | (c & 0x3f));
	} else {
		*to++ = (char)(0xf0 | c >> 18);
		*to++ = (char)(0x80 | (c >> 12 & 0x3f));
		*to++ = (char)(0x80 | (c >> 6 & 0x3f));
		*to++ = (char)(0x80 | (c & 0x3f));
	}
	return to;
}

/* The characters, of width bytes each, as UTF-8. */
static inline void put_text(char *to, const char *from, size_t n,
			    unsigned width)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t c = 0;

		memcpy(&c, from + i * width, width);
		to = put_character(to, c);
	}
	*to = 0;
}

/* Characters of a PyUnicode object. */
struct text {
	const char *characters;
	size_t n;
	unsigned width;
};

static inline bool find_text(bool in_place, const char *object, struct text *t)
{
	char copy[TEXT_HEAD];
	const char *head = view(in_place, object, TEXT_HEAD, copy);
	unsigned state;

	if (!head || pointer_in(head, OBJECT_TYPE) != gaspdb_python.text_type)
		return false;
	state = (unsigned)int_in(head, TEXT_STATE);
	*t = (struct text){
		object + (state & 1 << 6 ? gaspdb_python.layout->text_ascii
					 : gaspdb_python.layout->text_wide),
		(size_t)pointer_in(head, TEXT_LENGTH), state >> 2 & 7
	};
	return state & 1 << 5 &&
	       (t->width == 1 || t->width == 2 || t->width == 4);
}

/* Writes a PyUnicode object to text[TEXT_BYTES]; false: it is none. */
static inline bool read_text(bool in_place, const char *object, char *text)
{
	char copy[4 * CHARACTERS_MAX];
	const char *characters;
	struct text t;

	if (!find_text(in_place, object, &t))
		return false;
	if (t.n > CHARACTERS_MAX)
		t.n = CHARACTERS_MAX;
	characters = view(in_place, t.characters, t.n * t.width, copy);
	if (characters)
		put_text(text, characters, t.n, t.width);
	return characters;
}

/* --- digests ------------------------------------------------------------- */

#define ENDS 16 /* bytes of each end */

/* Digest of n bytes: n and both ends. */
static inline bool digest_ends(bool in_place, const char *bytes, size_t n,
			       uint64_t *digest)
{
	const size_t part = n < ENDS ? n : ENDS;
	char first_copy[ENDS], last_copy[ENDS];
	const char *first = view(in_place, bytes, part, first_copy);
	const char *last = view(in_place, bytes + n - part, part, last_copy);
	uint64_t word[4] = { 0 };

	if (!first || !last)
		return false;
	if (GASPDB_LIKELY(part == ENDS)) { /* without a call of memcpy */
		memcpy(word, first, ENDS);
		memcpy(word + 2, last, ENDS);
	} else {
		for (size_t i = 0; i < part; i++)
			word[i / 8] =
				word[i / 8] << 8 | (unsigned char)first[i];
	}
	*digest = gaspdb_mix(word[0] + n, word[1]);
	*digest = gaspdb_mix(*digest + word[2], word[3]);
	return true;
}

/* The same of a table of lines, a PyBytes object. */
static inline bool digest_lines(bool in_place, const char *object,
				uint64_t *digest)
{
	char copy[BYTES_DATA];
	const char *head = view(in_place, object, BYTES_DATA, copy);

	return head &&
	       digest_ends(in_place, object + BYTES_DATA,
			   (size_t)pointer_in(head, BYTES_SIZE), digest);
}

static inline bool digest_text(bool in_place, const char *object,
			       uint64_t *digest)
{
	struct text t;

	return find_text(in_place, object, &t) &&
	       digest_ends(in_place, t.characters, t.n * t.width, digest);
}

#endif
