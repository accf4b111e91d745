/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SQLite's record format: a header of serial types, then the values. */
#ifndef GASPDB_SQL_STORE_BTREE_PAGE_ROW_H
#define GASPDB_SQL_STORE_BTREE_PAGE_ROW_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "sql/store/btree/page_serial.h"
#include "common/value.h"

#define GASPDB_ROW_COLUMNS_MAX 64
/* Bound of a header: serial types of 9 bytes each and the header's length. */
#define GASPDB_ROW_HEADER_MAX (9 * GASPDB_ROW_COLUMNS_MAX + 2)
/* Buffer of a row of n integers, with the bytes written past its end. */
#define GASPDB_ROW_INTS_MAX(n) (2 + 9 * (n) + 8)

/* SQLite's varint: seven bits a byte, highest first; the ninth byte is whole.
 */
unsigned gaspdb_put_long_varint(uint8_t *to, uint64_t v);

static inline unsigned gaspdb_put_varint(uint8_t *to, uint64_t v)
{
	if (v < 0x80) {
		to[0] = (uint8_t)v;
		return 1;
	}
	if (v < 0x4000) {
		to[0] = (uint8_t)(v >> 7 | 0x80);
		to[1] = (uint8_t)(v & 0x7f);
		return 2;
	}
	if (v < 0x200000) {
		to[0] = (uint8_t)(v >> 14 | 0x80);
		to[1] = (uint8_t)(v >> 7 | 0x80);
		to[2] = (uint8_t)(v & 0x7f);
		return 3;
	}
	if (v < 0x10000000) {
		to[0] = (uint8_t)(v >> 21 | 0x80);
		to[1] = (uint8_t)(v >> 14 | 0x80);
		to[2] = (uint8_t)(v >> 7 | 0x80);
		to[3] = (uint8_t)(v & 0x7f);
		return 4;
	}
	if (v < 0x800000000) {
		to[0] = (uint8_t)(v >> 28 | 0x80);
		to[1] = (uint8_t)(v >> 21 | 0x80);
		to[2] = (uint8_t)(v >> 14 | 0x80);
		to[3] = (uint8_t)(v >> 7 | 0x80);
		to[4] = (uint8_t)(v & 0x7f);
		return 5;
	}
	return gaspdb_put_long_varint(to, v);
}

/* Serial type and bytes of integers, by the number of bits without the sign,
   divided by 8. A left shift by `shift` bits moves these bytes to the top. */
extern const struct gaspdb_width {
	uint8_t type, bytes, shift, unused;
} gaspdb_widths[8];

static inline const struct gaspdb_width *gaspdb_width_of(int64_t v)
{
	const uint64_t magnitude = (uint64_t)(v ^ (v >> 63));

	/* The position of the highest bit in 2 * magnitude + 1 is the number of
	   bits. */
	return &gaspdb_widths[(63 ^ __builtin_clzll(magnitude << 1 | 1)) / 8u];
}

/* Write v in big-endian order. */
static inline void gaspdb_put_bytes(uint8_t *to, uint64_t v)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	memcpy(to, &v, 8);
}

/* Write the lowest bytes of v in big-endian order; always writes 8 bytes. */
static inline void gaspdb_put_int(uint8_t *to, int64_t v, unsigned bytes)
{
	gaspdb_put_bytes(to, (uint64_t)v << (64 - 8 * bytes));
}

/* Write an integer at *body and advance it. Returns the serial type;
   GASPDB_NULL is NULL. */
static inline uint8_t gaspdb_put_value(uint8_t **body, int64_t v)
{
	const struct gaspdb_width *width;

	if ((uint64_t)v <= 1)
		return (uint8_t)(GASPDB_SERIAL_ZERO + v);
	if (v == GASPDB_NULL)
		return GASPDB_SERIAL_NULL;
	width = gaspdb_width_of(v);
	gaspdb_put_bytes(*body, (uint64_t)v << width->shift);
	*body += width->bytes;
	return width->type;
}

/* Write an integer that ends at *end, and move *end to its start. Bytes before
   it are overwritten too. */
static inline uint8_t gaspdb_put_before(uint8_t **end, int64_t v)
{
	const struct gaspdb_width *width;

	if ((uint64_t)v <= 1)
		return (uint8_t)(GASPDB_SERIAL_ZERO + v);
	if (v == GASPDB_NULL)
		return GASPDB_SERIAL_NULL;
	width = gaspdb_width_of(v);
	gaspdb_put_bytes(*end - 8, (uint64_t)v);
	*end -= width->bytes;
	return width->type;
}

/* A text in a column of a row. */
#define GASPDB_CELL_TEXT_MAX 57
struct gaspdb_cell_text {
	unsigned column, n; /* bytes */
	const char *text;
};

/* Write a text that ends at *end, and move *end to its start. Returns the
   serial type. */
static inline uint8_t gaspdb_put_text_before(uint8_t **end,
					     const struct gaspdb_cell_text *t)
{
	*end -= t->n;
	memcpy(*end, t->text, t->n);
	return (uint8_t)(GASPDB_SERIAL_BLOB + 1 + 2 * t->n);
}

/*
 * The serial types of a record, one byte each, from the last column to the
 * first. Registers collect them: a wide copy after single-byte stores stalls.
 */
#define GASPDB_CELL_COLUMNS_MAX 32
struct gaspdb_types {
	uint64_t some; /* types of the current group of eight */
	uint64_t eight[GASPDB_CELL_COLUMNS_MAX / 8];
};

static inline void gaspdb_add_type(struct gaspdb_types *types, unsigned column,
				   uint8_t type)
{
	const uint64_t some = types->some | type;

	types->some = some >> 8 | some << 56;
	if (column % 8)
		return;
	types->eight[column / 8] = types->some;
	types->some = 0;
}

/* Upper bound of the bytes written for a header of that many columns. */
static inline size_t gaspdb_header_room(unsigned columns)
{
	return 1 + (columns < 8 ? 8 : columns);
}

/* Write a header that ends at end. Returns its start. */
static inline __attribute__((always_inline)) uint8_t *
gaspdb_put_header(const struct gaspdb_types *types, unsigned columns,
		  uint8_t *end)
{
	const unsigned last = (columns - 1) / 8;

	gaspdb_put_bytes(end - 8,
			 types->eight[last] >> 8 * (8 * (last + 1) - columns));
	end -= columns;
#pragma GCC unroll 4
	for (unsigned i = last; i-- > 0;)
		gaspdb_put_bytes(end + 8 * (size_t)i, types->eight[i]);
	*--end = (uint8_t)(columns + 1);
	return end;
}

/*
 * Write a record of integers that ends at end. GASPDB_NULL is NULL; the first
 * value is NULL unless keyed. text, unless NULL, replaces the value of its
 * column. Returns the start; bytes before it are overwritten too. Inline, so
 * that the compiler can know the number of columns.
 */
static inline __attribute__((always_inline)) uint8_t *
gaspdb_put_record_before(uint8_t *end, const int64_t *values, unsigned columns,
			 bool keyed, const struct gaspdb_cell_text *text)
{
	struct gaspdb_types types = { .some = 0 };
	uint8_t *at = end;

#pragma GCC unroll 15
	for (unsigned i = columns; i-- > !keyed;)
		gaspdb_add_type(&types, i,
				text && i == text->column
					? gaspdb_put_text_before(&at, text)
					: gaspdb_put_before(&at, values[i]));
	if (!keyed)
		gaspdb_add_type(&types, 0, GASPDB_SERIAL_NULL);
	return gaspdb_put_header(&types, columns, at);
}

/*
 * Encode a record of n values, fewer than 60, without blobs and without texts
 * of more than GASPDB_ROW_TEXT_MAX bytes. key: the first value is the rowid and
 * stored as NULL. whole: for REAL columns, where SQLite stores whole numbers as
 * integers. Returns the length; 0: a value is too long.
 */
#define GASPDB_ROW_TEXT_MAX  24
#define GASPDB_ROW_SHORT_MAX (2 + 25 * GASPDB_ROW_COLUMNS_MAX + 8)
unsigned gaspdb_row_short(uint8_t to[GASPDB_ROW_SHORT_MAX],
			  const struct gaspdb_value *values, unsigned n,
			  bool key, bool whole);

/*
 * Encode the leaf cell of a row of n integers, 32 at most: the record's length,
 * the first value as rowid unless keyed, the record. texts, 2 at most and of
 * GASPDB_CELL_TEXT_MAX bytes at most, replace columns in order. Returns the
 * bytes.
 */
#define GASPDB_CELL_TEXTS_MAX 2
#define GASPDB_CELL_MAX                            \
	(2 + 9 + 1 + 9 * GASPDB_CELL_COLUMNS_MAX + \
	 GASPDB_CELL_TEXTS_MAX * GASPDB_CELL_TEXT_MAX + 8)
unsigned gaspdb_row_cell(uint8_t to[GASPDB_CELL_MAX], const int64_t *values,
			 unsigned n, bool keyed,
			 const struct gaspdb_cell_text *texts,
			 unsigned n_texts);

/* Encode the header of a record of n values; *body: bytes of the values. */
unsigned gaspdb_row_header(uint8_t to[GASPDB_ROW_HEADER_MAX],
			   const struct gaspdb_value *values, unsigned n,
			   uint64_t *body);
/* The encoded bytes of a value, in buffer or its own; *n: their number. */
const uint8_t *gaspdb_row_value(const struct gaspdb_value *value,
				uint8_t buffer[8], size_t *n);

#endif
