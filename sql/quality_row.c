/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of table quality. */
#include "sql/quality_row.h"

#include <string.h>

#include "sql/store/store.h"

void gaspdb_quality_row_values(
	const struct gaspdb_quality_row *row,
	struct gaspdb_value values[GASPDB_N_COLUMNS_quality])
{
	const struct gaspdb_quality_words *words = &gaspdb_quality[row->kind];
	const struct gaspdb_quality_message *m = row->message;

	memcpy(values,
	       GASPDB_VALUES(quality){
		       [GASPDB_QUALITY_KIND] = gaspdb_str(words->kind),
		       [GASPDB_QUALITY_SEVERITY] = gaspdb_str(words->severity),
		       [GASPDB_QUALITY_THREAD] = gaspdb_int(row->thread),
		       [GASPDB_QUALITY_EVENT] = gaspdb_int(row->event),
		       [GASPDB_QUALITY_FILE] = gaspdb_str(row->file),
		       [GASPDB_QUALITY_OFFSET] = gaspdb_int(
			       row->file ? row->offset : GASPDB_NULL),
		       [GASPDB_QUALITY_COUNT] = gaspdb_int(row->count),
		       [GASPDB_QUALITY_BYTES] = gaspdb_int(row->bytes),
		       [GASPDB_QUALITY_TIME] = gaspdb_int(row->time_ns),
		       [GASPDB_QUALITY_DETAIL] = gaspdb_str(row->detail),
		       [GASPDB_QUALITY_PEER] =
			       gaspdb_int(m ? m->peer : GASPDB_NULL),
		       [GASPDB_QUALITY_TAG] =
			       gaspdb_int(m ? m->tag : GASPDB_NULL) },
	       GASPDB_N_COLUMNS_quality * sizeof *values);
}

void gaspdb_quality_row_bind(const struct gaspdb_quality_row *row,
			     sqlite3_stmt *stmt)
{
	struct gaspdb_value values[GASPDB_N_COLUMNS_quality];

	gaspdb_quality_row_values(row, values);
	for (int i = 0; i < GASPDB_N_COLUMNS_quality; i++)
		gaspdb_value_bind(stmt, i + 1, &values[i]);
}
