/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A file that grows while it is written in memory: a window of it is mapped
 * and what is stored there survives the process.  No descriptor stays open,
 * because a program may close them all: to grow it is opened by its name, and
 * never followed to what another has put in its place.  Where files cannot be
 * mapped shared the window is memory of our own, written out when it moves on.
 */
#ifndef GASPDB_COLLECTOR_LOG_LOG_FILE_H
#define GASPDB_COLLECTOR_LOG_LOG_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collector/log/failure.h"

#define GASPDB_WINDOW_BYTES (256u << 10)
/* At each window's end, for what ends the log where no other can follow. */
#define GASPDB_RESERVE_BYTES (4u << 10)

struct gaspdb_log_file {
	char path[4096];
	dev_t device; /* of the file that was made */
	ino_t inode;
	void *pin; /* a page of it without rights: while it is mapped no other
		      file gets its number.  NULL: none */
	unsigned char *window; /* page-aligned; NULL: none */
	size_t window_bytes;
	uint64_t window_offset; /* in the file */
	uint64_t flushed;	/* buffered: what lies before is in the file */
	uint64_t max_bytes;	/* of the file; 0: no limit */
	bool buffered;
};

/*
 * All return 0, or a failure (failure.h).  Create path, which must not exist,
 * in the directory of which folder is a descriptor; only the user has rights,
 * whatever the umask.  max_bytes: the size that the file keeps within; 0: any.
 */
int gaspdb_log_file_create(struct gaspdb_log_file *f, int folder,
			   const char *path, uint64_t max_bytes);
/* The part of a path behind the last slash. */
const char *gaspdb_log_file_name(const char *path);

/*
 * Move the window so that it begins at or before offset and reaches bytes and
 * the reserve beyond it; the file is given room (never a signal, whatever the
 * limits).  GASPDB_LOG_LIMIT: its size limit forbids that.  After an error the
 * window is where it was.
 */
int gaspdb_log_file_advance(struct gaspdb_log_file *f, uint64_t offset,
			    size_t bytes);

/* Address of offset, which lies in the window. */
static inline unsigned char *gaspdb_log_file_at(const struct gaspdb_log_file *f,
						uint64_t offset)
{
	return f->window + (offset - f->window_offset);
}

/* Write out (if buffered) what lies before offset.  Only what lies before
   f->flushed is not written again; the caller moves that. */
int gaspdb_log_file_flush(struct gaspdb_log_file *f, uint64_t offset);

/* Flush, trim the file to bytes.  The mapping stays: other threads may look. */
int gaspdb_log_file_finish(struct gaspdb_log_file *f, uint64_t bytes);

/* After that, when no thread looks any more. */
void gaspdb_log_file_unmap(struct gaspdb_log_file *f);

#endif
