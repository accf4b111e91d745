/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Polling loops: calls that only look, in vain, over and over.  The first
 * round of a loop is recorded as it comes; each later call in vain is folded
 * into the event that the round ended with: its END moves.
 */
#ifndef GASPDB_COLLECTOR_CORE_LOOK_H
#define GASPDB_COLLECTOR_CORE_LOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "collector/core/collector.h"

#define GASPDB_LOOKS_MAX     32 /* calls of one loop that are told apart */
#define GASPDB_LOOK_ARGS_MAX 8
#define GASPDB_LOOK_ENDS_MAX 3

/* What tells one site from another. */
struct gaspdb_site_key {
	const void *what;  /* the operation, as its caller knows it */
	const void *place; /* return address, or file name by pointer */
	uint64_t line;	   /* and the column above it; 0 of addresses */
};

/* A site remembers the last values of as many addresses. */
#define GASPDB_NEAR_BASES 2

/* One call of a loop. */
struct gaspdb_look_call {
	struct gaspdb_site_key key;
	enum gaspdb_look_kind kind;
	unsigned n;
	uint64_t args[GASPDB_LOOK_ARGS_MAX];
	uint64_t value; /* what it found when it was in vain last */
};

/* The loop that the log ends with, if it does. */
struct gaspdb_look {
	struct gaspdb_look_call call[GASPDB_LOOKS_MAX];
	unsigned n;	/* of them */
	unsigned at;	/* the one called last */
	unsigned event; /* the one that the loop's event is of */
	uint64_t attempts;
	enum gaspdb_look_mode mode; /* gasp.c: of the call that goes on */

	/* The loop's event. */
	unsigned char *begun; /* behind its START, where its END goes */
	unsigned char *ended; /* behind that, if it was in vain; else NULL */
	uint64_t block;	      /* in that: others may have its address */
	uint64_t last_ticks;  /* the writer's, before its END */
	struct gaspdb_site *last;
	unsigned n_end;
	uint64_t end[GASPDB_LOOK_ENDS_MAX];

	/* A call that is in the loop already: behind its START.  NULL: another
	   record came between.  base: its site's before that. */
	unsigned char *joined;
	uint64_t base[GASPDB_NEAR_BASES];

	uint64_t ended_ticks;
	uint64_t paused_ticks; /* it began, or was interrupted last */
	/* The thread's processor time when it was looked at last: since then
	   it has done nothing else but look.  0: it was not. */
	uint64_t used_ticks;
	unsigned unasked; /* so many times it will not be */
	unsigned worked;  /* so often in a row the thread had */
	int64_t used_ns;
};

struct gaspdb_context;

/*
 * A call that looks is about to be recorded: what becomes of its START.  Unless
 * it goes on, the START is written next, then gaspdb_look_begun called.
 */
enum gaspdb_look_mode gaspdb_look_begin(struct gaspdb_context *c,
					enum gaspdb_look_kind kind,
					const struct gaspdb_site_key *key,
					unsigned n, const uint64_t *args);
void gaspdb_look_begun(struct gaspdb_context *c, enum gaspdb_look_mode mode);

/* The call was in vain, and found value: true, it is part of the loop's event;
   false: its END is to be written. */
bool gaspdb_look_fold(struct gaspdb_context *c, enum gaspdb_look_mode mode,
		      uint64_t value);

/* The END of a call that was not folded: before and after it is written. */
struct gaspdb_look_end {
	unsigned char *at;
	uint64_t last_ticks;
	struct gaspdb_site *last;
};
struct gaspdb_look_end gaspdb_look_ending(const struct gaspdb_context *c);
void gaspdb_look_ended(struct gaspdb_context *c, enum gaspdb_look_mode mode,
		       const struct gaspdb_look_end *before, uint64_t value,
		       unsigned n, const uint64_t *args);

#endif
