/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of table quality, by the kinds of common/quality.tbl.h: the only code
   that knows its columns. */
#ifndef GASPDB_SQL_QUALITY_ROW_H
#define GASPDB_SQL_QUALITY_ROW_H

#include <sqlite3.h>
#include <stdint.h>

#include "common/quality.h"
#include "common/value.h"
#include "sql/columns.h"

struct gaspdb_quality_message {
	int64_t peer, tag; /* peer: thread of the other end */
};

/* A defect.  Numbers may be GASPDB_NULL, but not the count; texts may be
   NULL. */
struct gaspdb_quality_row {
	enum gaspdb_quality_kind kind;
	int64_t thread, event;	       /* NULL: not of one thread or event */
	int64_t count, bytes, time_ns; /* bytes, time_ns: at stake */
	const struct gaspdb_quality_message *message; /* NULL: no message */
	const char *file; /* relative to the run directory */
	int64_t offset;	  /* valid with file: byte in it */
	const char *detail;
};

/* Sets the values of the table's columns. They refer to the row's texts. */
void gaspdb_quality_row_values(
	const struct gaspdb_quality_row *row,
	struct gaspdb_value values[GASPDB_N_COLUMNS_quality]);

/* Binds a row to parameters 1 .. GASPDB_N_COLUMNS_quality of a statement; its
   texts must be valid until the statement is reset. */
void gaspdb_quality_row_bind(const struct gaspdb_quality_row *row,
			     sqlite3_stmt *stmt);

#endif
