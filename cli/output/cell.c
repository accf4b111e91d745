/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells of rows: constructors, and conversion to text. */
#include <inttypes.h>
#include <string.h>

#include "cli/output/output.h"
#include "cli/output/text.h"

struct gaspdb_output_cell gaspdb_output_text(const char *s)
{
	return (struct gaspdb_output_cell){ .type = s ? SQLITE_TEXT
						      : SQLITE_NULL,
					    .bytes = s,
					    .n = s ? strlen(s) : 0 };
}

struct gaspdb_output_cell gaspdb_output_integer(int64_t n)
{
	return (struct gaspdb_output_cell){ .type = SQLITE_INTEGER,
					    .integer = n };
}

static char *hex_text(const struct gaspdb_output_cell *cell)
{
	const unsigned char *u = cell->bytes;
	char *hex = gaspdb_memory_new(2 * cell->n + 1, 1);

	for (size_t i = 0; i < cell->n; i++)
		snprintf(hex + 2 * i, 3, "%02x", u[i]);
	return hex;
}

char *gaspdb_output_cell_text(const struct gaspdb_output_cell *cell)
{
	char real[40];

	switch (cell->type) {
	case SQLITE_INTEGER:
		return gaspdb_text_format("%" PRId64, cell->integer);
	case SQLITE_FLOAT:
		sqlite3_snprintf(sizeof real, real, "%!.15g", cell->real);
		return gaspdb_text_copy(real, strlen(real));
	case SQLITE_TEXT:
		return gaspdb_text_safe(cell->bytes, cell->n);
	case SQLITE_BLOB:
		return hex_text(cell);
	default:
		return gaspdb_text_copy("", 0);
	}
}
