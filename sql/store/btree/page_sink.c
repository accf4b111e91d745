/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows that overflow their cell into pages of their own. */
#include <string.h>

#include "sql/store/btree/page_parts.h"
#include "sql/store/btree/page_row.h"

static void next_overflow(struct gaspdb_sink *s)
{
	const uint32_t number = gaspdb_pages_new(s->pages);
	uint8_t *page;

	gaspdb_put_be(s->link, number, 4);
	page = gaspdb_pages_build(s->pages, number);
	memset(page, 0, gaspdb_pages_bytes(s->pages));
	s->link = page;
	s->at = page + 4;
	s->left = gaspdb_pages_usable(s->pages) - 4;
}

void gaspdb_sink_pour(struct gaspdb_sink *s, const uint8_t *bytes, size_t n)
{
	while (n > 0) {
		size_t part;

		if (!s->left)
			next_overflow(s);
		part = n < s->left ? n : s->left;
		memcpy(s->at, bytes, part);
		s->at += part;
		s->left -= part;
		bytes += part;
		n -= part;
	}
}

void gaspdb_sink_record(struct gaspdb_sink *s, const uint8_t *header,
			unsigned header_bytes,
			const struct gaspdb_value *values, unsigned columns)
{
	uint8_t buffer[8];
	size_t n;

	gaspdb_sink_pour(s, header, header_bytes);
	for (unsigned i = 0; i < columns; i++) {
		const uint8_t *bytes = gaspdb_row_value(&values[i], buffer, &n);

		gaspdb_sink_pour(s, bytes, n);
	}
}
