/* SPDX-License-Identifier: BSD-2-Clause */
/* The event tables as C arrays (events/README.md).  The importer does not need
   them: each log has its own definitions. */
#ifndef GASPDB_COLLECTOR_CORE_EVENTS_H
#define GASPDB_COLLECTOR_CORE_EVENTS_H

#include <stdint.h>

enum gaspdb_event {
#define GASPDB_EVENT_ROW(ident, tag, name, type, phases, start, end, sum, doc) \
	GASPDB_EVENT_##ident,
#include "collector/events/events.tbl.h"
	GASPDB_N_EVENTS
};

struct gaspdb_type_info {
	const char *name;     /* "get" */
	const char *category; /* "communication" */
	const char *doc;
};

/* events/types.tbl.h; ends with a NULL name */
extern const struct gaspdb_type_info gaspdb_types[];

struct gaspdb_event_info {
	uint16_t tag;
	const char *symbol; /* "GASP_UPC_GET" */
	const char *name;   /* "shared read" */
	const char *model;  /* "UPC" */
	unsigned type;	    /* index in gaspdb_types */
	const char *phases; /* subset of "SEA" */
	const char *start, *end;
	const char *summary, *doc;
};

/* Indexed by enum gaspdb_event */
extern const struct gaspdb_event_info gaspdb_events[GASPDB_N_EVENTS];

#endif
