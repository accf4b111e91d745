/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What may be given as a run: a run directory, an archive of one, one log,
 * compressed or not, or any of these on standard input.  Whatever it is, here
 * it is logs, each a range of bytes that can be read at any place.  Archives
 * are never extracted: the bytes of their logs go to one spool file without a
 * name, and the names in them are only labels.  (A zip or 7z file that comes
 * through a pipe is in another one while it is read, for the list at its end.)
 */
#ifndef GASPDB_IMPORTER_INPUT_INPUT_H
#define GASPDB_IMPORTER_INPUT_INPUT_H

#include <stdio.h>

#include "importer/log/reader.h"
#include "common/map.h"
#include "importer/quality/quality.h"

struct gaspdb_input_options {
	const char *path;    /* "-": standard input */
	const char *run;     /* which of several runs; NULL: there is but one */
	const char *spool;   /* the folder for the spool file */
	uint64_t unpack_max; /* bytes; 0: as in limits.h */
	void (*progress)(void *user, const char *phase, uint64_t done,
			 uint64_t total);
	void *user;
};

struct gaspdb_input_file {
	char *name;	       /* without folders; UTF-8 */
	char *path;	       /* NULL: it is in the spool */
	char *why;	       /* it cannot be read; NULL: perhaps it can */
	uint64_t offset, size; /* there */
	uint32_t folder;
};

/* Logs, or what else matters, by folder and name. */
struct gaspdb_input_files {
	struct gaspdb_input_file *file;
	size_t n, capacity;
};

struct gaspdb_input {
	char *label;  /* for people: the path's last part */
	bool several; /* none was chosen: see the error */
	bool beyond; /* some folders were too deep, or too many, to look into */
	char *within; /* an archive in a folder, by its name; NULL: none */
	bool foreign; /* not written here: what it points to is not followed */
	struct gaspdb_names folders; /* "": the topmost */
	struct gaspdb_input_files logs, others;
	int spool; /* -1: none */
	uint64_t spooled;
	uint64_t packed, unpacked; /* bytes that came in, and out */
	/* The run that was chosen */
	char *name;  /* the folder's */
	char *where; /* the directory, or archive and folder */
	uint32_t folder;
	size_t first, n; /* its logs */
};

/*
 * Find the logs.  OK; FAILED: err says why; several: because there are several
 * runs, or none of that name.
 * What an archive holds and cannot be read becomes rows in quality.
 */
enum gaspdb_status gaspdb_input_open(struct gaspdb_input *in,
				     const struct gaspdb_input_options *options,
				     struct gaspdb_defects *quality,
				     struct gaspdb_error *err);
void gaspdb_input_close(struct gaspdb_input *in);

/* The run in a folder becomes the chosen one. */
void gaspdb_input_choose(struct gaspdb_input *in, uint32_t folder);
/* A folder's name for people. */
const char *gaspdb_input_folder(const struct gaspdb_input *in, uint32_t folder);

/* Is name the folder's, or the last parts of it? */
bool gaspdb_input_is_called(const struct gaspdb_input *in, uint32_t folder,
			    const char *name);

/* Open a log of the input for reading; kept: as for gaspdb_reader_open(). */
enum gaspdb_status gaspdb_input_read(const struct gaspdb_input *in,
				     const struct gaspdb_input_file *file,
				     struct gaspdb_reader *rd, uint8_t *kept,
				     struct gaspdb_error *err);

/* A file that is to be read as one; NULL: it is none. */
FILE *gaspdb_input_file(const char *path);

/* What lies beside the chosen run's logs under that name; NULL: nothing. */
FILE *gaspdb_input_other(const struct gaspdb_input *in, const char *name);

/* file, of the others, stands for a log of the chosen run that could not be
   made: the errno value that tells why; 0: it does not. */
int gaspdb_input_failed(const struct gaspdb_input *in,
			const struct gaspdb_input_file *file);

/* "run.tar.gz" and "a.gasplog.xz" less all of that; the caller frees it. */
char *gaspdb_input_stem(const char *path);

/* --- for the parts of the input --------------------------------------------
 */

/* What is a file of that name?  Without folders. */
enum gaspdb_input_kind {
	GASPDB_INPUT_NOTHING,
	GASPDB_INPUT_LOG,
	GASPDB_INPUT_PACKED_LOG,
	GASPDB_INPUT_OTHER,
	GASPDB_INPUT_ARCHIVE
};
enum gaspdb_input_kind gaspdb_input_kind(const char *name);

/* Another file; name is repaired and copied, the rest is the caller's to set.
   NULL: there are too many. */
struct gaspdb_input_file *gaspdb_input_add(struct gaspdb_input *in,
					   enum gaspdb_input_kind kind,
					   uint32_t folder, const char *name);

/* The last file of that kind was none. */
void gaspdb_input_take_back(struct gaspdb_input *in,
			    enum gaspdb_input_kind kind);

/* What is a regular file, for reading; -1: err says why not.  Anything may lie
   there: a FIFO would block, a device has no end. */
int gaspdb_input_regular(const char *path, struct gaspdb_error *err);

/* Begin anew: nothing was found, and nothing is in the spool. */
void gaspdb_input_forget(struct gaspdb_input *in);

/* A log that cannot be read: it is told with the others that cannot. */
void gaspdb_input_add_bad(struct gaspdb_input *in, uint32_t folder,
			  const char *name, const char *why);

/*
 * archive.c: put what fd has into the spool.  in_folder NULL: fd may be
 * an archive; else it is one packed log, of that folder and name.
 */
enum gaspdb_status
gaspdb_input_unpack(struct gaspdb_input *in, int fd, const char *name,
		    const uint32_t *in_folder,
		    const struct gaspdb_input_options *options,
		    struct gaspdb_defects *quality, struct gaspdb_error *err);

#endif
