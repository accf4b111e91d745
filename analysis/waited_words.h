/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words for which threads wait, of all processes, however many.  They come
 * in parts, each of words of one process that follow each other; memory holds
 * one part's at a time, and where all of them are, roughly if they are very
 * many.
 */
#ifndef GASPDB_ANALYSIS_WAITED_WORDS_H
#define GASPDB_ANALYSIS_WAITED_WORDS_H

#include "analysis/sorter.h"

enum { GASPDB_WORD_MAX = 16 }; /* bytes: longer ones are none */

struct gaspdb_waited_words {
	struct gaspdb_run *run;
	struct gaspdb_sorter all; /* process, object, bytes; some again and
				     again */
	struct gaspdb_stretch *stretches;
	size_t n_stretches, stretches_room;
	size_t *parts; /* their first stretches, and an end */
	size_t n_parts, parts_room;
	const int64_t *row; /* of all: the first that has not been given */
	size_t part;	    /* the next to be given */
	struct gaspdb_word {
		int64_t object, bytes;
	} * words; /* of the part before, in order */
	size_t n, room;
};

void gaspdb_waited_words_open(struct gaspdb_waited_words *words,
			      struct gaspdb_run *run);
/* bytes: 1 to GASPDB_WORD_MAX. */
void gaspdb_waited_words_add(struct gaspdb_waited_words *words, int64_t process,
			     int64_t object, int64_t bytes);
/* No more is added: make parts. */
void gaspdb_waited_words_sort(struct gaspdb_waited_words *words);
/*
 * The first part, from that number on, which may have a word of the process
 * that begins in [first, last]; SIZE_MAX: there is none.
 */
size_t gaspdb_waited_words_part(const struct gaspdb_waited_words *words,
				size_t from, int64_t process, int64_t first,
				int64_t last);
/* Have the words of a part; parts never decrease.  false: a failure. */
bool gaspdb_waited_words_load(struct gaspdb_waited_words *words, size_t part);
/* How many of them begin before this one, or there and are shorter. */
size_t gaspdb_waited_words_before(const struct gaspdb_waited_words *words,
				  int64_t object, int64_t bytes);
void gaspdb_waited_words_close(struct gaspdb_waited_words *words);

#endif
