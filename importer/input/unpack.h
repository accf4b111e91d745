/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to the reading of archives: state of one pass over an archive. Bytes
 * read are counted, bytes unpacked are limited, and bytes to keep go to the
 * spool.
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
	struct gaspdb_unpack *outer; /* the archive of which this is an entry */
	struct archive *a;
	int fd;
	bool owns_fd; /* fd is a copy of a pipe's data */
	bool seekable;
	bool stopped;			/* err has the reason */
	char why[200];			/* first error; "": none */
	bool packed;			/* compressed ... */
	struct gaspdb_decoder
		*decoder;     /* ... decoded by this; NULL: by libarchive */
	const char *undecoded; /* its error; NULL: none */
	bool ended;	       /* end of input */
	bool dead;	      /* a fatal error was reported */
	unsigned n_failed;    /* consecutive bad headers ... */
	la_int64_t failed_at; /* ... at this offset */
	uint64_t size;	      /* of the file, if seekable */
	uint64_t n_in;	      /* bytes read from fd */
	uint64_t begin;	      /* offset at which the pass began */
	uint64_t header;      /* tar: end of the last header, less 1 */
	uint64_t lost;	      /* tar: a skipped header; 0: none */
	uint64_t next;	      /* tar: where the next should be; 0: first */
	bool none_behind;     /* tar: no skipped header up to the end */
	size_t n_head;	      /* bytes in chunk not consumed yet */
	const char *known;    /* a format that is not read; NULL */
	bool solid;	      /* 7z: entries are compressed as one */
	bool limited;	      /* memory is limited; the limit before: */
	struct rlimit memory;
	const char *label;	    /* of the archive */
	const char *entry;	    /* entry being read; NULL: between two */
	bool unread;		    /* nothing of the last file could be read */
	uint64_t given, zeros;	    /* bytes unpacked; of these zeros */
	uint64_t counted_in, counted_out; /* already in the input's sums */
	struct gaspdb_names paths;	  /* of files read, for hard links */
	struct gaspdb_input_file *seen;
	size_t seen_capacity;
	uint32_t n_runs, last_folder; /* runs met, folder of the last */
	uint64_t n_entries;
	bool keep_all;	/* keep logs of all runs whole ... */
	bool needs_all; /* ... because a link refers to one */
	uint64_t gap;	/* bytes of zeros after the end mark */
	uint8_t *chunk;
};

/* Reads the first bytes: n_head bytes in chunk. On an error err says why; it
   ends the import of an archive or run, but only that log of several. */
enum gaspdb_status gaspdb_unpack_head(struct gaspdb_unpack *u);
/* Opens the archive for archive_read_next_header(); single: one log. */
enum gaspdb_status gaspdb_unpack_open(struct gaspdb_unpack *u, bool single);
void gaspdb_unpack_close(struct gaspdb_unpack *u);
/* Moves the targets of hard links from one pass to another. */
void gaspdb_unpack_hand_over(struct gaspdb_unpack *to,
			     struct gaspdb_unpack *from);

/* Fills chunk with the next bytes of the file, not decoded. Returns their
   number; 0: end; below 0: error. */
la_ssize_t gaspdb_unpack_chunk(struct gaspdb_unpack *u);

/* Reads n bytes at an offset of the file, not decoded. Returns their number. */
size_t gaspdb_unpack_at(const struct gaspdb_unpack *u, uint8_t *to, size_t n,
			uint64_t at);

/* Writes bytes to the spool at an offset, and counts zeros. */
enum gaspdb_status gaspdb_unpack_keep(struct gaspdb_unpack *u,
				      const uint8_t *bytes, size_t n,
				      uint64_t at);

/* Copies a pipe, whose beginning is in chunk, to a temporary file. */
enum gaspdb_status gaspdb_unpack_settle(struct gaspdb_unpack *u);

/* Creates a temporary file; -1: err says why not. */
int gaspdb_unpack_temporary(struct gaspdb_unpack *u);
enum gaspdb_status gaspdb_unpack_write(struct gaspdb_unpack *u, int fd,
				       const uint8_t *bytes, size_t n,
				       uint64_t at);

/* Checks the limits. FAILED: too many bytes unpacked, or interrupted. */
enum gaspdb_status gaspdb_unpack_check(struct gaspdb_unpack *u);

/* Ends the reading, with err filled by the caller. Returns FAILED. */
enum gaspdb_status gaspdb_unpack_stop(struct gaspdb_unpack *u);

/* zip.c: does chunk begin like a zip file? */
bool gaspdb_zip_begins(const struct gaspdb_unpack *u);
/* Compares the number of entries read with the zip file's list. */
void gaspdb_zip_check(struct gaspdb_unpack *u);

/* behind.c: notes the place of a header that libarchive has read. */
void gaspdb_behind_header(struct gaspdb_unpack *u, struct archive_entry *e);
/* Searches a tar file for a header that libarchive skipped after the last one.
   Returns whether u->lost is one. */
bool gaspdb_behind_look(struct gaspdb_unpack *u);

/* seven.c: does chunk begin like a 7z file? Why it is not read; NULL: it is.
   Limits memory while it is read, and lifts the limit. */
bool gaspdb_seven_begins(const struct gaspdb_unpack *u);
const char *gaspdb_seven_why_not(const struct gaspdb_unpack *u);
void gaspdb_seven_set(struct gaspdb_unpack *u);
void gaspdb_seven_end(struct gaspdb_unpack *u);

/* libarchive's message about the last error; valid until its next call. */
const char *gaspdb_unpack_why(const struct gaspdb_unpack *u);

/* known.c: name of a format that is recognised but not read; NULL: none. */
const char *gaspdb_unpack_known(const uint8_t *head, size_t n);

/* Ends the reading of a file that is not an archive. Returns FAILED. */
enum gaspdb_status gaspdb_unpack_nothing(struct gaspdb_unpack *u);

/* Adds a row of quality about the current entry. */
void gaspdb_unpack_emit(struct gaspdb_unpack *u, enum gaspdb_quality_kind kind,
			const char *what);
/* Reports a skipped log; reports libarchive's error after result r. */
void gaspdb_unpack_skipped(struct gaspdb_unpack *u, const char *why);
void gaspdb_unpack_damage(struct gaspdb_unpack *u, int r);
/* Reports entries that may be missing: at the end, or before this header. */
void gaspdb_unpack_end(struct gaspdb_unpack *u);
void gaspdb_unpack_resync(struct gaspdb_unpack *u);

#endif
