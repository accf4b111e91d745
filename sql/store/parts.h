/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the store: store.c (rows), file.c (the file), name.c (its final
   name), stale.c (its temporary name). */
#ifndef GASPDB_SQL_STORE_PARTS_H
#define GASPDB_SQL_STORE_PARTS_H

#include "sql/store/btree/page_writer.h"
#include "sql/store/store.h"

#define KEY_MAX 5 /* columns of a key, at most */

struct gaspdb_store_table {
	const char *table, *columns;
	int n, by;
};

extern const struct gaspdb_store_table gaspdb_store_tables[GASPDB_N_INSERTS];

struct gaspdb_store {
	sqlite3 *db;
	sqlite3 *small; /* the other database until the store is settled: while
			   pages are written, db has the inserts and small is
			   the file of the pages */
	char *path, *temporary;
	bool named;  /* temporary exists and is this store's */
	int lock_fd; /* holds its lock, if the file system has locks; -1: closed
		      */
	bool force;
	struct gaspdb_error err;    /* first failure */
	struct gaspdb_pages *pages; /* NULL: settled, or inserts only */
	struct inserter {
		struct gaspdb_page_table *pages; /* NULL: inserts */
		sqlite3_stmt *insert;
		bool any; /* rows were inserted */
		/* The number of key columns, and the key of the last row. */
		unsigned key;
		bool cells; /* rows are encoded here */
		int64_t rows;
		struct gaspdb_value last[KEY_MAX];
		char *text[KEY_MAX];
		size_t room[KEY_MAX];
	} inserters[GASPDB_N_INSERTS];
	sqlite3_stmt *change; /* NULL before the first change */
	bool changes;	      /* any change was recorded */
};

/* May several logs hold the same row? The first one counts. */
bool gaspdb_store_may_repeat(enum gaspdb_insert into);

/* Determine the output path. FAILED: an existing file must stay. */
enum gaspdb_status gaspdb_store_choose_name(struct gaspdb_store *s,
					    const char *path,
					    struct gaspdb_error *err);
/* Create an empty file in the same folder, under a unique name. */
enum gaspdb_status gaspdb_store_create(struct gaspdb_store *s,
				       struct gaspdb_error *err);
/* Move the complete file to the output path. */
enum gaspdb_status gaspdb_store_take_name(struct gaspdb_store *s,
					  struct gaspdb_error *err);
/* Release the lock: the temporary name is gone. */
void gaspdb_store_unlock(struct gaspdb_store *s);
/* Remove the temporary file, if it exists. */
void gaspdb_store_remove(struct gaspdb_store *s);
/* Remove temporary files of the same path whose process is certainly dead. */
void gaspdb_store_remove_stale(const struct gaspdb_store *s);

/* Record SQLite's message as the store's failure, if it is the first. */
void gaspdb_store_fail(struct gaspdb_store *s, const char *what);

/* An INSERT statement of a table; NULL: failed. */
sqlite3_stmt *gaspdb_store_prepare(struct gaspdb_store *s,
				   enum gaspdb_insert into);

#endif
