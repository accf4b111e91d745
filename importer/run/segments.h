/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Objects that processes share: the same offset in the same segment is the
 * same lock, flag or target for all, whatever its address in each.
 */
#ifndef GASPDB_IMPORTER_RUN_SEGMENTS_H
#define GASPDB_IMPORTER_RUN_SEGMENTS_H

#include "importer/log/definitions.h"

struct gaspdb_symbols;

/* A pointer-to-shared: its bytes, or an address in its thread's part. */
struct gaspdb_pointer {
	uint64_t low, high;
	int64_t thread; /* GASPDB_NULL: not known */
};

struct gaspdb_segments {
	struct gaspdb_registry *registry;
	struct gaspdb_names identities; /* kind and name: segment.id less 1 */
	struct gaspdb_segment {
		uint32_t kind, name; /* texts */
		uint64_t bytes;
	} * segment;
	size_t capacity;
	struct gaspdb_local_segment { /* of the log being read */
		uint64_t base, bytes;
		uint32_t segment; /* segment.id */
	} * local;
	size_t n_local, local_capacity;
	uint64_t left_out;	   /* of that log */
	struct gaspdb_map objects; /* by event.object; where it is named */
	struct gaspdb_object {
		int64_t id;
		uint32_t module;  /* symbols.c's; GASPDB_ABSENT: none */
		uint64_t address; /* in the module, or number of pointer */
	} * object;
	size_t object_capacity;
	struct gaspdb_names pointers; /* struct gaspdb_pointer */
};

void gaspdb_segments_init(struct gaspdb_segments *s,
			  struct gaspdb_registry *registry);
void gaspdb_segments_free(struct gaspdb_segments *s);

/* Another log begins. */
void gaspdb_segments_log(struct gaspdb_segments *s);

/* A SEGMENT record of an id that is new. */
void gaspdb_segment_define(struct gaspdb_segments *s,
			   const struct gaspdb_field *f);

/*
 * event.object of an address in the log being read; GASPDB_NULL: it lies in no
 * segment.  Null pointers are no object, too.
 */
int64_t gaspdb_object_at(struct gaspdb_segments *s,
			 const struct gaspdb_definitions *d, uint64_t address);
/* The same of a pointer-to-shared, which is alike on all threads. */
int64_t gaspdb_object_of_pointer(struct gaspdb_segments *s,
				 const struct gaspdb_pointer *p);

/* Write tables segment and object. */
void gaspdb_segments_finish(struct gaspdb_segments *s,
			    struct gaspdb_symbols *symbols);

#endif
