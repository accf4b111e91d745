/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decoder of b-tree cells and their records as rows of integers. Inline for
 * loops over rows. A page is not trusted: every offset is checked against its
 * bounds before use.
 */
#ifndef GASPDB_SQL_STORE_BTREE_PAGE_RECORD_H
#define GASPDB_SQL_STORE_BTREE_PAGE_RECORD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "sql/store/btree/page_serial.h"

static inline uint32_t gaspdb_page_be(const uint8_t *p, unsigned bytes)
{
	uint32_t v = 0;

	for (unsigned i = 0; i < bytes; i++)
		v = v << 8 | p[i];
	return v;
}

/* A varint's value and the position after it. */
struct gaspdb_varint {
	uint64_t value;
	const uint8_t *after;
};

/* Decode any varint; reads no byte at or after end. */
struct gaspdb_varint gaspdb_page_long_varint(const uint8_t *at,
					     const uint8_t *end);

/*
 * Decode a varint of five bytes at most, which most are; at must have five
 * readable bytes. Each byte has seven bits; all but the last have the eighth
 * bit set. after is NULL: it is longer.
 */
#define GASPDB_SHORT_VARINT 5
static inline struct gaspdb_varint gaspdb_page_short_varint(const uint8_t *at)
{
	/* Clears the continuation bit of a byte before the last. */
	const uint64_t flag = 0x80 << 7;
	uint64_t v = at[0];

	if (at[0] < 0x80)
		return (struct gaspdb_varint){ v, at + 1 };
	v = (v << 7) + at[1] - flag;
	if (at[1] < 0x80)
		return (struct gaspdb_varint){ v, at + 2 };
	v = (v << 7) + at[2] - flag;
	if (at[2] < 0x80)
		return (struct gaspdb_varint){ v, at + 3 };
	v = (v << 7) + at[3] - flag;
	if (at[3] < 0x80)
		return (struct gaspdb_varint){ v, at + 4 };
	v = (v << 7) + at[4] - flag;
	return (struct gaspdb_varint){ v, at[4] < 0x80 ? at + 5 : NULL };
}

/* Decode any varint, with a fast path for short ones. */
static inline struct gaspdb_varint gaspdb_page_varint(const uint8_t *at,
						      const uint8_t *end)
{
	if (end - at >= GASPDB_SHORT_VARINT) {
		const struct gaspdb_varint v = gaspdb_page_short_varint(at);

		if (v.after)
			return v;
	}
	return gaspdb_page_long_varint(at, end);
}

/* The format of a table's pages. */
struct gaspdb_record_format {
	unsigned columns; /* of a row */
	uint64_t usable;  /* bytes of a page */
};

/* By serial type: bytes of an integer, and the constant of a type without
   bytes. */
extern const struct gaspdb_serial {
	uint8_t bytes;
	int64_t value;
} gaspdb_serials[GASPDB_SERIALS];

/* Decode an integer of that many bytes. The eight bytes before its end must lie
   in the page. */
static inline int64_t gaspdb_page_int(const uint8_t *p, unsigned bytes)
{
	uint64_t v;

	memcpy(&v, p + bytes - 8, 8);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	return (int64_t)(v << (64 - 8 * bytes)) >> (64 - 8 * bytes);
}

int64_t gaspdb_page_text(const uint8_t *p, uint64_t bytes);

/* Decode the first n columns of any record. false: too few columns, or
   truncated. */
bool gaspdb_page_any_row(const struct gaspdb_record_format *format,
			 const uint8_t *cell, const uint8_t *end, unsigned n,
			 int64_t *values);

/*
 * Decode the first n columns of a cell. The fast path covers almost all rows:
 * without overflow pages, serial types of one byte. The first column is the
 * rowid.
 */
static inline bool gaspdb_page_row(const struct gaspdb_record_format *format,
				   const uint8_t *cell, const uint8_t *end,
				   unsigned n, int64_t *values)
{
	const unsigned columns = format->columns;
	const struct gaspdb_varint bytes = gaspdb_page_varint(cell, end);
	const struct gaspdb_varint rowid = gaspdb_page_varint(bytes.after, end);
	const uint8_t *const at = rowid.after, *const cell_end = end;
	const uint8_t *types, *body;

	if (bytes.value > (uint64_t)(end - at) || bytes.value <= columns ||
	    at[0] != columns + 1)
		return gaspdb_page_any_row(format, cell, end, n, values);
	types = at + 1;
	body = types + columns;
	end = at + bytes.value;
	for (unsigned i = 0; i < n; i++) {
		const unsigned type = types[i];
		unsigned length;

		if (type < GASPDB_SERIAL_REAL) {
			length = gaspdb_serials[type].bytes;
			if (length > end - body)
				return false;
			values[i] = length ? gaspdb_page_int(body, length)
					   : INT64_MIN;
		} else if (type - 8 < 2) {
			length = 0;
			values[i] = type - 8;
		} else if (type > GASPDB_SERIAL_BLOB && type < 0x80) {
			length = (type - GASPDB_SERIAL_BLOB) / 2;
			if (length > end - body)
				return false;
			values[i] = gaspdb_page_text(body, length);
		} else {
			return gaspdb_page_any_row(format, cell, cell_end, n,
						   values);
		}
		body += length;
	}
	values[0] = (int64_t)rowid.value;
	return true;
}

#endif
