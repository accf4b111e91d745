/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parts that fit into memory are sorted by the digits of their keys, and
 * merged.  What comes in order already, as much of it does, thread by thread,
 * stays where it is.
 */
#include "analysis/rows/sorter.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "common/radix_sort.h"
#include "analysis/rows/spool.h"
#include "common/heap.h"

enum {
	MEMORY_BYTES = 1 << 20,	   /* of rows, and what sorts them */
	MERGE_BYTES = 512 << 10,   /* of all parts' buffers */
	PART_BYTES_MAX = 64 << 10, /* of one of them, and at least, if */
	PART_BYTES_MIN = 512,	   /* there are very many: a row or more */
	BLOCK_VALUES = 1 << 10	   /* written at a time; no row has more */
};

/* As many runs in order are not worth sorting: each is a part. */
enum { FEW_RUNS = 4 };

/* So few rows are compared by all of their keys at once. */
enum { VERY_FEW = 24 };

struct gaspdb_sorter_part {
	int64_t offset; /* in the file */
	size_t rows, read;
	int64_t *buffer;	   /* of rows */
	const int64_t *next, *end; /* of them */
};

struct gaspdb_sorter_head {
	int64_t key; /* the first of the part's next row */
	struct gaspdb_sorter_part *part;
};

typedef struct gaspdb_radix_row slot; /* key: one of the row's */
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
	return MEMORY_BYTES / (row_bytes(s) + 2 * sizeof(slot));
}

/* --- in memory ------------------------------------------------------------ */

static const int64_t *row_of(const struct gaspdb_sorter *s, size_t i)
{
	const size_t at = s->slots ? s->slots[i].row : i;

	return s->rows + at * s->columns;
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

/* Of the rows in order from the first on: which is the first after them? */
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

/* Their keys become how far a column is from its least; the greatest. */
static uint64_t take_column(const struct gaspdb_sorter *s, slot *slots,
			    size_t n, size_t column)
{
	const int64_t *of = s->rows + column;
	int64_t least = INT64_MAX, greatest = INT64_MIN;

	for (size_t i = 0; i < n; i++) {
		const int64_t key = of[slots[i].row * s->columns];

		least = key < least ? key : least;
		greatest = key > greatest ? key : greatest;
		slots[i].key = (uint64_t)key;
	}
	for (size_t i = 0; i < n; i++)
		slots[i].key -= (uint64_t)least;
	return (uint64_t)greatest - (uint64_t)least;
}

static void insert_slots(const struct gaspdb_sorter *s, slot *slots, size_t n,
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

/*
 * By the columns from that one on; other: room for as many.  What comes from
 * many threads in turn, each in order, takes no longer than anything else.
 */
static void sort_slots(const struct gaspdb_sorter *s, slot *slots, slot *other,
		       size_t n, size_t column)
{
	const slot *sorted;
	uint64_t greatest;

	if (n <= VERY_FEW) {
		insert_slots(s, slots, n, column);
		return;
	}
	greatest = take_column(s, slots, n, column);
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
	s->slots = slots;
	free(other);
}

/* --- in the file ---------------------------------------------------------- */

/* Many at a time: a call for each would take longer than what it copies. */
static void write_rows(struct gaspdb_sorter *s)
{
	int64_t block[BLOCK_VALUES];
	const size_t columns = s->columns, most = BLOCK_VALUES - columns;
	size_t n = 0;

	if (!s->slots) {
		gaspdb_spool_write(s->run, s->spool, s->rows,
				   s->n * row_bytes(s));
		return;
	}
	for (size_t i = 0; i < s->n; i++) {
		memcpy(block + n, row_of(s, i), row_bytes(s));
		n += columns;
		if (n <= most && i + 1 < s->n)
			continue;
		gaspdb_spool_write(s->run, s->spool, block, n * sizeof *block);
		n = 0;
	}
}

/* Rows to be written next, in order, become a part or the end of the last. */
static void add_part(struct gaspdb_sorter *s, int64_t offset, size_t first,
		     size_t end)
{
	const bool goes_on = s->n_parts &&
			     compare_rows(s, 0, s->last, row_of(s, first)) <= 0;

	if (!gaspdb_grow(s->run, &s->parts, s->n_parts, &s->parts_room,
			 sizeof *s->parts))
		return;
	if (!goes_on)
		s->parts[s->n_parts++] = (part){ .offset = offset };
	s->parts[s->n_parts - 1].rows += end - first;
	memcpy(s->last, row_of(s, end - 1), row_bytes(s));
}

/* The ends of the runs in memory that are in order already; 0: they are more
   than FEW_RUNS. */
static size_t find_runs(const struct gaspdb_sorter *s, size_t *ends)
{
	size_t n = 0, end = 0;

	while (end < s->n && n < FEW_RUNS)
		ends[n++] = end = run_end(s, end);
	return end < s->n ? 0 : n;
}

/* What is in memory goes to the file. */
static void spill(struct gaspdb_sorter *s)
{
	size_t ends[FEW_RUNS], n_runs, first = 0;
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
	free(s->slots);
	s->slots = NULL;
	s->n = 0;
}

/* Room for more rows, but never for more than memory is to hold.  They are few,
   or so many that they are moved only now and then. */
static bool make_room(struct gaspdb_sorter *s)
{
	const size_t most = most_rows(s);
	size_t room = s->room ? 4 * s->room : 64;
	int64_t *rows;

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

bool gaspdb_sorter_make_room(struct gaspdb_sorter *s)
{
	if (s->run->status == GASPDB_OK && !make_room(s))
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

/* Of equal rows the earlier part's come first. */
static inline bool head_before(const void *of, const head *a, const head *b)
{
	int order;

	if (a->key != b->key)
		return a->key < b->key;
	order = compare_rows(of, 1, a->part->next, b->part->next);
	return order ? order < 0 : a->part < b->part;
}

GASPDB_HEAP_DOWN(heads, head, head_before)

/* What is at the top stays there until it comes after this. */
static void find_second(struct gaspdb_sorter *s)
{
	head *h = s->heap;

	s->second = s->n_heap < 2				   ? NULL
		    : s->n_heap > 2 && head_before(s, h + 2, h + 1) ? h + 2
								   : h + 1;
}

/* Rows of a part that are read at a time. */
static size_t rows_ahead(const struct gaspdb_sorter *s)
{
	size_t room = MERGE_BYTES / s->n_parts;

	room = room < PART_BYTES_MIN   ? PART_BYTES_MIN
	       : room > PART_BYTES_MAX ? PART_BYTES_MAX
				       : room;
	room /= row_bytes(s);
	return room ? room : 1;
}

/* The next rows of a part; false: it has no more. */
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

/* The parts' first rows, the least at the top.  Without a key there is but one
   part. */
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

/* Memory goes to the parts' buffers now. */
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

/* The part at the top has no more rows in memory. */
static void go_on(struct gaspdb_sorter *s)
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

static void exchange_second(struct gaspdb_sorter *s)
{
	const head moved = s->heap[0];

	s->heap[0] = *s->second;
	*s->second = moved;
	heads_down(s, s->heap, s->n_heap,
		   (size_t)(s->second - s->heap));
	find_second(s);
}

/* --- reading -------------------------------------------------------------- */

/* Rows at the top can be read as they come until their key reaches the
   second's. */
static void read_top(struct gaspdb_sorter *s)
{
	const part *p = s->n_heap ? s->heap[0].part : NULL;

	s->next = p ? p->next : NULL;
	s->end = p ? p->end : NULL;
	s->limit = s->second ? s->second->key : INT64_MAX;
}

/* Rows have been read from the top, until now. */
static void find_top(struct gaspdb_sorter *s)
{
	head *top = s->heap;

	if (!s->n_heap)
		return;
	top->part->next = s->next;
	if (s->next == s->end)
		go_on(s);
	else
		top->key = *s->next;
	if (s->second && head_before(s, s->second, top))
		exchange_second(s);
	read_top(s);
}

void gaspdb_sorter_rewind(struct gaspdb_sorter *s)
{
	if (!s->sorted || s->run->status != GASPDB_OK)
		return;
	s->at = 0;
	if (s->heap) {
		make_heap(s);
		read_top(s);
	} else if (!s->slots) {
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
	if (s->slots)
		return s->at < s->n ? row_of(s, s->at++) : NULL;
	if (s->heap)
		find_top(s);
	row = s->next;
	if (row == s->end || s->run->status != GASPDB_OK)
		return NULL;
	s->next += s->columns;
	return row;
}
