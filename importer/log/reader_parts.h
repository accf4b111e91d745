/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of the reader share: reader.c, resync.c. */
#ifndef GASPDB_IMPORTER_LOG_READER_PARTS_H
#define GASPDB_IMPORTER_LOG_READER_PARTS_H

#include "importer/log/reader.h"

/* Blocks begin at such offsets. */
static inline uint64_t gaspdb_align8(uint64_t n)
{
	return (n + 7) & ~(uint64_t)7;
}

static inline uint64_t gaspdb_block_end(const struct gaspdb_block *b)
{
	return b->offset + b->header_bytes + b->length;
}

/* n bytes at offset into to; *got may be less at the file's end. */
enum gaspdb_status gaspdb_reader_bytes(const struct gaspdb_reader *rd,
				       uint8_t *to, uint64_t offset, size_t n,
				       size_t *got, struct gaspdb_error *err);
/*
 * Read the block at offset into the buffer.  EOF: the file ends before its
 * header does; DAMAGED: there is none, or not as it was written.
 */
enum gaspdb_status gaspdb_reader_load(struct gaspdb_reader *rd, uint64_t offset,
				      struct gaspdb_block *b,
				      struct gaspdb_error *err);
/* Find the next good block from an offset on; false: there is none.  The buffer
   is used. */
bool gaspdb_reader_find(struct gaspdb_reader *rd, uint64_t from,
			struct gaspdb_block *b);

/* Is all that is behind the header zero, in a file no longer than a process has
   made one before it writes to it?  The buffer is used. */
bool gaspdb_reader_zero_behind(struct gaspdb_reader *rd);

#endif
