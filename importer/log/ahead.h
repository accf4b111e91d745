/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The logs of a run, block by block in the order of its threads, read, checked
 * and decoded ahead by workers: several logs at once, each a few blocks ahead.
 */
#ifndef GASPDB_IMPORTER_LOG_AHEAD_H
#define GASPDB_IMPORTER_LOG_AHEAD_H

#include "importer/run/source.h"

/* What gaspdb_reader_block() said, and what is then known. */
struct gaspdb_piece {
	enum gaspdb_status status;
	bool last; /* of the log; with EOF and FAILED always */
	struct gaspdb_error err;
	struct gaspdb_records records; /* OK: those of reader.block */
	struct gaspdb_reader reader;   /* how far it had come */
};

struct gaspdb_ahead;

/* For the logs of s, which has to stay; workers 0: read when asked. */
void gaspdb_ahead_open(struct gaspdb_ahead **a, const struct gaspdb_source *s,
		       unsigned workers);
/* The workers end (NULL: nothing). */
void gaspdb_ahead_close(struct gaspdb_ahead *a);

/* The next piece of the log; after its last one, the first of the next log's,
   of which there must be one.  Borrowed until the next call. */
const struct gaspdb_piece *gaspdb_ahead_next(struct gaspdb_ahead *a);

#endif
