/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Resynchronisation after damage: search for the next valid block at multiples
 * of 8, skipping holes of the file. The number of candidates per log is
 * limited.
 */
#include <errno.h>
#include <unistd.h>

#include "common/interrupt.h"
#include "importer/log/reader_parts.h"

/* Most blocks that may be missing before one that is accepted. */
#define JUMP_MAX (1u << 24)

/* Is there a block at offset that can follow the last good one? A sealed one
   must have a right checksum; an unsealed one may only be the last, or one of
   a profile. */
static bool plausible(struct gaspdb_reader *rd, uint64_t offset,
		      struct gaspdb_block *b)
{
	const bool headers_only = rd->headers_only;
	struct gaspdb_error ignored;
	bool good;

	rd->headers_only = false;
	good = !gaspdb_reader_load(rd, offset, b, &ignored) &&
	       b->number >= rd->number && b->number - rd->number < JUMP_MAX &&
	       (b->sealed || !b->cut) &&
	       (b->type == GASPDB_BLOCK_RECORDS || b->sealed ||
		(b->type == GASPDB_BLOCK_PROFILE &&
		 b->header_bytes + b->length == GASPDB_PROFILE_BYTES));
	rd->headers_only = headers_only;
	return good;
}

/* The offset `at`, or the end of a hole there. */
static uint64_t past_hole(const struct gaspdb_reader *rd, uint64_t at)
{
	off_t data = lseek(rd->fd, (off_t)(rd->begin + at), SEEK_DATA);

	if (data < 0) /* ENXIO: no data follow */
		return errno == ENXIO ? rd->size : at;
	return gaspdb_align8((uint64_t)data - rd->begin);
}

/* First offset in [from, size) of a block's magic number; size: none. */
static uint64_t find_magic(struct gaspdb_reader *rd, uint64_t from)
{
	struct gaspdb_error ignored;
	uint64_t at = gaspdb_align8(from);
	size_t got;

	while (!gaspdb_interrupted) {
		at = past_hole(rd, at);
		if (at + GASPDB_BH_BYTES > rd->size ||
		    gaspdb_reader_bytes(rd, rd->buffer, at, sizeof rd->buffer,
					&got, &ignored) ||
		    got < 8)
			break;
		for (size_t i = 0; i + 4 <= got; i += 8)
			if (gaspdb_reader_number(rd, rd->buffer + i, 4) ==
			    GASPDB_BLOCK_MAGIC)
				return at + i;
		at += got & ~(size_t)7;
	}
	return rd->size;
}

/* A block cut by the file's end has no valid checksum, so that any other is
   preferred. */
bool gaspdb_reader_find(struct gaspdb_reader *rd, uint64_t from,
			struct gaspdb_block *b)
{
	struct gaspdb_block cut;
	bool has_cut = false;

	for (;; from += 8) {
		from = find_magic(rd, from);
		if (from + GASPDB_BH_BYTES > rd->size || rd->tries == 0)
			break;
		rd->tries--;
		if (!plausible(rd, from, b))
			continue;
		if (!b->cut)
			return true;
		if (!has_cut)
			cut = *b;
		has_cut = true;
	}
	if (has_cut)
		*b = cut;
	return has_cut;
}

bool gaspdb_reader_zero_behind(struct gaspdb_reader *rd)
{
	enum { LONGEST = 16 << 20 };
	struct gaspdb_error ignored;
	uint64_t at = GASPDB_LH_BYTES;
	size_t got = 0;

	for (; at < rd->size && rd->size <= LONGEST; at += got) {
		uint8_t any = 0;

		if (gaspdb_reader_bytes(rd, rd->buffer, at, sizeof rd->buffer,
					&got, &ignored) ||
		    !got)
			return false;
		for (size_t i = 0; i < got; i++)
			any |= rd->buffer[i];
		if (any)
			return false;
	}
	return at >= rd->size;
}
