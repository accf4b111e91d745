/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Header of a block: 48 bytes in the log's byte order. */
#include <inttypes.h>

#include "collector/log/crc32c.h"
#include "importer/log/header.h"
#include "importer/log/reader_parts.h"

bool gaspdb_block_parse(const struct gaspdb_reader *rd, uint64_t offset,
			struct gaspdb_block *b)
{
	const enum gaspdb_byte_order order = rd->header.order;
	const uint8_t *h = rd->buffer;

	if (gaspdb_log_number(h + GASPDB_BH_MAGIC, 4, order) !=
	    GASPDB_BLOCK_MAGIC)
		return false;
	*b = (struct gaspdb_block){
		.offset = offset,
		.type = h[GASPDB_BH_TYPE],
		.header_bytes = (uint32_t)gaspdb_log_number(h + GASPDB_BH_SIZE,
							    2, order),
		.length = (uint32_t)gaspdb_log_number(h + GASPDB_BH_LENGTH, 4,
						      order),
		.number = gaspdb_log_number(h + GASPDB_BH_NUMBER, 8, order),
		.ticks = gaspdb_log_number(h + GASPDB_BH_TICKS, 8, order),
		.monotonic_ns = (int64_t)gaspdb_log_number(
			h + GASPDB_BH_MONOTONIC, 8, order),
		.uncertain_ns = (uint32_t)gaspdb_log_number(
			h + GASPDB_BH_UNCERTAIN, 4, order),
		.lost = (uint32_t)gaspdb_log_number(h + GASPDB_BH_LOST, 4,
						    order),
		.sealed = h[GASPDB_BH_SEALED] == 1,
	};
	return h[GASPDB_BH_SEALED] <= 1 && b->header_bytes >= GASPDB_BH_BYTES &&
	       b->header_bytes <= GASPDB_HEADER_MAX &&
	       b->length <= GASPDB_BLOCK_MAX - b->header_bytes;
}

enum gaspdb_status gaspdb_block_none(const struct gaspdb_reader *rd,
				     struct gaspdb_error *err)
{
	const uint8_t *h = rd->buffer;
	const uint64_t n = gaspdb_reader_number(rd, h + GASPDB_BH_SIZE, 2) +
			   gaspdb_reader_number(rd, h + GASPDB_BH_LENGTH, 4);

	if (gaspdb_reader_number(rd, h + GASPDB_BH_MAGIC, 4) !=
		    GASPDB_BLOCK_MAGIC ||
	    n <= GASPDB_BLOCK_MAX)
		return gaspdb_fail(err, GASPDB_DAMAGED, "no block header");
	return gaspdb_fail(err, GASPDB_DAMAGED,
			   "a block of %" PRIu64 " bytes, more than %u", n,
			   (unsigned)GASPDB_BLOCK_MAX);
}

bool gaspdb_block_checksum_right(const struct gaspdb_reader *rd, size_t n)
{
	static const uint8_t zero[4];
	const uint8_t *bytes = rd->buffer;
	uint32_t crc = gaspdb_crc32c(0, bytes, GASPDB_BH_CRC);

	crc = gaspdb_crc32c(crc, zero, sizeof zero);
	crc = gaspdb_crc32c(crc, bytes + GASPDB_BH_CRC + 4,
			    n - GASPDB_BH_CRC - 4);
	return crc == gaspdb_reader_number(rd, bytes + GASPDB_BH_CRC, 4);
}
