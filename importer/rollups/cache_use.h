/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Use of the runtime's software cache by source: table cache_total. */
#ifndef GASPDB_IMPORTER_ROLLUPS_CACHE_USE_H
#define GASPDB_IMPORTER_ROLLUPS_CACHE_USE_H

#include "common/map.h"
#include "importer/log/definitions.h"
#include "importer/replay/event_rows.h"

struct gaspdb_cache_use {
	struct gaspdb_store *store;
	struct gaspdb_map index; /* source: index of sums */
	struct gaspdb_cache_sums {
		uint32_t source;
		const char *what;
		int64_t events, bytes, line_bytes, dirty_lines;
	} * sums; /* of the thread */
	size_t capacity;
};

void gaspdb_cache_use_free(struct gaspdb_cache_use *c);
/* Adds an event of type cache. */
void gaspdb_cache_use_add(struct gaspdb_cache_use *c,
			  const struct gaspdb_roles *roles,
			  const union gaspdb_event_row *row);
/* Writes the thread's rows, and clears the sums. */
void gaspdb_cache_use_flush(struct gaspdb_cache_use *c, int64_t thread);

#endif
