/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State of a part's waited words (waited_words.h): the writes so far, and
   returns of waits. */
#ifndef GASPDB_ANALYSIS_SIGNALS_WORD_MEMORY_H
#define GASPDB_ANALYSIS_SIGNALS_WORD_MEMORY_H

#include "analysis/signals/last_writes.h"
#include "analysis/signals/byte_ranges.h"
#include "analysis/signals/waited_words.h"
#include "analysis/signals/word_values.h"

struct gaspdb_word_memory {
	const struct gaspdb_waited_words *words;
	struct gaspdb_last_writes last;	   /* all writes */
	struct gaspdb_last_writes unknown; /* those of unknown value */
	struct gaspdb_word_values values;  /* those of known value */
};

void gaspdb_word_memory_init(struct gaspdb_word_memory *memory,
			     struct gaspdb_run *run,
			     const struct gaspdb_waited_words *words);
/* Begin the loaded part, without writes; false: a failure. */
bool gaspdb_word_memory_begin(struct gaspdb_word_memory *memory);
/* Add a write; write->bytes 0: of unknown value. */
void gaspdb_word_memory_write(struct gaspdb_word_memory *memory,
			      const struct gaspdb_byte_ranges *to,
			      const struct gaspdb_value_write *write);
/* The write that may have ended a wait for the words in `bytes` bytes from
   wanted->object on. return_ns: see gaspdb_last_writes_query(). */
struct gaspdb_value_answer
gaspdb_word_memory_query(struct gaspdb_word_memory *memory,
			 const struct gaspdb_wanted *wanted, int64_t bytes,
			 int64_t return_ns);
void gaspdb_word_memory_free(struct gaspdb_word_memory *memory);

#endif
