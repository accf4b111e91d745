/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sweep over the sorted starts and ends of waited memory, which yields the
 * pieces. Blocks of pieces are an index in memory, so that a write to other
 * memory is rejected by a binary search.
 */
#include "analysis/signals/waited_words.h"

#include <stdlib.h>

#include "common/sum.h"

enum { BLOCKS = 1 << 16, PIECES_OF_PART = 1 << 15 };

/* A block: pieces of one process, from its first byte to its last. */
struct gaspdb_waited_block {
	int64_t process, first, last;
	size_t part;
};

typedef struct gaspdb_waited_words words;
typedef struct gaspdb_waited_piece piece;
typedef struct gaspdb_waited_block block;

enum { PROCESS, OBJECT, DELTA, COLUMNS };

void gaspdb_waited_words_open(words *w, struct gaspdb_run *run)
{
	*w = (words){ .run = run };
	gaspdb_sorter_init(&w->edges, run, COLUMNS, OBJECT + 1);
}

/* Is a piece in the cache? Most waits are for the same few words. */
static bool is_recent(words *w, const piece *p)
{
	const uint64_t bits = ((uint64_t)p->object ^ (uint64_t)p->bytes << 40 ^
			       (uint64_t)p->process << 20) *
			      0x9e3779b97f4a7c15u;
	piece *recent = &w->recent[bits >> 32 & (GASPDB_WAITED_RECENT - 1)];

	if (recent->bytes == p->bytes && recent->object == p->object &&
	    recent->process == p->process)
		return true;
	*recent = *p;
	return false;
}

void gaspdb_waited_words_add(words *w, int64_t process, int64_t object,
			     int64_t bytes)
{
	const piece p = { process, object, bytes };
	const int64_t end = gaspdb_plus(object, bytes);

	if (end <= object || is_recent(w, &p))
		return;
	gaspdb_sorter_add(&w->edges, (int64_t[]){ process, object, 1 });
	gaspdb_sorter_add(&w->edges, (int64_t[]){ process, end, -1 });
}

/* --- pieces --------------------------------------------------------------- */

/* Advance to the next piece; false: none. */
static bool next_piece(words *w)
{
	piece p;

	while (w->row) {
		p.process = w->row[PROCESS];
		p.object = w->row[OBJECT];
		while (w->row && w->row[PROCESS] == p.process &&
		       w->row[OBJECT] == p.object) {
			w->depth += w->row[DELTA];
			w->row = gaspdb_sorter_next(&w->edges);
		}
		if (w->depth && w->row) {
			p.bytes = gaspdb_plus(w->row[OBJECT], -p.object);
			w->next = p;
			return true;
		}
	}
	w->next.bytes = 0;
	return false;
}

static bool first_piece(words *w)
{
	gaspdb_sorter_rewind(&w->edges);
	w->row = gaspdb_sorter_next(&w->edges);
	w->depth = 0;
	return next_piece(w);
}

/* --- parts ---------------------------------------------------------------- */

static size_t count_pieces(words *w)
{
	size_t n = 0;

	for (bool any = first_piece(w); any; any = next_piece(w))
		n++;
	return n;
}

static bool begin_part(words *w)
{
	if (!gaspdb_grow(w->run, &w->parts, w->n_parts, &w->parts_room,
			 sizeof *w->parts))
		return false;
	w->parts[w->n_parts++] = w->n_blocks;
	return true;
}

static block *begin_block(words *w)
{
	if (!gaspdb_grow(w->run, &w->blocks, w->n_blocks, &w->blocks_room,
			 sizeof *w->blocks))
		return NULL;
	w->blocks[w->n_blocks] = (block){ .process = w->next.process,
					  .first = w->next.object,
					  .part = w->n_parts - 1 };
	return &w->blocks[w->n_blocks++];
}

static int64_t last_byte(const piece *p)
{
	return p->object + (p->bytes - 1);
}

void gaspdb_waited_words_sort(words *w)
{
	const size_t per_block = count_pieces(w) / BLOCKS + 1;
	size_t in_part = 0, in_block = 0;
	block *last = NULL;

	for (bool any = first_piece(w); any; any = next_piece(w)) {
		const bool other = !last || last->process != w->next.process;

		if (other || in_part == PIECES_OF_PART) {
			in_part = 0;
			if (!begin_part(w))
				break;
		}
		if (!in_part || in_block == per_block) {
			in_block = 0;
			last = begin_block(w);
			if (!last)
				break;
		}
		last->last = last_byte(&w->next);
		in_part++;
		in_block++;
	}
	first_piece(w);
}

static bool after(const block *s, int64_t process, int64_t object)
{
	return s->process != process ? s->process > process : s->first > object;
}

static bool before(const block *s, int64_t process, int64_t object)
{
	return s->process != process ? s->process < process : s->last < object;
}

size_t gaspdb_waited_words_part(const words *w, size_t from, int64_t process,
				int64_t first, int64_t last)
{
	size_t low, high = w->n_blocks;

	if (from >= w->n_parts)
		return SIZE_MAX;
	low = w->parts[from];
	if (after(&w->blocks[low], process, last))
		return SIZE_MAX;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (before(&w->blocks[middle], process, first))
			low = middle + 1;
		else
			high = middle;
	}
	return low < w->n_blocks && !after(&w->blocks[low], process, last)
		       ? w->blocks[low].part
		       : SIZE_MAX;
}

/* --- one part's pieces ---------------------------------------------------- */

/* Is the next piece in a part? */
static bool is_in(const words *w, size_t part)
{
	const size_t next =
		part + 1 < w->n_parts ? w->parts[part + 1] : w->n_blocks;
	const block *last = &w->blocks[next - 1];

	return w->next.bytes && (w->next.process < last->process ||
				 (w->next.process == last->process &&
				  w->next.object <= last->last));
}

bool gaspdb_waited_words_load(words *w, size_t part)
{
	for (; w->part <= part && w->part < w->n_parts; w->part++)
		for (w->n = 0; is_in(w, w->part); next_piece(w)) {
			if (!gaspdb_grow(w->run, &w->pieces, w->n, &w->room,
					 sizeof *w->pieces))
				return false;
			w->pieces[w->n++] = w->next;
		}
	return w->run->status == GASPDB_OK;
}

size_t gaspdb_waited_words_ended(const words *w, int64_t object)
{
	size_t low = 0, high = w->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (last_byte(&w->pieces[middle]) < object)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t gaspdb_waited_words_begun(const words *w, int64_t object)
{
	size_t low = 0, high = w->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (w->pieces[middle].object < object)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void gaspdb_waited_words_close(words *w)
{
	gaspdb_sorter_fini(&w->edges);
	free(w->blocks);
	free(w->parts);
	free(w->pieces);
}
