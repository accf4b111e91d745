/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opening of a run's database. A file may be hostile: it may have views in
 * place of tables, and users may paste SQL from anywhere. So the file is opened
 * read-only, its schema is compared with this version's, and an authorizer
 * permits only reading.
 */
#include "cli/database/database.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/database/schema.h"
#include "sql/sql.h"
#include "cli/output/text.h"

enum {
	/* Bytes. Texts of logs are at most 64 KiB; a longer one would be copied
	   to each row that refers to it. */
	LONGEST_VALUE = 1 << 20,
	LONGEST_RESULT = 64 << 20, /* of a user's own query */
	MOST_READS = 64
};

struct gaspdb_database_reads {
	int n;
	char *tables[MOST_READS];
};

static void note_read(struct gaspdb_database_reads *reads, const char *table)
{
	for (int i = 0; i < reads->n; i++)
		if (!strcmp(reads->tables[i], table))
			return;
	if (reads->n < MOST_READS)
		reads->tables[reads->n++] =
			gaspdb_text_copy(table, strlen(table));
}

void gaspdb_database_forget_reads(struct gaspdb_database *db)
{
	while (db->reads->n > 0)
		free(db->reads->tables[--db->reads->n]);
}

bool gaspdb_database_has_read(const struct gaspdb_database *db,
			      const char *table)
{
	for (int i = 0; i < db->reads->n; i++)
		if (!strcmp(db->reads->tables[i], table))
			return true;
	return false;
}

/* Is it a pragma that only reads? */
static bool pragma_allowed(const char *name, const char *argument)
{
	static const char *const reading[] = {
		"table_info",	    "table_xinfo",	 "table_list",
		"index_list",	    "index_info",	 "index_xinfo",
		"foreign_key_list", "foreign_key_check", "integrity_check",
		"quick_check",	    "database_list",	 "collation_list",
		"function_list",    "compile_options",	 "pragma_list",
		"module_list",
	};
	static const char *const settings[] = {
		"user_version", "application_id", "schema_version",
		"page_count",	"page_size",	  "freelist_count",
		"encoding",	"query_only"
	};

	for (size_t i = 0; i < sizeof reading / sizeof *reading; i++)
		if (!strcasecmp(name, reading[i]))
			return true;
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
		if (!argument && !strcasecmp(name, settings[i]))
			return true;
	return false;
}

/* Is it a function that does not reach beyond the database? */
static bool function_allowed(const char *name)
{
	static const char *const barred[] = {
		"load_extension", "readfile", "writefile",
		"edit",		  "fsdir",    "fts3_tokenizer"
	};

	for (size_t i = 0; i < sizeof barred / sizeof *barred; i++)
		if (!strcasecmp(name, barred[i]))
			return false;
	return true;
}

/* May a statement write to this schema? Only to temporary tables. */
static bool is_temporary(const char *schema)
{
	return schema && !strcmp(schema, "temp");
}

static int authorize(void *user, int action, const char *a, const char *b,
		     const char *schema, const char *trigger)
{
	bool allowed;

	(void)trigger;
	switch (action) {
	case SQLITE_READ:
		note_read(user, a);
		return SQLITE_OK;
	case SQLITE_SELECT:
	case SQLITE_RECURSIVE:
	case SQLITE_TRANSACTION:
	case SQLITE_SAVEPOINT:
	case SQLITE_CREATE_TEMP_TABLE:
	case SQLITE_CREATE_TEMP_VIEW:
	case SQLITE_CREATE_TEMP_INDEX:
	case SQLITE_DROP_TEMP_TABLE:
	case SQLITE_DROP_TEMP_VIEW:
	case SQLITE_DROP_TEMP_INDEX:
		return SQLITE_OK;
	case SQLITE_UPDATE:
		/* reported at the first use of a pragma's table; the real
		   sqlite_master is read-only */
		allowed = is_temporary(schema) || !strcmp(a, "sqlite_master");
		break;
	case SQLITE_INSERT:
	case SQLITE_DELETE:
	case SQLITE_REINDEX:
		allowed = is_temporary(schema);
		break;
	case SQLITE_FUNCTION:
		allowed = function_allowed(b);
		break;
	case SQLITE_PRAGMA:
		allowed = pragma_allowed(a, b);
		break;
	default:
		allowed = false;
	}
	return allowed ? SQLITE_OK : SQLITE_DENY;
}

static void protect(sqlite3 *sql)
{
	sqlite3_db_config(sql, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(sql, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(sql, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
	sqlite3_db_config(sql, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(sql, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0, NULL);
	/* "x" is a name: a misspelt one is an error, not a string */
	sqlite3_db_config(sql, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
	sqlite3_db_config(sql, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
	sqlite3_limit(sql, SQLITE_LIMIT_LENGTH, LONGEST_VALUE);
	sqlite3_limit(sql, SQLITE_LIMIT_ATTACHED, 0);
	sqlite3_limit(sql, SQLITE_LIMIT_WORKER_THREADS, 0);
	sqlite3_exec(sql, "PRAGMA cell_size_check = on", NULL, NULL, NULL);
}

void gaspdb_database_allow_long(struct gaspdb_database *db)
{
	sqlite3_limit(db->sql, SQLITE_LIMIT_LENGTH, LONGEST_RESULT);
}

bool gaspdb_database_is_one(const char *path)
{
	static const char magic[16] = "SQLite format 3";
	char head[sizeof magic];
	FILE *f = fopen(path, "rbe");

	if (!f)
		return false;
	bool is = fread(head, 1, sizeof head, f) == sizeof head &&
		  !memcmp(head, magic, sizeof head);
	fclose(f);
	return is;
}

static enum gaspdb_status check_file(const char *path, struct gaspdb_error *err)
{
	struct stat st;

	if (stat(path, &st) || access(path, R_OK))
		return gaspdb_fail_errno(err, "cannot open '%s'", path);
	if (S_ISDIR(st.st_mode))
		return gaspdb_fail(
			err, GASPDB_FAILED,
			"'%s' is a folder and no database; if it is a run "
			"directory, 'gaspdb import %s' makes one of it",
			path, path);
	/* opening a pipe would block */
	if (!S_ISREG(st.st_mode) || !gaspdb_database_is_one(path))
		return gaspdb_fail(err, GASPDB_FAILED,
				   "'%s' is not a gaspdb database", path);
	return GASPDB_OK;
}

static bool has_companion(const char *path, const char *suffix)
{
	char *name = gaspdb_text_format("%s%s", path, suffix);
	bool has = access(name, F_OK) == 0;

	free(name);
	return has;
}

/*
 * Refuses companion files that are not regular: SQLite would block on a pipe.
 */
static enum gaspdb_status check_companions(const char *path,
					   struct gaspdb_error *err)
{
	/* -shm is opened only if there is a -wal */
	static const char *const suffixes[] = { "-journal", "-wal", "-shm" };
	const size_t n = has_companion(path, "-wal") ? 3 : 2;
	struct stat st;

	for (size_t i = 0; i < n; i++) {
		char *name = gaspdb_text_format("%s%s", path, suffixes[i]);
		const bool bad = !lstat(name, &st) && !S_ISREG(st.st_mode);

		free(name);
		if (bad)
			return gaspdb_fail(err, GASPDB_FAILED,
					   "'%s%s', which belongs to the "
					   "database, is no regular file",
					   path, suffixes[i]);
	}
	return GASPDB_OK;
}

/*
 * URI that opens path read-only. Immutable, so that neither locks (network file
 * systems) nor a writable folder are needed, unless there is a journal of the
 * file.
 */
static char *make_uri(const char *path)
{
	bool immutable = !has_companion(path, "-wal") &&
			 !has_companion(path, "-journal");
	char *uri = gaspdb_memory_new(3 * strlen(path) + 64, 1);
	char *out = uri + sprintf(uri, "file:%s", *path == '/' ? "//" : "./");

	for (const char *p = path; *p; p++)
		if (strchr("%?#", *p))
			out += sprintf(out, "%%%02X", (unsigned char)*p);
		else
			*out++ = *p;
	sprintf(out, "?mode=ro%s", immutable ? "&immutable=1" : "");
	return uri;
}

static enum gaspdb_status check_version(struct gaspdb_database *db,
					struct gaspdb_error *err)
{
	int64_t id = gaspdb_database_integer(db, "PRAGMA application_id", -1);
	int64_t version =
		gaspdb_database_integer(db, "PRAGMA user_version", -1);

	/* a journal to roll back, but read-only */
	if ((id < 0 || version < 0) &&
	    (sqlite3_errcode(db->sql) & 0xff) == SQLITE_READONLY)
		return gaspdb_fail(err, GASPDB_FAILED,
				   "'%s-journal' is left of a program that "
				   "ended while it wrote '%s': open that once "
				   "with sqlite3",
				   db->path, db->path);
	if (id < 0 || version < 0)
		return gaspdb_fail(err, GASPDB_FAILED, "cannot read '%s': %s",
				   db->path, sqlite3_errmsg(db->sql));
	if (id != GASPDB_APPLICATION_ID)
		return gaspdb_fail(err, GASPDB_FAILED,
				   "'%s' is not a gaspdb database", db->path);
	if (version == GASPDB_SCHEMA_VERSION)
		return GASPDB_OK;
	if (version < GASPDB_SCHEMA_VERSION)
		return gaspdb_fail(err, GASPDB_FAILED,
				   "'%s' was made by an older gaspdb; import "
				   "the run again",
				   db->path);
	return gaspdb_fail(err, GASPDB_FAILED,
			   "'%s' has schema version %lld, and this gaspdb "
			   "reads version %d: use a newer gaspdb",
			   db->path, (long long)version, GASPDB_SCHEMA_VERSION);
}

enum gaspdb_status gaspdb_database_open(struct gaspdb_database *db,
					const char *path,
					struct gaspdb_error *err)
{
	memset(db, 0, sizeof *db);
	if (check_file(path, err) != GASPDB_OK ||
	    check_companions(path, err) != GASPDB_OK)
		return err->status;
	db->path = gaspdb_text_copy(path, strlen(path));
	db->reads = gaspdb_memory_new(1, sizeof *db->reads);
	char *uri = make_uri(path);
	int rc = sqlite3_open_v2(uri, &db->sql,
				 SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
	free(uri);
	if (rc == SQLITE_OK)
		rc = gaspdb_sum_function(db->sql);
	if (rc == SQLITE_OK)
		rc = gaspdb_statistics_functions(db->sql);
	enum gaspdb_status status = GASPDB_OK;
	if (rc != SQLITE_OK) {
		status = gaspdb_sql_fail_open(db->sql, path, err);
	} else {
		protect(db->sql);
		sqlite3_set_authorizer(db->sql, authorize, db->reads);
		status = check_version(db, err);
	}
	if (status == GASPDB_OK)
		status = gaspdb_database_use_schema(db->sql, path, err);
	if (status != GASPDB_OK)
		gaspdb_database_close(db);
	return status;
}

void gaspdb_database_close(struct gaspdb_database *db)
{
	if (db->reads)
		gaspdb_database_forget_reads(db);
	sqlite3_close_v2(db->sql);
	free(db->reads);
	free(db->path);
	memset(db, 0, sizeof *db);
}

char *gaspdb_database_text(struct gaspdb_database *db, const char *query)
{
	sqlite3_stmt *stmt;
	char *text = NULL;

	if (sqlite3_prepare_v2(db->sql, query, -1, &stmt, NULL) == SQLITE_OK &&
	    sqlite3_step(stmt) == SQLITE_ROW) {
		const char *s = (const char *)sqlite3_column_text(stmt, 0);
		if (s)
			text = gaspdb_text_copy(
				s, (size_t)sqlite3_column_bytes(stmt, 0));
	}
	sqlite3_finalize(stmt);
	return text ? text : gaspdb_text_copy("", 0);
}

int64_t gaspdb_database_integer(struct gaspdb_database *db, const char *query,
				int64_t fallback)
{
	sqlite3_stmt *stmt;
	int64_t n = fallback;

	if (sqlite3_prepare_v2(db->sql, query, -1, &stmt, NULL) == SQLITE_OK &&
	    sqlite3_step(stmt) == SQLITE_ROW &&
	    sqlite3_column_type(stmt, 0) != SQLITE_NULL)
		n = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return n;
}
