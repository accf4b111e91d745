/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Entities of the process (gaspdb.h).  A handle is an entity's index, from 1:
 * entities are never removed, so that any thread reads one whose handle it has
 * without a lock.  Each log defines the entities that it uses, under their
 * handles.
 */
#ifndef GASPDB_COLLECTOR_CORE_ENTITIES_ENTITIES_H
#define GASPDB_COLLECTOR_CORE_ENTITIES_ENTITIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/base/compiler.h"

struct gaspdb_context;

typedef uint32_t gaspdb_entity_t;
typedef uint64_t gaspdb_work_t;

/* A token of work: the serial number, then the entity. */
#define GASPDB_ENTITY_BITS 20

/* A part of a mix. */
struct gaspdb_entity_part {
	gaspdb_entity_t entity;
	uint64_t weight; /* all parts' sum is GASPDB_MIX_WEIGHTS */
};

struct gaspdb_entity {
	const char *kind, *name; /* NULL: a mix */
	gaspdb_entity_t parent;	 /* 0: none */
	uint32_t n;		 /* an entity: its depth; a mix: parts */
	const struct gaspdb_entity_part *parts; /* of a mix */
	uint64_t hash;
};

/* The entity or mix of a handle; NULL: no such handle. */
GASPDB_HIDDEN const struct gaspdb_entity *
gaspdb_entity_get(gaspdb_entity_t entity);

/* A bit for each entity that a log defines. */
struct gaspdb_defined_entities {
	uint64_t *bits;
	uint32_t n; /* of bits */
};

static inline bool
gaspdb_entity_is_defined(const struct gaspdb_defined_entities *d,
			 gaspdb_entity_t entity)
{
	return entity < d->n && d->bits[entity / 64] >> entity % 64 & 1;
}

/* Defines the entity and what it refers to in the log of c, which is busy.
   false: no such entity, or no memory. */
GASPDB_HIDDEN bool gaspdb_entity_define(struct gaspdb_context *c,
					gaspdb_entity_t entity);
GASPDB_HIDDEN void
gaspdb_defined_entities_free(struct gaspdb_defined_entities *d);

/* The calling thread's context, if the process is recorded; NULL: none. */
GASPDB_HIDDEN struct gaspdb_context *gaspdb_entity_context(void);

#endif
