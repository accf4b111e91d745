/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What lies behind damage in an archive that has no list of its entries.  In a
 * cpio file nothing but the sizes in headers tells where the next one stands:
 * if one is wrong libarchive takes what follows for data, and is at a loss in
 * the midst of it, or at the end.  Of a tar file it gives up if a header is
 * such as nobody writes, and it looks for the next at multiples of 512 bytes,
 * where they no longer are if bytes are missing.  So the next header is looked
 * for here, wherever it stands.
 */
#include <archive.h>
#include <archive_entry.h>
#include <ctype.h>
#include <string.h>

#include "importer/input/unpack.h"

enum { PIECE_BYTES = 8192 };

/* --- headers -------------------------------------------------------------- */

enum { MAGIC_BYTES = 6, CPIO_BYTES = 76 }; /* the shortest */

/* Kinds of headers: digits, of base 8 or 16. */
static bool is_cpio_header(const uint8_t *p)
{
	const bool octal = !memcmp(p, "070707", MAGIC_BYTES);

	if (!octal && memcmp(p, "070701", MAGIC_BYTES) &&
	    memcmp(p, "070702", MAGIC_BYTES))
		return false;
	for (size_t i = MAGIC_BYTES; i < CPIO_BYTES; i++)
		if (octal ? p[i] < '0' || p[i] > '7' : !isxdigit(p[i]))
			return false;
	return true;
}

enum { TAR_BYTES = 512, TAR_SUM = 148, TAR_SUM_BYTES = 8, TAR_MAGIC = 257 };

/* The sum is that of all bytes, its own being blanks. */
static bool is_tar_header(const uint8_t *p)
{
	unsigned sum = TAR_SUM_BYTES * ' ', told = 0;
	int i = TAR_SUM;

	while (i < TAR_SUM + TAR_SUM_BYTES && p[i] == ' ')
		i++;
	for (; i < TAR_SUM + TAR_SUM_BYTES && p[i] >= '0' && p[i] <= '7'; i++)
		told = told * 8 + (unsigned)(p[i] - '0');
	for (i = 0; i < TAR_BYTES; i++)
		sum += i < TAR_SUM || i >= TAR_SUM + TAR_SUM_BYTES ? p[i] : 0;
	return sum == told;
}

static const struct format {
	int format;
	size_t bytes;	   /* of a header */
	const char *magic; /* in it ... */
	size_t at;	   /* ... there */
	bool (*is_header)(const uint8_t *p);
} formats[] = {
	{ ARCHIVE_FORMAT_CPIO, CPIO_BYTES, "07070", 0, is_cpio_header },
	{ ARCHIVE_FORMAT_TAR, TAR_BYTES, "ustar", TAR_MAGIC, is_tar_header },
};

/* NULL: it is none of them, or cannot be read at any place. */
static const struct format *format_of(const struct gaspdb_unpack *u)
{
	if (u->a && u->seekable && !u->packed)
		for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
			if ((archive_format(u->a) & ARCHIVE_FORMAT_BASE_MASK) ==
			    formats[i].format)
				return &formats[i];
	return NULL;
}

/* --- where they stand ----------------------------------------------------- */

/* The first in n bytes; n: none. */
static size_t find_in(const uint8_t *look, size_t n, const struct format *f)
{
	const uint8_t *from = look + f->at, *end = look + n;
	const uint8_t *magic;

	while ((magic = memmem(from, (size_t)(end - from), f->magic,
			       strlen(f->magic)))) {
		const uint8_t *header = magic - f->at;

		if ((size_t)(end - header) < f->bytes)
			break;
		if (f->is_header(header))
			return (size_t)(header - look);
		from = magic + 1;
	}
	return n;
}

/* The first from at on; 0: none. */
static uint64_t find(struct gaspdb_unpack *u, const struct format *f,
		     uint64_t at)
{
	uint8_t look[PIECE_BYTES];
	size_t n;

	while (!gaspdb_unpack_check(u) &&
	       (n = gaspdb_unpack_at(u, look, sizeof look, at)) >= f->bytes) {
		const size_t i = find_in(look, n, f);

		if (i < n)
			return at + i;
		at += n - f->bytes + 1;
	}
	return 0;
}

static uint64_t read_to(const struct gaspdb_unpack *u)
{
	return u->begin + (uint64_t)archive_filter_bytes(u->a, 0);
}

/* A tar file may have several headers for one entry; now they were read. */
void gaspdb_behind_header(struct gaspdb_unpack *u, struct archive_entry *e)
{
	const struct format *f = format_of(u);
	const uint64_t size = (uint64_t)archive_entry_size(e);

	if (!f)
		return;
	if (f->format == ARCHIVE_FORMAT_TAR) {
		u->header = read_to(u) - 1;
		u->next = u->header + 1 +
			  (size + TAR_BYTES - 1) / TAR_BYTES * TAR_BYTES;
		return;
	}
	u->header = u->begin + (uint64_t)archive_read_header_position(u->a);
}

/* Is it one that libarchive has read, and thought bad? */
static bool is_bad(const struct gaspdb_unpack *u, uint64_t header)
{
	const uint64_t from = u->next > u->begin ? u->next : u->begin;

	return header >= from && header < read_to(u) &&
	       (header - from) % TAR_BYTES == 0;
}

/* Bytes may be missing of the last entry: the next header may stand in what is
   taken for its data. */
bool gaspdb_behind_look(struct gaspdb_unpack *u)
{
	const struct format *f = format_of(u);

	if (!f || u->stopped || u->none_behind)
		return false;
	u->lost = u->header > u->begin ? u->header : u->begin;
	do
		u->lost = find(u, f, u->lost + 1);
	while (u->lost && f->format == ARCHIVE_FORMAT_TAR &&
	       is_bad(u, u->lost));
	u->none_behind = u->lost == 0;
	return !u->none_behind;
}
