/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast a log grew while it was recorded, and what the database of so much
 * would take: what a longer run can be planned with.  The start and the end of
 * the runtime are left out where the log tells them, and so are time in which
 * recording was off, and what is written once: definitions and facts.
 */
#ifndef GASPDB_IMPORTER_INSPECT_RATE_H
#define GASPDB_IMPORTER_INSPECT_RATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "importer/log/reader.h"

/* What has been read of one log so far. */
struct gaspdb_rate {
	uint64_t ticks; /* of the last event */
	uint64_t first, last, off_since, off_ticks;
	bool timed, off, started, over;
	uint64_t raw_events, bytes; /* that grow with time */
	uint64_t once_bytes;	    /* that do not */
	uint64_t rows, args, ends;  /* of the database: events, further
				       arguments, sends and receives */
	struct gaspdb_rate_operation {
		uint8_t args[2], ends; /* of START or ATOMIC, of END */
	} * operations;
	uint32_t *sites;	      /* their operations */
	size_t n_operations, n_sites; /* there is room for */
};

/* Per second, of one log or several; seconds: of the longest.  0: too little
   was recorded to tell. */
struct gaspdb_rates {
	double seconds, raw_events, bytes, database;
	uint64_t all_bytes, once_bytes;
};

/* A block, and each of its records, as they are read. */
void gaspdb_rate_block(struct gaspdb_rate *r, const struct gaspdb_reader *rd);
void gaspdb_rate_record(struct gaspdb_rate *r, const struct gaspdb_reader *rd,
			const struct gaspdb_record *rec);
/* The log has ended: what it defined is forgotten. */
void gaspdb_rate_free(struct gaspdb_rate *r);

/* Add a log's. */
void gaspdb_rates_add(struct gaspdb_rates *to, const struct gaspdb_rate *r,
		      uint64_t ticks_hz);

/* Why not to trust them, in a sentence; "": nothing speaks against it. */
const char *gaspdb_rates_caveat(const struct gaspdb_rates *rates);

#endif
