/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A zip file lists its entries at its end, and what is written before each of
 * them has no checksum: a name there may be wrong, or nothing may lead to an
 * entry.  So the list is read, too.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "importer/log/bytes.h"
#include "importer/input/unpack.h"

/* Offsets in the end of the list, and in an entry of it. */
enum {
	END_ENTRIES = 10, /* u16 */
	END_SIZE = 12,	  /* u32, as what follows */
	END_OFFSET = 16,
	END_COMMENT = 20, /* u16: length */
	END_BYTES = 22,
	ENTRY_NAME = 28, /* lengths, u16: of the name and what follows it */
	ENTRY_EXTRA = 30,
	ENTRY_COMMENT = 32,
	ENTRY_OFFSET = 42,
	ENTRY_BYTES = 46
};

/* How far from its end the file's may begin, and where libarchive looks. */
enum { REACH = END_BYTES + UINT16_MAX, REACH_LIBARCHIVE = 16384 };
/* A comment may hold what looks like lists. */
enum { LISTS_MAX = 16, PIECE_BYTES = 4096 };

static const char end_magic[] = { 'P', 'K', 5, 6 };

bool gaspdb_zip_begins(const struct gaspdb_unpack *u)
{
	static const char magic[] = { 'P', 'K', 3, 4 };

	return u->n_head >= sizeof magic &&
	       !memcmp(u->chunk, magic, sizeof magic);
}

/* --- the list ------------------------------------------------------------- */

struct list {
	uint64_t at, end; /* what is left of it */
	unsigned entries; /* 0: they are told in a way not known here */
};

static bool get(const struct gaspdb_unpack *u, uint8_t *to, size_t n,
		uint64_t at)
{
	return gaspdb_unpack_at(u, to, n, at) == n;
}

/* The last signature of a list's end before *at; false: none. */
static bool find_end(const struct gaspdb_unpack *u, uint64_t *at)
{
	const uint64_t first = u->size > REACH ? u->size - REACH : 0;
	uint8_t piece[PIECE_BYTES + sizeof end_magic - 1];

	for (uint64_t end = *at; end > first;) {
		size_t n = end - first < PIECE_BYTES ? (size_t)(end - first)
						     : PIECE_BYTES;

		end -= n;
		if (!get(u, piece, n + sizeof end_magic - 1, end))
			return false;
		while (n-- > 0) {
			if (memcmp(piece + n, end_magic, sizeof end_magic))
				continue;
			*at = end + n;
			return true;
		}
	}
	return false;
}

/* false: it cannot be one.  In its comment another may seem to be: inner. */
static bool read_end(const struct gaspdb_unpack *u, uint64_t at, bool inner,
		     struct list *l)
{
	uint8_t end[END_BYTES];
	uint64_t size;

	if (!get(u, end, sizeof end, at) ||
	    (inner &&
	     at + END_BYTES + gaspdb_le(end + END_COMMENT, 2) != u->size))
		return false;
	size = gaspdb_le(end + END_SIZE, 4);
	l->at = gaspdb_le(end + END_OFFSET, 4);
	l->end = l->at + size;
	l->entries = (unsigned)gaspdb_le(end + END_ENTRIES, 2);
	if (size != UINT32_MAX && l->at != UINT32_MAX &&
	    l->entries != UINT16_MAX)
		return l->end <= at;
	l->entries = 0; /* the numbers of a large file are elsewhere */
	return true;
}

/* Where an entry of the list leads to, there it begins. */
static bool leads(const struct gaspdb_unpack *u, const uint8_t *entry)
{
	const uint64_t at = gaspdb_le(entry + ENTRY_OFFSET, 4);
	uint8_t magic[4];

	return at == UINT32_MAX || (get(u, magic, sizeof magic, at) &&
				    !memcmp(magic, "PK\3\4", sizeof magic));
}

/* Is the next entry called like a log?  false: it is wrong. */
static bool next_name(const struct gaspdb_unpack *u, struct list *l,
		      bool *is_log)
{
	uint8_t entry[ENTRY_BYTES];
	char name[512];
	size_t n, kept;
	const char *slash;

	if (l->end - l->at < ENTRY_BYTES || !get(u, entry, sizeof entry, l->at))
		return false;
	n = (size_t)gaspdb_le(entry + ENTRY_NAME, 2);
	kept = n < sizeof name ? n : sizeof name - 1;
	l->at += ENTRY_BYTES + n;
	if (memcmp(entry, "PK\1\2", 4) || !leads(u, entry) || l->at > l->end ||
	    !get(u, (uint8_t *)name, kept, l->at - kept))
		return false;
	name[kept] = 0;
	slash = strrchr(name, '/');
	*is_log = gaspdb_input_is_log(
		gaspdb_input_kind(slash ? slash + 1 : name));
	l->at += gaspdb_le(entry + ENTRY_EXTRA, 2) +
		 gaspdb_le(entry + ENTRY_COMMENT, 2);
	return l->at <= l->end;
}

/* Count what is in the list; false: it is wrong. */
static bool count_list(struct gaspdb_unpack *u, struct list *l)
{
	bool good = true, is_log;

	u->n_listed = l->entries;
	u->n_listed_logs = 0;
	for (unsigned i = 0; i < l->entries && good; i++) {
		good = next_name(u, l, &is_log);
		u->n_listed_logs += good && is_log;
	}
	return good;
}

/* The last good list is the file's, but libarchive takes the last that looks
   like one. */
const char *gaspdb_zip_look(struct gaspdb_unpack *u)
{
	uint64_t at = u->size < END_BYTES ? 0 : u->size - END_BYTES + 1;
	bool any = false;
	struct list l;

	for (int n = 0; n < LISTS_MAX && find_end(u, &at); any = true) {
		if (!read_end(u, at, any, &l))
			continue;
		n++;
		if (!count_list(u, &l))
			continue;
		u->hidden = any || u->size - at >= REACH_LIBARCHIVE;
		return NULL;
	}
	u->n_listed = u->n_listed_logs = 0;
	return any ? "the list at its end is damaged"
		   : "it has no list of its entries at its end, and may be cut";
}

void gaspdb_zip_check(struct gaspdb_unpack *u)
{
	char what[160];

	if (u->n_listed_logs <= u->n_logs && u->n_listed <= u->n_entries)
		return;
	snprintf(what, sizeof what,
		 "the list at its end names %" PRIu64 " entries, %" PRIu64
		 " of them logs; found were %" PRIu64 " and %" PRIu64,
		 u->n_listed, u->n_listed_logs, u->n_entries, u->n_logs);
	gaspdb_unpack_emit(u, GASPDB_QUALITY_ARCHIVE_DAMAGED, what);
}
