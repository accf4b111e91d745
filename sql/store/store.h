/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A store: the database under construction, a temporary file in the folder of
 * the output. The importer fills it, passes analyze it, and the complete file
 * takes its name. While logs are read, the tables that grow with the events are
 * written as pages (sql/store/btree/page_writer.h). SQLite must not use that
 * file then, so a second database takes the small tables. To settle the store
 * is to merge both; after that SQL sees all rows. The first failure sticks:
 * later calls have no effect, and gaspdb_store_status() returns it.
 */
#ifndef GASPDB_SQL_STORE_STORE_H
#define GASPDB_SQL_STORE_STORE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "common/value.h"
#include "sql/columns.h"

/*
 * INSERT(table, by): the tables that the importer writes. by: by SQL, or as
 * pages for large tables, in the order of their id or, WITHOUT ROWID, of their
 * key of that many columns, GASPDB_N_KEYS_table. A row that comes too late is
 * inserted by SQL and joins the others when the store is settled.
 */
enum { GASPDB_BY_SQL = -1, GASPDB_BY_ID = 0 };
#define GASPDB_INSERTS(INSERT)                                                 \
	INSERT(meta, GASPDB_BY_SQL) \
	INSERT(thread, GASPDB_BY_ID) \
	INSERT(host, GASPDB_BY_SQL) \
	INSERT(host_clock, GASPDB_BY_SQL) \
	INSERT(host_pair, GASPDB_BY_SQL) \
	INSERT(thread_meta, GASPDB_N_KEYS_thread_meta) \
	INSERT(recording, GASPDB_BY_ID) \
	INSERT(processor_use, GASPDB_BY_SQL) \
	INSERT(unserved, GASPDB_BY_SQL) \
	INSERT(open_call, GASPDB_BY_SQL) \
	INSERT(operation_type, GASPDB_BY_SQL) \
	INSERT(operation, GASPDB_BY_SQL) \
	INSERT(argument, GASPDB_BY_SQL) \
	INSERT(source, GASPDB_BY_ID) \
	INSERT(event, GASPDB_BY_ID) \
	INSERT(event_piece, GASPDB_N_KEYS_event_piece) \
	INSERT(long_event, GASPDB_BY_SQL) \
	INSERT(event_arg, GASPDB_BY_ID) \
	INSERT(entity, GASPDB_BY_SQL) \
	INSERT(entity_mix, GASPDB_BY_SQL) \
	INSERT(entity_attribute, GASPDB_BY_SQL) \
	INSERT(segment, GASPDB_BY_SQL) \
	INSERT(object, GASPDB_BY_SQL) \
	INSERT(team, GASPDB_BY_SQL) \
	INSERT(team_member, GASPDB_BY_SQL) \
	INSERT(team_source, GASPDB_BY_SQL) \
	INSERT(p2p, GASPDB_BY_ID) \
	INSERT(collective_request, GASPDB_BY_SQL) \
	INSERT(gap, GASPDB_BY_SQL) \
	INSERT(passed, GASPDB_BY_SQL) \
	INSERT(memory_sample, GASPDB_BY_SQL) \
	INSERT(quality_kind, GASPDB_BY_SQL) \
	INSERT(quality, GASPDB_BY_SQL) \
	INSERT(profile, GASPDB_N_KEYS_profile) \
	INSERT(callpath, GASPDB_BY_ID) \
	INSERT(region, GASPDB_BY_ID) \
	INSERT(callpath_part, GASPDB_N_KEYS_callpath_part) \
	INSERT(event_path, GASPDB_BY_ID) \
	INSERT(profile_total, GASPDB_N_KEYS_profile_total) \
	INSERT(spread, GASPDB_N_KEYS_spread) \
	INSERT(category_time, GASPDB_N_KEYS_category_time) \
	INSERT(bin, GASPDB_N_KEYS_bin) \
	INSERT(thread_bin, GASPDB_N_KEYS_thread_bin) \
	INSERT(source_bin, GASPDB_N_KEYS_source_bin) \
	INSERT(cache_total, GASPDB_BY_SQL) \
	INSERT(size_total, GASPDB_BY_SQL) \
	INSERT(throttled, GASPDB_BY_SQL) \
	INSERT(traffic, GASPDB_N_KEYS_traffic) \
	INSERT(traffic_total, GASPDB_N_KEYS_traffic_total)

enum gaspdb_insert {
#define INSERT(table, by) GASPDB_INSERT_##table,
	GASPDB_INSERTS(INSERT)
#undef INSERT
		GASPDB_N_INSERTS
};

struct gaspdb_store;
struct gaspdb_cell_text; /* sql/store/btree/page_row.h */

/* Numbers of rows; collectives: calls. */
struct gaspdb_row_counts {
	int64_t events, p2p, collectives;
};

/* The writer of large tables. The rows are the same. */
enum gaspdb_writer {
	GASPDB_WRITER_PAGES,
	GASPDB_WRITER_INSERTS /* by SQLite with a prepared statement for each
				 table: many times slower, for comparison */
};

/* Begin a database for path. FAILED: also if path exists and not force. thread:
   a thread writes the pages. */
enum gaspdb_status gaspdb_store_open(struct gaspdb_store **store,
				     const char *path, bool force,
				     enum gaspdb_writer writer, bool thread,
				     struct gaspdb_error *err);

/* Settle the store: the large tables are complete, and gaspdb_store_db() is the
   whole database. */
enum gaspdb_status gaspdb_store_settle(struct gaspdb_store *store,
				       struct gaspdb_error *err);

/* Finish the complete database and move it to path. */
enum gaspdb_status gaspdb_store_finish(struct gaspdb_store *store,
				       struct gaspdb_error *err);

/* Free the store and remove an unfinished file. NULL: no effect. */
void gaspdb_store_close(struct gaspdb_store *store);

sqlite3 *gaspdb_store_db(struct gaspdb_store *store);
/* The path of the output. */
const char *gaspdb_store_path(const struct gaspdb_store *store);
/* Add the output path to the message of a failure, except an interrupt. Returns
   FAILED. */
enum gaspdb_status gaspdb_store_fail_named(const struct gaspdb_store *store,
					   struct gaspdb_error *err);
enum gaspdb_status gaspdb_store_status(const struct gaspdb_store *store,
				       struct gaspdb_error *err);

/* Bind a value to a parameter of a statement; a text must be valid until the
   statement is reset. */
void gaspdb_value_bind(sqlite3_stmt *stmt, int parameter,
		       const struct gaspdb_value *value);

/* Values of a row, by GASPDB_TABLE_COLUMN; others are NULL. */
#define GASPDB_VALUES(table) (struct gaspdb_value[GASPDB_N_COLUMNS_##table])

/*
 * Insert a row of all stored columns. SQLite chooses an id that is NULL. Large
 * tables: fast in the order of their ids or keys; a row that comes too late
 * costs an INSERT.
 */
void gaspdb_insert(struct gaspdb_store *store, enum gaspdb_insert into,
		   const struct gaspdb_value *values);
/* Insert a row of integers into a large table. */
void gaspdb_insert_ints(struct gaspdb_store *store, enum gaspdb_insert into,
			const int64_t *values);
/* Insert n consecutive rows of integers into a large table with an id. */
void gaspdb_insert_rows(struct gaspdb_store *store, enum gaspdb_insert into,
			const int64_t *rows, size_t n);
/* Insert a row of integers with a text instead of the value of `column`. */
void gaspdb_insert_text(struct gaspdb_store *store, enum gaspdb_insert into,
			const int64_t *values, unsigned column,
			const char *text);

/* Insert a row with a few short texts into a table with an id. */
void gaspdb_insert_texts(struct gaspdb_store *store, enum gaspdb_insert into,
			 const int64_t *values,
			 const struct gaspdb_cell_text *texts,
			 unsigned n_texts);

/* REAL columns store whole numbers below this bound as integers. */
#define GASPDB_WHOLE_MAX ((int64_t)1 << 47)
/* Insert a row of integers with a real in its last column, 0 or more. */
void gaspdb_insert_real(struct gaspdb_store *store, enum gaspdb_insert into,
			const int64_t *values, double last);

/* Record a change to an event: when the store is settled, its bytes grow by
   `bytes` and its peer is set unless GASPDB_NULL. */
void gaspdb_store_change(struct gaspdb_store *store, int64_t event,
			 int64_t bytes, int64_t peer);

/* Record an increase of bytes in a row of profile (key: thread, source, nested)
   or callpath_part (thread, source, callpath), if the row exists. */
void gaspdb_store_add_bytes(struct gaspdb_store *store, enum gaspdb_insert into,
			    const int64_t key[3], int64_t bytes);

#endif
