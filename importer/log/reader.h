/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads one log: its header, its blocks, their records, in order, in a buffer
 * of one block.  What is damaged is skipped and said, what is good is given.
 */
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
	bool damaged; /* its checksum is wrong: any of these may be, too */
	bool unmade;  /* its process was killed before it was whole, and so
			 before the log had anything: the others are 0 */
};

/* Does it say what it does for certain? */
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
	bool cut; /* the file ends in it */
};

struct gaspdb_reader {
	int fd;
	const uint8_t *kept; /* all of the log; NULL: it is read from fd */
	bool borrowed;	     /* fd is another's to close */
	uint64_t begin;	     /* of the log, in fd */
	uint64_t size;	     /* of the log */
	struct gaspdb_log_header header;
	uint64_t next;	       /* offset of the next block */
	uint64_t number;       /* that the next block should have */
	uint32_t header_bytes; /* of a block, as one has shown; 0: none yet */
	uint32_t longest;      /* block so far: the next is hardly longer */
	bool headers_only;     /* blocks without their payload */
	bool whole;	       /* the END block was read */
	bool cut;	       /* the file ends within a block */
	bool over;
	unsigned tries; /* left, of finding blocks after damage */
	struct gaspdb_block block;
	struct gaspdb_block pending; /* found after damage, given next */
	bool has_pending;
	/* Blocks that were read before their turn in the file. */
	struct gaspdb_moved {
		uint64_t offset, next;
	} moved[GASPDB_MOVED_MAX];
	unsigned n_moved;
	uint64_t resume; /* where to go on after such a one; 0: nowhere */
	struct gaspdb_bytes payload;	     /* what is left of the block */
	uint32_t last_site;		     /* of the events before, 0: none */
	uint64_t args[GASPDB_ARGUMENTS_MAX]; /* of the record read last */
	uint8_t buffer[GASPDB_BLOCK_MAX];
};

struct gaspdb_record {
	uint64_t offset; /* in the file */
	uint64_t ticks;	 /* events: since the last one */
	union {
		const uint64_t *args;	/* events: as they stand there */
		const uint8_t *payload; /* OTHER */
	};
	union {
		uint32_t site;	/* events; no log has as many as 2^32 - 1 */
		uint32_t bytes; /* OTHER: of the payload */
	};
	uint16_t n_args; /* those in args; more are skipped */
	uint8_t phase;	 /* enum gaspdb_phase */
	uint8_t kind;	 /* OTHER: enum gaspdb_record_kind, or unknown */
};

/* All records of a block. */
struct gaspdb_records {
	struct gaspdb_record *record;
	size_t n;
	uint64_t *args; /* of all of them */
	/* EOF; or DAMAGED, and what is wrong after these. */
	enum gaspdb_status status;
	struct gaspdb_error err;
};

/* A field of an OTHER record by its code: u, i, or s and ... as text. */
struct gaspdb_field {
	uint64_t u;
	int64_t i;
	struct gaspdb_text s;
};
#define GASPDB_FIELDS_MAX 12

/*
 * Open a log and read its header.  kept: where a small log is read to, at once,
 * which then has to stay, of GASPDB_CACHED_MAX bytes (most logs of large runs
 * are small); NULL, or a larger one: it is read by blocks.  FAILED: not a log
 * of ours, or it cannot be read; rd is then closed.
 */
#define GASPDB_CACHED_MAX (2 * GASPDB_BLOCK_MAX)
enum gaspdb_status gaspdb_reader_open(struct gaspdb_reader *rd,
				      const char *path, uint8_t *kept,
				      struct gaspdb_error *err);
/* The same of a range of an open file, which stays open for longer. */
enum gaspdb_status gaspdb_reader_open_part(struct gaspdb_reader *rd, int fd,
					   uint64_t begin, uint64_t size,
					   uint8_t *kept,
					   struct gaspdb_error *err);
void gaspdb_reader_close(struct gaspdb_reader *rd);

/* Back to the first block; headers_only is the caller's to set. */
void gaspdb_reader_rewind(struct gaspdb_reader *rd);
/* Go to a block that was read before. */
void gaspdb_reader_seek(struct gaspdb_reader *rd, uint64_t offset,
			uint64_t number);
/* Go where another reader of the same log is: between two blocks. */
void gaspdb_reader_follow(struct gaspdb_reader *rd,
			  const struct gaspdb_reader *other);

/*
 * The next block becomes rd->block.  OK; EOF (rd->whole tells whether the log
 * was closed properly); DAMAGED: bytes were skipped, err has the offset and
 * what is wrong, call again; FAILED: the file cannot be read.
 */
enum gaspdb_status gaspdb_reader_block(struct gaspdb_reader *rd,
				       struct gaspdb_error *err);

/* Nothing follows the block that was read last, nor is anything wrong there. */
bool gaspdb_reader_at_end(const struct gaspdb_reader *rd);

/*
 * The next record of the block; what it points to is borrowed until the next
 * record.  OK; EOF: no more in this block; DAMAGED: the rest of the block makes
 * no sense.
 */
enum gaspdb_status gaspdb_reader_record(struct gaspdb_reader *rd,
					struct gaspdb_record *rec,
					struct gaspdb_error *err);

/*
 * Pass over records up to the next that is wanted, or has to be looked at: of
 * those kinds (a bit each), and events if they are not wanted.
 */
void gaspdb_reader_skip(struct gaspdb_reader *rd, uint64_t kinds, bool events);

/* Room for the records of any block, in memory that is touched when needed. */
void gaspdb_records_init(struct gaspdb_records *r);
void gaspdb_records_free(struct gaspdb_records *r);
/* All of the block's records at once, borrowed until the next block. */
void gaspdb_reader_records(struct gaspdb_reader *rd, struct gaspdb_records *to);

/*
 * The fields of an OTHER record, by its layout in log_format.h.  Returns their
 * number; 0: unknown kind, or the payload is too short or malformed.
 */
unsigned gaspdb_record_fields(const struct gaspdb_record *rec,
			      struct gaspdb_field fields[GASPDB_FIELDS_MAX]);
bool gaspdb_record_known(unsigned kind);

#endif
