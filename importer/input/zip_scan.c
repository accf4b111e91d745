/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A zip file whose list leads nowhere is searched for the headers that stand
 * before its entries.  libarchive does so, too, but gives nothing of the last
 * 256 KiB before damage, ends there, and passes over what follows an entry of
 * which bytes are missing.
 */
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "importer/log/bytes.h"
#include "importer/input/unpack.h"
#include "common/interrupt.h"
#include "common/memory.h"

/* Offsets in what stands before an entry. */
enum {
	AT_VERSION = 4, /* u8: needed to undo it */
	AT_FLAGS = 6,	/* u16, as the next, and the lengths */
	AT_METHOD = 8,
	AT_SUM = 14, /* u32, as the sizes */
	AT_PACKED = 18,
	AT_NAME = 26, /* lengths: of the name and what follows it */
	AT_EXTRA = 28,
	HEADER_BYTES = 30
};

enum { ENCRYPTED = 1, SIZES_FOLLOW = 8 }; /* flags */
enum { STORED = 0, DEFLATED = 8, METHOD_MAX = 99 };
enum { VERSION_MAX = 63, EXTRA_LARGE = 1 };
enum { SUM_AFTER = 16 }; /* what may stand behind an entry */

#define MAGIC(c, d) ((const uint8_t[]){ 'P', 'K', c, d })
#define MAGIC_BYTES 4

struct gaspdb_zip_scan {
	uint64_t next; /* from there the next header is looked for */
	/* What the header says */
	unsigned flags, method;
	uint32_t sum;
	uint64_t data, packed;
	uint64_t data_end; /* at most */
	/* What has been read of it */
	uint64_t at, end, given;
	uint32_t sum_given;
	bool touched, over, bad;
	const char *why;
	z_stream z;
	struct archive_entry *entry;
	const uint8_t *rest; /* of a block that was read in pieces */
	size_t n_rest;
	uint64_t looked_at; /* where look is from */
	size_t n_look;
	uint8_t look[GASPDB_CHUNK], in[GASPDB_CHUNK], out[GASPDB_CHUNK];
};

void gaspdb_zip_scan_begin(struct gaspdb_unpack *u)
{
	u->scan = gaspdb_mem_alloc(sizeof *u->scan);
	memset(u->scan, 0, offsetof(struct gaspdb_zip_scan, look));
}

void gaspdb_zip_scan_end(struct gaspdb_unpack *u)
{
	if (!u->scan)
		return;
	inflateEnd(&u->scan->z);
	archive_entry_free(u->scan->entry);
	free(u->scan);
}

/* --- headers -------------------------------------------------------------- */

/* Of sizes of 4 GiB and more: that of the file, and what it is packed into. */
static void take_large(struct gaspdb_zip_scan *s, const uint8_t *extra,
		       size_t n)
{
	while (n >= 4) {
		const size_t size = (size_t)gaspdb_le(extra + 2, 2);

		if (size > n - 4)
			return;
		if (gaspdb_le(extra, 2) == EXTRA_LARGE && size >= 16) {
			s->packed = gaspdb_le(extra + 12, 8);
			return;
		}
		extra += 4 + size;
		n -= 4 + size;
	}
}

/* The name and what follows it. */
static bool take_name(struct gaspdb_unpack *u, uint64_t at, size_t n_name,
		      size_t n_extra)
{
	struct gaspdb_zip_scan *s = u->scan;
	char *name = (char *)s->in;
	size_t got = gaspdb_unpack_at(u, s->in, n_name, at);

	if (got < n_name || memchr(name, 0, n_name))
		return false;
	name[n_name] = 0;
	archive_entry_clear(s->entry);
	archive_entry_set_pathname(s->entry, name);
	archive_entry_set_filetype(
		s->entry, name[n_name - 1] == '/' ? AE_IFDIR : AE_IFREG);
	archive_entry_set_is_data_encrypted(s->entry,
					    (s->flags & ENCRYPTED) != 0);
	take_large(s, s->in, gaspdb_unpack_at(u, s->in, n_extra, at + n_name));
	s->data = at + n_name + n_extra;
	s->data_end = u->size;
	if (s->data < u->size && !(s->flags & SIZES_FOLLOW) &&
	    s->packed < u->size - s->data)
		s->data_end = s->data + s->packed;
	return true;
}

/* Is it a header that stands at at?  Its signature does. */
static bool take_header(struct gaspdb_unpack *u, uint64_t at)
{
	struct gaspdb_zip_scan *s = u->scan;
	uint8_t h[HEADER_BYTES];
	size_t n_name;

	if (gaspdb_unpack_at(u, h, sizeof h, at) < sizeof h)
		return false;
	n_name = (size_t)gaspdb_le(h + AT_NAME, 2);
	s->flags = (unsigned)gaspdb_le(h + AT_FLAGS, 2);
	s->method = (unsigned)gaspdb_le(h + AT_METHOD, 2);
	if (h[AT_VERSION] > VERSION_MAX || s->method > METHOD_MAX ||
	    n_name == 0 || n_name > GASPDB_NAME_MAX)
		return false;
	s->sum = (uint32_t)gaspdb_le(h + AT_SUM, 4);
	s->packed = gaspdb_le(h + AT_PACKED, 4);
	return take_name(u, at + sizeof h, n_name,
			 (size_t)gaspdb_le(h + AT_EXTRA, 2));
}

/* Where a header's signature stands from at on; the file's size: nowhere. */
static uint64_t find(struct gaspdb_unpack *u, uint64_t at)
{
	struct gaspdb_zip_scan *s = u->scan;

	while (!gaspdb_unpack_check(u)) {
		const uint64_t end = s->looked_at + s->n_look;
		const uint8_t *found = NULL;

		if (at < s->looked_at || at + MAGIC_BYTES > end) {
			s->looked_at = at;
			s->n_look = gaspdb_unpack_at(u, s->look, sizeof s->look,
						     at);
			if (s->n_look < MAGIC_BYTES)
				break;
			continue;
		}
		found = memmem(s->look + (at - s->looked_at), end - at,
			       MAGIC(3, 4), MAGIC_BYTES);
		if (found)
			return s->looked_at + (uint64_t)(found - s->look);
		at = end - (MAGIC_BYTES - 1);
	}
	return u->size;
}

/* What comes after the entry; of one that is not wanted, if its size leads to
   something. */
static uint64_t after_entry(struct gaspdb_unpack *u)
{
	const struct gaspdb_zip_scan *s = u->scan;
	uint8_t magic[MAGIC_BYTES];

	if (s->over && !s->bad)
		return s->end;
	if (!s->touched && s->data_end < u->size &&
	    gaspdb_unpack_at(u, magic, sizeof magic, s->data_end) ==
		    sizeof magic &&
	    !memcmp(magic, MAGIC(0, 0), 2))
		return s->data_end;
	return s->data;
}

int gaspdb_zip_scan_next(struct gaspdb_unpack *u, struct archive_entry **e)
{
	struct gaspdb_zip_scan *s = u->scan;

	if (s->entry)
		s->next = after_entry(u);
	else
		s->entry = archive_entry_new();
	for (;; s->next++) {
		s->next = find(u, s->next);
		if (u->stopped)
			return ARCHIVE_FATAL;
		if (s->next >= u->size)
			return ARCHIVE_EOF;
		if (take_header(u, s->next))
			break;
	}
	inflateEnd(&s->z);
	memset(&s->z, 0, sizeof s->z);
	s->at = s->end = s->data;
	s->given = 0;
	s->sum_given = 0;
	s->touched = s->over = s->bad = false;
	s->why = NULL;
	s->n_rest = 0;
	*e = s->entry;
	return ARCHIVE_OK;
}

/* --- data ----------------------------------------------------------------- */

/* Nothing more comes of it; why NULL: it is good. */
static void end_entry(struct gaspdb_zip_scan *s, const char *why)
{
	s->over = true;
	s->bad = why != NULL;
	s->why = why;
}

/* All was read, up to end: is it what was packed? */
static void check_sum(struct gaspdb_unpack *u)
{
	struct gaspdb_zip_scan *s = u->scan;
	uint8_t after[SUM_AFTER] = { 0 };
	uint32_t sum = s->sum;

	if (s->flags & SIZES_FOLLOW) {
		gaspdb_unpack_at(u, after, sizeof after, s->end);
		sum = (uint32_t)gaspdb_le(
			memcmp(after, MAGIC(7, 8), MAGIC_BYTES) ? after
								: after + 4,
			4);
	}
	end_entry(s, sum == s->sum_given ? NULL : "its checksum is wrong");
}

/* Packed bytes from s->at on, into in. */
static size_t get_packed(struct gaspdb_unpack *u)
{
	struct gaspdb_zip_scan *s = u->scan;
	uint64_t n = s->data_end > s->at ? s->data_end - s->at : 0;
	size_t got = gaspdb_unpack_at(
		u, s->in, n < sizeof s->in ? (size_t)n : sizeof s->in, s->at);

	s->at += got;
	return got;
}

/* Without a size it ends where a signature stands. */
static size_t before_magic(struct gaspdb_zip_scan *s, size_t n)
{
	const uint8_t *found, *end = s->in + n;

	for (uint8_t *at = s->in;
	     (found = memmem(at, (size_t)(end - at), MAGIC(0, 0), 2));
	     at = (uint8_t *)(uintptr_t)found + 1)
		if (end - found >= MAGIC_BYTES &&
		    (!memcmp(found, MAGIC(7, 8), MAGIC_BYTES) ||
		     !memcmp(found, MAGIC(3, 4), MAGIC_BYTES) ||
		     !memcmp(found, MAGIC(1, 2), MAGIC_BYTES)))
			return (size_t)(found - s->in);
	return n;
}

static size_t read_stored(struct gaspdb_unpack *u, const uint8_t **block)
{
	struct gaspdb_zip_scan *s = u->scan;
	const uint64_t begin = s->at;
	const size_t got = get_packed(u);
	size_t n = got;

	*block = s->in;
	if (s->flags & SIZES_FOLLOW) {
		n = before_magic(s, got);
		/* A signature may begin in the last bytes. */
		if (n == got && got == sizeof s->in)
			n -= MAGIC_BYTES - 1;
	}
	s->end = s->at = begin + n;
	if (n == 0 && !(s->flags & SIZES_FOLLOW) &&
	    s->end - s->data < s->packed)
		end_entry(s, "it is cut");
	else if (n == 0)
		check_sum(u);
	return n;
}

static size_t read_deflated(struct gaspdb_unpack *u, const uint8_t **block)
{
	struct gaspdb_zip_scan *s = u->scan;
	z_stream *z = &s->z;
	size_t n = 0;
	int r = Z_OK;

	*block = s->out;
	while (!n && r == Z_OK) {
		if (z->avail_in == 0) {
			z->next_in = s->in;
			z->avail_in = (uInt)get_packed(u);
		}
		z->next_out = s->out;
		z->avail_out = sizeof s->out;
		r = inflate(z, Z_NO_FLUSH);
		n = sizeof s->out - z->avail_out;
		s->end = s->at - z->avail_in;
	}
	if (n)
		return n;
	if (r == Z_STREAM_END)
		check_sum(u);
	else
		end_entry(s, r == Z_BUF_ERROR ? "it is cut"
					      : "its deflated data is damaged");
	return 0;
}

static void begin_data(struct gaspdb_zip_scan *s)
{
	s->touched = true;
	if (s->method == DEFLATED && inflateInit2(&s->z, -MAX_WBITS) != Z_OK)
		end_entry(s, "out of memory");
	else if (s->method != STORED && s->method != DEFLATED)
		end_entry(s, "it is compressed in a way that only a whole zip "
			     "file is read of");
}

int gaspdb_zip_scan_block(struct gaspdb_unpack *u, const void **block,
			  size_t *n, la_int64_t *at)
{
	struct gaspdb_zip_scan *s = u->scan;
	const uint8_t *bytes = NULL;

	if (!s->touched)
		begin_data(s);
	*n = 0;
	if (!s->over)
		*n = s->method == STORED ? read_stored(u, &bytes)
					 : read_deflated(u, &bytes);
	*block = bytes;
	*at = (la_int64_t)s->given;
	s->given += *n;
	s->sum_given = (uint32_t)crc32(s->sum_given, bytes, (uInt)*n);
	if (*n)
		return ARCHIVE_OK;
	/* It will be read once more, in search of others. */
	u->given += s->bad ? s->end - s->data : 0;
	return s->bad ? ARCHIVE_FAILED : ARCHIVE_EOF;
}

long gaspdb_zip_scan_read(struct gaspdb_unpack *u, uint8_t *to, size_t n)
{
	struct gaspdb_zip_scan *s = u->scan;
	const void *block;
	la_int64_t at;

	if (!s->n_rest) {
		if (gaspdb_zip_scan_block(u, &block, &s->n_rest, &at) ==
		    ARCHIVE_FAILED)
			return -1;
		s->rest = block;
	}
	if (n > s->n_rest)
		n = s->n_rest;
	if (n)
		memcpy(to, s->rest, n);
	s->rest += n;
	s->n_rest -= n;
	return (long)n;
}

uint64_t gaspdb_zip_scan_offset(const struct gaspdb_unpack *u)
{
	return u->scan->entry ? u->scan->end : 0;
}

const char *gaspdb_zip_scan_why(const struct gaspdb_unpack *u)
{
	return u->scan->why;
}
