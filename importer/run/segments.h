/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Objects shared by processes: the same offset in the same segment is the same
   lock, flag or target in all processes, at any address. */
#ifndef GASPDB_IMPORTER_RUN_SEGMENTS_H
#define GASPDB_IMPORTER_RUN_SEGMENTS_H

#include "importer/log/definitions.h"

struct gaspdb_symbols;

/* A pointer-to-shared: its bytes, or an address and the owning thread. */
struct gaspdb_pointer {
	uint64_t low, high;
	int64_t thread; /* GASPDB_NULL: unknown */
};

struct gaspdb_segments {
	struct gaspdb_registry *registry;
	struct gaspdb_names identities; /* kind and name: segment.id minus 1 */
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
	uint64_t left_out;	   /* segments of that log beyond the limits */
	struct gaspdb_map objects; /* by event.object: index in object */
	struct gaspdb_object {
		int64_t id;
		uint32_t module;  /* number of symbols.c; GASPDB_ABSENT: none */
		uint64_t address; /* in the module, or the pointer's number */
	} * object;
	size_t object_capacity;
	struct gaspdb_names pointers; /* struct gaspdb_pointer */
};

void gaspdb_segments_init(struct gaspdb_segments *s,
			  struct gaspdb_registry *registry);
void gaspdb_segments_free(struct gaspdb_segments *s);

/* Begins another log. */
void gaspdb_segments_log(struct gaspdb_segments *s);

/* Adds a SEGMENT record with a new id. */
void gaspdb_segment_define(struct gaspdb_segments *s,
			   const struct gaspdb_field *f);

/* event.object of an address in the log being read; GASPDB_NULL: in no segment,
   or a null pointer. */
int64_t gaspdb_object_at(struct gaspdb_segments *s,
			 const struct gaspdb_definitions *d, uint64_t address);
/* The same for a pointer-to-shared, which is equal on all threads. */
int64_t gaspdb_object_of_pointer(struct gaspdb_segments *s,
				 const struct gaspdb_pointer *p);

/* Writes tables segment and object. */
void gaspdb_segments_finish(struct gaspdb_segments *s,
			    struct gaspdb_symbols *symbols);

#endif
