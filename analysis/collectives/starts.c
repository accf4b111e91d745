/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/collectives/starts.h"

#include "collector/log/log_format.h"
#include "sql/passes/collectives.h"

/* A persistent collective's number and its start's are one. */
enum { START_SHIFT = 32, STARTS_MAX = 1 << 30 };

/* Columns of collective_starts; from MADE_TEAM on of the call that made it. */
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
