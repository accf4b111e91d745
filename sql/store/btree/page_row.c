/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Encoders of rows: integers, short values, any values. */
#include "sql/store/btree/page_row.h"

#include <assert.h>
#include <math.h>

const struct gaspdb_width gaspdb_widths[8] = {
	{ 1, 1, 56, 0 }, { 2, 2, 48, 0 }, { 3, 3, 40, 0 }, { 4, 4, 32, 0 },
	{ 5, 6, 16, 0 }, { 5, 6, 16, 0 }, { 6, 8, 0, 0 },  { 6, 8, 0, 0 }
};

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

/* --- cells ---------------------------------------------------------------- */

static uint8_t put_text(uint8_t **body, const struct gaspdb_cell_text *t)
{
	assert(t->n <= GASPDB_CELL_TEXT_MAX);
	memcpy(*body, t->text, t->n);
	*body += t->n;
	return (uint8_t)(GASPDB_SERIAL_BLOB + 1 + 2 * t->n);
}

/* Write the record's length before it. One byte suffices almost always, so that
   is tried first. */
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
			 unsigned n, bool keyed,
			 const struct gaspdb_cell_text *texts, unsigned n_texts)
{
	uint8_t *record = to + 1, *types, *body;
	unsigned i = !keyed;

	if (!keyed)
		record += gaspdb_put_varint(record, (uint64_t)values[0]);
	types = record + 1;
	body = types + n;
	record[0] = (uint8_t)(n + 1);
	types[0] = GASPDB_SERIAL_NULL;
	for (; n_texts; n_texts--, texts++, i++) {
		for (; i < texts->column; i++)
			types[i] = gaspdb_put_value(&body, values[i]);
		types[i] = put_text(&body, texts);
	}
	for (; i < n; i++)
		types[i] = gaspdb_put_value(&body, values[i]);
	return put_length(to, (unsigned)(body - record),
			  (unsigned)(body - to - 1));
}

/* --- rows of short values ------------------------------------------------- */

/* Bound of reals that SQLite stores as integers: exact, in six bytes. */
#define WHOLE_MAX 140737488355328.0 /* 2^47 */

static uint8_t put_real(uint8_t **body, double d, bool whole)
{
	int64_t bits;

	if (isnan(d))
		return GASPDB_SERIAL_NULL; /* as SQLite does */
	if (whole && d > -WHOLE_MAX && d < WHOLE_MAX &&
	    d == (double)(int64_t)d && !(d == 0 && signbit(d)))
		return gaspdb_put_value(body, (int64_t)d);
	memcpy(&bits, &d, sizeof bits);
	gaspdb_put_int(*body, bits, 8);
	*body += 8;
	return GASPDB_SERIAL_REAL;
}

unsigned gaspdb_row_short(uint8_t to[GASPDB_ROW_SHORT_MAX],
			  const struct gaspdb_value *values, unsigned n,
			  bool key, bool whole)
{
	uint8_t *types = to + 1, *body = types + n;

	to[0] = (uint8_t)(n + 1);
	types[0] = GASPDB_SERIAL_NULL;
	for (unsigned i = key; i < n; i++) {
		const struct gaspdb_value *v = &values[i];

		if (v->is == GASPDB_IS_INT) {
			types[i] = gaspdb_put_value(&body, v->i);
		} else if (v->is == GASPDB_IS_NULL) {
			types[i] = GASPDB_SERIAL_NULL;
		} else if (v->is == GASPDB_IS_REAL) {
			types[i] = put_real(&body, v->real, whole);
		} else if (v->is == GASPDB_IS_TEXT &&
			   v->n <= GASPDB_ROW_TEXT_MAX) {
			types[i] = (uint8_t)(GASPDB_SERIAL_BLOB + 1 + 2 * v->n);
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
			return GASPDB_SERIAL_ZERO + (uint64_t)v->i;
		*bytes = gaspdb_width_of(v->i)->bytes;
		return gaspdb_width_of(v->i)->type;
	case GASPDB_IS_REAL:
		if (isnan(v->real))
			return GASPDB_SERIAL_NULL; /* as SQLite does */
		*bytes = 8;
		return GASPDB_SERIAL_REAL;
	case GASPDB_IS_TEXT:
		*bytes = v->n;
		return GASPDB_SERIAL_BLOB + 1 + 2 * (uint64_t)v->n;
	case GASPDB_IS_BLOB:
		*bytes = v->n;
		return GASPDB_SERIAL_BLOB + 2 * (uint64_t)v->n;
	case GASPDB_IS_NULL:
		break;
	}
	return GASPDB_SERIAL_NULL;
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
			gaspdb_put_int(buffer, v->i, (unsigned)bytes);
		return buffer;
	case GASPDB_IS_REAL:
		memcpy(&bits, &v->real, sizeof bits);
		gaspdb_put_int(buffer, bits, 8);
		return buffer;
	case GASPDB_IS_TEXT:
	case GASPDB_IS_BLOB:
		return v->blob;
	case GASPDB_IS_NULL:
		break;
	}
	return buffer;
}
