/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the store consists of: store.c (rows), file.c (the file),
   name.c (its name), stale.c (its name until it is whole). */
#ifndef GASPDB_SQL_STORE_PARTS_H
#define GASPDB_SQL_STORE_PARTS_H

#include "sql/store/btree/page_writer.h"
#include "sql/store/store.h"

#define KEY_MAX 5 /* columns of a key */

struct gaspdb_store_table {
	const char *table, *columns;
	int n, by;
};

extern const struct gaspdb_store_table gaspdb_store_tables[GASPDB_N_INSERTS];

struct gaspdb_store {
	sqlite3 *db;
	sqlite3 *small; /* what was inserted beside the pages, until it is
			   copied; while they are written it is db, and
			   this the file's */
	char *path, *temporary;
	bool named;  /* temporary is there, and this store's ... */
	int lock_fd; /* ... and locked by this, if it can be; -1: not there */
	bool force;
	struct gaspdb_error err;    /* the first */
	struct gaspdb_pages *pages; /* NULL: settled, or by inserts alone */
	struct inserter {
		struct gaspdb_page_table *pages; /* NULL: inserts */
		sqlite3_stmt *insert;
		bool any; /* rows were inserted */
		/* By key: how many columns that is, and of the last row. */
		unsigned key;
		bool cells; /* rows are made here */
		int64_t rows;
		struct gaspdb_value last[KEY_MAX];
		char *text[KEY_MAX];
		size_t room[KEY_MAX];
	} inserters[GASPDB_N_INSERTS];
	sqlite3_stmt *change; /* NULL until the first */
	bool changes;	      /* there are some */
};

/* Of those that several logs tell alike the first is taken. */
bool gaspdb_store_may_repeat(enum gaspdb_insert into);

/* Where the file will stand; FAILED: something is there that is to stay. */
enum gaspdb_status gaspdb_store_choose_name(struct gaspdb_store *s,
					    const char *path,
					    struct gaspdb_error *err);
/* Make an empty file beside it, under a name that nobody else has. */
enum gaspdb_status gaspdb_store_create(struct gaspdb_store *s,
				       struct gaspdb_error *err);
/* That file is whole: now it is the one at path. */
enum gaspdb_status gaspdb_store_take_name(struct gaspdb_store *s,
					  struct gaspdb_error *err);
/* It is no longer under that name. */
void gaspdb_store_unlock(struct gaspdb_store *s);
/* That file goes, if it is there. */
void gaspdb_store_remove(struct gaspdb_store *s);
/* So do those for the same path whose makers have certainly died. */
void gaspdb_store_remove_stale(const struct gaspdb_store *s);

/* SQLite's message becomes the store's, if it is the first. */
void gaspdb_store_fail(struct gaspdb_store *s, const char *what);

/* An INSERT for the database's table; NULL after a failure. */
sqlite3_stmt *gaspdb_store_prepare(struct gaspdb_store *s,
				   enum gaspdb_insert into);

#endif
