/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Input of an import: a run directory, an archive of one, or one log,
 * compressed or not; archives and logs also from standard input. Each log
 * becomes a range of bytes with random access.
 *
 * Archives are not extracted: the bytes of their logs go to one unnamed spool
 * file, and names in archives are only labels. A zip or 7z file from a pipe is
 * first copied to a second unnamed file, because its list of entries is at its
 * end.
 */
#ifndef GASPDB_IMPORTER_INPUT_INPUT_H
#define GASPDB_IMPORTER_INPUT_INPUT_H

#include <stdio.h>

#include "importer/log/reader.h"
#include "common/map.h"
#include "importer/quality/quality.h"

struct gaspdb_input_options {
	const char *path;    /* "-": standard input */
	const char *run;     /* the run to choose; NULL: the only one */
	const char *spool;   /* folder of the spool file */
	uint64_t unpack_max; /* bytes; 0: as in limits.h */
	void (*progress)(void *user, const char *phase, uint64_t done,
			 uint64_t total);
	void *user;
};

struct gaspdb_input_file {
	char *name;	       /* without folders; UTF-8 */
	char *path;	       /* NULL: in the spool */
	char *why;	       /* why it cannot be read; NULL: no error yet */
	uint64_t offset, size; /* in the spool */
	uint32_t folder;
};

/* Files of one kind, sorted by folder and name. */
struct gaspdb_input_files {
	struct gaspdb_input_file *file;
	size_t n, capacity;
};

struct gaspdb_input {
	char *label;  /* for messages: the path's last part */
	bool several; /* no run was chosen: see the error */
	bool beyond;  /* folders too deep or too many were not searched */
	char *within; /* name of an archive found in a folder; NULL: none */
	bool foreign; /* from elsewhere: paths in it are not followed */
	struct gaspdb_names folders; /* "": the top folder */
	struct gaspdb_input_files logs, others;
	int spool; /* -1: none */
	uint64_t spooled;
	uint64_t packed, unpacked; /* bytes read, and unpacked */
	/* The run that was chosen */
	char *name;  /* the folder's name */
	char *where; /* the directory, or archive and folder */
	uint32_t folder;
	size_t first, n; /* its logs */
};

/*
 * Finds the logs and chooses a run. FAILED: err says why; if in->several, there
 * are several runs or none has the given name. Entries of an archive that
 * cannot be read become rows of quality.
 */
enum gaspdb_status gaspdb_input_open(struct gaspdb_input *in,
				     const struct gaspdb_input_options *options,
				     struct gaspdb_defects *quality,
				     struct gaspdb_error *err);
void gaspdb_input_close(struct gaspdb_input *in);

/* Chooses the run of a folder. */
void gaspdb_input_choose(struct gaspdb_input *in, uint32_t folder);
/* A folder's name, for messages. */
const char *gaspdb_input_folder(const struct gaspdb_input *in, uint32_t folder);

/* Does name equal the folder's path, or its last components? */
bool gaspdb_input_is_called(const struct gaspdb_input *in, uint32_t folder,
			    const char *name);

/* Opens a log for reading; cache: as for gaspdb_reader_open(). */
enum gaspdb_status gaspdb_input_read(const struct gaspdb_input *in,
				     const struct gaspdb_input_file *file,
				     struct gaspdb_reader *rd, uint8_t *cache,
				     struct gaspdb_error *err);

/* A stream that reads a regular file; NULL: not a regular file. */
FILE *gaspdb_input_file(const char *path);

/* A stream of another file of the chosen run's folder; NULL: none. */
FILE *gaspdb_input_other(const struct gaspdb_input *in, const char *name);

/* errno of a log of the chosen run that could not be created, if file is the
   marker of one; otherwise 0. */
int gaspdb_input_failed(const struct gaspdb_input *in,
			const struct gaspdb_input_file *file);

/* The path without suffixes of archives, compressions and logs: "run" for
   "run.tar.gz". The caller frees it. */
char *gaspdb_input_stem(const char *path);

/* --- private to input/ ---------------------------------------------------- */

/* Kind of a file, by its name without folders. */
enum gaspdb_input_kind {
	GASPDB_INPUT_NOTHING,
	GASPDB_INPUT_LOG,
	GASPDB_INPUT_PACKED_LOG,
	GASPDB_INPUT_OTHER,
	GASPDB_INPUT_ARCHIVE
};
enum gaspdb_input_kind gaspdb_input_kind(const char *name);

/* Adds a file. name is copied and made UTF-8; the caller sets the other fields.
   NULL: too many files. */
struct gaspdb_input_file *gaspdb_input_add(struct gaspdb_input *in,
					   enum gaspdb_input_kind kind,
					   uint32_t folder, const char *name);

/* Removes the file of that kind that was added last. */
void gaspdb_input_take_back(struct gaspdb_input *in,
			    enum gaspdb_input_kind kind);

/* Opens a regular file for reading; -1: err says why not. Other files are
   refused: a FIFO would block, a device has no end. */
int gaspdb_input_regular(const char *path, struct gaspdb_error *err);

/* Forgets all files, and the contents of the spool. */
void gaspdb_input_forget(struct gaspdb_input *in);

/* Adds a log that cannot be read; it is reported when it is opened. */
void gaspdb_input_add_bad(struct gaspdb_input *in, uint32_t folder,
			  const char *name, const char *why);

/* archive.c: unpacks fd to the spool. in_folder NULL: fd may be an archive;
   otherwise it is one compressed log with that folder and name. */
enum gaspdb_status
gaspdb_input_unpack(struct gaspdb_input *in, int fd, const char *name,
		    const uint32_t *in_folder,
		    const struct gaspdb_input_options *options,
		    struct gaspdb_defects *quality, struct gaspdb_error *err);

#endif
