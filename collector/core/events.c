/* SPDX-License-Identifier: BSD-2-Clause */
/* The event tables as C arrays. */
#include "collector/core/events.h"

/* Names of the categories. */
#define CATEGORY_none		 "none"
#define CATEGORY_computation	 "computation"
#define CATEGORY_communication	 "communication"
#define CATEGORY_synchronization "synchronization"
#define CATEGORY_allocation	 "allocation"
#define CATEGORY_io		 "io"
#define CATEGORY_runtime	 "runtime"

enum type {
#define TYPE(ident, category, doc) TYPE_##ident,
#include "collector/events/types.tbl.h"
};

const struct gaspdb_type_info gaspdb_types[] = {
#define TYPE(ident, category, doc) { #ident, CATEGORY_##category, doc },
#include "collector/events/types.tbl.h"
	{ 0, 0, 0 }
};

#define GASPDB_EVENT_ROW(ident, tag, name, type, phases, start, end, sum, doc) \
	{ tag,	  "GASP_" #ident, name, GASPDB_MODEL_OF(tag), TYPE_##type, \
	  phases, start,	  end,	sum,		      doc },
const struct gaspdb_event_info gaspdb_events[GASPDB_N_EVENTS] = {
#include "collector/events/events.tbl.h"
};
