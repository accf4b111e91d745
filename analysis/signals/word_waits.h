/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which words calls wait for, as events/README.md has it: one, all words of an
 * array but some, or, of those of an array, the ones that came.
 */
#ifndef GASPDB_ANALYSIS_SIGNALS_WORD_WAITS_H
#define GASPDB_ANALYSIS_SIGNALS_WORD_WAITS_H

#include "analysis/engine/scan.h"
#include "analysis/engine/run.h"

enum {
	GASPDB_WORD_MAX = 16, /* bytes: longer ones are none */
	GASPDB_WORD_RANGES = 2 * GASPDB_ARGS_OF_EVENT
};

/* Words side by side. */
struct gaspdb_word_range {
	int64_t first, bytes;	   /* an object, and how far they reach */
	int64_t comparison, value; /* that each is waited for with; comparison
				      NONE: not known */
};

struct gaspdb_word_wait {
	bool in_vain;  /* a test: nothing had come */
	bool for_none; /* there is no word that it waits for */
	bool bound;    /* not all of its words are told */
	int64_t word_bytes;
	size_t n; /* 0: none came, and the call has an end or not */
	struct gaspdb_word_range ranges[GASPDB_WORD_RANGES];
};

struct gaspdb_word_waits {
	struct gaspdb_run *run;
	struct gaspdb_event_args rows; /* of event_arg */
	unsigned char *roles;	  /* by argument.id */
	int64_t n_roles;
	unsigned char *of_operation; /* by source.id: whom it waits for */
};

void gaspdb_word_waits_open(struct gaspdb_word_waits *waits,
			    struct gaspdb_run *run);
/* Is it such a call, and is it known where its words are? */
bool gaspdb_word_waits_are(const struct gaspdb_word_waits *waits,
			   const struct gaspdb_event *e);
/* What such a call waits for; events in the order of their ids. */
void gaspdb_word_waits_of(struct gaspdb_word_waits *waits,
			  const struct gaspdb_event *e,
			  struct gaspdb_word_wait *wait);
void gaspdb_word_waits_close(struct gaspdb_word_waits *waits);

#endif
