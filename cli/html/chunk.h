/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chunks: the data of a page. A chunk is a script element of type text/plain
 * with the attribute data-chunk=NAME; its text is base64 of a zlib stream of
 *   a line of JSON: {"rows": N, "columns": [{"name", "kind", "null", "bytes",
 *     "texts"}], and further members of the chunk's own},
 *   the columns' bytes one after the other, as long as "bytes" says.
 * Kinds of columns: "u8" bytes; "int" integers, each as the difference to the
 * one before (zigzag, then LEB128); "real" doubles, little endian; "text"
 * indices in "texts", as "int". All-NULL columns have no values. If "null" is
 * true, a column's bytes begin with one byte a row: 1 for NULL, whose value is
 * 0 before the column's first value, and after it any.
 * The page has numbers as doubles: of integers beyond 2^53 it rounds each to
 * the nearest one, so they are not fit for joins.
 */
#ifndef GASPDB_CLI_HTML_CHUNK_H
#define GASPDB_CLI_HTML_CHUNK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <sqlite3.h>

#include "cli/report/report.h"
#include "common/error.h"
#include "sql/store/table.h"

/* Bytes that grow. */
struct gaspdb_bytes {
	uint8_t *at;
	size_t n, room;
};
void gaspdb_bytes_add(struct gaspdb_bytes *bytes, const void *more, size_t n);

/* A stream into memory, as open_memstream(); gaspdb_chunk_text_end() closes it.
   Where memory runs out, either ends the process. */
FILE *gaspdb_chunk_text(char **text, size_t *n);
void gaspdb_chunk_text_end(FILE *stream);

/* Is it ns that runs have, so that differences and small sums fit in 64 bits?
   Damaged files have others. */
static inline bool gaspdb_is_time(int64_t ns)
{
	const int64_t most = (int64_t)1 << 60;

	return ns >= -most && ns <= most;
}

/* Writes a chunk of any bytes. */
enum gaspdb_status gaspdb_chunk_write(FILE *out, const char *name,
				      const void *bytes, size_t n,
				      struct gaspdb_error *err);

/* Executes a statement without results. A failure is in the report's error. */
void gaspdb_chunk_execute(struct gaspdb_report *r, const char *sql);

/* Prepares a statement; NULL: failed, with the error in the report. */
sqlite3_stmt *gaspdb_chunk_prepare(struct gaspdb_report *r, const char *sql);

/* Scans the first columns of a table, given as GASPDB_TABLE(). A failure is in
   the report's error. */
void gaspdb_chunk_scan(struct gaspdb_report *r, const char *name, unsigned all,
		       unsigned columns, gaspdb_row_fn fn, void *user);

/*
 * Writes the rows of a statement as a chunk. A column's kind is that of its
 * first value; values of other types are converted as SQLite does. A text ends
 * at its first NUL.
 */
enum gaspdb_status gaspdb_chunk_write_rows(FILE *out, const char *name,
					   sqlite3_stmt *stmt,
					   struct gaspdb_error *err);

/* Writes a text as a JSON string. */
void gaspdb_chunk_put_json(FILE *out, const char *text);

#endif
