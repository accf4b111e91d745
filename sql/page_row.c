/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Serial types: 0 NULL, 1-6 integers of 1-8 bytes, 7 real, 8 and 9 the numbers
   0 and 1, from 12 on blobs and texts by their length. */
#include "sql/page_row.h"

#include <assert.h>
#include <math.h>

enum { SERIAL_NULL = 0, SERIAL_REAL = 7, SERIAL_ZERO = 8, SERIAL_BLOB = 12 };

/* Integers by an eighth of the bits they need beside the sign. */
static const struct {
	uint8_t type, bytes;
} widths[8] = { { 1, 1 }, { 2, 2 }, { 3, 3 }, { 4, 4 },
		{ 5, 6 }, { 5, 6 }, { 6, 8 }, { 6, 8 } };

unsigned gaspdb_put_long_varint(uint8_t *to, uint64_t v)
{
	unsigned n = 1;

	if (v >> 56) {
		to[8] = (uint8_t)v;
		v >>= 8;
		for (int i = 7; i >= 0; i--, v >>= 7)
			to[i] = (uint8_t)(v | 0x80);
		return 9;
	}
	while (v >> 7 * n)
		n++;
	for (unsigned i = n; i-- > 0; v >>= 7)
		to[i] = (uint8_t)(v | 0x80);
	to[n - 1] &= 0x7f;
	return n;
}

/* The lowest bytes of v, the highest of them first; 8 are written. */
static void put_int(uint8_t *to, int64_t v, unsigned bytes)
{
	uint64_t shifted = (uint64_t)v << (64 - 8 * bytes);

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	shifted = __builtin_bswap64(shifted);
#endif
	memcpy(to, &shifted, 8);
}

/* Index into widths. */
static unsigned width_of(int64_t v)
{
	const uint64_t magnitude = (uint64_t)(v ^ (v >> 63));

	return (64 - (unsigned)__builtin_clzll(magnitude | 1)) / 8;
}

/* --- rows of integers ----------------------------------------------------- */

/* An integer's type; its bytes, if it has any, at *body, which moves on. */
static inline uint8_t put_value(uint8_t **body, int64_t v)
{
	unsigned width;

	if ((uint64_t)v <= 1)
		return (uint8_t)(SERIAL_ZERO + v);
	if (v == GASPDB_NULL)
		return SERIAL_NULL;
	width = width_of(v);
	put_int(*body, v, widths[width].bytes);
	*body += widths[width].bytes;
	return widths[width].type;
}

unsigned gaspdb_row_ints(uint8_t to[GASPDB_ROW_INTS_MAX], const int64_t *values,
			 unsigned n, bool key)
{
	uint8_t *types = to + 1, *body = types + n;

	to[0] = (uint8_t)(n + 1);
	types[0] = SERIAL_NULL;
	for (unsigned i = key; i < n; i++)
		types[i] = put_value(&body, values[i]);
	return (unsigned)(body - to);
}

static uint8_t put_text(uint8_t **body, const char *text)
{
	const size_t n = strlen(text);

	assert(n <= GASPDB_CELL_TEXT_MAX);
	memcpy(*body, text, n);
	*body += n;
	return (uint8_t)(SERIAL_BLOB + 1 + 2 * n);
}

/* The length takes one byte almost always, so that is tried first. */
static unsigned put_length(uint8_t *cell, unsigned record, unsigned after)
{
	if (record < 0x80) {
		cell[0] = (uint8_t)record;
		return 1 + after;
	}
	memmove(cell + 2, cell + 1, after);
	return gaspdb_put_varint(cell, record) + after;
}

unsigned gaspdb_row_cell(uint8_t to[GASPDB_CELL_MAX], const int64_t *values,
			 unsigned n, bool keyed, unsigned text_column,
			 const char *text)
{
	uint8_t *record = to + 1, *types, *body;

	if (!keyed)
		record += gaspdb_put_varint(record, (uint64_t)values[0]);
	types = record + 1;
	body = types + n;
	record[0] = (uint8_t)(n + 1);
	types[0] = SERIAL_NULL;
	for (unsigned i = !keyed; i < text_column; i++)
		types[i] = put_value(&body, values[i]);
	if (text_column < n)
		types[text_column] = put_text(&body, text);
	for (unsigned i = text_column + 1; i < n; i++)
		types[i] = put_value(&body, values[i]);
	return put_length(to, (unsigned)(body - record),
			  (unsigned)(body - to - 1));
}

/* --- rows of short values ------------------------------------------------- */

/* A real is exact as an integer, of no more than six bytes. */
#define WHOLE_MAX 140737488355328.0 /* 2^47 */

static uint8_t put_real(uint8_t **body, double d, bool whole)
{
	int64_t bits;

	if (isnan(d))
		return SERIAL_NULL; /* as SQLite does */
	if (whole && d > -WHOLE_MAX && d < WHOLE_MAX &&
	    d == (double)(int64_t)d && !(d == 0 && signbit(d)))
		return put_value(body, (int64_t)d);
	memcpy(&bits, &d, sizeof bits);
	put_int(*body, bits, 8);
	*body += 8;
	return SERIAL_REAL;
}

unsigned gaspdb_row_short(uint8_t to[GASPDB_ROW_SHORT_MAX],
			  const struct gaspdb_value *values, unsigned n,
			  bool key, bool whole)
{
	uint8_t *types = to + 1, *body = types + n;

	to[0] = (uint8_t)(n + 1);
	types[0] = SERIAL_NULL;
	for (unsigned i = key; i < n; i++) {
		const struct gaspdb_value *v = &values[i];

		if (v->is == GASPDB_IS_INT) {
			types[i] = put_value(&body, v->i);
		} else if (v->is == GASPDB_IS_NULL) {
			types[i] = SERIAL_NULL;
		} else if (v->is == GASPDB_IS_REAL) {
			types[i] = put_real(&body, v->real, whole);
		} else if (v->is == GASPDB_IS_TEXT &&
			   v->n <= GASPDB_ROW_TEXT_MAX) {
			types[i] = (uint8_t)(SERIAL_BLOB + 1 + 2 * v->n);
			memcpy(body, v->text, v->n);
			body += v->n;
		} else {
			return 0;
		}
	}
	return (unsigned)(body - to);
}

/* --- rows of anything ----------------------------------------------------- */

static uint64_t serial_type(const struct gaspdb_value *v, uint64_t *bytes)
{
	*bytes = 0;
	switch (v->is) {
	case GASPDB_IS_INT:
		if (v->i == 0 || v->i == 1)
			return SERIAL_ZERO + (uint64_t)v->i;
		*bytes = widths[width_of(v->i)].bytes;
		return widths[width_of(v->i)].type;
	case GASPDB_IS_REAL:
		if (isnan(v->real))
			return SERIAL_NULL; /* as SQLite does */
		*bytes = 8;
		return SERIAL_REAL;
	case GASPDB_IS_TEXT:
		*bytes = v->n;
		return SERIAL_BLOB + 1 + 2 * (uint64_t)v->n;
	case GASPDB_IS_BLOB:
		*bytes = v->n;
		return SERIAL_BLOB + 2 * (uint64_t)v->n;
	case GASPDB_IS_NULL:
		break;
	}
	return SERIAL_NULL;
}

unsigned gaspdb_row_header(uint8_t to[GASPDB_ROW_HEADER_MAX],
			   const struct gaspdb_value *values, unsigned n,
			   uint64_t *body)
{
	uint8_t types[GASPDB_ROW_HEADER_MAX], *at = types;
	unsigned length, own;
	uint64_t bytes;

	*body = 0;
	for (unsigned i = 0; i < n; i++) {
		at += gaspdb_put_varint(at, serial_type(&values[i], &bytes));
		*body += bytes;
	}
	length = (unsigned)(at - types);
	/* The length counts itself. */
	own = length + 1 < 0x80 ? 1 : 2;
	gaspdb_put_varint(to, length + own);
	memcpy(to + own, types, length);
	return length + own;
}

const uint8_t *gaspdb_row_value(const struct gaspdb_value *v, uint8_t buffer[8],
				size_t *n)
{
	uint64_t bytes;
	int64_t bits;

	serial_type(v, &bytes);
	*n = (size_t)bytes;
	switch (v->is) {
	case GASPDB_IS_INT:
		if (bytes)
			put_int(buffer, v->i, (unsigned)bytes);
		return buffer;
	case GASPDB_IS_REAL:
		memcpy(&bits, &v->real, sizeof bits);
		put_int(buffer, bits, 8);
		return buffer;
	case GASPDB_IS_TEXT:
	case GASPDB_IS_BLOB:
		return v->blob;
	case GASPDB_IS_NULL:
		break;
	}
	return buffer;
}
