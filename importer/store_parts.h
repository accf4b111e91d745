/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the store consists of: store.c (rows), store_file.c (the file). */
#ifndef GASPDB_STORE_PARTS_H
#define GASPDB_STORE_PARTS_H

#include "sql/page_writer.h"
#include "store.h"

struct gaspdb_store_table {
	const char *table, *columns;
	int n;
};

extern const struct gaspdb_store_table gaspdb_store_tables[GASPDB_N_INSERTS];

struct gaspdb_store {
	sqlite3 *db;
	char *path, *temporary;
	bool force, finished;
	struct gaspdb_error err;	/* the first */
	struct gaspdb_pages *pages;	/* NULL: settled, or by inserts alone */
	uint64_t page_rows, other_rows; /* others: of connections closed */
	struct inserter {
		struct gaspdb_page_table *pages; /* NULL: inserts */
		sqlite3_stmt *one, *many;
		int n; /* rows waiting */
		struct gaspdb_value *rows;
	} inserters[GASPDB_N_INSERTS];
	sqlite3_stmt **cached[8]; /* others' statements, to finalize */
	int n_cached;
	sqlite3_stmt *change;
};

/* Those of which there may be as many as events. */
bool gaspdb_store_is_large(enum gaspdb_insert into);

/* Rows that were gathered are written. */
void gaspdb_store_flush(struct gaspdb_store *s);
/* SQLite's message becomes the store's, if it is the first. */
void gaspdb_store_fail(struct gaspdb_store *s, const char *what);

#endif
