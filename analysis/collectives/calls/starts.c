/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts of persistent collectives, from the call that created the request. */
#include "analysis/collectives/calls/starts.h"

#include "collector/log/log_format.h"
#include "sql/passes/collectives.h"

/* The sequence number of a start: the creation's number, and the start's number
   from bit START_SHIFT on. */
enum { START_SHIFT = 32, STARTS_MAX = 1 << 30 };

/* Columns of collective_starts; from MADE_TEAM on, of the creating call. */
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

sqlite3_stmt *gaspdb_collective_starts_prepare(struct gaspdb_run *run)
{
	return gaspdb_prepare(run, gaspdb_sql_collective_starts);
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
	if (m->does != GASPDB_DOES_barrier) {
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
