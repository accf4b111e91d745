/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes of known values to waited words, by piece (waited_words.h), and the
 * comparison that finds the one that ended a wait.
 */
#ifndef GASPDB_ANALYSIS_SIGNALS_WORD_VALUES_H
#define GASPDB_ANALYSIS_SIGNALS_WORD_VALUES_H

#include "analysis/signals/last_writes.h"

/* A wait's condition on each of its words. */
struct gaspdb_wanted {
	int64_t object;		   /* the first word */
	int64_t bytes;		   /* of a word */
	int64_t comparison, value; /* comparison as logged; NONE: unknown */
};

/* A write to one word, and the word's value after it. */
struct gaspdb_value_write {
	struct gaspdb_write write;
	int64_t object, bytes, value;
};

struct gaspdb_word_values {
	struct gaspdb_run *run;
	struct gaspdb_piece_values *pieces;
	size_t room;
	bool any; /* writes to any piece */
};

/* The cause of a wait, as far as it is known. */
struct gaspdb_value_answer {
	struct gaspdb_last_write last; /* the write that may have ended it */
	bool certain;		       /* its value satisfies the wait */
	bool refuted; /* no known write to some piece satisfies it */
};

/* Join the answers of two sets of words. */
void gaspdb_value_answer_join(struct gaspdb_value_answer *answer,
			      const struct gaspdb_value_answer *other);
/* Set n pieces without writes. The structure was zeroed except for run. false:
   a failure. */
bool gaspdb_word_values_begin(struct gaspdb_word_values *values, size_t n);
void gaspdb_word_values_add(struct gaspdb_word_values *values, size_t piece,
			    const struct gaspdb_value_write *write);
/*
 * Join to the answer the write to a piece that ended a wait: the last one that
 * satisfies it, or `unknown`, the piece's last write of unknown value.
 * return_ns: see gaspdb_last_writes_query().
 */
void gaspdb_word_values_query(struct gaspdb_word_values *values, size_t piece,
			      const struct gaspdb_wanted *wanted,
			      const struct gaspdb_last_write *unknown,
			      int64_t return_ns,
			      struct gaspdb_value_answer *answer);
/* Note that a wait for the pieces in [from, until) returns. */
void gaspdb_word_values_return(struct gaspdb_word_values *values, size_t from,
			       size_t until, int64_t return_ns);
void gaspdb_word_values_free(struct gaspdb_word_values *values);

#endif
