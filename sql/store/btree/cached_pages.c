/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * To call the system takes as long as to copy three pages: whoever walks along
 * the pages of a table gets several with one call, and what lies between two of
 * them is read past.  Where pages read ahead have to make room before anybody
 * asks for them, as where very many walk side by side, fewer are.
 */
#include "sql/store/btree/cached_pages.h"

#include <stdlib.h>
#include <string.h>

#include "sql/store/btree/page_shapes.h"

/* Pages between two that are wanted. */
enum { BETWEEN_MAX = 2 };
/* Pieces of a call: the pages, and what is between them. */
enum { PIECES_MAX = 1 + (GASPDB_CACHED_AHEAD_MAX - 1) * (1 + BETWEEN_MAX) };

typedef struct gaspdb_cached_page page;

uint8_t *gaspdb_cached_room(size_t page_bytes)
{
	uint8_t *bytes = malloc(page_bytes + GASPDB_PAGE_SLACK);

	if (bytes)
		memset(bytes + page_bytes, 0, GASPDB_PAGE_SLACK);
	return bytes;
}

static page *look_for(struct gaspdb_cached_pages *k, uint32_t number)
{
	page *set = k->pages[number % GASPDB_CACHED_SETS];

	for (page *p = set; p < set + GASPDB_CACHED_WAYS; p++)
		if (p->number == number && number)
			return p;
	return NULL;
}

bool gaspdb_cached_has(struct gaspdb_cached_pages *k, uint32_t number)
{
	return look_for(k, number) != NULL;
}

page *gaspdb_cached_find(struct gaspdb_cached_pages *k, uint32_t number)
{
	page *p = look_for(k, number);

	if (!p)
		return NULL;
	p->used = ++k->used;
	p->ahead = false;
	return p;
}

/* One that makes room for another; NULL: no memory. */
static page *make_room(struct gaspdb_cached_pages *k, size_t page_bytes,
		       uint32_t number)
{
	page *set = k->pages[number % GASPDB_CACHED_SETS], *oldest = NULL;

	for (page *p = set; p < set + GASPDB_CACHED_WAYS; p++)
		if (!p->pinned && (!oldest || p->used < oldest->used))
			oldest = p;
	if (!oldest)
		return NULL;
	if (!oldest->bytes)
		oldest->bytes = gaspdb_cached_room(page_bytes);
	if (oldest->ahead && k->ahead > 1)
		k->ahead /= 2;
	oldest->used = ++k->used;
	oldest->number = 0;
	oldest->first = 1;
	oldest->last = 0;
	oldest->ahead = false;
	return oldest->bytes ? oldest : NULL;
}

page *gaspdb_cached_get(struct gaspdb_cached_pages *k,
			const struct gaspdb_page_file *file, uint32_t number)
{
	page *p = gaspdb_cached_find(k, number);

	if (p)
		return p;
	p = make_room(k, file->page_bytes, number);
	if (!p || !gaspdb_page_file_read(file, number, p->bytes))
		return NULL;
	p->number = number;
	return p;
}

/* How many of these are near to each other, and not kept yet. */
static unsigned count_near(struct gaspdb_cached_pages *k,
			   const uint32_t *numbers, unsigned n)
{
	unsigned i = 1;

	while (i < n && i < k->ahead && numbers[i] > numbers[i - 1] &&
	       numbers[i] - numbers[i - 1] <= 1 + BETWEEN_MAX &&
	       !gaspdb_cached_has(k, numbers[i]))
		i++;
	return i;
}

/* Read them with one call.  false: not all of them are there. */
static bool read_pieces(struct gaspdb_cached_pages *k,
			const struct gaspdb_page_file *file,
			const uint32_t *numbers, unsigned n, page **to)
{
	uint8_t *pieces[PIECES_MAX];
	unsigned n_pieces = 0;

	for (unsigned i = 0; i < n; i++) {
		for (uint32_t at = i ? numbers[i - 1] + 1 : numbers[0];
		     at < numbers[i]; at++)
			pieces[n_pieces++] = k->between;
		pieces[n_pieces++] = to[i]->bytes;
	}
	return gaspdb_page_file_read_all(file, numbers[0], n_pieces, pieces);
}

/* More, as long as what is read ahead is asked for. */
static void read_more(struct gaspdb_cached_pages *k)
{
	k->ahead = k->ahead ? 2 * k->ahead : 2;
	if (k->ahead > GASPDB_CACHED_AHEAD_MAX)
		k->ahead = GASPDB_CACHED_AHEAD_MAX;
}

page *gaspdb_cached_walk(struct gaspdb_cached_pages *k,
			 const struct gaspdb_page_file *file,
			 const uint32_t *numbers, unsigned n)
{
	page *to[GASPDB_CACHED_AHEAD_MAX];

	read_more(k);
	if (!k->between)
		k->between = gaspdb_cached_room(file->page_bytes);
	n = k->between ? count_near(k, numbers, n) : 1;
	/* They are so near that no two are of one set. */
	for (unsigned i = 0; i < n; i++) {
		to[i] = make_room(k, file->page_bytes, numbers[i]);
		if (!to[i])
			n = i;
	}
	if (n < 2 || !read_pieces(k, file, numbers, n, to))
		return gaspdb_cached_get(k, file, numbers[0]);
	for (unsigned i = 0; i < n; i++) {
		to[i]->number = numbers[i];
		to[i]->ahead = i > 0;
	}
	return to[0];
}

void gaspdb_cached_free(struct gaspdb_cached_pages *k)
{
	for (int i = 0; i < GASPDB_CACHED_SETS * GASPDB_CACHED_WAYS; i++)
		free(k->pages[i / GASPDB_CACHED_WAYS][i % GASPDB_CACHED_WAYS]
			     .bytes);
	free(k->between);
}
