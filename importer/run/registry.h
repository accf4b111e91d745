/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What all logs of the run share: texts, operations and their arguments,
 * source lines, categories.  Each log has ids of its own for these; here equal
 * things become one.
 */
#ifndef GASPDB_IMPORTER_RUN_REGISTRY_H
#define GASPDB_IMPORTER_RUN_REGISTRY_H

#include "importer/log/bytes.h"
#include "common/limits.h"
#include "common/map.h"
#include "sql/store/store.h"

/* The operation types that the importer knows by name. */
enum gaspdb_optype {
#define TYPE(ident, category, doc) GASPDB_OPTYPE_##ident,
#include "collector/events/types.tbl.h"
	GASPDB_OPTYPE_unknown
};

/* The first of them have fixed numbers; a log may bring others. */
enum gaspdb_category {
	GASPDB_CATEGORY_computation,
	GASPDB_CATEGORY_communication,
	GASPDB_CATEGORY_synchronization,
	GASPDB_CATEGORY_allocation,
	GASPDB_CATEGORY_runtime,
	GASPDB_CATEGORY_none
};

/* Texts are numbered; 0 is none. */
struct gaspdb_operation_names {
	uint32_t name, symbol, type, category, model, format;
};

/* An operation at a place, as found; 0: not known. */
struct gaspdb_place {
	uint32_t file, function, module; /* texts */
	uint64_t line, column, offset;
	uint64_t within; /* the function, where there is no line */
};

struct gaspdb_registry {
	uint64_t texts_left_out, sources_left_out; /* there were too many */
	struct gaspdb_store *store;
	struct gaspdb_names texts, operations, arguments, sources, categories;
	struct gaspdb_source_row {
		uint32_t operation;
		struct gaspdb_place place;
		bool many; /* of several addresses: no offset of its own */
	} * source;
	size_t source_capacity;
};

/* Also writes table operation_type.  store NULL: only texts are used. */
void gaspdb_registry_init(struct gaspdb_registry *r,
			  struct gaspdb_store *store);
void gaspdb_registry_free(struct gaspdb_registry *r);

/* Text from a log: cut at a NUL, what is not UTF-8 replaced; "" is 0. */
uint32_t gaspdb_text_add(struct gaspdb_registry *r, struct gaspdb_text text);
uint32_t gaspdb_text_of(struct gaspdb_registry *r, const char *text);
/* Is it that text?  Then the same number would come of adding it. */
static inline bool gaspdb_text_is(const struct gaspdb_registry *r,
				  uint32_t text, struct gaspdb_text t)
{
	const struct gaspdb_name *name = &r->texts.names[text];

	return name->length == t.n && !memcmp(name->bytes, t.p, t.n);
}

/* NULL for 0. */
const char *gaspdb_text_get(const struct gaspdb_registry *r, uint32_t text);

enum gaspdb_optype gaspdb_optype_of(const char *type);
uint8_t gaspdb_category_of(struct gaspdb_registry *r, const char *category);
const char *gaspdb_category_name(const struct gaspdb_registry *r,
				 uint8_t category);

/* Ids, as in the tables. */
uint32_t gaspdb_operation_add(struct gaspdb_registry *r,
			      const struct gaspdb_operation_names *names);
uint32_t gaspdb_argument_add(struct gaspdb_registry *r, uint32_t operation,
			     bool end, struct gaspdb_text name, char code);
/* Places without a line stay apart by module and offset. */
uint32_t gaspdb_source_add(struct gaspdb_registry *r, uint32_t operation,
			   const struct gaspdb_place *place);
/* A function's name that came with its first event. */
void gaspdb_source_function(struct gaspdb_registry *r, uint32_t source,
			    uint32_t function);

/* Write table source. */
void gaspdb_registry_finish(struct gaspdb_registry *r);

#endif
