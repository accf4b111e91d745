/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sorted, the words are cut into stretches: one of each word, but if they are
 * very many, of several.  Stretches tell of a write whether it is worth being
 * looked at; so many words together are a part.
 */
#include "analysis/waited_words.h"

#include <stdlib.h>

enum { STRETCHES = 1 << 16, WORDS_OF_PART = 1 << 15 };

/* Words of one process, from the first to the last. */
struct gaspdb_stretch {
	int64_t process, first, last;
	size_t part;
};

typedef struct gaspdb_waited_words words;
typedef struct gaspdb_stretch stretch;

enum { PROCESS, OBJECT, BYTES, COLUMNS };

void gaspdb_waited_words_open(words *w, struct gaspdb_run *run)
{
	*w = (words){ .run = run };
	gaspdb_sorter_init(&w->all, run, COLUMNS, COLUMNS);
}

void gaspdb_waited_words_add(words *w, int64_t process, int64_t object,
			     int64_t bytes)
{
	gaspdb_sorter_add(&w->all, (int64_t[]){ process, object, bytes });
}

/* --- parts ---------------------------------------------------------------- */

/* Words that begin at one place are in one part. */
static bool is_last(const stretch *s, const int64_t *row)
{
	return s && s->process == row[PROCESS] && s->last == row[OBJECT];
}

static size_t count_words(words *w)
{
	stretch last;
	const int64_t *row;
	size_t n = 0;

	while ((row = gaspdb_sorter_next(&w->all))) {
		if (n && is_last(&last, row))
			continue;
		last = (stretch){ .process = row[PROCESS],
				  .last = row[OBJECT] };
		n++;
	}
	gaspdb_sorter_rewind(&w->all);
	return n;
}

static bool begin_part(words *w)
{
	if (!gaspdb_grow(w->run, &w->parts, w->n_parts, &w->parts_room,
			 sizeof *w->parts))
		return false;
	w->parts[w->n_parts++] = w->n_stretches;
	return true;
}

static stretch *begin_stretch(words *w, const int64_t *row)
{
	if (!gaspdb_grow(w->run, &w->stretches, w->n_stretches,
			 &w->stretches_room, sizeof *w->stretches))
		return NULL;
	w->stretches[w->n_stretches] = (stretch){ .process = row[PROCESS],
						  .first = row[OBJECT],
						  .part = w->n_parts - 1 };
	return &w->stretches[w->n_stretches++];
}

void gaspdb_waited_words_sort(words *w)
{
	const size_t of_stretch = count_words(w) / STRETCHES + 1;
	size_t in_part = 0, in_stretch = 0;
	stretch *last = NULL;
	const int64_t *row;

	while ((row = gaspdb_sorter_next(&w->all))) {
		const bool other = !last || last->process != row[PROCESS];

		if (is_last(last, row))
			continue;
		if (other || in_part == WORDS_OF_PART) {
			in_part = 0;
			if (!begin_part(w))
				break;
		}
		if (!in_part || in_stretch == of_stretch) {
			in_stretch = 0;
			last = begin_stretch(w, row);
			if (!last)
				break;
		}
		last->last = row[OBJECT];
		in_part++;
		in_stretch++;
	}
	gaspdb_sorter_rewind(&w->all);
	w->row = gaspdb_sorter_next(&w->all);
}

static bool before(const stretch *s, int64_t process, int64_t object)
{
	return s->process != process ? s->process < process : s->last < object;
}

size_t gaspdb_waited_words_part(const words *w, size_t from, int64_t process,
				int64_t first, int64_t last)
{
	size_t low, high = w->n_stretches;

	if (from >= w->n_parts)
		return SIZE_MAX;
	low = w->parts[from];
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (before(&w->stretches[middle], process, first))
			low = middle + 1;
		else
			high = middle;
	}
	return low < w->n_stretches && w->stretches[low].process == process &&
			       w->stretches[low].first <= last
		       ? w->stretches[low].part
		       : SIZE_MAX;
}

/* --- one part's words ----------------------------------------------------- */

/* The next word, if it is of that part. */
static bool is_in(const words *w, size_t part)
{
	const size_t next =
		part + 1 < w->n_parts ? w->parts[part + 1] : w->n_stretches;
	const stretch *last = &w->stretches[next - 1];

	return w->row && (w->row[PROCESS] < last->process ||
			  (w->row[PROCESS] == last->process &&
			   w->row[OBJECT] <= last->last));
}

bool gaspdb_waited_words_load(words *w, size_t part)
{
	for (; w->part <= part && w->part < w->n_parts; w->part++)
		for (w->n = 0; is_in(w, w->part);
		     w->row = gaspdb_sorter_next(&w->all)) {
			const struct gaspdb_word word = { w->row[OBJECT],
							  w->row[BYTES] };

			if (w->n && w->words[w->n - 1].object == word.object &&
			    w->words[w->n - 1].bytes == word.bytes)
				continue;
			if (!gaspdb_grow(w->run, &w->words, w->n, &w->room,
					 sizeof *w->words))
				return false;
			w->words[w->n++] = word;
		}
	return w->run->status == GASPDB_OK;
}

static bool is_before(const struct gaspdb_word *word, int64_t object,
		      int64_t bytes)
{
	return word->object != object ? word->object < object
				      : word->bytes < bytes;
}

size_t gaspdb_waited_words_before(const words *w, int64_t object, int64_t bytes)
{
	size_t low = 0, high = w->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (is_before(&w->words[middle], object, bytes))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void gaspdb_waited_words_close(words *w)
{
	gaspdb_sorter_fini(&w->all);
	free(w->stretches);
	free(w->parts);
	free(w->words);
}
