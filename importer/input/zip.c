/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Number of a zip file's entries, compared with the one in its list:
 * libarchive passes over an entry of a damaged list without an error.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "importer/log/bytes.h"
#include "importer/input/unpack.h"

/* Offsets in the record at the file's end. */
enum {
	END_ENTRIES = 10, /* u16 */
	END_COMMENT = 20, /* u16: length; the comment ends the file */
	END_BYTES = 22
};

bool gaspdb_zip_begins(const struct gaspdb_unpack *u)
{
	static const char magic[] = { 'P', 'K', 3, 4 };

	return u->n_head >= sizeof magic &&
	       !memcmp(u->chunk, magic, sizeof magic);
}

/* Number of entries in the list; 0: no list. Overwrites chunk. */
static uint64_t entries_listed(struct gaspdb_unpack *u)
{
	static const char magic[] = { 'P', 'K', 5, 6 };
	const uint64_t from =
		u->size > GASPDB_CHUNK ? u->size - GASPDB_CHUNK : 0;
	const size_t n = gaspdb_unpack_at(u, u->chunk, GASPDB_CHUNK, from);

	for (size_t i = END_BYTES; i <= n; i++) {
		const uint8_t *end = u->chunk + n - i;

		if (!memcmp(end, magic, sizeof magic) &&
		    END_BYTES + gaspdb_le(end + END_COMMENT, 2) == i)
			return gaspdb_le(end + END_ENTRIES, 2);
	}
	return 0;
}

void gaspdb_zip_check(struct gaspdb_unpack *u)
{
	const uint64_t listed = u->seekable ? entries_listed(u) : 0;
	char what[100];

	/* UINT16_MAX: the number of a large file's entries is elsewhere. */
	if (listed <= u->n_entries || listed == UINT16_MAX)
		return;
	snprintf(what, sizeof what,
		 "the list at its end has %" PRIu64 " entries; found were "
		 "%" PRIu64,
		 listed, u->n_entries);
	gaspdb_unpack_emit(u, GASPDB_QUALITY_ARCHIVE_DAMAGED, what);
}
