/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writer of a log: blocks and records (log_format.h) in a growing file.  Each
 * thread has one of its own.  A record is reserved, written, then committed: a
 * log has whole records only.
 */
#ifndef GASPDB_COLLECTOR_LOG_LOG_WRITER_H
#define GASPDB_COLLECTOR_LOG_LOG_WRITER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "collector/base/compiler.h"
#include "collector/log/log_file.h"
#include "collector/log/log_format.h"

#define GASPDB_RECORD_MAX (32u << 10) /* bytes of one record */

struct gaspdb_log_writer {
	unsigned char *at;    /* where the next record goes */
	unsigned char *limit; /* end of the open block's room */
	unsigned char *block; /* header of the open block */
	uint64_t last_ticks;  /* of the block's last event */
	uint64_t due_ticks;   /* when a processor sample is due: processor.h */
	uint64_t number;      /* of the open block */
	uint64_t offset;      /* of the open block in the file */
	uint32_t lost;	      /* events, as in each block header */
	bool moving;	      /* changing blocks: no interrupting write */
	struct gaspdb_log_file file;
};

/* Identity of a log, for its header. */
struct gaspdb_log_identity {
	uint64_t run, ticks_hz;
	int64_t start_real_ns;
	uint32_t pid, tid, ordinal;
	uint64_t max_bytes; /* of the log; 0: no limit.  Not in the header. */
};

/* Opens a log: path is new, in the directory with descriptor folder
   (gaspdb_log_file_create). 0, or a failure: then the writer is not usable. */
int gaspdb_log_writer_open(struct gaspdb_log_writer *w, int folder,
			   const char *path,
			   const struct gaspdb_log_identity *id);

/*
 * Seals the open block and begins another with room for bytes. 0, or a failure:
 * then the log cannot grow, and the new block is its last, with a little room
 * for closing records.
 */
int gaspdb_log_writer_next(struct gaspdb_log_writer *w, size_t bytes);

/* A block of a profile, in memory. */
struct gaspdb_profile_block {
	struct gaspdb_log_pages map; /* at: the block's header */
	uint64_t offset;	     /* of the block in the file */
	uint64_t from;		     /* GASPDB_PB_FROM; set by the caller */
};

/* Room for the record that precedes a profile block. */
#define GASPDB_PADDING_ROOM (2 * GASPDB_CELL_BYTES)

/*
 * Appends a profile block: seals the open block, which has GASPDB_PADDING_ROOM
 * bytes, and begins another after the new one.  A failure: the log is as it was
 * (*begun false), or the new records block is its last, as of
 * gaspdb_log_writer_next.
 */
int gaspdb_log_writer_profile(struct gaspdb_log_writer *w,
			      struct gaspdb_profile_block *b, bool *begun);
/* Seals a profile block, whose cells change no more. */
void gaspdb_profile_block_seal(struct gaspdb_profile_block *b);

/* Discards the record being written. */
void gaspdb_log_writer_give_up(struct gaspdb_log_writer *w);

/* Marks the open block as the last, seals it, trims the file. */
int gaspdb_log_writer_close(struct gaspdb_log_writer *w);

/* Writes out the open block of a buffered log. */
int gaspdb_log_writer_flush(struct gaspdb_log_writer *w);

static inline bool gaspdb_log_writer_fits(const struct gaspdb_log_writer *w,
					  size_t bytes)
{
	return bytes <= (size_t)(w->limit - w->at);
}

static inline unsigned char *gaspdb_put_varint(unsigned char *p, uint64_t v)
{
	while (v >= 0x80) {
		*p++ = (unsigned char)(v | 0x80);
		v >>= 7;
	}
	*p++ = (unsigned char)v;
	return p;
}

/* Stores the bytes of a varint, the lowest first. */
static inline void gaspdb_store_le32(unsigned char *p, uint32_t v)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap32(v);
#endif
	memcpy(p, &v, sizeof v);
}

/* v is not 0. */
static inline unsigned gaspdb_highest_bit(uint32_t v)
{
	return 31u ^ (unsigned)__builtin_clz(v);
}

/*
 * Varint of v below 2^28 in three or four bytes: the groups of seven bits are
 * spread over a word, marked except for the last one, and stored at once.  A
 * zero may be stored beyond the number's end.
 */
static inline unsigned char *gaspdb_put_long(unsigned char *p, uint32_t v)
{
	const unsigned four = v > 0x1fffff;

	v = (v & 0x3fff) | (v & 0xfffc000) << 2;
	v = (v & 0x7f007f) | (v & 0x3f803f80) << 1;
	gaspdb_store_le32(p, v | (four ? 0x808080 : 0x8080));
	return p + 3 + four;
}

/*
 * A varint; up to GASPDB_VARINT_MAX bytes are stored.  Branches choose the
 * short lengths: they predict well, because a site's numbers are alike, and the
 * code after them does not wait for the length.
 */
static inline unsigned char *gaspdb_put_number(unsigned char *p, uint64_t v)
{
	if (v < 0x80) {
		*p = (unsigned char)v;
		return p + 1;
	}
	if (v < 0x4000) {
		p[0] = (unsigned char)(v | 0x80);
		p[1] = (unsigned char)(v >> 7);
		return p + 2;
	}
	if (GASPDB_LIKELY(v < 1 << 28))
		return gaspdb_put_long(p, (uint32_t)v);
	return gaspdb_put_varint(p, v);
}

static inline uint64_t gaspdb_zigzag(int64_t v)
{
	return ((uint64_t)v << 1) ^ (uint64_t)(v >> 63);
}

/* Numbers of fixed size, in the machine's byte order. */
static inline void gaspdb_put_u16(unsigned char *p, uint16_t v)
{
	memcpy(p, &v, sizeof v);
}

static inline void gaspdb_put_u32(unsigned char *p, uint32_t v)
{
	memcpy(p, &v, sizeof v);
}

static inline void gaspdb_put_u64(unsigned char *p, uint64_t v)
{
	memcpy(p, &v, sizeof v);
}

/* Commits the record that ends at end, by one store. */
static inline void gaspdb_log_writer_commit(struct gaspdb_log_writer *w,
					    unsigned char *end)
{
	uint32_t length = (uint32_t)(end - w->block - GASPDB_BH_BYTES);

	w->at = end;
	__atomic_store_n((uint32_t *)(void *)(w->block + GASPDB_BH_LENGTH),
			 length, __ATOMIC_RELEASE);
}

#endif
