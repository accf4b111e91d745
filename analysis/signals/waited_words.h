/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waited words: the memory of all processes that threads wait for, divided into
 * pieces where the words of any wait begin or end. So a wait is for whole
 * pieces. Consecutive pieces of one process form a part. The pieces of one part
 * at a time are in memory, and an index of all: blocks of one piece, or of
 * several if there are very many.
 */
#ifndef GASPDB_ANALYSIS_SIGNALS_WAITED_WORDS_H
#define GASPDB_ANALYSIS_SIGNALS_WAITED_WORDS_H

#include "analysis/rows/sorter.h"

enum { GASPDB_WAITED_RECENT = 256 };

/* Memory of a process. */
struct gaspdb_waited_piece {
	int64_t process, object, bytes;
};

struct gaspdb_waited_words {
	struct gaspdb_run *run;
	struct gaspdb_sorter edges; /* process, object, change of the number of
				       waits for the memory from there on */
	struct gaspdb_waited_piece recent[GASPDB_WAITED_RECENT]; /* cache of
								    added ones
								  */
	struct gaspdb_waited_block *blocks;
	size_t n_blocks, blocks_room;
	size_t *parts; /* first block of each */
	size_t n_parts, parts_room;
	const int64_t *row; /* the next row of edges */
	int64_t depth;	    /* number of waits for the memory before it */
	struct gaspdb_waited_piece next;    /* bytes 0: none */
	size_t part;			    /* the next to load */
	struct gaspdb_waited_piece *pieces; /* of the loaded part, in order */
	size_t n, room;
};

void gaspdb_waited_words_open(struct gaspdb_waited_words *words,
			      struct gaspdb_run *run);
/* Add consecutive words of a process. */
void gaspdb_waited_words_add(struct gaspdb_waited_words *words, int64_t process,
			     int64_t object, int64_t bytes);
/* Divide the added words into pieces and parts. */
void gaspdb_waited_words_sort(struct gaspdb_waited_words *words);
/* The first part, from number `from` on, that may have a piece of the process
   with any byte from first to last; SIZE_MAX: none. */
size_t gaspdb_waited_words_part(const struct gaspdb_waited_words *words,
				size_t from, int64_t process, int64_t first,
				int64_t last);
/* Load the pieces of a part; parts are loaded in order. false: a failure. */
bool gaspdb_waited_words_load(struct gaspdb_waited_words *words, size_t part);
/* The number of loaded pieces that end before a byte, and that begin before it.
 */
size_t gaspdb_waited_words_ended(const struct gaspdb_waited_words *words,
				 int64_t object);
size_t gaspdb_waited_words_begun(const struct gaspdb_waited_words *words,
				 int64_t object);
void gaspdb_waited_words_close(struct gaspdb_waited_words *words);

#endif
