/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Search for tar headers after damage. libarchive searches at multiples of 512
 * bytes, and finds nothing if bytes are missing; it stops where a size is out
 * of range. This search looks at every offset.
 */
#include <archive.h>
#include <archive_entry.h>
#include <string.h>

#include "importer/input/unpack.h"

enum { PIECE_BYTES = 8192 };
enum { TAR_BYTES = 512, TAR_SUM = 148, TAR_SUM_BYTES = 8, TAR_MAGIC = 257 };

/* Checks a header's sum: that of all bytes, the sum's own field taken as
   blanks. */
static bool is_header(const uint8_t *p)
{
	unsigned sum = TAR_SUM_BYTES * ' ', said = 0;
	int i = TAR_SUM;

	while (i < TAR_SUM + TAR_SUM_BYTES && p[i] == ' ')
		i++;
	for (; i < TAR_SUM + TAR_SUM_BYTES && p[i] >= '0' && p[i] <= '7'; i++)
		said = said * 8 + (unsigned)(p[i] - '0');
	for (i = 0; i < TAR_BYTES; i++)
		sum += i < TAR_SUM || i >= TAR_SUM + TAR_SUM_BYTES ? p[i] : 0;
	return sum == said;
}

/* Is it an uncompressed, seekable tar file? */
static bool can_look(const struct gaspdb_unpack *u)
{
	return u->seekable && !u->packed &&
	       (archive_format(u->a) & ARCHIVE_FORMAT_BASE_MASK) ==
		       ARCHIVE_FORMAT_TAR;
}

/* Offset of the first header in n bytes; n: none. */
static size_t find_in(const uint8_t *look, size_t n)
{
	const uint8_t *from = look + TAR_MAGIC, *end = look + n;
	const uint8_t *magic;

	while ((magic = memmem(from, (size_t)(end - from), "ustar", 5))) {
		const uint8_t *header = magic - TAR_MAGIC;

		if (end - header < TAR_BYTES)
			break;
		if (is_header(header))
			return (size_t)(header - look);
		from = magic + 1;
	}
	return n;
}

/* Offset of the first header from `at` on; 0: none. */
static uint64_t find(struct gaspdb_unpack *u, uint64_t at)
{
	uint8_t look[PIECE_BYTES];
	size_t n;

	while (!gaspdb_unpack_check(u) &&
	       (n = gaspdb_unpack_at(u, look, sizeof look, at)) >= TAR_BYTES) {
		const size_t i = find_in(look, n);

		if (i < n)
			return at + i;
		at += n - TAR_BYTES + 1;
	}
	return 0;
}

static uint64_t read_to(const struct gaspdb_unpack *u)
{
	return u->begin + (uint64_t)archive_filter_bytes(u->a, 0);
}

/* Called after all headers of an entry were read: notes where the next entry's
   should be. */
void gaspdb_behind_header(struct gaspdb_unpack *u, struct archive_entry *e)
{
	const uint64_t size = (uint64_t)archive_entry_size(e);

	if (!can_look(u))
		return;
	u->header = read_to(u) - 1;
	u->next = u->header + 1 +
		  (size + TAR_BYTES - 1) / TAR_BYTES * TAR_BYTES;
}

/* Has libarchive read this header and rejected it? */
static bool is_bad(const struct gaspdb_unpack *u, uint64_t header)
{
	const uint64_t from = u->next > u->begin ? u->next : u->begin;

	return header >= from && header < read_to(u) &&
	       (header - from) % TAR_BYTES == 0;
}

/* The search starts after the last good header, not after its data: if bytes
   are missing, the next header lies within what was read as data. */
bool gaspdb_behind_look(struct gaspdb_unpack *u)
{
	if (!can_look(u) || u->stopped || u->none_behind)
		return false;
	u->lost = u->header > u->begin ? u->header : u->begin;
	do
		u->lost = find(u, u->lost + 1);
	while (u->lost && is_bad(u, u->lost));
	u->none_behind = u->lost == 0;
	return !u->none_behind;
}
