/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Growth rate of a log and of its database, to plan longer runs. It excludes
 * the start and end of the runtime where the log has them, time in which
 * recording was off, and definitions and facts, which are written once.
 */
#ifndef GASPDB_IMPORTER_INSPECT_RATE_H
#define GASPDB_IMPORTER_INSPECT_RATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "importer/log/reader.h"

/* Counts of one log. */
struct gaspdb_rate {
	uint64_t ticks; /* of the last event */
	uint64_t first, last, off_since, off_ticks;
	bool timed, off, started, over;
	uint64_t raw_events, bytes; /* growing with time */
	uint64_t once_bytes;	    /* not growing */
	uint64_t rows, args, ends;  /* in the database: events, further
				       arguments, sends and receives */
	struct gaspdb_rate_operation {
		uint8_t args[2], ends; /* of START or ATOMIC, of END */
	} * operations;
	uint32_t *sites;	      /* their operations, by id */
	size_t n_operations, n_sites; /* room */
};

/* Rates per second, summed over logs; seconds: of the longest log. 0: too
   little was recorded. */
struct gaspdb_rates {
	double seconds, raw_events, bytes, database;
	uint64_t all_bytes, once_bytes;
};

/* Count a block, and each of its records. */
void gaspdb_rate_block(struct gaspdb_rate *r, const struct gaspdb_reader *rd);
void gaspdb_rate_record(struct gaspdb_rate *r, const struct gaspdb_reader *rd,
			const struct gaspdb_record *rec);
/* Frees the log's definitions; the counts remain. */
void gaspdb_rate_free(struct gaspdb_rate *r);

/* Adds the rates of one log. */
void gaspdb_rates_add(struct gaspdb_rates *to, const struct gaspdb_rate *r,
		      uint64_t ticks_hz);

/* A reason to distrust the rates, as a sentence; "": none. */
const char *gaspdb_rates_caveat(const struct gaspdb_rates *rates);

#endif
