/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A cpio file has nothing but the sizes in its headers to tell where the next
 * one stands.  If one is wrong libarchive takes what follows for data, and is
 * at a loss in the midst of it, or at the end.  Then the first header after
 * that of the last entry is where to go on.
 */
#include <archive.h>
#include <ctype.h>
#include <string.h>

#include "input_unpack.h"

enum { MAGIC_BYTES = 6, HEADER_BYTES = 76 }; /* the shortest */

/* Kinds of headers: digits, of base 8 or 16. */
static bool is_header(const uint8_t *p)
{
	const bool octal = !memcmp(p, "070707", MAGIC_BYTES);

	if (!octal && memcmp(p, "070701", MAGIC_BYTES) &&
	    memcmp(p, "070702", MAGIC_BYTES))
		return false;
	for (size_t i = MAGIC_BYTES; i < HEADER_BYTES; i++)
		if (octal ? p[i] < '0' || p[i] > '7' : !isxdigit(p[i]))
			return false;
	return true;
}

/* The first from at on; 0: none. */
static uint64_t find(struct gaspdb_unpack *u, uint64_t at)
{
	uint8_t look[GASPDB_CHUNK];
	size_t n;

	while (!gaspdb_unpack_check(u) &&
	       (n = gaspdb_unpack_at(u, look, sizeof look, at)) >=
		       HEADER_BYTES) {
		for (size_t i = 0; i <= n - HEADER_BYTES; i++)
			if (look[i] == '0' && is_header(look + i))
				return at + i;
		at += n - HEADER_BYTES + 1;
	}
	return 0;
}

static bool is_cpio(const struct gaspdb_unpack *u)
{
	return u->a && u->seekable && !u->packed &&
	       (archive_format(u->a) & ARCHIVE_FORMAT_BASE_MASK) ==
		       ARCHIVE_FORMAT_CPIO;
}

void gaspdb_cpio_header(struct gaspdb_unpack *u)
{
	if (is_cpio(u))
		u->header =
			u->begin + (uint64_t)archive_read_header_position(u->a);
}

bool gaspdb_cpio_look(struct gaspdb_unpack *u)
{
	const uint64_t from = u->header > u->begin ? u->header : u->begin;

	if (is_cpio(u) && !u->stopped)
		u->lost = find(u, from + 1);
	return u->lost != 0;
}
