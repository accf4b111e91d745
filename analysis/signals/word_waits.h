/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Words that a call waits for, from its arguments (collector/events/README.md):
 * one word, all words of an array except some, or those of an array that ended
 * a wait for any of them.
 */
#ifndef GASPDB_ANALYSIS_SIGNALS_WORD_WAITS_H
#define GASPDB_ANALYSIS_SIGNALS_WORD_WAITS_H

#include "analysis/engine/scan.h"
#include "analysis/engine/run.h"

enum {
	GASPDB_WORD_MAX = 16, /* bytes */
	GASPDB_WORD_RANGES = 2 * GASPDB_ARGS_OF_EVENT
};

/* Consecutive words. */
struct gaspdb_word_range {
	int64_t first, bytes;	   /* object, length of all */
	int64_t comparison, value; /* the condition on each; comparison NONE:
				      unknown */
};

struct gaspdb_word_wait {
	bool failed;   /* a test without success */
	bool no_words; /* all words are excluded */
	bool bound;    /* not all of its words are logged */
	int64_t word_bytes;
	size_t n; /* 0: none, for example a wait for any without an end */
	struct gaspdb_word_range ranges[GASPDB_WORD_RANGES];
};

struct gaspdb_word_waits {
	struct gaspdb_run *run;
	struct gaspdb_event_args rows; /* of event_arg */
	unsigned char *roles;	       /* by argument.id */
	int64_t n_roles;
	unsigned char *mode; /* by source.id: for none, all or any words */
};

void gaspdb_word_waits_open(struct gaspdb_word_waits *waits,
			    struct gaspdb_run *run);
/* Is an event a wait for words whose address is known? */
bool gaspdb_word_waits_match(const struct gaspdb_word_waits *waits,
			     const struct gaspdb_event *e);
/* The words of such an event; events come in the order of their ids. */
void gaspdb_word_waits_get(struct gaspdb_word_waits *waits,
			   const struct gaspdb_event *e,
			   struct gaspdb_word_wait *wait);
void gaspdb_word_waits_close(struct gaspdb_word_waits *waits);

#endif
