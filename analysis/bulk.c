/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows that passes write in large numbers.  SQLite would take 1 us for each;
 * so they are gathered as what they will be in a page, a block in memory and
 * full ones in a file, and when the pass is over, between two transactions of
 * the connection, written as pages.  The connection notices by the file's
 * change counter, as it does when another process has written.
 */
#include "analysis/table.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/spool.h"
#include "sql/page_writer.h"

/* A block is as large as pays to be written alone. */
enum { KEYS_MAX = 4, BLOCK_BYTES = 64 << 10 };

/* Rows, each behind its length, with what may be read before them. */
struct block {
	size_t n; /* bytes */
	uint8_t before[GASPDB_CELLS_BEFORE];
	uint8_t cells[BLOCK_BYTES];
};

struct gaspdb_bulk {
	struct gaspdb_run *run;
	struct gaspdb_bulk *next;
	char table[32];
	unsigned columns, text_column;
	const char *const *texts;   /* NULL: no such column */
	unsigned keys;		    /* WITHOUT ROWID: so many columns; else 0 */
	int64_t last[KEYS_MAX];	    /* row's keys */
	uint32_t root;		    /* its page */
	sqlite3_stmt *insert;	    /* NULL: by pages */
	struct gaspdb_spool *spool; /* full blocks; NULL: there is none */
	struct block block;	    /* the rows after those */
	int64_t rows;
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

static sqlite3_stmt *prepare_insert(const struct gaspdb_bulk *b)
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

struct gaspdb_bulk *gaspdb_bulk_open(struct gaspdb_run *run, const char *table,
				     unsigned columns, unsigned text_column,
				     const char *const *texts)
{
	struct gaspdb_bulk *b = gaspdb_zeroed(run, 1, sizeof *b);

	assert(columns <= GASPDB_CELL_COLUMNS_MAX);
	if (!b)
		return NULL;
	b->run = run;
	b->columns = columns;
	b->text_column = text_column;
	b->texts = texts;
	snprintf(b->table, sizeof b->table, "%s", table);
	b->next = run->bulks;
	run->bulks = b;
	if (!gaspdb_pages_allowed(run->db) || !is_empty(run, table))
		b->insert = prepare_insert(b);
	return b;
}

struct gaspdb_bulk *gaspdb_bulk_open_keyed(struct gaspdb_run *run,
					   const char *table, unsigned columns,
					   unsigned keys, unsigned text_column,
					   const char *const *texts)
{
	struct gaspdb_bulk *b =
		gaspdb_bulk_open(run, table, columns, text_column, texts);

	assert(keys && keys <= KEYS_MAX);
	if (b)
		b->keys = keys;
	return b;
}

static void insert(struct gaspdb_bulk *b, const int64_t *values)
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
static bool follows(const struct gaspdb_bulk *b, const int64_t *values)
{
	if (!b->keys)
		return values[0] > b->last[0];
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
static bool in_order(struct gaspdb_bulk *b, const int64_t *values)
{
	if (b->rows && !follows(b, values)) {
		b->run->status = gaspdb_fail(b->run->err, GASPDB_FAILED,
					     "rows of table '%s' are not in "
					     "the order of their keys",
					     b->table);
		return false;
	}
	b->last[0] = values[0];
	for (unsigned i = 1; i < b->keys; i++)
		b->last[i] = values[i];
	return true;
}

static void spool_block(struct gaspdb_bulk *b)
{
	if (!b->spool)
		b->spool = gaspdb_spool_open(b->run);
	if (b->spool)
		gaspdb_spool_write(b->run, b->spool, &b->block,
				   sizeof b->block);
	b->block.n = 0;
}

static void put(struct gaspdb_bulk *b, const int64_t *values)
{
	const unsigned column = b->text_column;
	struct block *block = &b->block;
	struct gaspdb_cell_text text;
	uint16_t bytes;

	if (block->n + sizeof bytes + GASPDB_CELL_MAX > sizeof block->cells)
		spool_block(b);
	if (b->texts) {
		text.column = column;
		text.text = b->texts[values[column]];
		text.n = (unsigned)strlen(text.text);
	}
	bytes = (uint16_t)gaspdb_row_cell(
		block->cells + block->n + sizeof bytes, values, b->columns,
		b->keys, &text, b->texts != NULL);
	memcpy(block->cells + block->n, &bytes, sizeof bytes);
	block->n += sizeof bytes + bytes;
}

void gaspdb_bulk_add(struct gaspdb_bulk *b, const int64_t *values)
{
	if (!b || b->run->status != GASPDB_OK || !in_order(b, values))
		return;
	b->rows++;
	if (b->insert)
		insert(b, values);
	else
		put(b, values);
}

/* --- into the tables ------------------------------------------------------ */

/* Rows are in order, which in_order() has seen to. */
static void append_block(const struct gaspdb_bulk *b,
			 struct gaspdb_page_table *to)
{
	const bool appended =
		gaspdb_pages_append_cells(to, b->block.cells, b->block.n);

	assert(appended);
	(void)appended;
}

/* Where there are blocks in a file the last one joins them. */
static void append_rows(struct gaspdb_bulk *b, struct gaspdb_page_table *to)
{
	int64_t blocks = 0;

	if (b->spool) {
		spool_block(b);
		blocks =
			gaspdb_spool_bytes(b->spool) / (int64_t)sizeof b->block;
		gaspdb_spool_rewind(b->run, b->spool);
	}
	while (blocks-- > 0 && !gaspdb_run_stopped(b->run) &&
	       gaspdb_spool_read(b->run, b->spool, &b->block, sizeof b->block))
		append_block(b, to);
	if (!b->spool)
		append_block(b, to);
}

static enum gaspdb_status append_all(struct gaspdb_run *run,
				     struct gaspdb_pages *pages)
{
	for (struct gaspdb_bulk *b = run->bulks; b; b = b->next)
		if (!b->insert && b->rows)
			append_rows(
				b, b->keys ? gaspdb_pages_keyed(pages, b->root,
								b->columns)
					   : gaspdb_pages_table(pages, b->root,
								b->columns, 0));
	return run->status ? run->status : gaspdb_pages_finish(pages, run->err);
}

static void write_pages(struct gaspdb_run *run)
{
	const char *path = sqlite3_db_filename(run->db, "main");
	struct gaspdb_pages *pages = NULL;
	sqlite3_stmt *stmt = NULL;

	for (struct gaspdb_bulk *b = run->bulks; b; b = b->next)
		b->root = gaspdb_pages_root(run->db, b->table);
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

void gaspdb_bulk_move(struct gaspdb_run *from, struct gaspdb_run *to)
{
	assert(!to->bulks);
	to->bulks = from->bulks;
	from->bulks = NULL;
	for (struct gaspdb_bulk *b = to->bulks; b; b = b->next)
		b->run = to;
}

void gaspdb_bulk_finish(struct gaspdb_run *run)
{
	struct gaspdb_bulk *b, *next;
	bool any = false;

	for (b = run->bulks; b; b = b->next)
		any |= !b->insert && b->rows;
	if (any && run->status == GASPDB_OK)
		write_pages(run);
	for (b = run->bulks; b; b = next) {
		next = b->next;
		sqlite3_finalize(b->insert);
		gaspdb_spool_close(b->spool);
		free(b);
	}
	run->bulks = NULL;
}
