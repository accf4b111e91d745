/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The passes' rows in table quality. */
#include "analysis/quality.h"

#include <stdarg.h>
#include <stdio.h>

static const struct {
	const char *kind, *severity;
} kinds[] = {
#define QUALITY(ident, kind, severity, summary, advice) { kind, #severity },
#include "importer/quality.tbl.h"
};

static const char insert[] =
	"INSERT INTO quality(thread_id, event_id, count, bytes, time_ns, detail, "
	"kind, severity) VALUES(?, ?, ?, ?, ?, ?, ?, ?)";

void gaspdb_quality_add(struct gaspdb_run *run,
			const struct gaspdb_quality_row *row, const char *fmt,
			...)
{
	const int64_t values[] = { row->thread, row->event, row->count,
				   row->bytes, row->time_ns };
	char detail[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(detail, sizeof(detail), fmt, args);
	va_end(args);
	if (!run->quality)
		run->quality = gaspdb_prepare(run, insert);
	if (run->quality) {
		sqlite3_bind_text(run->quality, 7, kinds[row->kind].kind, -1,
				  SQLITE_STATIC);
		sqlite3_bind_text(run->quality, 8, kinds[row->kind].severity,
				  -1, SQLITE_STATIC);
	}
	gaspdb_write(run, run->quality, 5, values, detail);
}
