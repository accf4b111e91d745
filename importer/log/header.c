/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Header of a log: 64 bytes with a checksum. */
#include "importer/log/header.h"

#include <string.h>

#include "collector/log/crc32c.h"
#include "importer/input/decoder.h"
#include "importer/input/unpack.h"

/* Was it written in big-endian order? Then the checksum is right as such. */
static bool is_big_endian(const uint8_t *h)
{
	const uint8_t *p = h + GASPDB_LH_CRC;

	return ((uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
		(uint32_t)p[2] << 8 | p[3]) ==
	       gaspdb_crc32c(0, h, GASPDB_LH_CRC);
}

/* Reports a file that is not a log: its name may have lost a suffix. */
static enum gaspdb_status no_log(const uint8_t *h, size_t n,
				 struct gaspdb_error *err)
{
	const char *packed = gaspdb_decoder_format(h, n);
	const char *known = gaspdb_unpack_known(h, n);

	if (packed)
		return gaspdb_fail(err, GASPDB_FAILED,
				   "not a log but %s data: decompress it, or "
				   "let its name end as %s's do",
				   packed, packed);
	if (known)
		return gaspdb_fail(err, GASPDB_FAILED, "%s", known);
	return gaspdb_fail(err, GASPDB_FAILED, "not a gaspdb log");
}

/* The collector extends the file with zeros, then writes the header, its
   checksum last. */
bool gaspdb_log_header_unmade(const uint8_t *h, size_t n)
{
	uint32_t right, there;
	uint8_t any = 0;

	for (size_t i = 0; i < n; i++)
		any |= h[i];
	if (!any || n < GASPDB_LH_BYTES)
		return !any;
	for (size_t i = 0; i < 8; i++)
		if (h[i] && h[i] != (uint8_t)GASPDB_LOG_MAGIC[i])
			return false;
	right = gaspdb_crc32c(0, h, GASPDB_LH_CRC);
	there = (uint32_t)gaspdb_le(h + GASPDB_LH_CRC, 4);
	return there == 0 || there == (right & 0xff) ||
	       there == (right & 0xffff) || there == (right & 0xffffff);
}

enum gaspdb_status gaspdb_log_header_parse(struct gaspdb_log_header *to,
					   const uint8_t *h, size_t n,
					   uint64_t *first,
					   struct gaspdb_error *err)
{
	uint64_t size;

	if (n == 0)
		return gaspdb_fail(err, GASPDB_FAILED, "the file is empty");
	if (memcmp(h + GASPDB_LH_MAGIC, GASPDB_LOG_MAGIC, n < 8 ? n : 8))
		return no_log(h, n, err);
	if (n < GASPDB_LH_BYTES)
		return gaspdb_fail(err, GASPDB_FAILED,
				   "the file ends in its header");
	to->damaged = gaspdb_le(h + GASPDB_LH_CRC, 4) !=
		      gaspdb_crc32c(0, h, GASPDB_LH_CRC);
	if (to->damaged && is_big_endian(h))
		return gaspdb_fail(err, GASPDB_FAILED,
				   "a big-endian log; logs are little-endian");
	if (!to->damaged &&
	    gaspdb_le(h + GASPDB_LH_MAJOR, 2) != GASPDB_LOG_MAJOR)
		return gaspdb_fail(err, GASPDB_FAILED,
				   "log format %u is not known, only %u",
				   (unsigned)gaspdb_le(h + GASPDB_LH_MAJOR, 2),
				   GASPDB_LOG_MAJOR);
	to->run = gaspdb_le(h + GASPDB_LH_RUN, 8);
	to->start_real_ns = (int64_t)gaspdb_le(h + GASPDB_LH_START_REAL, 8);
	to->ticks_hz = gaspdb_le(h + GASPDB_LH_TICKS_HZ, 8);
	to->pid = (uint32_t)gaspdb_le(h + GASPDB_LH_PID, 4);
	to->tid = (uint32_t)gaspdb_le(h + GASPDB_LH_TID, 4);
	to->ordinal = (uint32_t)gaspdb_le(h + GASPDB_LH_ORDINAL, 4);
	to->flags = (uint32_t)gaspdb_le(h + GASPDB_LH_FLAGS, 4);
	to->clock = h[GASPDB_LH_CLOCK];
	size = gaspdb_le(h + GASPDB_LH_SIZE, 4);
	if (size < GASPDB_LH_BYTES || size > GASPDB_HEADER_MAX || to->damaged)
		size = GASPDB_LH_BYTES;
	*first = (size + 7) & ~(uint64_t)7;
	return GASPDB_OK;
}
