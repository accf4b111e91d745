/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to the reader: reader.c, block_header.c, resync.c. */
#ifndef GASPDB_IMPORTER_LOG_READER_PARTS_H
#define GASPDB_IMPORTER_LOG_READER_PARTS_H

#include "importer/log/reader.h"

/* Rounds up to a multiple of 8, at which blocks begin. */
static inline uint64_t gaspdb_align8(uint64_t n)
{
	return (n + 7) & ~(uint64_t)7;
}

static inline uint64_t gaspdb_block_end(const struct gaspdb_block *b)
{
	return b->offset + b->header_bytes + b->length;
}

/* A number of n bytes in the log's byte order. */
static inline uint64_t gaspdb_reader_number(const struct gaspdb_reader *rd,
					    const uint8_t *p, unsigned n)
{
	return gaspdb_log_number(p, n, rd->header.order);
}

/* Reads n bytes at offset; *got is less at the file's end. */
enum gaspdb_status gaspdb_reader_bytes(const struct gaspdb_reader *rd,
				       uint8_t *to, uint64_t offset, size_t n,
				       size_t *got, struct gaspdb_error *err);
/* Reads the block at offset into the buffer. EOF: the file ends within its
   header. DAMAGED: no block, or a wrong checksum. */
enum gaspdb_status gaspdb_reader_load(struct gaspdb_reader *rd, uint64_t offset,
				      struct gaspdb_block *b,
				      struct gaspdb_error *err);

/* Parses the block's header in the buffer; false: not a valid one. */
bool gaspdb_block_parse(const struct gaspdb_reader *rd, uint64_t offset,
			struct gaspdb_block *b);
/* Reports an invalid header in the buffer. DAMAGED. */
enum gaspdb_status gaspdb_block_none(const struct gaspdb_reader *rd,
				     struct gaspdb_error *err);
/* Is the checksum of the block in the buffer right, if it has n bytes? */
bool gaspdb_block_checksum_right(const struct gaspdb_reader *rd, size_t n);

/* Finds the next good block from an offset on; false: none. Overwrites the
   buffer. */
bool gaspdb_reader_find(struct gaspdb_reader *rd, uint64_t from,
			struct gaspdb_block *b);

/* Are all bytes after the header zero, in a file not longer than the
   collector's first extension? Overwrites the buffer. */
bool gaspdb_reader_zero_behind(struct gaspdb_reader *rd);

#endif
