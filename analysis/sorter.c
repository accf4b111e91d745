/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Merge sort: what comes in order already, rising or falling, as most of it
 * does, thread by thread, is not taken apart.
 */
#include "analysis/sorter.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/spool.h"

enum {
	MEMORY_BYTES = 3 << 20,	   /* of rows, and what sorts them */
	MERGE_BYTES = 1 << 20,	   /* of all parts' buffers */
	PART_BYTES_MAX = 64 << 10, /* of one of them, and at least, if */
	PART_BYTES_MIN = 4 << 10   /* there are very many: 16 GiB of rows */
};

struct gaspdb_sorter_slot {
	int64_t key; /* the row's first: most are decided by it */
	uint32_t row;
};

struct gaspdb_sorter_part {
	int64_t offset;
	size_t left;	 /* rows in the file */
	size_t number;	 /* equal rows: the earlier part's come first */
	int64_t *buffer; /* of rows */
	size_t at, n;
};

typedef struct gaspdb_sorter_slot slot;
typedef struct gaspdb_sorter_part part;

void gaspdb_sorter_init(struct gaspdb_sorter *s, struct gaspdb_run *run,
			size_t columns, size_t keys)
{
	*s = (struct gaspdb_sorter){ .run = run,
				     .columns = columns,
				     .keys = keys };
}

static void free_buffers(struct gaspdb_sorter *s)
{
	for (size_t i = 0; i < s->n_parts; i++)
		free(s->parts[i].buffer);
}

void gaspdb_sorter_fini(struct gaspdb_sorter *s)
{
	free_buffers(s);
	free(s->parts);
	free(s->all);
	free(s->rows);
	free(s->slots);
	gaspdb_spool_close(s->spool);
}

static size_t row_bytes(const struct gaspdb_sorter *s)
{
	return s->columns * sizeof(int64_t);
}

/* So many rows in memory: sort_rows() needs room for each too. */
static size_t most_rows(const struct gaspdb_sorter *s)
{
	return MEMORY_BYTES /
	       (row_bytes(s) + 2 * sizeof(slot) + sizeof(uint32_t));
}

/* --- in memory ------------------------------------------------------------ */

static const int64_t *row_of(const struct gaspdb_sorter *s, const slot *at)
{
	return s->rows + at->row * s->columns;
}

/* By the keys from number `from` on. */
static int compare_rows(const struct gaspdb_sorter *s, size_t from,
			const int64_t *a, const int64_t *b)
{
	for (size_t i = from; i < s->keys; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

static inline bool after(const struct gaspdb_sorter *s, const slot *a,
			 const slot *b)
{
	if (a->key != b->key)
		return a->key > b->key;
	return compare_rows(s, s->alike + 1, row_of(s, a), row_of(s, b)) > 0;
}

/* The first keys, of which at most all but the last, that all rows have the
   same. */
static size_t count_alike(const struct gaspdb_sorter *s)
{
	size_t alike = s->keys ? s->keys - 1 : 0;

	for (size_t i = 1; i < s->n && alike; i++) {
		const int64_t *row = s->rows + i * s->columns;
		size_t same = 0;

		while (same < alike && row[same] == s->rows[same])
			same++;
		alike = same;
	}
	return alike;
}

/* [begin, middle) and [middle, end) become one in `to`. */
static void merge(const struct gaspdb_sorter *s, const slot *from, slot *to,
		  size_t begin, size_t middle, size_t end)
{
	size_t a = begin, b = middle, n = begin;

	while (a < middle && b < end)
		to[n++] = after(s, &from[a], &from[b]) ? from[b++] : from[a++];
	memcpy(to + n, from + a, (middle - a) * sizeof *to);
	n += middle - a;
	memcpy(to + n, from + b, (end - b) * sizeof *to);
}

/* What is in order, one after the other: where each stretch ends. */
struct stretches {
	uint32_t *ends;
	size_t n;
};

static void turn_round(slot *from, slot *last)
{
	for (; from < last; from++, last--) {
		const slot swap = *from;

		*from = *last;
		*last = swap;
	}
}

/* Where the rows from i on that fall, none equal to the one before, end; they
   rise then. */
static size_t turn_falling(struct gaspdb_sorter *s, size_t i)
{
	size_t end = i + 1;

	while (end < s->n && after(s, &s->slots[end - 1], &s->slots[end]))
		end++;
	turn_round(s->slots + i, s->slots + end - 1);
	return end;
}

/* Times that are wanted from the last to the first come falling. */
static void find_stretches(struct gaspdb_sorter *s, struct stretches *stretches)
{
	size_t n = 0;

	for (size_t end, i = 0; i < s->n; i = end) {
		end = turn_falling(s, i);
		while (end < s->n &&
		       !after(s, &s->slots[end - 1], &s->slots[end]))
			end++;
		stretches->ends[n++] = (uint32_t)end;
	}
	stretches->n = n;
}

/* Two stretches each become one. */
static void merge_all(const struct gaspdb_sorter *s, const slot *from, slot *to,
		      struct stretches *all)
{
	size_t begin = 0, n = 0;

	for (size_t i = 0; i < all->n; i += 2) {
		const size_t middle = all->ends[i];
		const size_t end = i + 1 < all->n ? all->ends[i + 1] : middle;

		merge(s, from, to, begin, middle, end);
		begin = end;
		all->ends[n++] = (uint32_t)end;
	}
	all->n = n;
}

static void sort_rows(struct gaspdb_sorter *s)
{
	slot *other = gaspdb_zeroed(s->run, s->n, sizeof *other), *swap;
	slot *own = gaspdb_zeroed(s->run, s->n, sizeof *own);
	struct stretches all = { .ends = gaspdb_zeroed(s->run, s->n,
						       sizeof *all.ends) };

	free(s->slots);
	s->slots = own;
	s->alike = count_alike(s);
	for (size_t i = 0; own && i < s->n; i++)
		own[i] = (slot){ s->rows[i * s->columns + s->alike],
				 (uint32_t)i };
	/* With no keys, or no rows, nothing is to be done. */
	if (all.ends && s->keys && s->n)
		find_stretches(s, &all);
	while (all.n > 1) {
		merge_all(s, s->slots, other, &all);
		swap = s->slots;
		s->slots = other;
		other = swap;
	}
	free(other);
	free(all.ends);
}

/* --- in the file ---------------------------------------------------------- */

/* What is in memory becomes a part. */
static void spill(struct gaspdb_sorter *s)
{
	if (!s->n)
		return;
	sort_rows(s);
	if (!s->spool)
		s->spool = gaspdb_spool_open(s->run);
	if (!gaspdb_grow(s->run, &s->parts, s->n_parts, &s->parts_room,
			 sizeof *s->parts))
		return;
	s->parts[s->n_parts] = (part){ .offset = gaspdb_spool_bytes(s->spool),
				       .left = s->n,
				       .number = s->n_parts };
	s->n_parts++;
	for (size_t i = 0; i < s->n; i++)
		gaspdb_spool_write(s->run, s->spool, row_of(s, &s->slots[i]),
				   row_bytes(s));
	s->n = 0;
}

/* Room for more rows, but never for more than memory is to hold. */
static bool make_room(struct gaspdb_sorter *s)
{
	const size_t most = most_rows(s);
	size_t room = s->room ? 2 * s->room : 64;
	int64_t *rows;

	if (s->n < s->room)
		return true;
	if (s->n == most)
		return false;
	if (room > most)
		room = most;
	rows = gaspdb_resized(s->run, s->rows, room, row_bytes(s));
	if (!rows)
		return false;
	s->rows = rows;
	s->room = room;
	return true;
}

void gaspdb_sorter_add(struct gaspdb_sorter *s, const int64_t *row)
{
	if (s->run->status != GASPDB_OK)
		return;
	if (!make_room(s))
		spill(s);
	if (s->run->status != GASPDB_OK)
		return;
	memcpy(s->rows + s->n * s->columns, row, row_bytes(s));
	s->n++;
}

static const int64_t *head(const struct gaspdb_sorter *s, const part *p)
{
	return p->buffer + p->at * s->columns;
}

static bool part_after(const struct gaspdb_sorter *s, const part *a,
		       const part *b)
{
	const int order = compare_rows(s, 0, head(s, a), head(s, b));

	return order ? order > 0 : a->number > b->number;
}

/* The child of the i-th part in the heap that is the next, if its row comes
   before `moved`'s; else i. */
static size_t next_child(const struct gaspdb_sorter *s, size_t i,
			 const part *moved)
{
	size_t child = 2 * i + 1;

	if (child >= s->n_parts)
		return i;
	if (child + 1 < s->n_parts &&
	    part_after(s, &s->parts[child], &s->parts[child + 1]))
		child++;
	return part_after(s, moved, &s->parts[child]) ? child : i;
}

/* Restore the heap from its i-th place down: mostly it is one. */
static void sift(struct gaspdb_sorter *s, size_t i)
{
	size_t child = next_child(s, i, &s->parts[i]);
	part moved;

	if (child == i)
		return;
	for (moved = s->parts[i]; child != i;
	     child = next_child(s, i, &moved)) {
		s->parts[i] = s->parts[child];
		i = child;
	}
	s->parts[i] = moved;
}

/* The next rows of a part; false: it has no more. */
static bool fill(struct gaspdb_sorter *s, part *p)
{
	size_t room = MERGE_BYTES / s->n_parts;

	if (!p->left)
		return false;
	room = room < PART_BYTES_MIN   ? PART_BYTES_MIN
	       : room > PART_BYTES_MAX ? PART_BYTES_MAX
				       : room;
	room /= row_bytes(s);
	if (!p->buffer)
		p->buffer = gaspdb_zeroed(s->run, room + 1, row_bytes(s));
	p->at = 0;
	if (!p->n)
		p->n = room ? room : 1; /* as large as the buffer */
	if (p->n > p->left)
		p->n = p->left;
	if (!p->buffer || !gaspdb_spool_read_at(s->run, s->spool, p->offset,
						p->buffer, p->n * row_bytes(s)))
		return false;
	p->offset += (int64_t)(p->n * row_bytes(s));
	p->left -= p->n;
	return true;
}

/* The parts' first rows, the least at the top. */
static void make_heap(struct gaspdb_sorter *s)
{
	for (size_t i = 0; i < s->n_parts; i++)
		fill(s, &s->parts[i]);
	for (size_t i = s->n_parts; i-- > 0 && s->run->status == GASPDB_OK;)
		sift(s, i);
}

/* Memory goes to the parts' buffers now. */
static void begin_merging(struct gaspdb_sorter *s)
{
	spill(s);
	if (s->run->status == GASPDB_OK)
		gaspdb_spool_rewind(s->run, s->spool);
	free(s->rows);
	free(s->slots);
	s->rows = NULL;
	s->slots = NULL;
	s->all = gaspdb_zeroed(s->run, s->n_parts, sizeof *s->all);
	if (!s->all)
		return;
	s->n_all = s->n_parts;
	memcpy(s->all, s->parts, s->n_parts * sizeof *s->all);
	make_heap(s);
}

void gaspdb_sorter_rewind(struct gaspdb_sorter *s)
{
	s->at = 0;
	s->fresh = true;
	if (!s->all || s->run->status != GASPDB_OK)
		return;
	free_buffers(s);
	s->n_parts = s->n_all;
	memcpy(s->parts, s->all, s->n_parts * sizeof *s->all);
	make_heap(s);
}

/* What was at the top has been read. */
static void drop_head(struct gaspdb_sorter *s)
{
	part *p = &s->parts[0];

	if (++p->at == p->n && !fill(s, p)) {
		free(p->buffer);
		*p = s->parts[--s->n_parts];
	}
	if (s->n_parts)
		sift(s, 0);
}

const int64_t *gaspdb_sorter_next(struct gaspdb_sorter *s)
{
	if (!s->sorted) {
		s->sorted = s->fresh = true;
		if (s->n_parts)
			begin_merging(s);
		else
			sort_rows(s);
	}
	if (gaspdb_run_stopped(s->run))
		return NULL;
	if (!s->spool)
		return s->at < s->n ? row_of(s, &s->slots[s->at++]) : NULL;
	if (!s->fresh && s->n_parts)
		drop_head(s);
	s->fresh = false;
	if (s->run->status != GASPDB_OK || !s->n_parts)
		return NULL;
	return head(s, &s->parts[0]);
}
