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

/*
 * INSERT(table, by, columns, n): what the importer writes itself.  by: SQL; or
 * as pages, for there may be very many rows, which come in the order of their
 * id or, WITHOUT ROWID, of their key of so many columns.  One that comes too
 * late is inserted, and so joins them when the store is settled.
 */
enum { GASPDB_BY_SQL = -1, GASPDB_BY_ID = 0 };
#define GASPDB_INSERTS(INSERT)                                                  \
	INSERT(meta, GASPDB_BY_SQL, "key, value", 2)                            \
	INSERT(thread, GASPDB_BY_ID,                                            \
	       "id, rank, number, pid, tid, host, model, first_ns, last_ns, "   \
	       "complete, first_event, last_event, file",                       \
	       13)                                                              \
	INSERT(host, GASPDB_BY_SQL, "name, clock_error_ns", 2)                  \
	INSERT(thread_meta, 2, "thread_id, key, value", 3)                      \
	INSERT(recording, GASPDB_BY_ID,                                         \
	       "thread_id, raw_events, masked, event_cost_ns, tool_ns", 5)      \
	INSERT(processor_use, GASPDB_BY_SQL, "thread_id, used_ns, unserved_ns", \
	       3)                                                               \
	INSERT(unserved, GASPDB_BY_SQL,                                         \
	       "thread_id, event_id, start_ns, end_ns, time_ns", 5)             \
	INSERT(operation_type, GASPDB_BY_SQL, "type, category, description",    \
	       3)                                                               \
	INSERT(operation, GASPDB_BY_SQL,                                        \
	       "id, name, symbol, type, category, model, format", 7)            \
	INSERT(argument, GASPDB_BY_SQL, "id, operation_id, phase, name, code",  \
	       5)                                                               \
	INSERT(source, GASPDB_BY_ID,                                            \
	       "id, operation_id, file, line, function, column, module, "       \
	       "offset, function_offset",                                       \
	       9)                                                               \
	INSERT(event, GASPDB_BY_ID,                                             \
	       "id, thread_id, source_id, parent_id, start_ns, duration_ns, "   \
	       "self_ns, bytes, peer, object, nested, open",                    \
	       12)                                                              \
	INSERT(event_piece, 4,                                                  \
	       "thread_id, start_ns, last_start_ns, first_event, last_event",   \
	       5)                                                               \
	INSERT(long_event, GASPDB_BY_SQL,                                       \
	       "thread_id, end_ns, event_id, start_ns", 4)                      \
	INSERT(event_arg, GASPDB_BY_ID, "id, argument_id, value", 3)            \
	INSERT(segment, GASPDB_BY_SQL, "id, kind, name, bytes", 4)              \
	INSERT(object, GASPDB_BY_SQL, "id, segment_id, offset, name", 4)        \
	INSERT(team, GASPDB_BY_SQL,                                             \
	       "id, parent_id, ordinal, kind, name, size, inter", 7)            \
	INSERT(team_member, GASPDB_BY_SQL, "team_id, rank, thread_id", 3)       \
	INSERT(team_source, GASPDB_BY_SQL, "team_id, thread_id, first, n", 4)   \
	INSERT(p2p, GASPDB_BY_ID,                                               \
	       "id, thread_id, direction, post_event_id, complete_event_id, "   \
	       "team_id, peer, tag, bytes, posted_peer, posted_tag, "           \
	       "limit_bytes, posted_ns, completed_ns, request, number, state, " \
	       "error",                                                         \
	       18)                                                              \
	INSERT(collective_request, GASPDB_BY_SQL,                               \
	       "post_event_id, request, complete_event_id, unseen, "            \
	       "made_event_id, number",                                         \
	       6)                                                               \
	INSERT(gap, GASPDB_BY_SQL, "thread_id, kind, start_ns, end_ns", 4)      \
	INSERT(passed, GASPDB_BY_SQL,                                           \
	       "thread_id, ns, team_id, peer, tag, sends, receives", 7)         \
	INSERT(quality_kind, GASPDB_BY_SQL, "kind, severity, summary, advice",  \
	       4)                                                               \
	INSERT(quality, GASPDB_BY_SQL,                                          \
	       "kind, severity, thread_id, event_id, file, offset, count, "     \
	       "bytes, time_ns, detail",                                        \
	       10)                                                              \
	INSERT(profile, 3,                                                      \
	       "thread_id, source_id, nested, calls, total_ns, self_ns, "       \
	       "min_ns, max_ns, variation, bytes, open, raw_events, "           \
	       "recorded, inner_ns, again_ns",                                  \
	       15)                                                              \
	INSERT(callpath, GASPDB_BY_ID,                                          \
	       "id, parent_id, source_id, depth, position, last_position, "     \
	       "threads, calls, total_ns, self_ns, min_ns, max_ns, bytes, "     \
	       "longest_ns, longest_thread_id, computation_ns, most_ns, "       \
	       "most_thread_id, inner_ns, variation",                           \
	       20)                                                              \
	INSERT(region, GASPDB_BY_ID,                                            \
	       "id, source_id, threads, calls, total_ns, longest_ns, "          \
	       "longest_thread_id, computation_ns, most_ns, most_thread_id",    \
	       10)                                                              \
	INSERT(callpath_part, 3,                                                \
	       "thread_id, source_id, callpath_id, calls, total_ns, self_ns, "  \
	       "min_ns, max_ns, bytes, inner_ns, variation",                    \
	       11)                                                              \
	INSERT(profile_total, 3,                                                \
	       "grouping, nested, source_id, sources, threads, calls, "         \
	       "total_ns, inner_ns, self_ns, min_ns, max_ns, variation, "       \
	       "bytes, open, longest_ns, longest_thread_id, costed_calls, "     \
	       "costed_events, costed_ns, cost_ns, inside_ns",                  \
	       21)                                                              \
	INSERT(spread, 4,                                                       \
	       "grouping, nested, source_id, quantity, threads, total, "        \
	       "maximum, max_thread_id, minimum, min_thread_id, "               \
	       "first_other_id, square",                                        \
	       12)                                                              \
	INSERT(category_time, 2, "thread_id, category, time_ns", 3)             \
	INSERT(bin, 2, "start_ns, category, time_ns", 3)                        \
	INSERT(thread_bin, 3, "thread_id, start_ns, category, time_ns", 4)      \
	INSERT(source_bin, 3,                                                   \
	       "source_id, nested, start_ns, calls, total_ns, self_ns, bytes",  \
	       7)                                                               \
	INSERT(cache_total, GASPDB_BY_SQL,                                      \
	       "thread_id, source_id, what, events, bytes, line_bytes, "        \
	       "dirty_lines",                                                   \
	       7)                                                               \
	INSERT(traffic, 5,                                                      \
	       "thread_id, peer, source_id, direction, from_bytes, "            \
	       "operations, bytes, time_ns",                                    \
	       8)                                                               \
	INSERT(traffic_total, 4,                                                \
	       "initiator, owner, direction, from_bytes, operations, bytes, "   \
	       "time_ns",                                                       \
	       7)

enum gaspdb_insert {
#define INSERT(table, by, columns, n) GASPDB_INSERT_##table,
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

/*
 * A row; as many values as the insert has columns.  Large tables: fast in the
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
