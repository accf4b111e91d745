/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A cache of decoded record headers. */
#include "sql/store/btree/page_shapes.h"

#include <stdlib.h>
#include <string.h>

#ifdef GASPDB_SHAPES

static void set_empty(struct gaspdb_shape *shape)
{
	memset(shape->key, 0, sizeof shape->key);
	shape->bytes = GASPDB_SHAPE_BY_COLUMNS;
	shape->next[0] = shape->next[1] = shape;
}

struct gaspdb_shapes *gaspdb_shapes_new(unsigned columns)
{
	struct gaspdb_shapes *s;

	if (columns > GASPDB_SHAPE_COLUMNS_MAX ||
	    !__builtin_cpu_supports("avx2"))
		return NULL;
	s = malloc(sizeof *s);
	if (!s)
		return NULL;
	/* The key alone marks an empty entry: to clear all entries would take
	   longer than to read a small table. */
	for (size_t i = 0; i < sizeof s->shapes / sizeof *s->shapes; i++)
		set_empty(&s->shapes[i]);
	set_empty(&s->other);
	s->last = &s->other;
	s->columns = columns;
	s->words = columns / 8 + 1;
	s->turn = 0;
	memset(s->mask, 0, sizeof s->mask);
	memset(s->mask, 0xff, columns + 1);
	return s;
}

/* --- what a header says --------------------------------------------------- */

/* Pick the bytes of column i of four: an integer's in big-endian order, a
   text's first 8 from the upper end. */
static void pick_bytes(struct gaspdb_shape_four *f, unsigned i, unsigned at,
		       unsigned bytes, bool text)
{
	const unsigned used = bytes < 8 ? bytes : 8;
	uint8_t *to = f->pick + 8 * i + (text ? 8 : used);

	for (unsigned byte = 0; byte < used; byte++)
		*--to = (uint8_t)(at + byte);
	if (used && !text)
		f->flip[i] = f->minus[i] = (uint64_t)1 << (8 * used - 1);
}

/* Learn a column that begins that many bytes after its pair. false: read by
   columns. */
static bool learn_column(struct gaspdb_shape_four *f, unsigned i, unsigned type,
			 unsigned at, unsigned *bytes)
{
	const bool text = type >= GASPDB_SERIAL_BLOB;

	memset(f->pick + 8 * i, 0x80, 8);
	f->flip[i] = f->minus[i] = 0;
	if (type >= 0x80 || type == GASPDB_SERIAL_REAL ||
	    (!text && type >= GASPDB_SERIALS))
		return false;
	*bytes = text ? (type - GASPDB_SERIAL_BLOB) / 2
		      : gaspdb_serials[type].bytes;
	pick_bytes(f, i, at, *bytes, text);
	if (!*bytes && !text)
		f->flip[i] = (uint64_t)gaspdb_serials[type].value;
	return !*bytes || at + (*bytes < 8 ? *bytes : 8) <= 16;
}

static void learn(const struct gaspdb_shapes *s, struct gaspdb_shape *to,
		  const uint8_t *record)
{
	const unsigned columns = s->columns;
	unsigned at = columns + 1, pair_at = 0, bytes = 0;

	memset(to, 0, sizeof *to);
	memcpy(to->key, record, columns + 1);
	to->next[0] = to->next[1] = to;
	to->bytes = GASPDB_SHAPE_BY_COLUMNS;
	for (unsigned i = 0; i < columns; i++, at += bytes) {
		if (i % 2 == 0)
			pair_at = at;
		if (pair_at > UINT8_MAX ||
		    !learn_column(&to->fours[i / 4], i % 4, record[1 + i],
				  at - pair_at, &bytes))
			return;
		to->fours[i / 4].at[i / 2 % 2] = (uint8_t)pair_at;
	}
	to->bytes = at;
}

/* --- looking up ----------------------------------------------------------- */

/* The first entry to probe for a record. */
static inline struct gaspdb_shape *place_of(struct gaspdb_shapes *s,
					    const uint8_t *record)
{
	const uint64_t factors[GASPDB_SHAPE_WORDS] = { 0x9e3779b97f4a7c15u,
						       0xc2b2ae3d27d4eb4fu,
						       0x165667b19e3779f9u };
	uint64_t word, mask, hash = 0;

	for (size_t i = 0; i < s->words; i++) {
		memcpy(&word, record + 8 * i, 8);
		memcpy(&mask, s->mask + 8 * i, 8);
		hash += (word & mask) * factors[i];
	}
	return s->shapes + (hash >> (64 - GASPDB_SHAPE_BITS));
}

/* Probe the neighbours, or add the shape. */
GASPDB_AVX2 static __attribute__((noinline)) struct gaspdb_shape *
look_on(struct gaspdb_shapes *s, struct gaspdb_shape *place,
	const uint8_t *record)
{
	struct gaspdb_shape *room = NULL;

	if (record[0] != s->columns + 1)
		return &s->other;
	for (struct gaspdb_shape *p = place; p < place + GASPDB_SHAPE_TRIES;
	     p++) {
		if (gaspdb_shape_is(s, p, record))
			return p;
		if (!room && !p->key[0])
			room = p;
	}
	if (!room)
		room = place + s->turn++ % GASPDB_SHAPE_TRIES;
	learn(s, room, record);
	return room;
}

GASPDB_AVX2 struct gaspdb_shape *gaspdb_shapes_look_up(struct gaspdb_shapes *s,
						       const uint8_t *record)
{
	struct gaspdb_shape *shape = place_of(s, record);

	return gaspdb_shape_is(s, shape, record) ? shape
						 : look_on(s, shape, record);
}

#else

struct gaspdb_shapes *gaspdb_shapes_new(unsigned columns)
{
	(void)columns;
	return NULL;
}

#endif
