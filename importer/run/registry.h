/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Registry of a run: texts, operations with arguments, source lines and
 * categories shared by all logs. Each log has ids of its own; the registry
 * interns equal items to one id.
 */
#ifndef GASPDB_IMPORTER_RUN_REGISTRY_H
#define GASPDB_IMPORTER_RUN_REGISTRY_H

#include "importer/log/bytes.h"
#include "common/limits.h"
#include "common/map.h"
#include "sql/store/store.h"

/* Operation types known to the importer. */
enum gaspdb_optype {
#define TYPE(ident, category, doc) GASPDB_OPTYPE_##ident,
#include "collector/events/types.tbl.h"
	GASPDB_OPTYPE_unknown
};

/* Categories with fixed numbers; logs may add others. */
enum gaspdb_category {
	GASPDB_CATEGORY_computation,
	GASPDB_CATEGORY_communication,
	GASPDB_CATEGORY_synchronization,
	GASPDB_CATEGORY_allocation,
	GASPDB_CATEGORY_runtime,
	GASPDB_CATEGORY_none
};

/* Names of an operation, as numbers of texts; 0: none. */
struct gaspdb_operation_names {
	uint32_t name, symbol, type, category, model, format;
};

/* Place of a call; 0: unknown. */
struct gaspdb_place {
	uint32_t file, function, module; /* texts */
	uint64_t line, column, offset;
	uint64_t within; /* offset in the function, without a line */
};

struct gaspdb_registry {
	uint64_t texts_left_out, sources_left_out; /* beyond the limits */
	struct gaspdb_store *store;
	struct gaspdb_names texts, operations, arguments, sources, categories;
	struct gaspdb_source_row {
		uint32_t operation;
		struct gaspdb_place place;
		bool many; /* of several addresses: no offset */
	} * source;
	size_t source_capacity;
};

/* Initialises r and writes table operation_type. store NULL: only texts are
   used. */
void gaspdb_registry_init(struct gaspdb_registry *r,
			  struct gaspdb_store *store);
void gaspdb_registry_free(struct gaspdb_registry *r);

/* Number of a text from a log, cut at a NUL and made valid UTF-8; "" is 0. */
uint32_t gaspdb_text_add(struct gaspdb_registry *r, struct gaspdb_text text);
uint32_t gaspdb_text_of(struct gaspdb_registry *r, const char *text);
/* Is `text` the number of t? Then adding t would return it. */
static inline bool gaspdb_text_is(const struct gaspdb_registry *r,
				  uint32_t text, struct gaspdb_text t)
{
	const struct gaspdb_name *name = &r->texts.names[text];

	return name->length == t.n && !memcmp(name->bytes, t.p, t.n);
}

/* Text of a number; NULL for 0. */
const char *gaspdb_text_get(const struct gaspdb_registry *r, uint32_t text);

enum gaspdb_optype gaspdb_optype_of(const char *type);
uint8_t gaspdb_category_of(struct gaspdb_registry *r, const char *category);
const char *gaspdb_category_name(const struct gaspdb_registry *r,
				 uint8_t category);

/* Add an item; return its id in the table. */
uint32_t gaspdb_operation_add(struct gaspdb_registry *r,
			      const struct gaspdb_operation_names *names);
uint32_t gaspdb_argument_add(struct gaspdb_registry *r, uint32_t operation,
			     bool end, struct gaspdb_text name, char code);
/* The same for a place; those without a line are distinguished by module and
   offset. */
uint32_t gaspdb_source_add(struct gaspdb_registry *r, uint32_t operation,
			   const struct gaspdb_place *place);
/* Sets a function's name, from its first event. */
void gaspdb_source_function(struct gaspdb_registry *r, uint32_t source,
			    uint32_t function);

/* Writes table source. */
void gaspdb_registry_finish(struct gaspdb_registry *r);

#endif
