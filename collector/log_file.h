/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A file that grows while it is written in memory: a window of it is mapped
 * and what is stored there survives the process.  No descriptor stays open,
 * because a program may close them all.  Where files cannot be mapped shared
 * the window is memory of our own, written out when it moves on.
 */
#ifndef GASPDB_LOG_FILE_H
#define GASPDB_LOG_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GASPDB_WINDOW_BYTES (256u << 10)

struct gaspdb_log_file {
	char path[4096];
	unsigned char *window; /* page-aligned; NULL: none */
	size_t window_bytes;
	uint64_t window_offset; /* in the file */
	bool buffered;
};

/*
 * All return 0, or an errno value.  Create path, which must not exist.
 */
int gaspdb_log_file_create(struct gaspdb_log_file *f, const char *path);

/*
 * Move the window so that it begins at or before offset and reaches bytes
 * beyond it; the file is given room (never a signal, whatever the limits).
 * What lay before offset is on its way to the file.
 */
int gaspdb_log_file_advance(struct gaspdb_log_file *f, uint64_t offset,
			    size_t bytes);

/* Address of offset, which lies in the window. */
static inline unsigned char *gaspdb_log_file_at(const struct gaspdb_log_file *f,
						uint64_t offset)
{
	return f->window + (offset - f->window_offset);
}

/* Write out (if buffered) what lies before offset. */
int gaspdb_log_file_flush(struct gaspdb_log_file *f, uint64_t offset);

/* Flush, trim the file to bytes.  The mapping stays: other threads may look. */
int gaspdb_log_file_finish(struct gaspdb_log_file *f, uint64_t bytes);

#endif
