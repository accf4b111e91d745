/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cursor over a log's bytes that cannot run past their end; all decoding of
 * logs uses it. After a getter has failed the cursor must not be used. ran_out
 * distinguishes truncated data from malformed data.
 */
#ifndef GASPDB_IMPORTER_LOG_BYTES_H
#define GASPDB_IMPORTER_LOG_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct gaspdb_bytes {
	const uint8_t *at, *end;
	bool ran_out;
};

struct gaspdb_text {
	const char *p; /* not NUL-terminated */
	size_t n;
};

static inline size_t gaspdb_bytes_left(const struct gaspdb_bytes *b)
{
	return (size_t)(b->end - b->at);
}

/* A little-endian number of n bytes; the caller has checked that they exist. */
static inline uint64_t gaspdb_le(const uint8_t *p, unsigned n)
{
	uint64_t v = 0;

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	memcpy(&v, p, n);
#else
	while (n-- > 0)
		v = v << 8 | p[n];
#endif
	return v;
}

/* Byte order of a log's numbers of fixed size: that of the machine that wrote
   it (varints are bytes). */
enum gaspdb_byte_order { GASPDB_LITTLE_ENDIAN, GASPDB_BIG_ENDIAN };

/* A number of n bytes, 1 to 8, in a log's byte order (gaspdb_log_header.order);
   the caller has checked that they exist. */
static inline uint64_t gaspdb_log_number(const uint8_t *p, unsigned n,
					 enum gaspdb_byte_order order)
{
	const uint64_t v = gaspdb_le(p, n);

	return order == GASPDB_LITTLE_ENDIAN
		       ? v
		       : __builtin_bswap64(v) >> (64 - 8 * n);
}

/* A double of 8 bytes in a log's byte order; it may be a NaN or infinite. */
static inline double gaspdb_log_real(const uint8_t *p,
				     enum gaspdb_byte_order order)
{
	const uint64_t bits = gaspdb_log_number(p, 8, order);
	double v;

	memcpy(&v, &bits, sizeof v);
	return v;
}

/* Stores v in n bytes, in a log's byte order. */
static inline void gaspdb_log_set_number(uint8_t *p, uint64_t v, unsigned n,
					 enum gaspdb_byte_order order)
{
	for (unsigned i = 0; i < n; i++)
		p[order == GASPDB_LITTLE_ENDIAN ? i : n - 1 - i] =
			(uint8_t)(v >> 8 * i);
}

/* The general case, out of line: near the end, or more than eight bytes. */
bool gaspdb_get_long_varint(struct gaspdb_bytes *b, uint64_t *value);

/* The low seven bits of each byte of w, joined; the first byte is lowest. */
static inline uint64_t gaspdb_join_sevens(uint64_t w)
{
	w = (w & 0x007f007f007f007f) | (w & 0x7f007f007f007f00) >> 1;
	w = (w & 0x00003fff00003fff) | (w & 0x3fff00003fff0000) >> 2;
	return (w & 0x000000000fffffff) | (w & 0x0fffffff00000000) >> 4;
}

/* A varint. Eight bytes are decoded at once, whatever the length, because
   branches on the length are mispredicted. */
static inline bool gaspdb_get_varint(struct gaspdb_bytes *b, uint64_t *value)
{
	uint64_t w, last;

	if (b->at < b->end && *b->at < 0x80) {
		*value = *b->at++;
		return true;
	}
	if (gaspdb_bytes_left(b) < 8) {
		if (gaspdb_bytes_left(b) < 2 || b->at[1] >= 0x80)
			return gaspdb_get_long_varint(b, value);
		*value = (b->at[0] & 0x7f) | (uint64_t)b->at[1] << 7;
		b->at += 2;
		return true;
	}
	w = gaspdb_le(b->at, 8);
	last = ~w & 0x8080808080808080;
	if (!last)
		return gaspdb_get_long_varint(b, value);
	/* Clear the bits after the last byte. */
	w &= last ^ (last - 1);
	*value = gaspdb_join_sevens(w);
	b->at += (unsigned)__builtin_ctzll(last) / 8 + 1;
	return true;
}

static inline int64_t gaspdb_unzigzag(uint64_t v)
{
	return (int64_t)(v >> 1 ^ (0 - (v & 1)));
}

/* n bytes, borrowed; NULL: fewer are left. */
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
