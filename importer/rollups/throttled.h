/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Throttled functions: calls that the collector counted and did not write.
 * They count in the profile, the call tree and the regions; sums by function
 * and caller are table throttled.
 */
#ifndef GASPDB_IMPORTER_ROLLUPS_THROTTLED_H
#define GASPDB_IMPORTER_ROLLUPS_THROTTLED_H

#include <stddef.h>
#include <stdint.h>

#include "common/map.h"
#include "sql/store/store.h"

/* Calls of one function below one caller, in ns. */
struct gaspdb_throttled_calls {
	int64_t calls;
	int64_t total_ns; /* of calls that are in no other call of it */
	int64_t inner_ns; /* of the others */
	int64_t self_ns;  /* of calls without an event within */
	int64_t quiet_ns; /* part of total_ns: calls without an event within */
	int64_t least_ns, most_ns; /* of one call */
};

/* Sums of the thread being read. */
struct gaspdb_throttled {
	struct gaspdb_throttled_set {
		struct gaspdb_map index; /* caller << 32 | source: in sums */
		struct gaspdb_throttled_sums {
			uint32_t source, caller; /* caller 0: none */
			int64_t calls, total_ns, inner_ns, self_ns;
		} * sums;
		size_t capacity;
	} pairs, functions; /* functions: of all callers */
};

void gaspdb_throttled_add(struct gaspdb_throttled *t, uint32_t source,
			  uint32_t caller,
			  const struct gaspdb_throttled_calls *calls);
/* Writes the thread's rows, and begins another. */
void gaspdb_throttled_flush(struct gaspdb_throttled *t,
			    struct gaspdb_store *store, int64_t thread);
void gaspdb_throttled_free(struct gaspdb_throttled *t);

#endif
