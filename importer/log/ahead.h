/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Read-ahead of a run's logs: blocks in the order of threads, read, checked and
 * decoded by worker threads. Several logs are read at once, each a few blocks
 * ahead.
 */
#ifndef GASPDB_IMPORTER_LOG_AHEAD_H
#define GASPDB_IMPORTER_LOG_AHEAD_H

#include "importer/run/source.h"

/* One block: the result of gaspdb_reader_block() and the reader's state. */
struct gaspdb_piece {
	enum gaspdb_status status;
	bool last; /* last of the log; always with EOF and FAILED */
	struct gaspdb_error err;
	struct gaspdb_records records; /* if OK: of reader.block */
	struct gaspdb_reader reader;   /* its state after the block */
};

struct gaspdb_ahead;

/* Starts reading the logs of s, which must outlive it. workers 0: blocks are
   read when requested. */
void gaspdb_ahead_open(struct gaspdb_ahead **a, const struct gaspdb_source *s,
		       unsigned workers);
/* Ends the workers; a may be NULL. */
void gaspdb_ahead_close(struct gaspdb_ahead *a);

/* The next piece of the log, or after its last one the first of the next log,
   which must exist. Borrowed until the next call. */
const struct gaspdb_piece *gaspdb_ahead_next(struct gaspdb_ahead *a);

#endif
