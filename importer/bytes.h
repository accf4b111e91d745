/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The only way to touch bytes of a log: a cursor that knows its end.  A getter
 * that fails leaves the cursor unusable; ran_out tells a cut from nonsense.
 */
#ifndef GASPDB_BYTES_H
#define GASPDB_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gaspdb_bytes {
	const uint8_t *at, *end;
	bool ran_out;
};

struct gaspdb_text {
	const char *p; /* not ended by NUL */
	size_t n;
};

static inline size_t gaspdb_bytes_left(const struct gaspdb_bytes *b)
{
	return (size_t)(b->end - b->at);
}

/* Little-endian numbers at fixed offsets; the caller knows that n bytes are
   there. */
static inline uint64_t gaspdb_le(const uint8_t *p, unsigned n)
{
	uint64_t v = 0;

	while (n-- > 0)
		v = v << 8 | p[n];
	return v;
}

/* Out of line: two bytes and more. */
bool gaspdb_get_long_varint(struct gaspdb_bytes *b, uint64_t *value);

static inline bool gaspdb_get_varint(struct gaspdb_bytes *b, uint64_t *value)
{
	if (b->at < b->end && *b->at < 0x80) {
		*value = *b->at++;
		return true;
	}
	return gaspdb_get_long_varint(b, value);
}

static inline int64_t gaspdb_unzigzag(uint64_t v)
{
	return (int64_t)(v >> 1 ^ (0 - (v & 1)));
}

/* n bytes, borrowed; NULL: not so many are left. */
static inline const uint8_t *gaspdb_get_bytes(struct gaspdb_bytes *b,
					      uint64_t n)
{
	const uint8_t *p = b->at;

	if (n > gaspdb_bytes_left(b)) {
		b->ran_out = true;
		return NULL;
	}
	b->at += n;
	return p;
}

#endif
