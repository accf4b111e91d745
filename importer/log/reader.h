/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reader of one log: its header, blocks and records in order, in a buffer of
   one block. Damage is skipped and reported; good blocks are returned. */
#ifndef GASPDB_IMPORTER_LOG_READER_H
#define GASPDB_IMPORTER_LOG_READER_H

#include "importer/log/bytes.h"
#include "collector/log/log_format.h"
#include "common/error.h"
#include "common/limits.h"

struct gaspdb_log_header {
	uint64_t run, ticks_hz;
	int64_t start_real_ns;
	uint32_t pid, tid, ordinal, flags;
	uint8_t clock;
	enum gaspdb_byte_order order; /* of all numbers of the log */
	bool damaged; /* wrong checksum: any field may be wrong */
	bool unmade;  /* the process was killed while writing it: the log is
			 empty, other fields are 0 */
};

/* Are its fields certain? */
static inline bool gaspdb_header_known(const struct gaspdb_log_header *h)
{
	return !h->damaged && !h->unmade;
}

struct gaspdb_block {
	uint64_t offset; /* in the file */
	uint64_t number, ticks;
	int64_t monotonic_ns;
	uint32_t uncertain_ns, lost;
	uint32_t header_bytes, length;
	uint8_t type;
	bool sealed;
	bool cut; /* the file ends within it */
};

struct gaspdb_reader {
	int fd;
	const uint8_t *cache; /* the whole log; NULL: read from fd */
	bool borrowed;	      /* the caller closes fd */
	uint64_t begin;	      /* offset of the log in fd */
	uint64_t size;	     /* of the log */
	struct gaspdb_log_header header;
	uint64_t next;	       /* offset of the next block */
	uint64_t number;       /* expected of the next block */
	uint32_t
		header_bytes; /* of each block, from a sealed one; 0: unknown */
	uint32_t longest;     /* longest block so far */
	bool headers_only;    /* read blocks without their payload */
	bool profiles;	      /* return blocks of profiles, too */
	bool whole;	       /* the END block was read */
	bool cut;	       /* the file ends within a block */
	bool over;
	unsigned tries; /* left for searches after damage */
	struct gaspdb_block block;
	struct gaspdb_block pending; /* found after damage, returned next */
	bool has_pending;
	/* Blocks that were returned before their place in the file. */
	struct gaspdb_moved {
		uint64_t offset, next;
	} moved[GASPDB_MOVED_MAX];
	unsigned n_moved;
	uint64_t resume; /* offset at which to go on after one; 0: none */
	struct gaspdb_bytes payload;	     /* rest of the block */
	struct gaspdb_bytes cells; /* payload of a PROFILE block, which has no
				      records */
	uint32_t last_site;		     /* of the last event; 0: none */
	uint64_t args[GASPDB_ARGUMENTS_MAX]; /* of the last record */
	uint8_t buffer[GASPDB_BLOCK_MAX];
};

struct gaspdb_record {
	uint64_t offset; /* in the file */
	uint64_t ticks;	 /* events: since the last one */
	union {
		const uint64_t *args;	/* events: as logged */
		const uint8_t *payload; /* OTHER */
	};
	union {
		uint32_t site;	/* events; always below 2^32 - 1 */
		uint32_t bytes; /* OTHER: of the payload */
	};
	uint16_t n_args; /* in args; more are skipped */
	uint8_t phase;	 /* enum gaspdb_phase */
	uint8_t kind;	 /* OTHER: enum gaspdb_record_kind, or unknown */
};

/* All records of a block. */
struct gaspdb_records {
	struct gaspdb_record *record;
	size_t n;
	uint64_t *args; /* of all of them */
	/* EOF, or DAMAGED with the error after these records. */
	enum gaspdb_status status;
	struct gaspdb_error err;
};

/* A field of an OTHER record: u, i or s by its code; "." is s too. */
struct gaspdb_field {
	uint64_t u;
	int64_t i;
	struct gaspdb_text s;
};
#define GASPDB_FIELDS_MAX 12

/*
 * Opens a log and reads its header. cache: room for GASPDB_CACHED_MAX bytes
 * that must outlive rd, into which a log of that size is read at once (most
 * logs of large runs are small); NULL: it is read by blocks. FAILED: not a log,
 * or unreadable; rd is then closed.
 */
#define GASPDB_CACHED_MAX (2 * GASPDB_BLOCK_MAX)
enum gaspdb_status gaspdb_reader_open(struct gaspdb_reader *rd,
				      const char *path, uint8_t *cache,
				      struct gaspdb_error *err);
/* The same for a range of an open file; the caller closes fd after rd. */
enum gaspdb_status gaspdb_reader_open_part(struct gaspdb_reader *rd, int fd,
					   uint64_t begin, uint64_t size,
					   uint8_t *cache,
					   struct gaspdb_error *err);
void gaspdb_reader_close(struct gaspdb_reader *rd);

/* Goes back to the first block. headers_only does not change. */
void gaspdb_reader_rewind(struct gaspdb_reader *rd);
/* Goes to a block that was read before. */
void gaspdb_reader_seek(struct gaspdb_reader *rd, uint64_t offset,
			uint64_t number);
/* Goes to the position of another reader of the same log. */
void gaspdb_reader_follow(struct gaspdb_reader *rd,
			  const struct gaspdb_reader *other);

/*
 * Reads the next block to rd->block. EOF: rd->whole is whether the log was
 * closed properly. DAMAGED: bytes were skipped, err has their offset and the
 * reason; call again. FAILED: the file cannot be read. Blocks of profiles are
 * skipped unless rd->profiles.
 */
enum gaspdb_status gaspdb_reader_block(struct gaspdb_reader *rd,
				       struct gaspdb_error *err);

/* Does the log end properly after the last block, without damage? */
bool gaspdb_reader_at_end(const struct gaspdb_reader *rd);

/* The next record of the block, borrowed until the next call. EOF: end of the
   block. DAMAGED: the rest of the block is malformed. */
enum gaspdb_status gaspdb_reader_record(struct gaspdb_reader *rd,
					struct gaspdb_record *rec,
					struct gaspdb_error *err);

/* Skips records of these kinds (a bit each), and events if `events`. May stop
   early, at a record that needs the general decoder. */
void gaspdb_reader_skip(struct gaspdb_reader *rd, uint64_t kinds, bool events);

/* Allocates room for the records of any block. */
void gaspdb_records_init(struct gaspdb_records *r);
void gaspdb_records_free(struct gaspdb_records *r);
/* Decodes all records of the block, borrowed until the next block. */
void gaspdb_reader_records(struct gaspdb_reader *rd, struct gaspdb_records *to);

/*
 * The fields of an OTHER record, by its layout in log_format.h.  Returns their
 * number; 0: unknown kind, or the payload is too short or malformed.
 */
unsigned gaspdb_record_fields(const struct gaspdb_record *rec,
			      struct gaspdb_field fields[GASPDB_FIELDS_MAX]);
bool gaspdb_record_known(unsigned kind);

#endif
