/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A zip file lists its entries at its end, and what is written before each of
 * them has no checksum: a name there may be wrong, or nothing may lead to an
 * entry.  So the list is read, too.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bytes.h"
#include "input_unpack.h"

/* Offsets in the end of the list, and in an entry of it. */
enum {
	END_ENTRIES = 10, /* u16 */
	END_SIZE = 12,	  /* u32, as what follows */
	END_OFFSET = 16,
	END_BYTES = 22,
	ENTRY_NAME = 28, /* lengths, u16: of the name and what follows it */
	ENTRY_EXTRA = 30,
	ENTRY_COMMENT = 32,
	ENTRY_BYTES = 46
};

/* Where libarchive looks for the end. */
enum { TAIL = 16384 };

static const char end_magic[] = { 'P', 'K', 5, 6 };

bool gaspdb_zip_begins(const struct gaspdb_unpack *u)
{
	static const char magic[] = { 'P', 'K', 3, 4 };

	return u->n_head >= sizeof magic &&
	       !memcmp(u->chunk, magic, sizeof magic);
}

bool gaspdb_zip_has_list(const struct gaspdb_unpack *u)
{
	uint8_t tail[TAIL];
	ssize_t n = pread(u->fd, tail, TAIL,
			  u->size > TAIL ? (off_t)(u->size - TAIL) : 0);

	return n > 0 && memmem(tail, (size_t)n, end_magic, sizeof end_magic);
}

/* --- the list ------------------------------------------------------------- */

struct list {
	uint64_t at, end; /* what is left of it */
	unsigned entries;
};

static bool get(const struct gaspdb_unpack *u, uint8_t *to, size_t n,
		uint64_t at)
{
	return pread(u->fd, to, n, (off_t)at) == (ssize_t)n;
}

/* entries 0: there is none that is known here; false: it is wrong. */
static bool find_list(const struct gaspdb_unpack *u, struct list *l)
{
	uint8_t tail[TAIL];
	const size_t n = u->size < TAIL ? (size_t)u->size : TAIL;
	size_t i = n < END_BYTES ? 0 : n - END_BYTES + 1;
	uint64_t size;

	memset(l, 0, sizeof *l);
	if (!get(u, tail, n, u->size - n))
		return true;
	while (i > 0 && memcmp(tail + i - 1, end_magic, sizeof end_magic))
		i--;
	if (i == 0)
		return true;
	i--;
	size = gaspdb_le(tail + i + END_SIZE, 4);
	l->at = gaspdb_le(tail + i + END_OFFSET, 4);
	l->end = l->at + size;
	l->entries = (unsigned)gaspdb_le(tail + i + END_ENTRIES, 2);
	if (size == UINT32_MAX || l->at == UINT32_MAX ||
	    l->entries == UINT16_MAX)
		l->entries = 0; /* the numbers of a large file are elsewhere */
	return l->end <= u->size - n + i;
}

/* Is the next entry called like a log?  false: there is none. */
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
	if (memcmp(entry, "PK\1\2", 4) || l->at > l->end ||
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

void gaspdb_zip_check(struct gaspdb_unpack *u)
{
	char what[160];
	struct list l;
	uint64_t n = 0;
	bool is_log, good = find_list(u, &l);

	for (unsigned i = 0; i < l.entries && good; i++) {
		good = next_name(u, &l, &is_log);
		n += good && is_log;
	}
	if (!good)
		snprintf(what, sizeof what,
			 "the list at its end is damaged: logs may be missing");
	else if (n > u->n_logs || l.entries > u->n_entries)
		snprintf(what, sizeof what,
			 "the list at its end names %u entries, %" PRIu64
			 " of them logs; found were %" PRIu64 " and %" PRIu64,
			 l.entries, n, u->n_entries, u->n_logs);
	else
		return;
	gaspdb_unpack_tell(u, GASPDB_QUALITY_ARCHIVE_DAMAGED, what);
}
