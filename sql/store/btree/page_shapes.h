/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Records whose headers are alike have their columns in the same places.  So
 * what a header says is found out once and kept, and further records of that
 * shape are read four columns at a time, without a branch that depends on them.
 *
 * That takes AVX2.  Without it, and for shapes that are not like most, records
 * are read column by column (sql/store/btree/page_record.h), with the same result.
 */
#ifndef GASPDB_SQL_STORE_BTREE_PAGE_SHAPES_H
#define GASPDB_SQL_STORE_BTREE_PAGE_SHAPES_H

#include "sql/store/btree/page_record.h"

/* Bytes behind a page that may be read, whatever they are. */
#define GASPDB_PAGE_SLACK 64

struct gaspdb_shapes;

/* Of rows of so many columns; for free().  NULL: not of so many, not on this
   processor, or no memory. */
struct gaspdb_shapes *gaspdb_shapes_new(unsigned columns);

#ifdef __x86_64__

#include <immintrin.h>

#define GASPDB_SHAPES
#define GASPDB_AVX2 __attribute__((target("avx2")))

enum {
	GASPDB_SHAPE_KEY = 32,	/* bytes */
	GASPDB_SHAPE_WORDS = 3, /* of them a header, its length one byte */
	GASPDB_SHAPE_COLUMNS_MAX = 8 * GASPDB_SHAPE_WORDS - 1,
	GASPDB_SHAPE_FOURS_MAX = (GASPDB_SHAPE_COLUMNS_MAX + 3) / 4,
	GASPDB_SHAPE_BITS = 9, /* of a hash: most are where they belong */
	GASPDB_SHAPE_TRIES = 4,
};

/*
 * Two pairs of columns, each of which lies in 16 bytes of the record.  A column
 * is the bytes picked from them, lowest first, then ^ flip - minus: both the
 * sign's bit, which extends it, or where there are no bytes the value and 0.
 */
struct gaspdb_shape_four {
	uint8_t pick[32]; /* from 0x80 on: 0 */
	uint64_t flip[4], minus[4];
	uint8_t at[2]; /* of each pair, from the record's begin */
};

struct gaspdb_shape {
	uint8_t key[GASPDB_SHAPE_KEY]; /* the header; all 0: holds none */
	uint64_t bytes;		       /* of the record, at least */
	struct gaspdb_shape *next[2];  /* came after it the last times */
	struct gaspdb_shape_four fours[GASPDB_SHAPE_FOURS_MAX];
};
#define GASPDB_SHAPE_BY_COLUMNS UINT64_MAX /* bytes that no record has */

struct gaspdb_shapes {
	struct gaspdb_shape
		shapes[(1 << GASPDB_SHAPE_BITS) + GASPDB_SHAPE_TRIES - 1];
	struct gaspdb_shape other;	/* of what has not so many columns */
	uint8_t mask[GASPDB_SHAPE_KEY]; /* what of a key is header */
	struct gaspdb_shape *last;	/* the shape of the row before */
	unsigned columns;
	unsigned words; /* in which the header lies */
	unsigned turn;	/* which of TRIES makes room */
};

/* What is a record's header is that of the shape. */
GASPDB_AVX2 static inline bool gaspdb_shape_is(const struct gaspdb_shapes *s,
					       const struct gaspdb_shape *shape,
					       const uint8_t *record)
{
	return _mm256_testz_si256(
		_mm256_xor_si256(_mm256_loadu_si256((const void *)record),
				 _mm256_loadu_si256((const void *)shape->key)),
		_mm256_loadu_si256((const void *)s->mask));
}

/* Neither of the two that were expected. */
GASPDB_AVX2 struct gaspdb_shape *
gaspdb_shapes_look_up(struct gaspdb_shapes *shapes, const uint8_t *record);

/* Rows of a loop have their shapes in the same order each time. */
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

/* A pair of the two. */
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

/* All four. */
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

/* The first n columns of four, less than all. */
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

/* The first n columns of a record.  Where n is known to the compiler nothing is
   left to be decided. */
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
 * gaspdb_page_row(), in functions of GASPDB_AVX2; slack follows after end, so
 * that what comes before the record may be read first, and seen afterwards to
 * lie in the page, as the record does.  Once for each row of a scan: a call
 * would cost a tenth of it.
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
