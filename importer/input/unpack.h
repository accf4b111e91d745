/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to the reading of archives: bytes that come in are counted, bytes
 * that come out limited, and those that are kept go to the spool.
 */
#ifndef GASPDB_IMPORTER_INPUT_UNPACK_H
#define GASPDB_IMPORTER_INPUT_UNPACK_H

#include <archive.h>
#include <sys/resource.h>

#include "importer/input/decoder.h"
#include "importer/input/input.h"

#define GASPDB_CHUNK ((size_t)1 << 16)

struct gaspdb_unpack {
	struct gaspdb_input *in;
	const struct gaspdb_input_options *options;
	struct gaspdb_defects *quality;
	struct gaspdb_error *err;
	struct gaspdb_unpack *outer; /* this is an entry of that archive */
	struct archive *a;
	int fd;
	bool owns_fd; /* it is a copy of what came through a pipe */
	bool seekable;
	bool stopped;			/* err has the reason */
	char why[200];			/* the first thing that is wrong; "" */
	bool packed;			/* one compression is undone ... */
	struct gaspdb_decoder *decoder; /* ... by this; NULL: libarchive */
	bool ended;			/* there are no more bytes */
	bool dead; /* it can be read no further, as is reported */
	unsigned n_failed;    /* headers, one after the other, ... */
	la_int64_t failed_at; /* ... in this place */
	uint64_t size;	      /* of the file, if seekable */
	uint64_t n_in;	      /* bytes read of it */
	uint64_t begin;	      /* where in it reading began */
	uint64_t header;      /* of tar, the last that was read ... */
	uint64_t lost;	      /* ... and one that was passed over; 0 */
	uint64_t next;	      /* of tar, where another should be; 0: first */
	bool none_behind;     /* there is no such one, to the end */
	size_t n_head;	      /* bytes in chunk that nobody has taken */
	const char *known;    /* what it is but cannot be read; NULL */
	bool solid;	      /* a 7z file: entries are packed as one */
	bool limited;	      /* the process's memory is, and was so: */
	struct rlimit memory;
	const char *label;	    /* of the archive */
	const char *entry;	    /* what is being read; NULL: between two */
	bool unread;		    /* nothing of the last one could be */
	uint64_t given, zeros;	    /* bytes of entries; those that are zeros */
	uint64_t told_in, told_out; /* what the input has counted of it */
	struct gaspdb_names paths;  /* of files seen, for hard links */
	struct gaspdb_input_file *seen;
	size_t seen_capacity;
	uint32_t n_runs, last_folder;	  /* folders that had logs */
	uint64_t n_entries;
	bool keep_all;	/* also those of other runs, whole ... */
	bool needs_all; /* ... for a link leads to one */
	uint64_t gap;	/* zeros after the end mark */
	uint8_t *chunk;
};

/* The first bytes: n_head of them in chunk.  If nothing can be read err says
   why; of an archive or run then all ends, of one of its logs that log. */
enum gaspdb_status gaspdb_unpack_head(struct gaspdb_unpack *u);
/* So that archive_read_next_header() can be called; one log, if single. */
enum gaspdb_status gaspdb_unpack_open(struct gaspdb_unpack *u, bool single);
void gaspdb_unpack_close(struct gaspdb_unpack *u);
/* Files that links may lead to. */
void gaspdb_unpack_hand_over(struct gaspdb_unpack *to,
			     struct gaspdb_unpack *from);

/* The next bytes as they are, into chunk: as many as it holds, if there are. 0:
   no more, less: an error. */
la_ssize_t gaspdb_unpack_chunk(struct gaspdb_unpack *u);

/* Bytes at a place in the file, as they are.  Returns how many of n there are.
 */
size_t gaspdb_unpack_at(const struct gaspdb_unpack *u, uint8_t *to, size_t n,
			uint64_t at);

/* Keep bytes at a place in the spool; zeros are counted. */
enum gaspdb_status gaspdb_unpack_keep(struct gaspdb_unpack *u,
				      const uint8_t *bytes, size_t n,
				      uint64_t at);

/* What begins in chunk and comes through a pipe becomes a file. */
enum gaspdb_status gaspdb_unpack_settle(struct gaspdb_unpack *u);

/* A file for some time; -1: err says why not. */
int gaspdb_unpack_unnamed(struct gaspdb_unpack *u);
enum gaspdb_status gaspdb_unpack_write(struct gaspdb_unpack *u, int fd,
				       const uint8_t *bytes, size_t n,
				       uint64_t at);

/* FAILED: too much has come out, or the import was interrupted. */
enum gaspdb_status gaspdb_unpack_check(struct gaspdb_unpack *u);

/* err is filled: read no more.  Returns FAILED. */
enum gaspdb_status gaspdb_unpack_stop(struct gaspdb_unpack *u);

/* zip.c: does a zip file begin in chunk? */
bool gaspdb_zip_begins(const struct gaspdb_unpack *u);
/* A zip file was read to its end: are there as many entries as it lists? */
void gaspdb_zip_check(struct gaspdb_unpack *u);

/* behind.c: libarchive has read a header. */
void gaspdb_behind_header(struct gaspdb_unpack *u, struct archive_entry *e);
/* Of a tar file it may pass over headers after that, or cannot read the next:
   true if u->lost is the first behind. */
bool gaspdb_behind_look(struct gaspdb_unpack *u);

/* seven.c: does a 7z file begin in chunk?  If it can be (NULL) it is
   read, and memory limited while it is. */
bool gaspdb_seven_begins(const struct gaspdb_unpack *u);
const char *gaspdb_seven_why_not(const struct gaspdb_unpack *u);
void gaspdb_seven_set(struct gaspdb_unpack *u);
void gaspdb_seven_end(struct gaspdb_unpack *u);

/* What libarchive says is wrong; until it is called again. */
const char *gaspdb_unpack_why(const struct gaspdb_unpack *u);

/* known.c: what begins like this and is not read here; NULL: nothing that
   is known. */
const char *gaspdb_unpack_known(const uint8_t *head, size_t n);

/* Read no more, because it is nothing that is known here. */
enum gaspdb_status gaspdb_unpack_nothing(struct gaspdb_unpack *u);

/* A row of quality, about the entry. */
void gaspdb_unpack_emit(struct gaspdb_unpack *u, enum gaspdb_quality_kind kind,
			const char *what);
/* A log that is left out; what libarchive says, having returned r. */
void gaspdb_unpack_skipped(struct gaspdb_unpack *u, const char *why);
void gaspdb_unpack_damage(struct gaspdb_unpack *u, int r);
/* Reports what may be missing at its end, or before the header just read. */
void gaspdb_unpack_end(struct gaspdb_unpack *u);
void gaspdb_unpack_resync(struct gaspdb_unpack *u);

#endif
