/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows that passes write in large numbers.  SQLite would take 1 us for each;
 * so they are put into the leaves of the table's tree, the last in memory and
 * those before in a file, and when the pass is over, between two transactions
 * of the connection, they are written to the database with what is above them.
 * The connection notices by the file's change counter, as it does when another
 * process has written.
 */
#include "analysis/rows/table.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rows/spool.h"
#include "sql/store/btree/page_leaf.h"
#include "sql/store/btree/page_writer.h"

enum { KEYS_MAX = 4 };

/* So many bytes of leaves are in memory: as large as pays to be written alone,
   and a page at least. */
enum { BLOCK_BYTES = 64 << 10 };

/* Rows are put there many at a time, which takes half as long. */
enum { ROWS_VALUES = 512 };

struct gaspdb_table_writer {
	struct gaspdb_table_writer_head head; /* of rows */
	struct gaspdb_run *run;
	struct gaspdb_table_writer *next;
	char table[32];
	unsigned columns, text_column;
	const char *const *texts;    /* NULL: no such column */
	bool keyed;		     /* WITHOUT ROWID */
	unsigned keys;		     /* so many columns */
	int64_t last[KEYS_MAX];	     /* row's keys */
	uint32_t root;		     /* its page */
	struct gaspdb_columns holds; /* what its columns may hold */
	sqlite3_stmt *insert;	     /* NULL: by pages */
	struct gaspdb_spool *spool;  /* leaves; NULL: there are none */
	size_t page_bytes, usable;   /* of a leaf */
	uint8_t *block;		     /* the leaves after those */
	size_t n_block, block_bytes; /* of them, but for the last; of it */
	struct gaspdb_leaf leaf;     /* that one */
	struct gaspdb_row_maker maker;
	bool any;		   /* rows there */
	int64_t rows[ROWS_VALUES]; /* the last, not there yet */
};

static bool is_empty(struct gaspdb_run *run, const char *table)
{
	char sql[96];
	sqlite3_stmt *stmt;
	bool empty;

	sqlite3_snprintf(sizeof sql, sql, "SELECT 1 FROM %w LIMIT 1", table);
	stmt = gaspdb_prepare(run, sql);
	empty = !gaspdb_row(run, stmt);
	sqlite3_finalize(stmt);
	return empty;
}

static sqlite3_stmt *prepare_insert(const struct gaspdb_table_writer *b)
{
	char sql[256];
	size_t n = (size_t)snprintf(sql, sizeof sql, "INSERT INTO %s VALUES",
				    b->table);

	for (unsigned i = 0; i < b->columns; i++)
		n += (size_t)snprintf(sql + n, sizeof sql - n, "%c?",
				      i ? ',' : '(');
	snprintf(sql + n, sizeof sql - n, ")");
	return gaspdb_prepare(b->run, sql);
}

/* Bytes of a page, of which the file has none yet, maybe.  false: not every row
   is sure to have room. */
static bool find_sizes(struct gaspdb_table_writer *b)
{
	sqlite3 *db = b->run->db;
	sqlite3_stmt *stmt = gaspdb_prepare(b->run, "PRAGMA page_size");
	int reserved = -1; /* asks */

	if (gaspdb_row(b->run, stmt))
		b->page_bytes = (size_t)sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	sqlite3_file_control(db, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved);
	if (!b->page_bytes || reserved < 0)
		return false;
	b->usable = b->page_bytes - (size_t)reserved;
	b->block_bytes = BLOCK_BYTES / b->page_bytes * b->page_bytes;
	return gaspdb_row_fits(&b->maker, b->usable);
}

static struct gaspdb_table_writer *
open_bulk(struct gaspdb_run *run, const char *table, unsigned columns,
	  unsigned keys, unsigned text_column, const char *const *texts)
{
	struct gaspdb_table_writer *b = gaspdb_zeroed(run, 1, sizeof *b);

	if (!b)
		return NULL;
	b->run = run;
	b->columns = columns;
	b->head.columns = columns;
	b->head.next = b->rows;
	b->head.end = b->rows + ROWS_VALUES / columns * columns;
	b->keyed = keys > 0;
	b->keys = keys ? keys : 1;
	b->texts = texts;
	b->text_column = text_column;
	gaspdb_row_maker_init(&b->maker, columns, keys > 0, text_column, texts);
	snprintf(b->table, sizeof b->table, "%s", table);
	b->next = run->bulks;
	run->bulks = b;
	if (!gaspdb_pages_allowed(run->db) || !is_empty(run, table) ||
	    !find_sizes(b))
		b->insert = prepare_insert(b);
	b->head.at_once = b->insert != NULL;
	return b;
}

struct gaspdb_table_writer *gaspdb_table_writer_open(struct gaspdb_run *run,
						     const char *table,
						     unsigned columns,
						     unsigned text_column,
						     const char *const *texts)
{
	return open_bulk(run, table, columns, 0, text_column, texts);
}

struct gaspdb_table_writer *
gaspdb_table_writer_open_keyed(struct gaspdb_run *run, const char *table,
			       unsigned columns, unsigned keys,
			       unsigned text_column, const char *const *texts)
{
	assert(keys && keys <= KEYS_MAX);
	return open_bulk(run, table, columns, keys, text_column, texts);
}

static void insert(struct gaspdb_table_writer *b, const int64_t *values)
{
	gaspdb_bind(b->run, b->insert, b->columns, values);
	if (b->texts && b->run->status == GASPDB_OK)
		sqlite3_bind_text(b->insert, (int)b->text_column + 1,
				  b->texts[values[b->text_column]], -1,
				  SQLITE_STATIC);
	gaspdb_row(b->run, b->insert);
	sqlite3_reset(b->insert);
}

/* Does a row come after the one before?  Numbers of texts are not in the order
   of these, which SQLite's is. */
static bool follows(const struct gaspdb_table_writer *b, const int64_t *values)
{
	for (unsigned i = 0; i < b->keys; i++) {
		if (values[i] == b->last[i])
			continue;
		if (b->texts && i == b->text_column)
			return strcmp(b->texts[values[i]],
				      b->texts[b->last[i]]) > 0;
		return values[i] > b->last[i];
	}
	return false;
}

/* Pages can only be written in order; a pass that has none must not go on
   without its rows. */
static void fail_order(struct gaspdb_table_writer *b)
{
	b->run->status = gaspdb_fail(b->run->err, GASPDB_FAILED,
				     "rows of table '%s' are not in the order "
				     "of their keys",
				     b->table);
}

static void see_order(struct gaspdb_table_writer *b, const int64_t *rows,
		      size_t n)
{
	for (size_t i = 0; i < n; i++, rows += b->columns) {
		if ((b->any || i) && !follows(b, rows)) {
			fail_order(b);
			return;
		}
		for (unsigned k = 0; k < b->keys; k++)
			b->last[k] = rows[k];
	}
}

static void insert_rows(struct gaspdb_table_writer *b, const int64_t *rows,
			size_t n)
{
	for (; n && b->run->status == GASPDB_OK; n--, rows += b->columns)
		insert(b, rows);
}

static void spool_block(struct gaspdb_table_writer *b)
{
	if (!b->spool)
		b->spool = gaspdb_spool_open(b->run);
	if (b->spool)
		gaspdb_spool_write(b->run, b->spool, b->block, b->n_block);
	b->n_block = 0;
}

/* What has begun, if anything, is whole. */
static void end_leaf(struct gaspdb_table_writer *b)
{
	if (!b->leaf.cells)
		return;
	gaspdb_leaf_finish(&b->leaf, b->keyed ? GASPDB_PAGE_INDEX_LEAF
					      : GASPDB_PAGE_LEAF);
	b->n_block += b->page_bytes;
	b->leaf.cells = 0;
}

static void begin_leaf(struct gaspdb_table_writer *b)
{
	gaspdb_run_count_pages(b->run, 1);
	end_leaf(b);
	if (!b->block)
		b->block = gaspdb_zeroed(b->run, 1, b->block_bytes);
	if (b->n_block == b->block_bytes)
		spool_block(b);
	if (b->block)
		gaspdb_leaf_empty(&b->leaf, b->block + b->n_block, b->usable);
}

static void put_rows(struct gaspdb_table_writer *b, const int64_t *rows,
		     size_t n)
{
	while (b->run->status == GASPDB_OK) {
		const size_t put =
			gaspdb_leaf_fill(&b->leaf, &b->maker, rows, n);

		rows += put * b->columns;
		n -= put;
		if (!n)
			return;
		if (gaspdb_row_follows(&b->maker, rows))
			begin_leaf(b);
		else
			fail_order(b);
	}
}

void gaspdb_table_writer_append(struct gaspdb_table_writer *b)
{
	const size_t n = (size_t)(b->head.next - b->rows) / b->columns;

	b->head.next = b->rows;
	if (!n || b->run->status != GASPDB_OK)
		return;
	if (b->insert || b->keyed) /* else it is seen when they are put */
		see_order(b, b->rows, n);
	b->any = true;
	if (b->insert)
		insert_rows(b, b->rows, n);
	else
		put_rows(b, b->rows, n);
}

/* --- into the tables ------------------------------------------------------ */

/* Rows are in order, which see_order() or the row maker has seen to. */
static void append_block(const struct gaspdb_table_writer *b,
			 struct gaspdb_page_table *to)
{
	for (size_t at = 0; at < b->n_block; at += b->page_bytes)
		gaspdb_pages_append_leaf(to, b->block + at);
}

/* false: there is no more. */
static bool read_block(struct gaspdb_table_writer *b, int64_t *left)
{
	const int64_t most = (int64_t)b->block_bytes;

	b->n_block = (size_t)(*left < most ? *left : most);
	*left -= (int64_t)b->n_block;
	gaspdb_run_count_pages(b->run, b->n_block / b->page_bytes);
	return b->n_block && !gaspdb_run_stopped(b->run) &&
	       gaspdb_spool_read(b->run, b->spool, b->block, b->n_block);
}

/* Where there are leaves in a file the last ones join them. */
static void append_rows(struct gaspdb_table_writer *b,
			struct gaspdb_page_table *to)
{
	int64_t left;

	end_leaf(b);
	if (!b->spool) {
		append_block(b, to);
		return;
	}
	spool_block(b);
	left = gaspdb_spool_bytes(b->spool);
	gaspdb_spool_rewind(b->run, b->spool);
	while (read_block(b, &left))
		append_block(b, to);
}

static struct gaspdb_page_table *open_table(const struct gaspdb_table_writer *b,
					    struct gaspdb_pages *pages)
{
	return b->keyed ? gaspdb_pages_keyed(pages, b->root, &b->holds)
			: gaspdb_pages_table(pages, b->root, &b->holds, 0);
}

static enum gaspdb_status append_all(struct gaspdb_run *run,
				     struct gaspdb_pages *pages)
{
	for (struct gaspdb_table_writer *b = run->bulks; b; b = b->next)
		if (!b->insert && b->any)
			append_rows(b, open_table(b, pages));
	return run->status ? run->status : gaspdb_pages_finish(pages, run->err);
}

static void find_table(struct gaspdb_table_writer *b)
{
	struct gaspdb_run *run = b->run;

	b->root = gaspdb_pages_root(run->db, b->table);
	if (run->status == GASPDB_OK &&
	    (!gaspdb_columns_of(run->db, b->table, b->keyed, &b->holds) ||
	     b->holds.n != b->columns))
		run->status = gaspdb_fail(run->err, GASPDB_FAILED,
					  "table '%s' has not %u columns",
					  b->table, b->columns);
}

/* No transaction lasts, and no statement: SQLite looks at the file again. */
static void write_pages(struct gaspdb_run *run)
{
	const char *path = sqlite3_db_filename(run->db, "main");
	struct gaspdb_pages *pages = NULL;
	sqlite3_stmt *stmt = NULL;

	for (struct gaspdb_table_writer *b = run->bulks; b; b = b->next)
		find_table(b);
	/* One that still reads would keep SQLite from looking at the file. */
	while ((stmt = sqlite3_next_stmt(run->db, stmt)))
		sqlite3_reset(stmt);
	gaspdb_exec(run, "COMMIT");
	if (run->status == GASPDB_OK)
		run->status = gaspdb_pages_open(&pages, path, 0, run->err);
	if (run->status == GASPDB_OK)
		run->status = append_all(run, pages);
	gaspdb_pages_close(pages);
	gaspdb_exec(run, "BEGIN EXCLUSIVE");
}

void gaspdb_table_writer_finish(struct gaspdb_run *run)
{
	struct gaspdb_table_writer *b, *next;
	bool any = false;

	for (b = run->bulks; b; b = b->next) {
		gaspdb_table_writer_append(b);
		any |= !b->insert && b->any;
	}
	if (any && run->status == GASPDB_OK)
		write_pages(run);
	else if (gaspdb_pages_allowed(run->db) &&
		 !sqlite3_get_autocommit(run->db))
		gaspdb_exec(run, "COMMIT; BEGIN EXCLUSIVE");
	for (b = run->bulks; b; b = next) {
		next = b->next;
		sqlite3_finalize(b->insert);
		gaspdb_spool_close(b->spool);
		free(b->block);
		free(b);
	}
	run->bulks = NULL;
}
