/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A decoder of rows by shape. Records with equal headers have their columns at
 * equal offsets. A header is decoded once and cached. Further records of that
 * shape are read four columns at a time, without branches on their content.
 * That takes AVX2. Otherwise, and for unusual shapes, records are read column
 * by column (sql/store/btree/page_record.h), with the same result.
 */
#ifndef GASPDB_SQL_STORE_BTREE_PAGE_SHAPES_H
#define GASPDB_SQL_STORE_BTREE_PAGE_SHAPES_H

#include "sql/store/btree/page_record.h"

/* Readable bytes after a page, of any content. */
#define GASPDB_PAGE_SLACK 64

struct gaspdb_shapes;

/* A decoder of rows of that many columns; for free(). NULL: too many columns,
   no AVX2, or out of memory. */
struct gaspdb_shapes *gaspdb_shapes_new(unsigned columns);

#ifdef __x86_64__

#include <immintrin.h>

#define GASPDB_SHAPES
#define GASPDB_AVX2 __attribute__((target("avx2")))

enum {
	GASPDB_SHAPE_KEY = 32,	/* bytes */
	GASPDB_SHAPE_WORDS = 3, /* words of a header; its length is one byte */
	GASPDB_SHAPE_COLUMNS_MAX = 8 * GASPDB_SHAPE_WORDS - 1,
	GASPDB_SHAPE_FOURS_MAX = (GASPDB_SHAPE_COLUMNS_MAX + 3) / 4,
	GASPDB_SHAPE_BITS = 9, /* bits of a hash: few collisions */
	GASPDB_SHAPE_TRIES = 4,
};

/*
 * Four columns in two pairs; a pair lies in 16 bytes of the record. A column is
 * the picked bytes, lowest first, then ^ flip - minus. Both are the sign bit,
 * for sign extension; for a constant they are the value and 0.
 */
struct gaspdb_shape_four {
	uint8_t pick[32]; /* from 0x80 on: 0 */
	uint64_t flip[4], minus[4];
	uint8_t at[2]; /* offset of each pair in the record */
};

struct gaspdb_shape {
	uint8_t key[GASPDB_SHAPE_KEY]; /* the header; all 0: holds none */
	uint64_t bytes;		       /* of the record, at least */
	struct gaspdb_shape
		*next[2]; /* shapes of the rows that followed last */
	struct gaspdb_shape_four fours[GASPDB_SHAPE_FOURS_MAX];
};
#define GASPDB_SHAPE_BY_COLUMNS UINT64_MAX /* bytes that no record has */

struct gaspdb_shapes {
	struct gaspdb_shape
		shapes[(1 << GASPDB_SHAPE_BITS) + GASPDB_SHAPE_TRIES - 1];
	struct gaspdb_shape other; /* for rows of another number of columns */
	uint8_t mask[GASPDB_SHAPE_KEY]; /* the header's bytes in a key */
	struct gaspdb_shape *last;	/* the shape of the row before */
	unsigned columns;
	unsigned words; /* in which the header lies */
	unsigned turn;	/* next of TRIES to be replaced */
};

/* Does a record have the shape's header? */
GASPDB_AVX2 static inline bool gaspdb_shape_is(const struct gaspdb_shapes *s,
					       const struct gaspdb_shape *shape,
					       const uint8_t *record)
{
	return _mm256_testz_si256(
		_mm256_xor_si256(_mm256_loadu_si256((const void *)record),
				 _mm256_loadu_si256((const void *)shape->key)),
		_mm256_loadu_si256((const void *)s->mask));
}

/* The shape of a record that has neither of the two expected shapes. */
GASPDB_AVX2 struct gaspdb_shape *
gaspdb_shapes_look_up(struct gaspdb_shapes *shapes, const uint8_t *record);

/* The shape of a record. Loops repeat a sequence of shapes, so the successors
   of the last shape are tried first. */
GASPDB_AVX2 static inline const struct gaspdb_shape *
gaspdb_shape_of(struct gaspdb_shapes *s, const uint8_t *record)
{
	struct gaspdb_shape *last = s->last, *shape = last->next[0];

	if (!gaspdb_shape_is(s, shape, record)) {
		shape = last->next[1];
		if (!gaspdb_shape_is(s, shape, record))
			shape = gaspdb_shapes_look_up(s, record);
		last->next[1] = last->next[0];
		last->next[0] = shape;
	}
	s->last = shape;
	return shape;
}

/* Decode a pair of columns. */
GASPDB_AVX2 static inline __m128i
gaspdb_shape_pair(const struct gaspdb_shape_four *f, unsigned pair,
		  const uint8_t *record)
{
	const __m128i picked = _mm_shuffle_epi8(
		_mm_loadu_si128((const void *)(record + f->at[pair])),
		_mm_loadu_si128((const void *)(f->pick + 16 * pair)));
	const __m128i flipped = _mm_xor_si128(
		picked, _mm_loadu_si128((const void *)(f->flip + 2 * pair)));

	return _mm_sub_epi64(
		flipped, _mm_loadu_si128((const void *)(f->minus + 2 * pair)));
}

/* Decode all four columns. */
GASPDB_AVX2 static inline void
gaspdb_shape_put(const struct gaspdb_shape_four *f, const uint8_t *record,
		 int64_t *values)
{
	const __m256i picked = _mm256_shuffle_epi8(
		_mm256_loadu2_m128i((const void *)(record + f->at[1]),
				    (const void *)(record + f->at[0])),
		_mm256_loadu_si256((const void *)f->pick));
	const __m256i flipped = _mm256_xor_si256(
		picked, _mm256_loadu_si256((const void *)f->flip));

	_mm256_storeu_si256(
		(void *)values,
		_mm256_sub_epi64(flipped,
				 _mm256_loadu_si256((const void *)f->minus)));
}

/* Decode the first n columns, fewer than four. */
GASPDB_AVX2 static inline void
gaspdb_shape_some(const struct gaspdb_shape_four *f, const uint8_t *record,
		  unsigned n, int64_t *values)
{
	if (n & 2) {
		_mm_storeu_si128((void *)values,
				 gaspdb_shape_pair(f, 0, record));
		values += 2;
	}
	if (n & 1)
		_mm_storel_epi64((void *)values,
				 gaspdb_shape_pair(f, n >> 1, record));
}

/* Decode the first n columns of a record. A constant n leaves no branches. */
GASPDB_AVX2 static inline __attribute__((always_inline)) void
gaspdb_shape_decode(const struct gaspdb_shape *shape, const uint8_t *record,
		    unsigned n, int64_t *values)
{
	const struct gaspdb_shape_four *f = shape->fours;

	for (; n >= 12; n -= 12, f += 3, values += 12) {
		gaspdb_shape_put(f, record, values);
		gaspdb_shape_put(f + 1, record, values + 4);
		gaspdb_shape_put(f + 2, record, values + 8);
	}
	for (; n >= 4; n -= 4, f++, values += 4)
		gaspdb_shape_put(f, record, values);
	if (n)
		gaspdb_shape_some(f, record, n, values);
}

/*
 * gaspdb_page_row() by shapes, for functions of GASPDB_AVX2. GASPDB_PAGE_SLACK
 * bytes follow end, so the record is read first and its bounds are checked
 * after. Inline: a call for each row costs a tenth of a scan.
 */
GASPDB_AVX2 static inline __attribute__((always_inline)) bool gaspdb_shapes_row(
	struct gaspdb_shapes *s, const struct gaspdb_record_format *format,
	const uint8_t *cell, const uint8_t *end, unsigned n, int64_t *values)
{
	const struct gaspdb_varint bytes = gaspdb_page_short_varint(cell);
	struct gaspdb_varint rowid;
	const struct gaspdb_shape *shape;

	if (!bytes.after)
		return gaspdb_page_any_row(format, cell, end, n, values);
	rowid = gaspdb_page_short_varint(bytes.after);
	if (!rowid.after)
		return gaspdb_page_any_row(format, cell, end, n, values);
	shape = gaspdb_shape_of(s, rowid.after);
	if ((int64_t)bytes.value > end - rowid.after ||
	    bytes.value < shape->bytes)
		return gaspdb_page_any_row(format, cell, end, n, values);
	gaspdb_shape_decode(shape, rowid.after, n, values);
	values[0] = (int64_t)rowid.value;
	return true;
}

#endif
#endif
