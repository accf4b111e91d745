/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arguments of accesses, and of allocations between them. UPC logs `relaxed` of
 * each blocking get and put, 0 for a strict one (some runtimes log 1 for strict
 * ones as well: docs/upc.md), and pointers-to-shared as `source` or `target`.
 */
#ifndef GASPDB_ANALYSIS_ACCESS_ARGUMENTS_H
#define GASPDB_ANALYSIS_ACCESS_ARGUMENTS_H

#include "analysis/engine/scan.h"
#include "analysis/engine/run.h"

enum gaspdb_access_argument {
	GASPDB_ACCESS_RELAXED,
	GASPDB_ACCESS_SOURCE,
	GASPDB_ACCESS_SOURCE_HIGH,
	GASPDB_ACCESS_TARGET, /* of puts, as SOURCE of gets */
	GASPDB_ACCESS_TARGET_HIGH,
	GASPDB_ACCESS_SIGNAL,	     /* of puts: object of the signal word */
	GASPDB_ACCESS_ADDRESS,	     /* of frees of shared memory */
	GASPDB_ACCESS_OLD_ADDRESS,   /* of reallocations of it */
	GASPDB_ACCESS_ELEMENT_BYTES, /* of strided puts */
	GASPDB_ACCESS_ELEMENTS,
	GASPDB_ACCESS_TARGET_STRIDE, /* in elements */
	GASPDB_ACCESS_SOURCE_THREAD, /* of copies: ranks of the owners */
	GASPDB_ACCESS_TARGET_THREAD,
	GASPDB_ACCESS_SIGNAL_VALUE, /* of puts with a signal */
	GASPDB_ACCESS_SIGNAL_ADDS,
	GASPDB_ACCESS_AFTER, /* of puts and atomics: the word's value after it
			      */
	GASPDB_ACCESS_AFTER_KNOWN,
	GASPDB_ACCESS_ARGUMENTS
};
#define GASPDB_ACCESS_BIT(argument) (1u << GASPDB_ACCESS_##argument)

struct gaspdb_access_values {
	unsigned found; /* bits: the values that are set */
	int64_t values[GASPDB_ACCESS_ARGUMENTS];
};

struct gaspdb_access_arguments {
	struct gaspdb_event_args rows;
	unsigned *declares;  /* by source: bits of its arguments */
	unsigned char *role; /* by argument.id: enum gaspdb_access_argument */
	int64_t n;
};

void gaspdb_access_arguments_open(struct gaspdb_access_arguments *a,
				  struct gaspdb_run *run);
/* Does the log say whether calls of a source are strict? The source exists. */
bool gaspdb_access_knows_strict(const struct gaspdb_access_arguments *a,
				int64_t source);
/* The slow path of gaspdb_access_get(): `wanted` are declared. */
void gaspdb_access_read(struct gaspdb_access_arguments *a,
			const struct gaspdb_event *e, unsigned wanted,
			struct gaspdb_access_values *given);
/* Read an event's arguments. wanted: bits. Events come in the order of their
   ids. */
static inline void gaspdb_access_get(struct gaspdb_access_arguments *a,
				     const struct gaspdb_event *e,
				     unsigned wanted,
				     struct gaspdb_access_values *given)
{
	given->found = 0;
	if (a->declares && a->declares[e->source] & wanted)
		gaspdb_access_read(a, e, a->declares[e->source] & wanted,
				   given);
}
/* The value of an argument; `otherwise` if the event has none. */
static inline int64_t
gaspdb_access_value(const struct gaspdb_access_values *given,
		    enum gaspdb_access_argument argument, int64_t otherwise)
{
	return given->found & 1u << argument ? given->values[argument]
					     : otherwise;
}
/* A hash of the UPC pointer that a get reads, equal for equal pointers; NONE:
   unknown. */
int64_t gaspdb_access_pointer_hash(const struct gaspdb_access_values *given);
/* The place of an access in its owner's memory: the object, or the two words of
   a pointer, one of which contains an address. false: unknown. */
bool gaspdb_access_place(const struct gaspdb_access_values *given,
			 int64_t object, int64_t place[2]);
/* Is an access strict? false also if the runtime does not log it. */
static inline bool
gaspdb_access_strict(const struct gaspdb_access_values *given)
{
	return gaspdb_access_value(given, GASPDB_ACCESS_RELAXED, 1) == 0;
}
void gaspdb_access_arguments_close(struct gaspdb_access_arguments *a);

#endif
