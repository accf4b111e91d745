/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of chunks that are results of SQL. */
#include "cli/html/tables.h"

#include <stddef.h>

#include "cli/html/chunk.h"
#include "sql/page/page.h"

struct table {
	const char *chunk, *sql;
};

/* What the first screen needs. */
static const struct table first[] = {
	{ "meta", gaspdb_sql_page_meta },
	{ "threads", gaspdb_sql_page_threads },
	{ "sources", gaspdb_sql_page_sources },
	{ "bins", gaspdb_sql_page_bins },
	{ "wait_bins", gaspdb_sql_page_wait_bins },
	{ "wait_totals", gaspdb_sql_page_wait_totals },
	{ "profile", gaspdb_sql_page_profile },
	{ "longest_waits", gaspdb_sql_page_longest_waits },
	{ "category_sums", gaspdb_sql_page_category_sums },
	{ "categories", gaspdb_sql_page_categories },
	{ "thread_waits", gaspdb_sql_page_thread_waits },
	{ "thread_path", gaspdb_sql_page_thread_path },
	{ "teams", gaspdb_sql_page_teams },
	{ "gaps", gaspdb_sql_page_gaps },
	{ "wholes", gaspdb_sql_page_wholes },
	{ NULL, NULL },
};
/* What is inflated when it is looked at. */
static const struct table rest[] = {
	{ "events", gaspdb_sql_page_events },
	{ "waits", gaspdb_sql_page_waits },
	{ "messages", gaspdb_sql_page_messages },
	{ "collectives", gaspdb_sql_page_collectives },
	{ "collective_calls", gaspdb_sql_page_collective_calls },
	{ "path", gaspdb_sql_page_path },
	{ "between", gaspdb_sql_page_between },
	{ "arguments", gaspdb_sql_page_arguments },
	{ "argument_names", gaspdb_sql_page_argument_names },
	{ "source_bins", gaspdb_sql_page_source_bins },
	{ "balance", gaspdb_sql_page_balance },
	{ "traffic", gaspdb_sql_page_traffic },
	{ "sizes", gaspdb_sql_page_sizes },
	{ "callpaths", gaspdb_sql_page_callpaths },
	{ "lock_uses", gaspdb_sql_page_lock_uses },
	{ "entities", gaspdb_sql_page_entities },
	{ "entity_attributes", gaspdb_sql_page_entity_attributes },
	{ "entity_bins", gaspdb_sql_page_entity_bins },
	{ NULL, NULL },
};

static enum gaspdb_status write_tables(struct gaspdb_report *r, FILE *out,
				       const struct table *t)
{
	enum gaspdb_status status = GASPDB_OK;

	for (; t->chunk && status == GASPDB_OK; t++) {
		sqlite3_stmt *stmt = gaspdb_chunk_prepare(r, t->sql);

		if (!stmt)
			return r->err.status;
		status = gaspdb_chunk_write_rows(out, t->chunk, stmt, &r->err);
		sqlite3_finalize(stmt);
	}
	return status;
}

enum gaspdb_status gaspdb_tables_write_first(struct gaspdb_report *r, FILE *out)
{
	return write_tables(r, out, first);
}

enum gaspdb_status gaspdb_tables_write_rest(struct gaspdb_report *r, FILE *out)
{
	return write_tables(r, out, rest);
}
