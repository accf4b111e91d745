/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Records whose headers are alike have their columns in the same places.  So
 * what a header says is found out once and kept, and further records of that
 * shape are read two columns at a time, without a branch that depends on them.
 *
 * That takes SSSE3.  Without it, and for shapes that are not like most, records
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

#include <tmmintrin.h>

#define GASPDB_SHAPES
#define GASPDB_SSSE3 __attribute__((target("ssse3")))

enum {
	GASPDB_SHAPE_WORDS = 3, /* of a header, whose length is one byte */
	GASPDB_SHAPE_COLUMNS_MAX = 8 * GASPDB_SHAPE_WORDS - 1,
	GASPDB_SHAPE_PAIRS_MAX = (GASPDB_SHAPE_COLUMNS_MAX + 1) / 2,
	GASPDB_SHAPE_BITS = 9, /* of a hash: most are where they belong */
	GASPDB_SHAPE_TRIES = 4,
};

/*
 * Two columns, which lie in 16 bytes of the record.  Each is the bytes picked
 * from them, lowest first, then ^ flip - minus: both the sign's bit, which
 * extends it, or where there are no bytes the value and 0.
 */
struct gaspdb_shape_pair {
	uint8_t pick[16]; /* from 0x80 on: 0 */
	uint64_t flip[2], minus[2];
};

struct gaspdb_shape {
	uint64_t key[GASPDB_SHAPE_WORDS]; /* the header, never all 0 */
	uint64_t bytes;			  /* of the record, at least */
	uint8_t at[32]; /* of each pair, from the record's begin */
	struct gaspdb_shape_pair pairs[GASPDB_SHAPE_PAIRS_MAX];
};
#define GASPDB_SHAPE_BY_COLUMNS UINT64_MAX /* bytes that no record has */

_Static_assert(sizeof(struct gaspdb_shape) % 16 == 0,
	       "what is read by 16 bytes lies at multiples of them");

struct gaspdb_shapes {
	struct gaspdb_shape
		shapes[(1 << GASPDB_SHAPE_BITS) + GASPDB_SHAPE_TRIES - 1];
	uint64_t mask[GASPDB_SHAPE_WORDS]; /* what of a key is header */
	unsigned columns;
	unsigned turn; /* which of TRIES makes room */
};

static inline bool gaspdb_shape_is(const struct gaspdb_shape *shape,
				   const uint64_t *key)
{
	return !((shape->key[0] ^ key[0]) | (shape->key[1] ^ key[1]) |
		 (shape->key[2] ^ key[2]));
}

/* Where it is looked for first. */
static inline struct gaspdb_shape *gaspdb_shapes_place(struct gaspdb_shapes *s,
						       const uint64_t *key)
{
	const uint64_t hash = key[0] * 0x9e3779b97f4a7c15u +
			      key[1] * 0xc2b2ae3d27d4eb4fu +
			      key[2] * 0x165667b19e3779f9u;

	return s->shapes + (hash >> (64 - GASPDB_SHAPE_BITS));
}

/* It is not there: next to there, or it is new. */
struct gaspdb_shape *gaspdb_shapes_look_on(struct gaspdb_shapes *shapes,
					   const uint64_t *key);

static inline const struct gaspdb_shape *
gaspdb_shape_of(struct gaspdb_shapes *s, const uint8_t *record)
{
	struct gaspdb_shape *place;
	uint64_t key[GASPDB_SHAPE_WORDS];

	memcpy(key, record, sizeof key);
	key[0] &= s->mask[0];
	key[1] &= s->mask[1];
	key[2] &= s->mask[2];
	place = gaspdb_shapes_place(s, key);
	return gaspdb_shape_is(place, key) ? place
					   : gaspdb_shapes_look_on(s, key);
}

/* The columns of a pair, whose bytes begin there. */
GASPDB_SSSE3 static inline __m128i
gaspdb_shape_columns(const struct gaspdb_shape_pair *p, const uint8_t *at)
{
	const __m128i picked =
		_mm_shuffle_epi8(_mm_loadu_si128((const void *)at),
				 _mm_load_si128((const void *)p->pick));

	return _mm_sub_epi64(
		_mm_xor_si128(picked, _mm_load_si128((const void *)p->flip)),
		_mm_load_si128((const void *)p->minus));
}

/* The first n columns of a record. */
GASPDB_SSSE3 static inline void
gaspdb_shape_decode(const struct gaspdb_shape *shape, const uint8_t *record,
		    unsigned n, int64_t *values)
{
	const struct gaspdb_shape_pair *p = shape->pairs;
	const uint8_t *at = shape->at;
	int64_t *const end = values + n;

	for (; end - values >= 4; values += 4, p += 2, at += 2) {
		_mm_storeu_si128((void *)values,
				 gaspdb_shape_columns(p, record + at[0]));
		_mm_storeu_si128((void *)(values + 2),
				 gaspdb_shape_columns(p + 1, record + at[1]));
	}
	if (end - values >= 2) {
		_mm_storeu_si128((void *)values,
				 gaspdb_shape_columns(p++, record + *at++));
		values += 2;
	}
	if (values < end)
		_mm_storel_epi64((void *)values,
				 gaspdb_shape_columns(p, record + *at));
}

/* gaspdb_page_row(), in functions of GASPDB_SSSE3; slack follows after end.
   Once for each row of a scan: a call would cost a tenth of it. */
GASPDB_SSSE3 static inline __attribute__((always_inline)) bool
gaspdb_shapes_row(struct gaspdb_shapes *s,
		  const struct gaspdb_record_format *format,
		  const uint8_t *cell, const uint8_t *end, unsigned n,
		  int64_t *values)
{
	const uint8_t *record = cell;
	const uint64_t bytes = gaspdb_page_varint(&record, end);
	const int64_t rowid = (int64_t)gaspdb_page_varint(&record, end);
	const struct gaspdb_shape *shape;

	if (bytes > (uint64_t)(end - record) || record[0] != s->columns + 1)
		return gaspdb_page_any_row(format, cell, end, n, values);
	shape = gaspdb_shape_of(s, record);
	if (bytes < shape->bytes)
		return gaspdb_page_any_row(format, cell, end, n, values);
	gaspdb_shape_decode(shape, record, n, values);
	values[0] = rowid;
	return true;
}

#endif
#endif
