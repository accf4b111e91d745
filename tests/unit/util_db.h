/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Small databases built by hand, row by row: what an import would have made.
 * Every function fails the running test if something goes wrong.
 */
#ifndef GASPDB_TESTS_UNIT_UTIL_DB_H
#define GASPDB_TESTS_UNIT_UTIL_DB_H

#include <sqlite3.h>
#include <stdint.h>

#define DB_NULL INT64_MIN

/* An empty database with the schema, in memory. */
/* Events with names, in ns, as a table 'call' of SELECTs. */
#define NAMED_EVENTS                                                          \
	"(SELECT e.id, e.thread_id AS thread, p.operation, p.location, "       \
	"p.function, e.start_ns, e.duration_ns, e.self_ns, e.bytes, e.peer, "  \
	"e.object, p.type, p.category, e.parent_id, e.nested, e.open FROM event e "      \
	"JOIN place p ON p.source_id = e.source_id) AS call"

sqlite3 *db_new(void);
/* Make gaspdb_schema's tables as STRICT ones: no value of another type than its
   column's goes there. */
void db_strict_schema(sqlite3 *db);
void db_close(sqlite3 *db);

/* Columns of event for inserts of all, in the schema's order; one that is added
   later is NULL. */
#define DB_EVENT                                                         \
	"event(id, thread_id, source_id, parent_id, start_ns, duration_ns, " \
	"self_ns, bytes, peer, object, nested, open) "

void db_exec(sqlite3 *db, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* One number; DB_NULL for NULL. */
int64_t db_int(sqlite3 *db, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/*
 * All rows: columns joined by |, each row ended by a newline, NULL as -.  Valid
 * until the next call.
 */
const char *db_rows(sqlite3 *db, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Threads 0 .. n - 1, each a process, recorded from 0 to last_ns. */
void db_threads(sqlite3 *db, int n, int64_t last_ns);
/* Each of them gets a host of its own: their clocks need not agree. */
void db_apart(sqlite3 *db);

/*
 * An event of an operation of that type, called like its type, at "file:line".
 * Events must be added thread by thread, in order of start.  Returns its id.
 */
int64_t db_event(sqlite3 *db, int thread, const char *type, const char *where,
		 int64_t start_ns, int64_t end_ns);
/* The same for an operation with a name of its own. */
int64_t db_call(sqlite3 *db, int thread, const char *name, const char *type,
		const char *where, int64_t start_ns, int64_t end_ns);
/* A further argument of an event, and of its operation. */
void db_arg(sqlite3 *db, int64_t event, const char *name, int64_t value);
/* The arguments of a collective. */
void db_collective(sqlite3 *db, int64_t event, int64_t team, int64_t sequence);

/* A team of threads 0 .. n - 1; returns its id. */
int64_t db_team(sqlite3 *db, int n);

/*
 * An analysis by name, as db_rows(), with the columns listed (separated by
 * commas; NULL: all) and parameters "name=value name=value".
 */
const char *db_analysis(sqlite3 *db, const char *name, const char *columns,
			const char *params);

/* The importer's roll-ups of the events: profile, traffic. */
void db_rollups(sqlite3 *db);

/* Fill in what an import derives from the events: the threads' ranges. */
void db_finish(sqlite3 *db);
/* db_finish(), and every pass. */
void db_passes(sqlite3 *db);

#endif
