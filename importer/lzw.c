/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lzw.h"

#include <stdlib.h>

enum {
	HEADER = 3, /* bytes; the last one: the flags */
	FLAG_BITS = 0x1f,
	FLAG_CLEAR = 0x80, /* CLEAR begins with an empty table */
	BITS_MIN = 9,
	BITS_MAX = 16,
	CLEAR = 256,
	NONE = -1,
	GROUP = 8 /* codes; a change of their length begins another */
};

struct gaspdb_lzw {
	unsigned n_header; /* bytes of it that were read */
	unsigned bits, most, group;
	uint32_t held; /* bits that were read, the lowest first */
	unsigned n_held, skip;
	bool clears;
	int32_t last;	    /* the code before; NONE */
	uint32_t next;	    /* the code that the table gets next */
	uint8_t first;	    /* byte of the last code */
	uint32_t n_waiting; /* bytes that have come out, the last one first */
	uint16_t prefix[1 << BITS_MAX];
	uint8_t suffix[1 << BITS_MAX];
	uint8_t waiting[(1 << BITS_MAX) + 1];
};

struct gaspdb_lzw *gaspdb_lzw_new(void)
{
	return calloc(1, sizeof(struct gaspdb_lzw));
}

static void begin(struct gaspdb_lzw *z)
{
	z->bits = BITS_MIN;
	z->next = z->clears ? CLEAR + 1 : CLEAR;
	z->last = NONE;
}

static bool take_header(struct gaspdb_lzw *z, uint8_t byte)
{
	if (++z->n_header < HEADER)
		return byte == (uint8_t)GASPDB_LZW_MAGIC[z->n_header - 1];
	z->most = byte & FLAG_BITS;
	z->clears = byte & FLAG_CLEAR;
	begin(z);
	return z->most >= BITS_MIN && z->most <= BITS_MAX;
}

/* The rest of a group is nothing. */
static void end_group(struct gaspdb_lzw *z)
{
	z->skip = (GROUP - z->group) % GROUP * z->bits;
	z->group = 0;
}

/* A code's bytes wait.  One that is about to be made is the last one and its
   own first byte. */
static bool expand(struct gaspdb_lzw *z, uint32_t code)
{
	const bool itself = code == z->next && z->last != NONE;
	uint32_t at = itself ? (uint32_t)z->last : code;

	if (code >= z->next && !itself)
		return false;
	z->n_waiting = itself;
	for (; at >= CLEAR; at = z->prefix[at])
		z->waiting[z->n_waiting++] = z->suffix[at];
	z->waiting[z->n_waiting++] = z->first = (uint8_t)at;
	if (itself)
		z->waiting[0] = z->first;
	return true;
}

static void add(struct gaspdb_lzw *z)
{
	if (z->last == NONE || z->next >= 1u << z->most)
		return;
	z->prefix[z->next] = (uint16_t)z->last;
	z->suffix[z->next] = z->first;
	if (++z->next < 1u << z->bits || z->bits == z->most)
		return;
	end_group(z);
	z->bits++;
}

static bool take_code(struct gaspdb_lzw *z, uint32_t code)
{
	z->group = (z->group + 1) % GROUP;
	if (code == CLEAR && z->clears) {
		end_group(z);
		begin(z);
		return true;
	}
	if (!expand(z, code))
		return false;
	add(z);
	z->last = (int32_t)code;
	return true;
}

/* What is held is used as far as it goes. */
static bool take_held(struct gaspdb_lzw *z)
{
	uint32_t n = z->skip < z->n_held ? z->skip : z->n_held;
	uint32_t code;

	z->held >>= n;
	z->n_held -= n;
	z->skip -= n;
	if (z->skip || z->n_held < z->bits)
		return true;
	code = z->held & ((1u << z->bits) - 1);
	z->held >>= z->bits;
	z->n_held -= z->bits;
	return take_code(z, code);
}

bool gaspdb_lzw_step(struct gaspdb_lzw *z, const uint8_t **at, size_t *left,
		     uint8_t **to, size_t *room)
{
	while (*room && (z->n_waiting || *left)) {
		if (z->n_waiting) {
			*(*to)++ = z->waiting[--z->n_waiting];
			--*room;
			continue;
		}
		--*left;
		if (z->n_header < HEADER) {
			if (!take_header(z, *(*at)++))
				return false;
			continue;
		}
		z->held |= (uint32_t) * (*at)++ << z->n_held;
		z->n_held += 8;
		if (!take_held(z))
			return false;
	}
	return true;
}
