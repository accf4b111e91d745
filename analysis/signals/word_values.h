/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes of known values to words that are waited for, by piece
 * (waited_words.h), and which of them end a wait for a value.
 */
#ifndef GASPDB_ANALYSIS_SIGNALS_WORD_VALUES_H
#define GASPDB_ANALYSIS_SIGNALS_WORD_VALUES_H

#include "analysis/signals/last_writes.h"

/* A wait's condition on each of its words, of `bytes` bytes, from an object on.
 */
struct gaspdb_wanted {
	int64_t object, bytes;
	int64_t comparison, value; /* comparison as logged; NONE: not known */
};

/* A write to one word, which holds that value afterwards. */
struct gaspdb_value_write {
	struct gaspdb_write write;
	int64_t object, bytes, value;
};

struct gaspdb_word_values {
	struct gaspdb_run *run;
	struct gaspdb_piece_values *pieces;
	size_t n, room;
	bool any; /* writes to any piece */
};

/* What is known of a wait's words. */
struct gaspdb_value_answer {
	struct gaspdb_last_write last; /* that may have ended the wait */
	bool certain; /* its value is one that the wait is for */
	bool refuted; /* some piece's known writes are all of other values */
};

/* Of some words, and of others. */
void gaspdb_value_answer_join(struct gaspdb_value_answer *answer,
			      const struct gaspdb_value_answer *other);
/* Zeroed, but for the run.  n pieces without writes; false: a failure. */
bool gaspdb_word_values_begin(struct gaspdb_word_values *values, size_t n);
void gaspdb_word_values_add(struct gaspdb_word_values *values, size_t piece,
			    const struct gaspdb_value_write *write);
/*
 * Adds the write to a piece that ended the wait, with the piece's last write
 * of unknown value, to the answer.  return_ns: as gaspdb_last_writes_to().
 */
void gaspdb_word_values_ask(struct gaspdb_word_values *values, size_t piece,
			    const struct gaspdb_wanted *wanted,
			    const struct gaspdb_last_write *unknown,
			    int64_t return_ns,
			    struct gaspdb_value_answer *answer);
/* A wait for the pieces in [from, until) returns then. */
void gaspdb_word_values_return(struct gaspdb_word_values *values, size_t from,
			       size_t until, int64_t return_ns);
void gaspdb_word_values_free(struct gaspdb_word_values *values);

#endif
