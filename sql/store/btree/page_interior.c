/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interior pages of rowid trees. Each level collects children until a page is
   full. */
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "sql/store/btree/page_parts.h"
#include "sql/store/btree/page_row.h"

enum { HEADER_BYTES = 12 };

/* Bytes of a child in a page; the last child takes none. */
static size_t child_bytes(const struct gaspdb_interior_child *c)
{
	uint8_t ignored[9];

	return 2 + 4 + gaspdb_put_varint(ignored, (uint64_t)c->last);
}

/* Write the first n children of a level as a page. */
static void write_page(struct gaspdb_pages *p,
		       const struct gaspdb_interior_level *l, unsigned n,
		       uint32_t number)
{
	uint8_t *page = gaspdb_pages_build(p, number), cell[13];
	size_t top = gaspdb_pages_usable(p);

	memset(page, 0, gaspdb_pages_bytes(p));
	for (unsigned i = 0; i + 1 < n; i++) {
		const struct gaspdb_interior_child *c = &l->children[i];
		const size_t bytes =
			4 + gaspdb_put_varint(cell + 4, (uint64_t)c->last);

		gaspdb_put_be(cell, c->page, 4);
		top -= bytes;
		memcpy(page + top, cell, bytes);
		gaspdb_put_be(page + HEADER_BYTES + 2 * i, (uint32_t)top, 2);
	}
	page[0] = GASPDB_PAGE_INTERIOR;
	gaspdb_put_be(page + 3, n - 1, 2);
	gaspdb_put_be(page + 5, (uint32_t)top, 2);
	gaspdb_put_be(page + 8, l->children[n - 1].page, 4);
}

static struct gaspdb_interior_level *level_at(struct gaspdb_interior *above,
					      const struct gaspdb_pages *p,
					      unsigned i)
{
	struct gaspdb_interior_level *l = &above->level[i];

	if (!l->children)
		l->children = gaspdb_mem_alloc(gaspdb_pages_usable(p) / 7 *
					       sizeof *l->children);
	if (i == above->n) {
		above->n++;
		l->n = 0;
		l->bytes = HEADER_BYTES;
	}
	return l;
}

/* Add a page of the level below. A full level keeps its last child for the next
   page, so each page has at least two. */
static void add_child(struct gaspdb_interior *above, struct gaspdb_pages *p,
		      unsigned at, struct gaspdb_interior_child child)
{
	struct gaspdb_interior_level *l = level_at(above, p, at);
	struct gaspdb_interior_child full;

	if (l->n > 2 && l->bytes + child_bytes(&l->children[l->n - 1]) >
				gaspdb_pages_usable(p)) {
		full.page = gaspdb_pages_new(p);
		full.last = l->children[l->n - 2].last;
		write_page(p, l, l->n - 1, full.page);
		l->children[0] = l->children[l->n - 1];
		l->n = 1;
		l->bytes = HEADER_BYTES;
		add_child(above, p, at + 1, full);
	}
	if (l->n > 0)
		l->bytes += child_bytes(&l->children[l->n - 1]);
	l->children[l->n++] = child;
}

void gaspdb_interior_add(struct gaspdb_interior *above, struct gaspdb_pages *p,
			 uint32_t leaf, int64_t last)
{
	add_child(above, p, 0, (struct gaspdb_interior_child){ leaf, last });
}

/* Write the remaining children of each level. */
void gaspdb_interior_finish(struct gaspdb_interior *above,
			    struct gaspdb_pages *p, int64_t last, uint32_t root)
{
	unsigned i;

	for (i = 0; i + 1 < above->n; i++) {
		const uint32_t page = gaspdb_pages_new(p);

		write_page(p, &above->level[i], above->level[i].n, page);
		add_child(above, p, i + 1,
			  (struct gaspdb_interior_child){ page, last });
	}
	write_page(p, &above->level[i], above->level[i].n, root);
}

void gaspdb_interior_free(struct gaspdb_interior *above)
{
	for (unsigned i = 0; i < sizeof above->level / sizeof *above->level;
	     i++)
		free(above->level[i].children);
}
