/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * External merge sort: a radix sort of what fits into memory, and a k-way merge
 * of the sorted parts. Rows that are added in order, as many are, thread by
 * thread, are not moved.
 */
#include "analysis/rows/sorter.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rows/spool.h"
#include "common/heap.h"
#include "common/radix_sort.h"

enum {
	MEMORY_BYTES = 1 << 20,	 /* of rows, and the arrays that sort them */
	MERGE_BYTES = 512 << 10, /* of the buffers of all parts */
	PART_BYTES_MAX = 64
			 << 10, /* limits of the buffer of one part; it has */
	PART_BYTES_MIN = 512,	/* room for a row at least */
	BLOCK_VALUES = 1 << 10	/* written at a time, and limit of a row */
};

/* Up to this number, sequences of rows that are in order already become parts
   without sorting. */
enum { SORTED_RUNS_MAX = 4 };

/* Fewer rows are sorted by insertion. */
enum { INSERTION_SORT_MAX = 24 };

struct gaspdb_sorter_part {
	int64_t offset;	   /* in the file */
	size_t rows, read; /* read: into the buffer so far */
	int64_t *buffer;
	const int64_t *next, *end; /* unread rows of the buffer */
};

struct gaspdb_sorter_head {
	int64_t key; /* first column of the part's next row */
	struct gaspdb_sorter_part *part;
};

typedef struct gaspdb_radix_row slot; /* key: of one column; row: its index */
typedef struct gaspdb_sorter_part part;
typedef struct gaspdb_sorter_head head;

void gaspdb_sorter_init(struct gaspdb_sorter *s, struct gaspdb_run *run,
			size_t columns, size_t keys)
{
	assert(columns <= BLOCK_VALUES);
	*s = (struct gaspdb_sorter){ .run = run,
				     .columns = columns,
				     .keys = keys };
}

void gaspdb_sorter_fini(struct gaspdb_sorter *s)
{
	for (size_t i = 0; i < s->n_parts; i++)
		free(s->parts[i].buffer);
	free(s->parts);
	free(s->heap);
	free(s->last);
	free(s->rows);
	free(s->order);
	gaspdb_spool_close(s->spool);
}

static size_t row_bytes(const struct gaspdb_sorter *s)
{
	return s->columns * sizeof(int64_t);
}

/* The maximum of rows in memory; sort_rows() needs two slots for each. */
static size_t rows_max(const struct gaspdb_sorter *s)
{
	return MEMORY_BYTES / (row_bytes(s) + 2 * sizeof(slot));
}

/* --- in memory ------------------------------------------------------------ */

static const int64_t *row_of(const struct gaspdb_sorter *s, size_t i)
{
	const size_t index = s->order ? s->order[i].row : i;

	return s->rows + index * s->columns;
}

/* Order by the key columns from `from` on, like memcmp(). */
static int compare_rows(const struct gaspdb_sorter *s, size_t from,
			const int64_t *a, const int64_t *b)
{
	for (size_t i = from; i < s->keys; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

/* The end of the sequence of rows in order that starts at `first`. */
static size_t run_end(const struct gaspdb_sorter *s, size_t first)
{
	const int64_t *row = s->rows + first * s->columns;
	size_t end = first + 1;

	while (end < s->n && compare_rows(s, 0, row, row + s->columns) <= 0) {
		row += s->columns;
		end++;
	}
	return end;
}

/* Set the slots' keys to a column's values less its minimum. Returns the
   greatest key. */
static uint64_t load_keys(const struct gaspdb_sorter *s, slot *slots, size_t n,
			  size_t column)
{
	const int64_t *values = s->rows + column;
	int64_t least = INT64_MAX, greatest = INT64_MIN;

	for (size_t i = 0; i < n; i++) {
		const int64_t key = values[slots[i].row * s->columns];

		least = key < least ? key : least;
		greatest = key > greatest ? key : greatest;
		slots[i].key = (uint64_t)key;
	}
	for (size_t i = 0; i < n; i++)
		slots[i].key -= (uint64_t)least;
	return (uint64_t)greatest - (uint64_t)least;
}

/* Insertion sort by the columns from `column` on. */
static void insertion_sort(const struct gaspdb_sorter *s, slot *slots, size_t n,
			   size_t column)
{
	for (size_t i = 1; i < n; i++) {
		const slot moved = slots[i];
		const int64_t *row = s->rows + moved.row * s->columns;
		size_t to = i;

		for (; to &&
		       compare_rows(s, column,
				    s->rows + slots[to - 1].row * s->columns,
				    row) > 0;
		     to--)
			slots[to] = slots[to - 1];
		slots[to] = moved;
	}
}

/* Sort by the columns from `column` on: radix sort by that column, then each
   group of equal keys by the rest. other: scratch array of the same size. */
static void sort_slots(const struct gaspdb_sorter *s, slot *slots, slot *other,
		       size_t n, size_t column)
{
	const slot *sorted;
	uint64_t greatest;

	if (n <= INSERTION_SORT_MAX) {
		insertion_sort(s, slots, n, column);
		return;
	}
	greatest = load_keys(s, slots, n, column);
	sorted = gaspdb_radix_sort(slots, other, n, greatest);
	if (sorted != slots)
		memcpy(slots, sorted, n * sizeof *slots);
	for (size_t end, i = 0; column + 1 < s->keys && i < n; i = end) {
		for (end = i + 1; end < n && slots[end].key == slots[i].key;)
			end++;
		if (end - i > 1)
			sort_slots(s, slots + i, other, end - i, column + 1);
	}
}

static void sort_rows(struct gaspdb_sorter *s)
{
	slot *slots, *other;

	other = gaspdb_resized(s->run, NULL, s->n, sizeof *other);
	slots = gaspdb_resized(s->run, NULL, s->n, sizeof *slots);
	for (size_t i = 0; slots && i < s->n; i++)
		slots[i].row = (uint32_t)i;
	if (slots)
		sort_slots(s, slots, other, s->n, 0);
	s->order = slots;
	free(other);
}

/* --- in the file ---------------------------------------------------------- */

/* Write the rows in order, in blocks: a call for each row would be slower. */
static void write_rows(struct gaspdb_sorter *s)
{
	int64_t block[BLOCK_VALUES];
	const size_t columns = s->columns, limit = BLOCK_VALUES - columns;
	size_t n = 0;

	if (!s->order) {
		gaspdb_spool_write(s->run, s->spool, s->rows,
				   s->n * row_bytes(s));
		return;
	}
	for (size_t i = 0; i < s->n; i++) {
		memcpy(block + n, row_of(s, i), row_bytes(s));
		n += columns;
		if (n <= limit && i + 1 < s->n)
			continue;
		gaspdb_spool_write(s->run, s->spool, block, n * sizeof *block);
		n = 0;
	}
}

/* Add sorted rows [first, end), to be written at offset, as a part; they extend
   the last part if they continue its order. */
static void add_part(struct gaspdb_sorter *s, int64_t offset, size_t first,
		     size_t end)
{
	const bool extends = s->n_parts &&
			     compare_rows(s, 0, s->last, row_of(s, first)) <= 0;

	if (!gaspdb_grow(s->run, &s->parts, s->n_parts, &s->parts_room,
			 sizeof *s->parts))
		return;
	if (!extends)
		s->parts[s->n_parts++] = (part){ .offset = offset };
	s->parts[s->n_parts - 1].rows += end - first;
	memcpy(s->last, row_of(s, end - 1), row_bytes(s));
}

/* The ends of the sequences in memory that are in order already; returns their
   number, 0: more than SORTED_RUNS_MAX. */
static size_t find_runs(const struct gaspdb_sorter *s, size_t *ends)
{
	size_t n = 0, end = 0;

	while (end < s->n && n < SORTED_RUNS_MAX)
		ends[n++] = end = run_end(s, end);
	return end < s->n ? 0 : n;
}

/* Write the rows in memory to the file, as one part or a few. */
static void spill(struct gaspdb_sorter *s)
{
	size_t ends[SORTED_RUNS_MAX], n_runs, first = 0;
	int64_t offset;

	if (!s->n)
		return;
	if (!s->spool) {
		s->spool = gaspdb_spool_open(s->run);
		s->last = gaspdb_resized(s->run, NULL, 1, row_bytes(s));
	}
	n_runs = find_runs(s, ends);
	if (!n_runs) {
		sort_rows(s);
		ends[n_runs++] = s->n;
	}
	if (s->run->status != GASPDB_OK)
		return;
	offset = gaspdb_spool_bytes(s->spool);
	for (size_t i = 0; i < n_runs; first = ends[i++])
		add_part(s, offset + (int64_t)(first * row_bytes(s)), first,
			 ends[i]);
	write_rows(s);
	free(s->order);
	s->order = NULL;
	s->n = 0;
}

/* Enlarge the array of rows, up to rows_max(); false: it is full, or a failure.
 */
static bool enlarge(struct gaspdb_sorter *s)
{
	const size_t max = rows_max(s);
	size_t room = s->room ? 4 * s->room : 64;
	int64_t *rows;

	if (s->n == max)
		return false;
	if (room > max)
		room = max;
	rows = gaspdb_resized(s->run, s->rows, room, row_bytes(s));
	if (!rows)
		return false;
	s->rows = rows;
	s->room = room;
	return true;
}

bool gaspdb_sorter_make_room(struct gaspdb_sorter *s)
{
	if (s->run->status == GASPDB_OK && !enlarge(s))
		spill(s);
	return s->run->status == GASPDB_OK;
}

size_t gaspdb_sorter_rows(const struct gaspdb_sorter *s)
{
	size_t n = s->n;

	for (size_t i = 0; i < s->n_parts; i++)
		n += s->parts[i].rows;
	return n;
}

/* The order of heads in the heap: equal rows in the order of parts, so that the
   merge is stable. */
static inline bool head_before(const void *of, const head *a, const head *b)
{
	int order;

	if (a->key != b->key)
		return a->key < b->key;
	order = compare_rows(of, 1, a->part->next, b->part->next);
	return order ? order < 0 : a->part < b->part;
}

GASPDB_HEAP_DOWN(heads, head, head_before)

/* Find the least head after the top: rows of the top part can be read without
   the heap until they reach it. */
static void find_second(struct gaspdb_sorter *s)
{
	head *h = s->heap;

	s->second = s->n_heap < 2				    ? NULL
		    : s->n_heap > 2 && head_before(s, h + 2, h + 1) ? h + 2
								    : h + 1;
}

/* The rows that a part's buffer holds. */
static size_t rows_ahead(const struct gaspdb_sorter *s)
{
	size_t room = MERGE_BYTES / s->n_parts;

	room = room < PART_BYTES_MIN   ? PART_BYTES_MIN
	       : room > PART_BYTES_MAX ? PART_BYTES_MAX
				       : room;
	room /= row_bytes(s);
	return room ? room : 1;
}

/* Read the next rows of a part into its buffer; false: no more, or a failure.
 */
static bool fill(struct gaspdb_sorter *s, part *p)
{
	const size_t room = rows_ahead(s), left = p->rows - p->read;
	const size_t n = left < room ? left : room;

	if (!p->buffer)
		p->buffer = gaspdb_resized(s->run, NULL, room, row_bytes(s));
	if (!n || !p->buffer ||
	    !gaspdb_spool_read_at(s->run, s->spool,
				  p->offset + (int64_t)(p->read * row_bytes(s)),
				  p->buffer, n * row_bytes(s)))
		return false;
	p->read += n;
	p->next = p->buffer;
	p->end = p->buffer + n * s->columns;
	return true;
}

/* Fill the heap with the first row of each part. */
static void make_heap(struct gaspdb_sorter *s)
{
	s->n_heap = 0;
	for (size_t i = 0; i < s->n_parts; i++) {
		part *p = &s->parts[i];

		p->read = 0;
		if (fill(s, p))
			s->heap[s->n_heap++] = (head){ *p->next, p };
	}
	for (size_t i = s->n_heap; i-- > 0;)
		heads_down(s, s->heap, s->n_heap, i);
	find_second(s);
}

/* Spill the last rows, and give the memory to the parts' buffers. */
static void begin_merging(struct gaspdb_sorter *s)
{
	spill(s);
	if (s->run->status == GASPDB_OK)
		gaspdb_spool_rewind(s->run, s->spool);
	free(s->rows);
	s->rows = NULL;
	s->n = s->room = 0;
	s->heap = gaspdb_resized(s->run, NULL, s->n_parts, sizeof *s->heap);
}

/* Refill the buffer of the top part; a finished part leaves the heap. */
static void refill_top(struct gaspdb_sorter *s)
{
	head *top = s->heap;

	if (fill(s, top->part)) {
		top->key = *top->part->next;
		return;
	}
	*top = s->heap[--s->n_heap];
	heads_down(s, s->heap, s->n_heap, 0);
	find_second(s);
}

/* Restore the heap after the second head has become the least. */
static void swap_with_second(struct gaspdb_sorter *s)
{
	const head moved = s->heap[0];

	s->heap[0] = *s->second;
	*s->second = moved;
	heads_down(s, s->heap, s->n_heap, (size_t)(s->second - s->heap));
	find_second(s);
}

/* --- reading -------------------------------------------------------------- */

/* Let gaspdb_sorter_next() read the top part's buffer up to the second head's
   key. */
static void read_top(struct gaspdb_sorter *s)
{
	const part *p = s->n_heap ? s->heap[0].part : NULL;

	s->next = p ? p->next : NULL;
	s->end = p ? p->end : NULL;
	s->limit = s->second ? s->second->key : INT64_MAX;
}

/* Update the heap after rows have been read from the top part. */
static void update_heap(struct gaspdb_sorter *s)
{
	head *top = s->heap;

	if (!s->n_heap)
		return;
	top->part->next = s->next;
	if (s->next == s->end)
		refill_top(s);
	else
		top->key = *s->next;
	if (s->second && head_before(s, s->second, top))
		swap_with_second(s);
	read_top(s);
}

void gaspdb_sorter_rewind(struct gaspdb_sorter *s)
{
	if (!s->sorted || s->run->status != GASPDB_OK)
		return;
	s->n_read = 0;
	if (s->heap) {
		make_heap(s);
		read_top(s);
	} else if (!s->order) {
		s->next = s->rows;
		s->end = s->n ? row_of(s, s->n) : s->rows;
		s->limit = INT64_MAX;
	}
}

static void sort(struct gaspdb_sorter *s)
{
	s->sorted = true;
	if (s->n_parts)
		begin_merging(s);
	else if (s->n && run_end(s, 0) < s->n)
		sort_rows(s);
	gaspdb_sorter_rewind(s);
}

const int64_t *gaspdb_sorter_find_next(struct gaspdb_sorter *s)
{
	const int64_t *row;

	if (!s->sorted)
		sort(s);
	if (gaspdb_run_stopped(s->run))
		return NULL;
	if (s->order)
		return s->n_read < s->n ? row_of(s, s->n_read++) : NULL;
	if (s->heap)
		update_heap(s);
	row = s->next;
	if (row == s->end || s->run->status != GASPDB_OK)
		return NULL;
	s->next += s->columns;
	return row;
}
