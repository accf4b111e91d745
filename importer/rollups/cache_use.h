/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The software cache of a runtime, by line: table cache_total. */
#ifndef GASPDB_IMPORTER_ROLLUPS_CACHE_USE_H
#define GASPDB_IMPORTER_ROLLUPS_CACHE_USE_H

#include "importer/log/definitions.h"
#include "importer/replay/event_rows.h"
#include "common/map.h"

struct gaspdb_cache_use {
	struct gaspdb_store *store;
	struct gaspdb_map index; /* source: an index */
	struct gaspdb_cache_sums {
		uint32_t source;
		const char *what;
		int64_t events, bytes, line_bytes, dirty_lines;
	} * sums; /* of the thread being read */
	size_t capacity;
};

void gaspdb_cache_use_free(struct gaspdb_cache_use *c);
/* An event of type cache has its row. */
void gaspdb_cache_use_add(struct gaspdb_cache_use *c,
			  const struct gaspdb_roles *roles,
			  const union gaspdb_event_row *row);
/* A thread is over: its rows. */
void gaspdb_cache_use_flush(struct gaspdb_cache_use *c, int64_t thread);

#endif
