/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Leaf pages, and rows of integers in them. */
#include "sql/store/btree/page_leaf.h"

#include <assert.h>

/* --- leaves --------------------------------------------------------------- */

void gaspdb_leaf_finish(const struct gaspdb_leaf *l, uint8_t type)
{
	const size_t first = GASPDB_LEAF_FIRST + 2 * (size_t)l->cells;

	memset(l->bytes, 0, GASPDB_LEAF_FIRST);
	memset(l->bytes + first, 0, l->top - first);
	l->bytes[0] = type;
	gaspdb_put_be(l->bytes + 3, l->cells, 2);
	gaspdb_put_be(l->bytes + 5, (uint32_t)l->top, 2); /* 65536 is 0 */
}

static size_t get_two(const uint8_t *p)
{
	return (size_t)p[0] << 8 | p[1];
}

void gaspdb_leaf_copy(struct gaspdb_leaf *l, const uint8_t *page,
		      size_t page_bytes)
{
	memcpy(l->bytes, page, page_bytes);
	l->cells = (unsigned)get_two(page + 3);
	l->top = get_two(page + 5);
	if (!l->top)
		l->top = 65536;
}

size_t gaspdb_leaf_last(const struct gaspdb_leaf *l)
{
	const size_t before = GASPDB_LEAF_FIRST + 2 * ((size_t)l->cells - 2);

	return (l->cells > 1 ? get_two(l->bytes + before) : l->usable) - l->top;
}

/* --- rows ----------------------------------------------------------------- */

static __attribute__((noinline)) void find_rowid(struct gaspdb_rowid_bytes *r,
						 int64_t id)
{
	uint8_t room[8 + 8];

	r->above = id >> 7;
	r->n = gaspdb_put_varint(room + 8, (uint64_t)id);
	memcpy(r->before, room + r->n - 1, 8);
}

/* Write a varint that ends at end. Returns its start. */
static inline __attribute__((always_inline)) uint8_t *
rowid_before(struct gaspdb_rowid_bytes *r, uint8_t *end, int64_t id)
{
	if (id >> 7 != r->above)
		find_rowid(r, id);
	memcpy(end - 9, r->before, 8);
	end[-1] = id & 0x7f;
	return end - r->n;
}

/* Bytes of the text with that number. */
static inline unsigned bytes_of(struct gaspdb_row_maker *m, int64_t number)
{
	if (number != m->text_number) {
		m->text_bytes = (unsigned)strlen(m->texts[number]);
		m->text_number = number;
		assert(m->text_bytes <= GASPDB_CELL_TEXT_MAX);
	}
	return m->text_bytes;
}

/* The shape of a row: its number of columns, and the number of the text column,
   if below that. */
struct shape {
	unsigned columns, text;
	bool keyed;
};

/* Upper bound of the bytes written for a row, with rowid and length before its
   header. */
static inline __attribute__((always_inline)) size_t
row_bytes(const struct shape is)
{
	return 9 + 2 + gaspdb_header_room(is.columns) + 8 * (size_t)is.columns +
	       (is.text < is.columns ? GASPDB_CELL_TEXT_MAX : 0);
}
#define ROW_BYTES_MAX \
	(9 + 2 + 1 + 9 * GASPDB_CELL_COLUMNS_MAX + GASPDB_CELL_TEXT_MAX)

/* Write rowid and length before a record. Returns the start of the cell. */
static inline __attribute__((always_inline)) uint8_t *
begin_before(struct gaspdb_row_maker *m, const struct shape is, uint8_t *record,
	     size_t bytes, int64_t id)
{
	const bool is_short = 9 * is.columns < 0x80 && is.text >= is.columns;
	uint8_t *at = is.keyed ? record : rowid_before(&m->rowid, record, id);

	if (is_short || bytes < 0x80) {
		*--at = (uint8_t)bytes;
		return at;
	}
	*--at = bytes & 0x7f;
	*--at = (uint8_t)(bytes >> 7 | 0x80);
	return at;
}

/* Write a row's cell that ends at end. Returns its start. */
static inline __attribute__((always_inline)) uint8_t *
row_before(struct gaspdb_row_maker *m, const struct shape is, uint8_t *end,
	   const int64_t *values)
{
	const bool has_text = is.text < is.columns;
	struct gaspdb_cell_text text = { .column = is.text };
	uint8_t *at;

	if (has_text) {
		text.n = bytes_of(m, values[is.text]);
		text.text = m->texts[values[is.text]];
	}
	at = gaspdb_put_record_before(end, values, is.columns, is.keyed,
				      has_text ? &text : NULL);
	return begin_before(m, is, at, (size_t)(end - at), values[0]);
}

/* Append rows while their keys increase and the leaf certainly has room. */
static inline __attribute__((always_inline)) size_t
fill(struct gaspdb_leaf *l, struct gaspdb_row_maker *m, const struct shape is,
     const int64_t *rows, size_t n)
{
	const int64_t *const end = rows + n * is.columns, *row = rows;
	uint8_t *top = l->bytes + l->top;
	uint8_t *slot = l->bytes + GASPDB_LEAF_FIRST + 2 * (size_t)l->cells;
	int64_t last = m->last;

	for (; row < end && top - slot >= (ptrdiff_t)row_bytes(is) &&
	       (is.keyed || (row[0] > last && row[0] < GASPDB_ROWID_SHORT));
	     row += is.columns, slot += 2) {
		last = row[0];
		top = row_before(m, is, top, row);
		gaspdb_put_be(slot, (uint32_t)(top - l->bytes), 2);
	}
	n = (size_t)(row - rows) / is.columns;
	m->last = last;
	l->top = (size_t)(top - l->bytes);
	l->cells += (unsigned)n;
	return n;
}

static inline struct shape shape_of(const struct gaspdb_row_maker *m)
{
	return (struct shape){ m->columns,
			       m->texts ? m->text_column : m->columns,
			       m->keyed };
}

static size_t fill_any(struct gaspdb_leaf *l, struct gaspdb_row_maker *m,
		       const int64_t *rows, size_t n)
{
	return fill(l, m, shape_of(m), rows, n);
}

/* Common shapes, as constants for the compiler. */
#define SHAPES(SHAPE)                    \
	SHAPE(member, 2, 2, true)        \
	SHAPE(event_arg, 3, 3, false)    \
	SHAPE(completion, 10, 10, false) \
	SHAPE(event, 12, 12, false)      \
	SHAPE(message, 14, 14, false)    \
	SHAPE(collective, 15, 14, false)

#define SHAPE(name, columns, text, keyed)                         \
	static size_t fill_##name(struct gaspdb_leaf *l,          \
				  struct gaspdb_row_maker *m,     \
				  const int64_t *rows, size_t n)  \
	{                                                         \
		const struct shape is = { columns, text, keyed }; \
                                                                  \
		return fill(l, m, is, rows, n);                   \
	}
SHAPES(SHAPE)
#undef SHAPE

/* The fill function of a shape, for leaves with certain room. */
static gaspdb_fill_fn filler_of(const struct shape is)
{
#define SHAPE(name, n, t, k)                                        \
	if (is.columns == (n) && is.text == (t) && is.keyed == (k)) \
		return fill_##name;
	SHAPES(SHAPE)
#undef SHAPE
	return fill_any;
}

void gaspdb_row_maker_init(struct gaspdb_row_maker *m, unsigned columns,
			   bool keyed, unsigned text_column,
			   const char *const *texts)
{
	assert(columns <= GASPDB_CELL_COLUMNS_MAX);
	*m = (struct gaspdb_row_maker){ .columns = columns,
					.keyed = keyed,
					.texts = texts,
					.text_column = text_column,
					.text_number = GASPDB_NULL,
					.last = -1,
					.rowid.above = -1 };
	m->fill = filler_of(shape_of(m));
}

/* The cell limit of a tree of keys; that of rowids is larger. */
bool gaspdb_row_fits(const struct gaspdb_row_maker *m, size_t usable)
{
	return row_bytes(shape_of(m)) <= (usable - 12) * 64 / 255 - 23;
}

/* Append a row to a leaf that may be full. false: no room, or the key does not
   increase. */
static bool add_last(struct gaspdb_leaf *l, struct gaspdb_row_maker *m,
		     const int64_t *values)
{
	uint8_t room[ROW_BYTES_MAX];
	uint8_t *const end = room + sizeof room;
	const uint8_t *cell;
	size_t bytes;

	if (!gaspdb_row_follows(m, values))
		return false;
	cell = row_before(m, shape_of(m), end, values);
	bytes = (size_t)(end - cell);
	if (!gaspdb_leaf_has_room(l, bytes))
		return false;
	memcpy(gaspdb_leaf_cell(l, bytes), cell, bytes);
	m->last = values[0];
	return true;
}

size_t gaspdb_leaf_fill(struct gaspdb_leaf *l, struct gaspdb_row_maker *m,
			const int64_t *rows, size_t n)
{
	size_t i = l->bytes ? m->fill(l, m, rows, n) : 0;

	while (i < n && add_last(l, m, rows + i * m->columns))
		i++;
	return i;
}
