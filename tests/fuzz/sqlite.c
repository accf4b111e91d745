/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SQLite made cheap.  It is not what is fuzzed, and was nine tenths of the
 * time: its thousands of small blocks under ASan's allocator, and the making
 * of the schema for each input.  This file itself is built without sanitizers.
 */
#include "tests/fuzz/fuzz.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sql/sql.h"

/* ASan's runtime, whose macros are empty where its flag is not given. */
void __asan_poison_memory_region(void const volatile *p, size_t n);
void __asan_unpoison_memory_region(void const volatile *p, size_t n);

/* The linker's --wrap. */
int __wrap_sqlite3_exec(sqlite3 *db, const char *sql, sqlite3_callback row,
			void *user, char **message);
int __real_sqlite3_exec(sqlite3 *db, const char *sql, sqlite3_callback row,
			void *user, char **message);

/* --- memory --------------------------------------------------------------- */

/*
 * An arena of blocks, by sizes of powers of two, poisoned but for
 * the bytes asked for.  So what we read beyond a text of SQLite's, or after it
 * is gone, is still found.
 */
enum {
	HEAD = 16,    /* before a block: its class and size */
	SMALLEST = 5, /* log2 of the bytes of the smallest class */
	LARGEST = 16, /* greater ones are malloc's */
	ARENA = 64 << 20
};

struct head {
	uint32_t class, size;
	struct head *next; /* free */
};

static struct head *unused[LARGEST + 1];
static char *arena, *arena_end;

static struct head *head_of(void *block)
{
	return (struct head *)(void *)((char *)block - HEAD);
}

static void *hand_out(struct head *h, uint32_t class, int n)
{
	char *block = (char *)h + HEAD;

	h->class = class;
	h->size = (uint32_t)n;
	__asan_unpoison_memory_region(block, (size_t)n);
	return block;
}

/* Another block of the class, poisoned. */
static struct head *cut(uint32_t class)
{
	const size_t n = (size_t)1 << class;
	struct head *h;

	if ((size_t)(arena_end - arena) < n) {
		arena = mmap(NULL, ARENA, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
			     0);
		if (arena == MAP_FAILED)
			abort();
		arena_end = arena + ARENA;
		__asan_poison_memory_region(arena, ARENA);
	}
	h = (struct head *)(void *)arena;
	arena += n;
	return h;
}

static void *memory_malloc(int n)
{
	uint32_t class = SMALLEST;
	struct head *h;

	while (class <= LARGEST && (size_t)n + HEAD > (size_t)1 << class)
		class ++;
	if (class > LARGEST) {
		h = malloc((size_t)n + HEAD);
		return h ? hand_out(h, class, n) : NULL;
	}
	h = unused[class];
	if (h)
		unused[class] = h->next;
	else
		h = cut(class);
	return hand_out(h, class, n);
}

static void memory_free(void *block)
{
	struct head *h;

	if (!block)
		return;
	h = head_of(block);
	if (h->class > LARGEST) {
		free(h);
		return;
	}
	h->next = unused[h->class];
	unused[h->class] = h;
	__asan_poison_memory_region(block, h->size);
}

static int memory_size(void *block)
{
	return (int)head_of(block)->size;
}

static void *memory_realloc(void *block, int n)
{
	const int had = memory_size(block);
	void *other = memory_malloc(n);

	if (other) {
		memcpy(other, block, (size_t)(had < n ? had : n));
		memory_free(block);
	}
	return other;
}

static int memory_roundup(int n)
{
	return (n + 7) & ~7;
}

static int memory_init(void *unused_data)
{
	(void)unused_data;
	return SQLITE_OK;
}

static void memory_shutdown(void *unused_data)
{
	(void)unused_data;
}

/* --- the schema ----------------------------------------------------------- */

/* A database with our schema and nothing else. */
static sqlite3 *template_of(int page_size)
{
	static struct {
		int page_size;
		sqlite3 *db;
	} made[4];
	char sql[200];
	int i = 0;

	while (made[i].db && made[i].page_size != page_size)
		i++;
	if (made[i].db)
		return made[i].db;
	snprintf(sql, sizeof sql,
		 "PRAGMA page_size = %d; PRAGMA application_id = %d; "
		 "PRAGMA user_version = %d",
		 page_size, GASPDB_APPLICATION_ID, GASPDB_SCHEMA_VERSION);
	made[i].page_size = page_size;
	if (sqlite3_open(":memory:", &made[i].db) ||
	    __real_sqlite3_exec(made[i].db, sql, NULL, NULL, NULL) ||
	    __real_sqlite3_exec(made[i].db, gaspdb_schema, NULL, NULL, NULL))
		abort();
	return made[i].db;
}

static int page_size_of(sqlite3 *db)
{
	sqlite3_stmt *stmt = NULL;
	int n;

	if (sqlite3_prepare_v2(db, "PRAGMA page_size", -1, &stmt, NULL) ||
	    sqlite3_step(stmt) != SQLITE_ROW)
		abort();
	n = sqlite3_column_int(stmt, 0);
	sqlite3_finalize(stmt);
	return n;
}

/* The schema for an empty database: its pages are copied. */
int __wrap_sqlite3_exec(sqlite3 *db, const char *sql, sqlite3_callback row,
			void *user, char **message)
{
	const bool in_transaction = !sqlite3_get_autocommit(db);
	sqlite3_backup *copy;

	if (sql != gaspdb_schema)
		return __real_sqlite3_exec(db, sql, row, user, message);
	if (in_transaction)
		__real_sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
	copy = sqlite3_backup_init(db, "main", template_of(page_size_of(db)),
				   "main");
	if (!copy || sqlite3_backup_step(copy, -1) != SQLITE_DONE ||
	    sqlite3_backup_finish(copy))
		abort();
	if (in_transaction)
		return __real_sqlite3_exec(db, "BEGIN EXCLUSIVE", NULL, NULL,
					   NULL);
	return SQLITE_OK;
}

void fuzz_sqlite(void)
{
	static const sqlite3_mem_methods methods = {
		memory_malloc,	memory_free, memory_realloc,  memory_size,
		memory_roundup, memory_init, memory_shutdown, NULL
	};

	if (sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) ||
	    sqlite3_config(SQLITE_CONFIG_SINGLETHREAD) ||
	    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0))
		abort();
}
