/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The memory whose words threads wait for, of all processes, however much, and
 * cut where the words of any wait begin or end: each wait is for whole pieces.
 * They come in parts, each of pieces of one process that follow each other;
 * memory holds one part's at a time, and where all of them are, roughly if they
 * are very many.
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
	struct gaspdb_sorter ends; /* process, object, how many more words it
				      is of from there on */
	struct gaspdb_waited_piece recent[GASPDB_WAITED_RECENT]; /* added */
	struct gaspdb_stretch *stretches;
	size_t n_stretches, stretches_room;
	size_t *parts; /* their first stretches, and an end */
	size_t n_parts, parts_room;
	const int64_t *row; /* of ends: the first that has not been taken */
	int64_t depth;	    /* how many words the memory before it is of */
	struct gaspdb_waited_piece next;    /* of no bytes: there is none */
	size_t part;			    /* the next to be given */
	struct gaspdb_waited_piece *pieces; /* of the part before, in order */
	size_t n, room;
};

void gaspdb_waited_words_open(struct gaspdb_waited_words *words,
			      struct gaspdb_run *run);
/* Words side by side, so many bytes of them. */
void gaspdb_waited_words_add(struct gaspdb_waited_words *words, int64_t process,
			     int64_t object, int64_t bytes);
/* No more is added: make parts. */
void gaspdb_waited_words_sort(struct gaspdb_waited_words *words);
/*
 * The first part, from that number on, which may have a piece of the process
 * with one of the bytes from first to last; SIZE_MAX: there is none.
 */
size_t gaspdb_waited_words_part(const struct gaspdb_waited_words *words,
				size_t from, int64_t process, int64_t first,
				int64_t last);
/* Have the pieces of a part; parts never decrease.  false: a failure. */
bool gaspdb_waited_words_load(struct gaspdb_waited_words *words, size_t part);
/* How many of them end before that byte, and how many begin before it. */
size_t gaspdb_waited_words_ended(const struct gaspdb_waited_words *words,
				 int64_t object);
size_t gaspdb_waited_words_begun(const struct gaspdb_waited_words *words,
				 int64_t object);
void gaspdb_waited_words_close(struct gaspdb_waited_words *words);

#endif
