/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Records whose headers are alike have their columns in the same places.  So
 * what a header says is found out once and kept, and further records of that
 * shape are read four columns at a time, without a branch that depends on them.
 *
 * That takes AVX2.  Without it, and for shapes that are not like most, records
 * are read column by column (sql/page_record.h), with the same result.
 */
#ifndef GASPDB_PAGE_SHAPES_H
#define GASPDB_PAGE_SHAPES_H

#include "sql/page_record.h"

/* Bytes behind a page that may be read, whatever they are. */
#define GASPDB_PAGE_SLACK 32

struct gaspdb_shapes;

/* Of rows of so many columns; for free().  NULL: not of so many, not on this
   processor, or no memory. */
struct gaspdb_shapes *gaspdb_shapes_new(unsigned columns);

#ifdef __x86_64__

#include <immintrin.h>

#define GASPDB_SHAPES
#define GASPDB_AVX2 __attribute__((target("avx2")))

enum {
	GASPDB_SHAPE_WORDS = 3, /* of a header, whose length is one byte */
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
};

struct gaspdb_shape {
	uint64_t key[GASPDB_SHAPE_WORDS]; /* the header, never all 0 */
	uint64_t bytes;			  /* of the record, at least */
	uint8_t at[32]; /* of each pair, from the record's begin */
	struct gaspdb_shape_four fours[GASPDB_SHAPE_FOURS_MAX];
};
#define GASPDB_SHAPE_BY_COLUMNS UINT64_MAX /* bytes that no record has */

struct gaspdb_shapes {
	struct gaspdb_shape
		shapes[(1 << GASPDB_SHAPE_BITS) + GASPDB_SHAPE_TRIES - 1];
	uint64_t mask[GASPDB_SHAPE_WORDS]; /* what of a key is header */
	unsigned columns;
	unsigned turn; /* which of TRIES makes room */
};

/* A word of what is a record's header. */
static inline uint64_t gaspdb_shape_word(const struct gaspdb_shapes *s,
					 const uint8_t *record, unsigned i)
{
	uint64_t word;

	memcpy(&word, record + 8 * (size_t)i, 8);
	return word & s->mask[i];
}

static inline bool gaspdb_shape_is(const struct gaspdb_shapes *s,
				   const struct gaspdb_shape *shape,
				   const uint8_t *record)
{
	return !((shape->key[0] ^ gaspdb_shape_word(s, record, 0)) |
		 (shape->key[1] ^ gaspdb_shape_word(s, record, 1)) |
		 (shape->key[2] ^ gaspdb_shape_word(s, record, 2)));
}

/* Where that of a record is looked for first. */
static inline struct gaspdb_shape *gaspdb_shapes_place(struct gaspdb_shapes *s,
						       const uint8_t *record)
{
	const uint64_t hash =
		gaspdb_shape_word(s, record, 0) * 0x9e3779b97f4a7c15u +
		gaspdb_shape_word(s, record, 1) * 0xc2b2ae3d27d4eb4fu +
		gaspdb_shape_word(s, record, 2) * 0x165667b19e3779f9u;

	return s->shapes + (hash >> (64 - GASPDB_SHAPE_BITS));
}

/* It is not there: next to there, or it is new. */
struct gaspdb_shape *gaspdb_shapes_look_on(struct gaspdb_shapes *shapes,
					   const uint8_t *record);

static inline const struct gaspdb_shape *
gaspdb_shape_of(struct gaspdb_shapes *s, const uint8_t *record)
{
	struct gaspdb_shape *place = gaspdb_shapes_place(s, record);

	return gaspdb_shape_is(s, place, record)
		       ? place
		       : gaspdb_shapes_look_on(s, record);
}

/* A pair of the two, whose bytes begin there. */
GASPDB_AVX2 static inline __m128i
gaspdb_shape_pair(const struct gaspdb_shape_four *f, unsigned pair,
		  const uint8_t *at)
{
	const __m128i picked = _mm_shuffle_epi8(
		_mm_loadu_si128((const void *)at),
		_mm_loadu_si128((const void *)(f->pick + 16 * pair)));
	const __m128i flipped = _mm_xor_si128(
		picked, _mm_loadu_si128((const void *)(f->flip + 2 * pair)));

	return _mm_sub_epi64(
		flipped, _mm_loadu_si128((const void *)(f->minus + 2 * pair)));
}

/* All four. */
GASPDB_AVX2 static inline __m256i
gaspdb_shape_pairs(const struct gaspdb_shape_four *f, const uint8_t *at,
		   const uint8_t *next)
{
	const __m256i picked = _mm256_shuffle_epi8(
		_mm256_loadu2_m128i((const void *)next, (const void *)at),
		_mm256_loadu_si256((const void *)f->pick));
	const __m256i flipped = _mm256_xor_si256(
		picked, _mm256_loadu_si256((const void *)f->flip));

	return _mm256_sub_epi64(flipped,
				_mm256_loadu_si256((const void *)f->minus));
}

/* The first n columns of a record. */
GASPDB_AVX2 static inline void
gaspdb_shape_decode(const struct gaspdb_shape *shape, const uint8_t *record,
		    unsigned n, int64_t *values)
{
	const struct gaspdb_shape_four *f = shape->fours;
	const uint8_t *at = shape->at;

	for (unsigned fours = n / 4; fours; fours--, f++, at += 2, values += 4)
		_mm256_storeu_si256(
			(void *)values,
			gaspdb_shape_pairs(f, record + at[0], record + at[1]));
	if (n & 2) {
		_mm_storeu_si128((void *)values,
				 gaspdb_shape_pair(f, 0, record + *at++));
		values += 2;
	}
	if (n & 1)
		_mm_storel_epi64(
			(void *)values,
			gaspdb_shape_pair(f, n >> 1 & 1, record + *at));
}

/* gaspdb_page_row(), in functions of GASPDB_AVX2; slack follows after end.
   Once for each row of a scan: a call would cost a tenth of it. */
GASPDB_AVX2 static inline __attribute__((always_inline)) bool gaspdb_shapes_row(
	struct gaspdb_shapes *s, const struct gaspdb_record_format *format,
	const uint8_t *cell, const uint8_t *end, unsigned n, int64_t *values)
{
	const struct gaspdb_varint bytes = gaspdb_page_varint(cell, end);
	const struct gaspdb_varint rowid = gaspdb_page_varint(bytes.after, end);
	const uint8_t *const record = rowid.after;
	const struct gaspdb_shape *shape;

	if (bytes.value > (uint64_t)(end - record) ||
	    record[0] != s->columns + 1)
		return gaspdb_page_any_row(format, cell, end, n, values);
	shape = gaspdb_shape_of(s, record);
	if (bytes.value < shape->bytes)
		return gaspdb_page_any_row(format, cell, end, n, values);
	gaspdb_shape_decode(shape, record, n, values);
	values[0] = (int64_t)rowid.value;
	return true;
}

#endif
#endif
