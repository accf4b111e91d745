/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The database while it is made, a temporary file beside the output: the
 * importer fills it, passes analyze it, and when it is whole it takes its name.
 * While logs are read, the tables that grow with the events are written as pages
 * (sql/store/btree/page_writer.h); meanwhile that file is not SQLite's, and the small
 * tables are filled in another.  Then the store is settled: all is in one
 * place, and SQL sees it.  The first failure sticks; later calls do nothing and
 * gaspdb_store_status tells.
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
 * INSERT(table, by): what the importer writes itself.  by: SQL; or
 * as pages, for there may be very many rows, which come in the order of their
 * id or, WITHOUT ROWID, of their key of so many columns, GASPDB_N_KEYS_table.
 * One that comes too late is inserted, and so joins them when the store is
 * settled.
 */
enum { GASPDB_BY_SQL = -1, GASPDB_BY_ID = 0 };
#define GASPDB_INSERTS(INSERT)                                                 \
	INSERT(meta, GASPDB_BY_SQL) \
	INSERT(thread, GASPDB_BY_ID) \
	INSERT(host, GASPDB_BY_SQL) \
	INSERT(thread_meta, GASPDB_N_KEYS_thread_meta) \
	INSERT(recording, GASPDB_BY_ID) \
	INSERT(processor_use, GASPDB_BY_SQL) \
	INSERT(unserved, GASPDB_BY_SQL) \
	INSERT(operation_type, GASPDB_BY_SQL) \
	INSERT(operation, GASPDB_BY_SQL) \
	INSERT(argument, GASPDB_BY_SQL) \
	INSERT(source, GASPDB_BY_ID) \
	INSERT(event, GASPDB_BY_ID) \
	INSERT(event_piece, GASPDB_N_KEYS_event_piece) \
	INSERT(long_event, GASPDB_BY_SQL) \
	INSERT(event_arg, GASPDB_BY_ID) \
	INSERT(segment, GASPDB_BY_SQL) \
	INSERT(object, GASPDB_BY_SQL) \
	INSERT(team, GASPDB_BY_SQL) \
	INSERT(team_member, GASPDB_BY_SQL) \
	INSERT(team_source, GASPDB_BY_SQL) \
	INSERT(p2p, GASPDB_BY_ID) \
	INSERT(collective_request, GASPDB_BY_SQL) \
	INSERT(gap, GASPDB_BY_SQL) \
	INSERT(passed, GASPDB_BY_SQL) \
	INSERT(quality_kind, GASPDB_BY_SQL) \
	INSERT(quality, GASPDB_BY_SQL) \
	INSERT(profile, GASPDB_N_KEYS_profile) \
	INSERT(callpath, GASPDB_BY_ID) \
	INSERT(region, GASPDB_BY_ID) \
	INSERT(callpath_part, GASPDB_N_KEYS_callpath_part) \
	INSERT(profile_total, GASPDB_N_KEYS_profile_total) \
	INSERT(spread, GASPDB_N_KEYS_spread) \
	INSERT(category_time, GASPDB_N_KEYS_category_time) \
	INSERT(bin, GASPDB_N_KEYS_bin) \
	INSERT(thread_bin, GASPDB_N_KEYS_thread_bin) \
	INSERT(source_bin, GASPDB_N_KEYS_source_bin) \
	INSERT(cache_total, GASPDB_BY_SQL) \
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

/* How many rows there are; collectives: calls. */
struct gaspdb_row_counts {
	int64_t events, p2p, collectives;
};

/* How the large tables are written; what comes of it is the same. */
enum gaspdb_writer {
	GASPDB_WRITER_PAGES,
	GASPDB_WRITER_INSERTS /* by SQLite, a prepared statement a table: many
				 times slower, to compare with */
};

/*
 * Begin a database that will be path.  FAILED: also if path exists and not
 * force.  thread: pages are written by a thread of their own.
 */
enum gaspdb_status gaspdb_store_open(struct gaspdb_store **store,
				     const char *path, bool force,
				     enum gaspdb_writer writer, bool thread,
				     struct gaspdb_error *err);

/* The large tables are complete: now gaspdb_store_db is the database. */
enum gaspdb_status gaspdb_store_settle(struct gaspdb_store *store,
				       struct gaspdb_error *err);

/* All is written: make it path. */
enum gaspdb_status gaspdb_store_finish(struct gaspdb_store *store,
				       struct gaspdb_error *err);

/* Free the store (NULL: nothing); what is not finished is removed. */
void gaspdb_store_close(struct gaspdb_store *store);

sqlite3 *gaspdb_store_db(struct gaspdb_store *store);
/* The name that it will take. */
const char *gaspdb_store_path(const struct gaspdb_store *store);
/* A failure to make the database names it: completes the message, unless that
   is of an interrupt.  Returns FAILED. */
enum gaspdb_status gaspdb_store_fail_named(const struct gaspdb_store *store,
					   struct gaspdb_error *err);
enum gaspdb_status gaspdb_store_status(const struct gaspdb_store *store,
				       struct gaspdb_error *err);

/* Values of a row, by GASPDB_TABLE_COLUMN; others are NULL. */
#define GASPDB_VALUES(table) (struct gaspdb_value[GASPDB_N_COLUMNS_##table])

/*
 * A row of all stored columns; an id that is NULL is chosen.  Large tables: fast in the
 * order of their ids or keys; a row that comes too late costs an insert.
 */
void gaspdb_insert(struct gaspdb_store *store, enum gaspdb_insert into,
		   const struct gaspdb_value *values);
/* The same of a large table's row that has but integers. */
void gaspdb_insert_ints(struct gaspdb_store *store, enum gaspdb_insert into,
			const int64_t *values);
/* The same of n rows, one behind the other, of a table by id. */
void gaspdb_insert_rows(struct gaspdb_store *store, enum gaspdb_insert into,
			const int64_t *rows, size_t n);
/* The same of one that has a text instead of the value of that column. */
void gaspdb_insert_text(struct gaspdb_store *store, enum gaspdb_insert into,
			const int64_t *values, unsigned column,
			const char *text);

/* The same of a table by id, with few and short texts. */
void gaspdb_insert_texts(struct gaspdb_store *store, enum gaspdb_insert into,
			 const int64_t *values,
			 const struct gaspdb_cell_text *texts,
			 unsigned n_texts);

/* A column of reals holds whole numbers below this as integers. */
#define GASPDB_WHOLE_MAX ((int64_t)1 << 47)
/* The same of one with a real of 0 or more in its last column. */
void gaspdb_insert_real(struct gaspdb_store *store, enum gaspdb_insert into,
			const int64_t *values, double last);

/*
 * When the store is settled, add to bytes and set peer (unless GASPDB_NULL) of
 * an event.
 */
void gaspdb_store_change(struct gaspdb_store *store, int64_t event,
			 int64_t bytes, int64_t peer);

/*
 * The same for the bytes of a row of profile (key: thread, source, nested) or
 * callpath_part (thread, source, callpath), if there is such a row.
 */
void gaspdb_store_add_bytes(struct gaspdb_store *store, enum gaspdb_insert into,
			    const int64_t key[3], int64_t bytes);

#endif
