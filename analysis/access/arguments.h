/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What runtimes say of accesses in further arguments: UPC's of each blocking
 * get and put `relaxed`, which is 0 of a strict one (some say 1 of strict ones,
 * too: docs/upc.md), and of gets the pointer `source`; and what is asked of
 * calls between them.
 */
#ifndef GASPDB_ANALYSIS_ACCESS_ARGUMENTS_H
#define GASPDB_ANALYSIS_ACCESS_ARGUMENTS_H

#include "analysis/engine/scan.h"
#include "analysis/engine/run.h"

enum gaspdb_access_argument {
	GASPDB_ACCESS_RELAXED,
	GASPDB_ACCESS_SOURCE,
	GASPDB_ACCESS_SOURCE_HIGH,
	GASPDB_ACCESS_TARGET, /* the same of puts */
	GASPDB_ACCESS_TARGET_HIGH,
	GASPDB_ACCESS_SIGNAL,	     /* of a put: an object, too */
	GASPDB_ACCESS_ADDRESS,	     /* of freeing of shared memory */
	GASPDB_ACCESS_OLD_ADDRESS,   /* of its allocation */
	GASPDB_ACCESS_ELEMENT_BYTES, /* of strided puts */
	GASPDB_ACCESS_ELEMENTS,
	GASPDB_ACCESS_TARGET_STRIDE, /* in elements */
	GASPDB_ACCESS_SOURCE_THREAD, /* of copies: ranks of the owners */
	GASPDB_ACCESS_TARGET_THREAD,
	GASPDB_ACCESS_SIGNAL_VALUE, /* of puts with a signal */
	GASPDB_ACCESS_SIGNAL_ADDS,
	GASPDB_ACCESS_AFTER, /* of puts and atomics: what a word holds then */
	GASPDB_ACCESS_AFTER_KNOWN,
	GASPDB_ACCESS_ARGUMENTS
};
#define GASPDB_ACCESS_BIT(argument) (1u << GASPDB_ACCESS_##argument)

struct gaspdb_access_values {
	unsigned found; /* bits */
	int64_t values[GASPDB_ACCESS_ARGUMENTS];
};

struct gaspdb_access_arguments {
	struct gaspdb_event_args rows;
	unsigned *declares;   /* by source: bits */
	unsigned char *which; /* by argument.id */
	int64_t n;
};

void gaspdb_access_arguments_open(struct gaspdb_access_arguments *a,
				  struct gaspdb_run *run);
/* Is it said of calls of a source (one that is there) whether they are
   strict? */
bool gaspdb_access_tells_strict(const struct gaspdb_access_arguments *a,
				int64_t source);
/* Part of gaspdb_access_ask(): those are declared. */
void gaspdb_access_read(struct gaspdb_access_arguments *a,
			const struct gaspdb_event *e, unsigned wanted,
			struct gaspdb_access_values *given);
/* What is wanted of an event, bits; events in the order of their ids. */
static inline void gaspdb_access_ask(struct gaspdb_access_arguments *a,
				     const struct gaspdb_event *e,
				     unsigned wanted,
				     struct gaspdb_access_values *given)
{
	given->found = 0;
	if (a->declares && a->declares[e->source] & wanted)
		gaspdb_access_read(a, e, a->declares[e->source] & wanted,
				   given);
}
static inline int64_t
gaspdb_access_value(const struct gaspdb_access_values *given,
		    enum gaspdb_access_argument argument, int64_t otherwise)
{
	return given->found & 1u << argument ? given->values[argument]
					     : otherwise;
}
/* Equal pointers have the same; NONE: not known. */
int64_t gaspdb_access_word(const struct gaspdb_access_values *given);
/* Where it is in its owner's memory, the object or the words of a pointer: one
   of these is or has an address.  false: not known. */
bool gaspdb_access_place(const struct gaspdb_access_values *given,
			 int64_t object, int64_t place[2]);
/* As far as the runtime tells. */
static inline bool
gaspdb_access_strict(const struct gaspdb_access_values *given)
{
	return gaspdb_access_value(given, GASPDB_ACCESS_RELAXED, 1) == 0;
}
void gaspdb_access_arguments_close(struct gaspdb_access_arguments *a);

#endif
