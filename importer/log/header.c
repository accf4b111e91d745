/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Header of a log: 64 bytes with a checksum. */
#include "importer/log/header.h"

#include <string.h>

#include "collector/log/crc32c.h"
#include "importer/input/decoder.h"
#include "importer/input/unpack.h"

/* Evidence that the header's numbers are in this order. The checksum outweighs
   the rest; it reads the same in both orders if its bytes are a palindrome. */
static unsigned evidence(const uint8_t *h, size_t n,
			 enum gaspdb_byte_order order)
{
	unsigned points = 0;

	if (gaspdb_log_number(h + GASPDB_LH_CRC, 4, order) ==
	    gaspdb_crc32c(0, h, GASPDB_LH_CRC))
		points += 4;
	points += gaspdb_log_number(h + GASPDB_LH_MAJOR, 2, order) ==
		  GASPDB_LOG_MAJOR;
	points += gaspdb_log_number(h + GASPDB_LH_SIZE, 4, order) ==
		  GASPDB_LH_BYTES;
	points += n >= GASPDB_HEADER_READ &&
		  gaspdb_log_number(h + GASPDB_LH_BYTES, 4, order) ==
			  GASPDB_BLOCK_MAGIC;
	return points;
}

static enum gaspdb_byte_order find_order(const uint8_t *h, size_t n)
{
	return evidence(h, n, GASPDB_BIG_ENDIAN) >
			       evidence(h, n, GASPDB_LITTLE_ENDIAN)
		       ? GASPDB_BIG_ENDIAN
		       : GASPDB_LITTLE_ENDIAN;
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

/* Is the checksum a part of the right one, with zeros for the rest? */
static bool checksum_begun(const uint8_t *h, enum gaspdb_byte_order order)
{
	uint8_t right[4];
	unsigned same = 0, zero = 0;

	gaspdb_log_set_number(right, gaspdb_crc32c(0, h, GASPDB_LH_CRC), 4,
			      order);
	while (same < 4 && h[GASPDB_LH_CRC + same] == right[same])
		same++;
	while (zero < 4 && h[GASPDB_LH_CRC + 3 - zero] == 0)
		zero++;
	return same < 4 && same + zero >= 4;
}

/* The collector extends the file with zeros, then writes the header, its
   checksum last. */
bool gaspdb_log_header_unmade(const uint8_t *h, size_t n)
{
	uint8_t any = 0;

	for (size_t i = 0; i < n && i < GASPDB_LH_BYTES; i++)
		any |= h[i];
	if (!any || n < GASPDB_LH_BYTES)
		return !any;
	for (size_t i = 0; i < 8; i++)
		if (h[i] && h[i] != (uint8_t)GASPDB_LOG_MAGIC[i])
			return false;
	return checksum_begun(h, GASPDB_LITTLE_ENDIAN) ||
	       checksum_begun(h, GASPDB_BIG_ENDIAN);
}

/* Fields of the header, but for its size. */
static void parse_fields(struct gaspdb_log_header *to, const uint8_t *h)
{
	const enum gaspdb_byte_order order = to->order;

	to->run = gaspdb_log_number(h + GASPDB_LH_RUN, 8, order);
	to->start_real_ns =
		(int64_t)gaspdb_log_number(h + GASPDB_LH_START_REAL, 8, order);
	to->ticks_hz = gaspdb_log_number(h + GASPDB_LH_TICKS_HZ, 8, order);
	to->pid = (uint32_t)gaspdb_log_number(h + GASPDB_LH_PID, 4, order);
	to->tid = (uint32_t)gaspdb_log_number(h + GASPDB_LH_TID, 4, order);
	to->ordinal =
		(uint32_t)gaspdb_log_number(h + GASPDB_LH_ORDINAL, 4, order);
	to->flags = (uint32_t)gaspdb_log_number(h + GASPDB_LH_FLAGS, 4, order);
	to->clock = h[GASPDB_LH_CLOCK];
}

enum gaspdb_status gaspdb_log_header_parse(struct gaspdb_log_header *to,
					   const uint8_t *h, size_t n,
					   uint64_t *first,
					   struct gaspdb_error *err)
{
	uint64_t size, major;

	if (n == 0)
		return gaspdb_fail(err, GASPDB_FAILED, "the file is empty");
	if (memcmp(h + GASPDB_LH_MAGIC, GASPDB_LOG_MAGIC, n < 8 ? n : 8))
		return no_log(h, n, err);
	if (n < GASPDB_LH_BYTES)
		return gaspdb_fail(err, GASPDB_FAILED,
				   "the file ends in its header");
	to->order = find_order(h, n);
	to->damaged = gaspdb_log_number(h + GASPDB_LH_CRC, 4, to->order) !=
		      gaspdb_crc32c(0, h, GASPDB_LH_CRC);
	major = gaspdb_log_number(h + GASPDB_LH_MAJOR, 2, to->order);
	if (!to->damaged && major != GASPDB_LOG_MAJOR)
		return gaspdb_fail(err, GASPDB_FAILED,
				   "log format %u is not known, only %u",
				   (unsigned)major, GASPDB_LOG_MAJOR);
	parse_fields(to, h);
	size = gaspdb_log_number(h + GASPDB_LH_SIZE, 4, to->order);
	if (size < GASPDB_LH_BYTES || size > GASPDB_HEADER_MAX || to->damaged)
		size = GASPDB_LH_BYTES;
	*first = (size + 7) & ~(uint64_t)7;
	return GASPDB_OK;
}
