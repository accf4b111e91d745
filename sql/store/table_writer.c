/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bulk writer of the rows of passes. An INSERT takes 1 us for each row. So rows
 * are encoded into the leaves of the table's tree: the last in memory, earlier
 * ones in a temporary file. After the pass, between two transactions of the
 * connection, the leaves and the interior pages are written to the database.
 * The connection notices the file's change counter, as after a write of another
 * process.
 */
#include "sql/store/table.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/file_at.h"
#include "common/temporary_file.h"
#include "sql/store/btree/page_leaf.h"
#include "sql/store/btree/page_reader.h"
#include "sql/store/btree/page_writer.h"

enum { KEYS_MAX = 4 };

/* Bytes of leaves in memory: large enough for efficient writes, and a page at
   least. */
enum { BLOCK_BYTES = 64 << 10 };

/* Values of rows encoded together, which takes half the time. */
enum { ROWS_VALUES = 512 };

struct gaspdb_table_writer {
	struct gaspdb_table_writer_head head; /* of rows */
	struct gaspdb_tables *in;
	struct gaspdb_table_writer *next;
	char table[32];
	unsigned columns, text_column;
	const char *const *texts;    /* NULL: no text column */
	bool keyed;		     /* WITHOUT ROWID */
	unsigned keys;		     /* columns of the key */
	int64_t last[KEYS_MAX];	     /* key of the last row */
	uint32_t root;		     /* root page */
	struct gaspdb_columns holds; /* what its columns may hold */
	sqlite3_stmt *insert;	     /* NULL: as pages */
	int fd;			     /* temporary file of leaves; -1: none */
	off_t spooled;		     /* bytes in the temporary file */
	size_t page_bytes, usable;   /* of a leaf */
	uint8_t *block;		     /* leaves in memory */
	size_t n_block,
		block_bytes; /* bytes of complete leaves; capacity of block */
	struct gaspdb_leaf leaf; /* the leaf under construction */
	struct gaspdb_row_maker maker;
	bool any;		   /* any row was written */
	int64_t rows[ROWS_VALUES]; /* buffered rows, not encoded yet */
};

static void fail(struct gaspdb_tables *in)
{
	if (*in->status == GASPDB_OK)
		*in->status = gaspdb_fail(in->err, GASPDB_FAILED,
					  "cannot write '%s': %s",
					  sqlite3_db_filename(in->db, "main"),
					  sqlite3_errmsg(in->db));
}

static void fail_file(struct gaspdb_table_writer *b)
{
	if (*b->in->status == GASPDB_OK)
		*b->in->status = gaspdb_fail_errno(
			b->in->err, "cannot use a temporary file beside '%s'",
			sqlite3_db_filename(b->in->db, "main"));
}

static void execute(struct gaspdb_tables *in, const char *sql)
{
	if (*in->status == GASPDB_OK &&
	    sqlite3_exec(in->db, sql, NULL, NULL, NULL))
		fail(in);
}

static sqlite3_stmt *prepare(const struct gaspdb_table_writer *b,
			     const char *sql)
{
	sqlite3_stmt *stmt = NULL;

	if (*b->in->status == GASPDB_OK &&
	    sqlite3_prepare_v2(b->in->db, sql, -1, &stmt, NULL))
		fail(b->in);
	return stmt;
}

/* The integer in the first row of a SELECT; no row: `otherwise`. */
static int64_t select_int(const struct gaspdb_table_writer *b, const char *sql,
			  int64_t otherwise)
{
	sqlite3_stmt *stmt = prepare(b, sql);

	if (stmt && sqlite3_step(stmt) == SQLITE_ROW)
		otherwise = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return otherwise;
}

static bool is_empty(const struct gaspdb_table_writer *b)
{
	char sql[96];

	sqlite3_snprintf(sizeof sql, sql, "SELECT 1 FROM %w LIMIT 1", b->table);
	return !select_int(b, sql, 0);
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
	return prepare(b, sql);
}

/* Determine the page size; the file may have no page yet. false: some row may
   not fit into a cell. */
static bool find_sizes(struct gaspdb_table_writer *b)
{
	int reserved = -1; /* -1 queries */

	b->page_bytes = (size_t)select_int(b, "PRAGMA page_size", 0);
	sqlite3_file_control(b->in->db, "main", SQLITE_FCNTL_RESERVE_BYTES,
			     &reserved);
	if (!b->page_bytes || reserved < 0)
		return false;
	b->usable = b->page_bytes - (size_t)reserved;
	b->block_bytes = BLOCK_BYTES / b->page_bytes * b->page_bytes;
	return gaspdb_row_fits(&b->maker, b->usable);
}

static void *allocate(struct gaspdb_tables *in, size_t bytes)
{
	void *p = calloc(1, bytes);

	if (!p)
		*in->status = gaspdb_fail(in->err, GASPDB_FAILED,
					  "out of memory in an analysis");
	return p;
}

static struct gaspdb_table_writer *
open_bulk(struct gaspdb_tables *in, const char *table, unsigned columns,
	  unsigned keys, unsigned text_column, const char *const *texts)
{
	struct gaspdb_table_writer *b =
		*in->status == GASPDB_OK ? allocate(in, sizeof *b) : NULL;

	if (!b)
		return NULL;
	b->in = in;
	b->fd = -1;
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
	b->next = in->writers;
	in->writers = b;
	if (!gaspdb_pages_allowed(in->db) || !is_empty(b) || !find_sizes(b))
		b->insert = prepare_insert(b);
	b->head.at_once = b->insert != NULL;
	return b;
}

struct gaspdb_table_writer *gaspdb_table_writer_open(struct gaspdb_tables *in,
						     const char *table,
						     unsigned columns,
						     unsigned text_column,
						     const char *const *texts)
{
	return open_bulk(in, table, columns, 0, text_column, texts);
}

struct gaspdb_table_writer *
gaspdb_table_writer_open_keyed(struct gaspdb_tables *in, const char *table,
			       unsigned columns, unsigned keys,
			       unsigned text_column, const char *const *texts)
{
	assert(keys && keys <= KEYS_MAX);
	return open_bulk(in, table, columns, keys, text_column, texts);
}

static void insert(struct gaspdb_table_writer *b, const int64_t *values)
{
	for (unsigned i = 0; i < b->columns; i++)
		if (values[i] == GASPDB_NULL)
			sqlite3_bind_null(b->insert, (int)i + 1);
		else if (b->texts && i == b->text_column)
			sqlite3_bind_text(b->insert, (int)i + 1,
					  b->texts[values[i]], -1,
					  SQLITE_STATIC);
		else
			sqlite3_bind_int64(b->insert, (int)i + 1, values[i]);
	if (sqlite3_step(b->insert) != SQLITE_DONE)
		fail(b->in);
	sqlite3_reset(b->insert);
}

/* Does a row follow the last one? Numbers of texts are not in the order of the
   texts, which is SQLite's. */
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

/*
 * Fail the pass: pages need rows in order, and the pass needs all of its rows.
 */
static void fail_order(struct gaspdb_table_writer *b)
{
	*b->in->status = gaspdb_fail(b->in->err, GASPDB_FAILED,
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
	for (; n && *b->in->status == GASPDB_OK; n--, rows += b->columns)
		insert(b, rows);
}

static void spool_block(struct gaspdb_table_writer *b)
{
	if (b->fd < 0)
		b->fd = gaspdb_temporary_file_open(
			sqlite3_db_filename(b->in->db, "main"));
	if (b->fd < 0 ||
	    !gaspdb_write_at(b->fd, b->block, b->n_block, b->spooled))
		fail_file(b);
	b->spooled += (off_t)b->n_block;
	b->n_block = 0;
}

/* Finish the leaf under construction, if any. */
static void end_leaf(struct gaspdb_table_writer *b)
{
	if (!b->leaf.cells)
		return;
	gaspdb_leaf_finish(&b->leaf, b->keyed ? GASPDB_PAGE_INDEX_LEAF
					      : GASPDB_PAGE_LEAF);
	b->n_block += b->page_bytes;
	b->leaf.cells = 0;
}

static void count_pages(const struct gaspdb_table_writer *b, size_t n)
{
	if (b->in->on_pages)
		b->in->on_pages(b->in->user, (unsigned)n);
}

static void begin_leaf(struct gaspdb_table_writer *b)
{
	count_pages(b, 1);
	end_leaf(b);
	if (!b->block)
		b->block = allocate(b->in, b->block_bytes);
	if (b->n_block == b->block_bytes)
		spool_block(b);
	if (b->block)
		gaspdb_leaf_empty(&b->leaf, b->block + b->n_block, b->usable);
}

static void put_rows(struct gaspdb_table_writer *b, const int64_t *rows,
		     size_t n)
{
	while (*b->in->status == GASPDB_OK) {
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
	if (!n || *b->in->status != GASPDB_OK)
		return;
	if (b->insert || b->keyed) /* otherwise the encoder checks */
		see_order(b, b->rows, n);
	b->any = true;
	if (b->insert)
		insert_rows(b, b->rows, n);
	else
		put_rows(b, b->rows, n);
}

/* --- into the tables ------------------------------------------------------ */

/* Append the leaves in memory. see_order() or the encoder has checked their
   order. */
static void append_block(const struct gaspdb_table_writer *b,
			 struct gaspdb_page_table *to)
{
	for (size_t at = 0; at < b->n_block; at += b->page_bytes)
		gaspdb_pages_append_leaf(to, b->block + at);
}

/* Append all leaves. With a temporary file, the leaves in memory are written to
   it first. */
static void append_rows(struct gaspdb_table_writer *b,
			struct gaspdb_page_table *to)
{
	end_leaf(b);
	if (b->fd < 0) {
		append_block(b, to);
		return;
	}
	spool_block(b);
	for (off_t at = 0; at < b->spooled; at += (off_t)b->n_block) {
		const size_t left = (size_t)(b->spooled - at);

		b->n_block = left < b->block_bytes ? left : b->block_bytes;
		count_pages(b, b->n_block / b->page_bytes);
		if (gaspdb_tables_failed(b->in))
			return;
		if (!gaspdb_read_at(b->fd, b->block, b->n_block, at)) {
			fail_file(b);
			return;
		}
		append_block(b, to);
	}
}

static struct gaspdb_page_table *open_table(const struct gaspdb_table_writer *b,
					    struct gaspdb_pages *pages)
{
	return b->keyed ? gaspdb_pages_keyed(pages, b->root, &b->holds)
			: gaspdb_pages_table(pages, b->root, &b->holds, 0);
}

static enum gaspdb_status append_all(struct gaspdb_tables *in,
				     struct gaspdb_pages *pages)
{
	for (struct gaspdb_table_writer *b = in->writers; b; b = b->next)
		if (!b->insert && b->any)
			append_rows(b, open_table(b, pages));
	return *in->status ? *in->status : gaspdb_pages_finish(pages, in->err);
}

static void find_table(struct gaspdb_table_writer *b)
{
	struct gaspdb_tables *in = b->in;

	b->root = gaspdb_pages_root(in->db, b->table);
	if (*in->status == GASPDB_OK &&
	    (!gaspdb_columns_of(in->db, b->table, b->keyed, &b->holds) ||
	     b->holds.n != b->columns))
		*in->status = gaspdb_fail(in->err, GASPDB_FAILED,
					  "table '%s' has not %u columns",
					  b->table, b->columns);
}

/* Write all tables between two transactions. No statement is active, so SQLite
   reads the file again. */
static void write_pages(struct gaspdb_tables *in)
{
	const char *path = sqlite3_db_filename(in->db, "main");
	struct gaspdb_pages *pages = NULL;
	sqlite3_stmt *stmt = NULL;

	for (struct gaspdb_table_writer *b = in->writers; b; b = b->next)
		find_table(b);
	/* An active statement would keep SQLite from reading the file again. */
	while ((stmt = sqlite3_next_stmt(in->db, stmt)))
		sqlite3_reset(stmt);
	execute(in, "COMMIT");
	if (*in->status == GASPDB_OK)
		*in->status = gaspdb_pages_open(&pages, path, 0, in->err);
	if (*in->status == GASPDB_OK)
		*in->status = append_all(in, pages);
	gaspdb_pages_close(pages);
	execute(in, "BEGIN EXCLUSIVE");
}

void gaspdb_table_writer_finish(struct gaspdb_tables *in)
{
	struct gaspdb_table_writer *b, *next;
	bool any = false;

	for (b = in->writers; b; b = b->next) {
		gaspdb_table_writer_append(b);
		any |= !b->insert && b->any;
	}
	if (any && *in->status == GASPDB_OK)
		write_pages(in);
	else if (gaspdb_pages_allowed(in->db) &&
		 !sqlite3_get_autocommit(in->db))
		execute(in, "COMMIT; BEGIN EXCLUSIVE");
	for (b = in->writers; b; b = next) {
		next = b->next;
		sqlite3_finalize(b->insert);
		if (b->fd >= 0)
			close(b->fd);
		free(b->block);
		free(b);
	}
	in->writers = NULL;
}
