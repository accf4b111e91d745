/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Entities of the program and their mixes. Each process has ids of its own;
 * entities with equal kind, name and parent in several processes become one
 * row, and so do mixes of equal parts and weights.
 */
#ifndef GASPDB_IMPORTER_RUN_ENTITIES_H
#define GASPDB_IMPORTER_RUN_ENTITIES_H

#include "importer/log/reader.h"
#include "importer/run/registry.h"

struct gaspdb_entities {
	struct gaspdb_registry *registry;
	struct gaspdb_names identities; /* number + 1 is entity.id */
	struct gaspdb_entity_row {
		uint32_t parent; /* entity.id; 0: none */
		uint32_t depth;
		uint32_t kind, name; /* texts */
		bool is_mix;
		size_t first_part, n_parts;
	} * row;
	size_t row_capacity;
	struct gaspdb_entity_share {
		uint32_t entity;
		uint64_t weight;
	} * part;
	size_t n_parts, part_capacity;
	struct gaspdb_map local; /* the process's ids to entity.id */
	/* Attributes, in the order of their first records */
	struct gaspdb_names keys; /* entity, key, process */
	struct gaspdb_entity_value {
		uint32_t entity, key, text;
		int64_t process; /* its first thread */
		char code;
		uint64_t number;
	} * value;
	size_t value_capacity;
	uint64_t left_out; /* of the log: beyond the limits */
};

void gaspdb_entities_init(struct gaspdb_entities *e,
			  struct gaspdb_registry *registry);
void gaspdb_entities_free(struct gaspdb_entities *e);

/* Begin a process; a log. */
void gaspdb_entities_process(struct gaspdb_entities *e);
void gaspdb_entities_log(struct gaspdb_entities *e);

/* Adds an ENTITY or ENTITY_MIX record; one that refers to an unknown entity is
   ignored. */
void gaspdb_entities_define(struct gaspdb_entities *e, unsigned kind,
			  const struct gaspdb_field *f);
/* Adds an ENTITY_ATTRIBUTE record. process: its first thread. */
void gaspdb_entity_attribute(struct gaspdb_entities *e,
			     const struct gaspdb_field *f, int64_t process);

/* entity.id of a process's id; GASPDB_NULL: not defined. */
int64_t gaspdb_entity_id(const struct gaspdb_entities *e, uint64_t local);

/* Writes tables entity, entity_mix and entity_attribute. */
void gaspdb_entities_finish(struct gaspdb_entities *e);

#endif
