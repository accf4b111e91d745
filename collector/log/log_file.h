/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A growing file, written through a mapped window, whose stores survive the
 * process.  No descriptor stays open, because programs close all they find: to
 * grow, the file is opened by name, and checked to be the same one.  Where
 * files cannot be mapped shared, the window is private memory that is written
 * out when it moves.
 */
#ifndef GASPDB_COLLECTOR_LOG_LOG_FILE_H
#define GASPDB_COLLECTOR_LOG_LOG_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collector/log/failure.h"

#define GASPDB_WINDOW_BYTES (256u << 10)
/* Reserve at each window's end, for the records that end a log that cannot
   grow. */
#define GASPDB_RESERVE_BYTES (4u << 10)

struct gaspdb_log_file {
	char path[4096];
	dev_t device; /* of the file */
	ino_t inode;
	void *pin; /* a page mapped without rights: it keeps the inode number
		      from reuse. NULL: none */
	unsigned char *window; /* page-aligned; NULL: none */
	size_t window_bytes;
	uint64_t window_offset; /* in the file */
	uint64_t flushed;	/* buffered: bytes written to the file */
	uint64_t max_bytes;	/* of the file; 0: no limit */
	bool buffered;
};

/*
 * Creates path, which must not exist, in the directory with descriptor folder.
 * Only the user has rights, whatever the umask. max_bytes: the file's limit; 0:
 * none.  This and the functions below return 0 or a failure (failure.h).
 */
int gaspdb_log_file_create(struct gaspdb_log_file *f, int folder,
			   const char *path, uint64_t max_bytes);
/* File name of a path. */
const char *gaspdb_log_file_name(const char *path);

/*
 * Moves the window: it begins at or before offset, and reaches bytes and the
 * reserve beyond it.  The file is given room, without a signal at any limit.
 * GASPDB_LOG_LIMIT: its limit forbids that.  After a failure the window is
 * unchanged.
 */
int gaspdb_log_file_advance(struct gaspdb_log_file *f, uint64_t offset,
			    size_t bytes);

/* Address of an offset in the window. */
static inline unsigned char *gaspdb_log_file_at(const struct gaspdb_log_file *f,
						uint64_t offset)
{
	return f->window + (offset - f->window_offset);
}

/* Writes out a buffered file up to offset, from f->flushed, which the caller
   advances. */
int gaspdb_log_file_flush(struct gaspdb_log_file *f, uint64_t offset);

/* Flushes the file and trims it to bytes.  The mapping stays: other threads may
   read it. */
int gaspdb_log_file_finish(struct gaspdb_log_file *f, uint64_t bytes);

/* Unmaps a finished file that no thread reads any more. */
void gaspdb_log_file_unmap(struct gaspdb_log_file *f);

#endif
