/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/collectives/starts.h"

#include "collector/log/log_format.h"

/* A persistent collective's number and its start's are one. */
enum { START_SHIFT = 32, STARTS_MAX = 1 << 30 };

/* Columns; from MADE_TEAM on of the call that made it. */
enum {
	COMPLETE,
	NUMBER,
	MADE_TEAM,
	MADE_SEQUENCE,
	MADE_DOES,
	MADE_ROOT,
	MADE_BYTES,
	MADE_RECEIVED
};

/* Where the log has how it was made, or that it was completed. */
/* clang-format off */
static const char starts_sql[] =
	"SELECT r.complete_event_id, r.number, "
	GASPDB_OF_MAKING("team") ", " GASPDB_OF_MAKING("sequence") ", "
	GASPDB_OF_MAKING("does") ", " GASPDB_OF_MAKING("root") ", "
	GASPDB_OF_MAKING("bytes") ", " GASPDB_OF_MAKING("bytes_received")
	" FROM collective_request r WHERE r.post_event_id = ? "
	"AND r.number IS NOT NULL AND (r.made_event_id IS NOT NULL "
	"  OR r.unseen OR r.complete_event_id IS NOT NULL)";
/* clang-format on */

sqlite3_stmt *gaspdb_collective_starts_prepare(struct gaspdb_run *run)
{
	return gaspdb_prepare(run, starts_sql);
}

bool gaspdb_collective_start_consume(sqlite3_stmt *starts,
				     struct gaspdb_member *m)
{
	const int64_t number = gaspdb_column(starts, NUMBER);

	m->team = gaspdb_column(starts, MADE_TEAM);
	m->sequence = gaspdb_column(starts, MADE_SEQUENCE);
	m->does = gaspdb_column(starts, MADE_DOES);
	m->root = gaspdb_column(starts, MADE_ROOT);
	m->bytes = m->bytes_received = GASPDB_NONE;
	if (m->does != GASPDB_DOES_barrier) { /* which has none */
		m->bytes = gaspdb_column(starts, MADE_BYTES);
		m->bytes_received = gaspdb_column(starts, MADE_RECEIVED);
	}
	if (m->team == GASPDB_NONE || m->sequence < 0 ||
	    m->sequence >> START_SHIFT || number < 1 || number >= STARTS_MAX)
		return false;
	m->sequence |= number << START_SHIFT;
	return true;
}

int64_t gaspdb_collective_start_end(sqlite3_stmt *starts)
{
	return gaspdb_column(starts, COMPLETE);
}
