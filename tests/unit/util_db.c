/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small databases built by hand. */
#include "tests/unit/util_db.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/passes.h"
#include "sql/sql.h"

static const struct {
	const char *type, *category;
} types[] = {
#define TYPE(ident, category, doc) { #ident, #category },
#include "collector/events/types.tbl.h"
};

static const struct {
	const char *kind, *severity;
} kinds[] = {
#define QUALITY(ident, kind, severity, summary, advice) { kind, #severity },
#include "common/quality.tbl.h"
};

static char *format(const char *fmt, va_list args)
{
	char *sql = sqlite3_vmprintf(fmt, args);

	assert_non_null(sql);
	return sql;
}

void db_exec(sqlite3 *db, const char *fmt, ...)
{
	char *sql, *message = NULL;
	va_list args;

	va_start(args, fmt);
	sql = format(fmt, args);
	va_end(args);
	if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
		fail_msg("%s: %s", sql, message);
	sqlite3_free(sql);
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *fmt, va_list args)
{
	char *sql = format(fmt, args);
	sqlite3_stmt *stmt = NULL;

	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	sqlite3_free(sql);
	return stmt;
}

int64_t db_int(sqlite3 *db, const char *fmt, ...)
{
	sqlite3_stmt *stmt;
	va_list args;
	int64_t value;

	va_start(args, fmt);
	stmt = prepare(db, fmt, args);
	va_end(args);
	if (sqlite3_step(stmt) != SQLITE_ROW)
		fail_msg("%s: no row", sqlite3_sql(stmt));
	value = sqlite3_column_type(stmt, 0) == SQLITE_NULL
			? DB_NULL
			: sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return value;
}

static char rows[1 << 20];
static size_t rows_length;

static void add_cell(sqlite3_stmt *stmt, int column, char end)
{
	const char *text = (const char *)sqlite3_column_text(stmt, column);

	rows_length +=
		(size_t)snprintf(rows + rows_length, sizeof(rows) - rows_length,
				 "%s%c", text ? text : "-", end);
	assert_true(rows_length < sizeof(rows));
}

/* All rows with these columns; finalizes. */
static const char *read_rows(sqlite3_stmt *stmt, const int *columns, int n)
{
	int rc;

	rows[rows_length = 0] = '\0';
	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW)
		for (int i = 0; i < n; i++)
			add_cell(stmt, columns ? columns[i] : i,
				 i + 1 < n ? '|' : '\n');
	if (rc != SQLITE_DONE)
		fail_msg("%s: %s", sqlite3_sql(stmt),
			 sqlite3_errmsg(sqlite3_db_handle(stmt)));
	sqlite3_finalize(stmt);
	return rows;
}

const char *db_rows(sqlite3 *db, const char *fmt, ...)
{
	sqlite3_stmt *stmt;
	va_list args;

	va_start(args, fmt);
	stmt = prepare(db, fmt, args);
	va_end(args);
	return read_rows(stmt, NULL, sqlite3_column_count(stmt));
}

static void bind_param(sqlite3_stmt *stmt, const char *name, const char *type,
		       const char *value)
{
	char parameter[64];
	int i;

	snprintf(parameter, sizeof(parameter), ":%s", name);
	i = sqlite3_bind_parameter_index(stmt, parameter);
	if (i == 0)
		fail_msg("no parameter '%s'", name);
	if (!value)
		sqlite3_bind_null(stmt, i);
	else if (strcmp(type, "TEXT") == 0)
		sqlite3_bind_text(stmt, i, value, -1, SQLITE_TRANSIENT);
	else if (strcmp(type, "REAL") == 0)
		sqlite3_bind_double(stmt, i, strtod(value, NULL));
	else
		sqlite3_bind_int64(stmt, i, strtoll(value, NULL, 10));
}

static void bind_all(sqlite3_stmt *stmt, const struct gaspdb_analysis *a,
		     const char *params)
{
	char copy[256], *rest = copy, *word;

	for (const struct gaspdb_analysis_param *p = a->params; p->name; p++)
		bind_param(stmt, p->variable, p->type, p->value);
	snprintf(copy, sizeof(copy), "%s", params ? params : "");
	while ((word = strtok_r(rest, " ", &rest))) {
		char *value = strchr(word, '=');
		const struct gaspdb_analysis_param *p = a->params;

		assert_non_null(value);
		*value++ = '\0';
		while (p->name && strcmp(p->variable, word) != 0)
			p++;
		if (!p->name)
			fail_msg("%s has no parameter '%s'", a->name, word);
		bind_param(stmt, word, p->type, value);
	}
}

const char *db_analysis(sqlite3 *db, const char *name, const char *columns,
			const char *params)
{
	const struct gaspdb_analysis *a = gaspdb_analysis_find(name);
	int wanted[32], n = 0;
	char copy[512], *rest = copy, *word;
	sqlite3_stmt *stmt;

	assert_non_null(a);
	if (sqlite3_prepare_v2(db, a->sql, -1, &stmt, NULL) != SQLITE_OK)
		fail_msg("%s: %s", name, sqlite3_errmsg(db));
	bind_all(stmt, a, params);
	if (!columns)
		return read_rows(stmt, NULL, sqlite3_column_count(stmt));
	snprintf(copy, sizeof(copy), "%s", columns);
	while ((word = strtok_r(rest, ",", &rest))) {
		int i = 0;

		while (a->columns[i].name &&
		       strcmp(a->columns[i].name, word) != 0)
			i++;
		if (!a->columns[i].name)
			fail_msg("%s has no column '%s'", name, word);
		wanted[n++] = i;
	}
	return read_rows(stmt, wanted, n);
}

/* The tests' own definition of the totals. */
static void define_totals(sqlite3 *db)
{
	const char *top = getenv("TOP");
	char path[4096], sql[16384];
	size_t n;
	FILE *f;

	snprintf(path, sizeof(path), "%s/tests/totals.sql", top ? top : ".");
	f = fopen(path, "r");
	if (!f)
		fail_msg("cannot open '%s'", path);
	n = fread(sql, 1, sizeof(sql) - 1, f);
	sql[n] = '\0';
	fclose(f);
	db_exec(db, "%s", sql);
}

void db_rollups(sqlite3 *db)
{
	db_exec(db,
		"INSERT INTO profile SELECT e.thread_id, e.source_id, e.nested, "
		"count(*), sum(e.duration_ns), sum(e.self_ns), "
		"min(e.duration_ns), max(e.duration_ns), "
		"1.0 * count(*) * sum(e.duration_ns * e.duration_ns) - "
		"1.0 * sum(e.duration_ns) * sum(e.duration_ns), sum(e.bytes), "
		"sum(e.open), 2 * count(*) - sum(e.open), "
		"CASE WHEN count(e.self_ns) THEN 1.0 * count(*) END, 0, 0 "
		"FROM event e GROUP BY 1, 2, 3");
	/* Here every call is an outermost one. */
	db_exec(db,
		"INSERT INTO callpath SELECT p.source_id, NULL, p.source_id, 1, "
		"row_number() OVER w, row_number() OVER w, count(*), "
		"sum(p.calls), sum(p.total_ns), sum(p.self_ns), min(p.min_ns), "
		"max(p.max_ns), sum(p.bytes), max(p.total_ns), "
		"min(p.thread_id), NULL, NULL, NULL, sum(p.inner_ns), sum(p.variation) FROM profile p WHERE p.self_ns IS NOT NULL "
		"GROUP BY p.source_id WINDOW w AS (ORDER BY sum(p.total_ns) "
		"DESC, p.source_id)");
	db_exec(db,
		"INSERT INTO traffic SELECT e.thread_id, e.peer, e.source_id, "
		"CASE WHEN o.type LIKE 'get%%' THEN 'get' WHEN o.type LIKE "
		"'put%%' THEN 'put' WHEN o.type LIKE 'atomic%%' THEN 'atomic' "
		"ELSE 'send' END, (SELECT max(b.value) FROM json_each("
		"'[0,1,2,4,8,16,32,64,128,256,512,1024,2048,4096]') b "
		"WHERE b.value <= e.bytes), count(*), sum(e.bytes), "
		"sum(e.duration_ns) "
		"FROM event e JOIN source s ON s.id = e.source_id "
		"JOIN operation o ON o.id = s.operation_id "
		"WHERE e.peer IS NOT NULL AND o.type IN ('get', 'get_nb', "
		"'put', 'put_nb', 'atomic', 'atomic_fetch', 'send', 'send_nb') "
		"GROUP BY 1, 2, 3, 4, 5");
	define_totals(db);
	db_exec(db, "INSERT INTO profile_total "
		    "SELECT * FROM expected_profile_total");
	db_exec(db, "INSERT INTO spread SELECT * FROM expected_spread");
	db_exec(db, "INSERT INTO traffic_total "
		    "SELECT * FROM expected_traffic_total");
	db_exec(db, "DROP TABLE expected_profile_total");
	db_exec(db, "DROP TABLE expected_spread");
	db_exec(db, "DROP TABLE expected_traffic_total");
}

/* The next table of *schema, as SQLite checks the types of all that is inserted;
   NULL at the end.  For sqlite3_free(). */
static char *next_strict(const char **schema)
{
	static const char untyped[] = "\n  value ", keyed[] = " WITHOUT ROWID";
	sqlite3_str *out = sqlite3_str_new(NULL);
	const char *start = strstr(*schema, "CREATE TABLE "), *end, *value;
	bool is_keyed;

	if (!start)
		return sqlite3_free(sqlite3_str_finish(out)), NULL;
	end = strstr(start, "\n)");
	is_keyed = !strncmp(end + 2, keyed, strlen(keyed));
	assert_int_equal(end[2 + (is_keyed ? strlen(keyed) : 0)], ';');
	value = strstr(start, untyped);
	if (value && value < end &&
	    strncmp(value + strlen(untyped), "TEXT", 4) != 0) {
		value += strlen(untyped);
		sqlite3_str_append(out, start, (int)(value - start));
		sqlite3_str_appendall(out, "ANY ");
		start = value;
	}
	sqlite3_str_append(out, start, (int)(end - start));
	sqlite3_str_appendf(out, "\n) STRICT%s", is_keyed ? ", WITHOUT ROWID" : "");
	*schema = end;
	return sqlite3_str_finish(out);
}

void db_strict_schema(sqlite3 *db)
{
	const char *schema = gaspdb_schema;
	char *table;

	while ((table = next_strict(&schema))) {
		db_exec(db, "%s", table);
		sqlite3_free(table);
	}
}

sqlite3 *db_new(void)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	db_strict_schema(db);
	db_exec(db, "%s", gaspdb_views);
	db_exec(db, "%s", gaspdb_derived);
	db_exec(db, "PRAGMA foreign_keys = ON");
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		db_exec(db, "INSERT INTO operation_type VALUES('%s', '%s', '')",
			types[i].type, types[i].category);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		db_exec(db,
			"INSERT INTO quality_kind VALUES('%s', '%s', '', '')",
			kinds[i].kind, kinds[i].severity);
	return db;
}

void db_close(sqlite3 *db)
{
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

void db_threads(sqlite3 *db, int n, int64_t last_ns)
{
	for (int i = 0; i < n; i++)
		db_exec(db,
			"INSERT INTO thread(id, rank, number, host, model, "
			"first_ns, last_ns, complete) "
			"VALUES(%d, %d, 0, 'host', 'MPI', 0, %lld, 1)",
			i, i, (long long)last_ns);
}

void db_apart(sqlite3 *db)
{
	db_exec(db, "UPDATE thread SET host = 'host' || id");
}

static const char *category_of(const char *type)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (strcmp(types[i].type, type) == 0)
			return types[i].category;
	fail_msg("no type '%s'", type);
	return NULL;
}

static int64_t operation(sqlite3 *db, const char *name, const char *type)
{
	db_exec(db,
		"INSERT INTO operation(name, symbol, type, category, model) "
		"SELECT '%s', 'GASP_' || upper('%s'), '%s', '%s', 'MPI' WHERE NOT "
		"EXISTS (SELECT 1 FROM operation WHERE name = '%s')",
		name, name, type, category_of(type), name);
	return db_int(db, "SELECT id FROM operation WHERE name = '%s'", name);
}

static int64_t source(sqlite3 *db, int64_t operation_id, const char *where)
{
	const char *colon = strchr(where, ':');
	char file[64];

	assert_non_null(colon);
	snprintf(file, sizeof(file), "%.*s", (int)(colon - where), where);
	db_exec(db,
		"INSERT INTO source(operation_id, file, line, function) "
		"SELECT %lld, '%s', %s, 'main' WHERE NOT EXISTS (SELECT 1 FROM "
		"source WHERE operation_id = %lld AND file = '%s' AND line = %s)",
		(long long)operation_id, file, colon + 1,
		(long long)operation_id, file, colon + 1);
	return db_int(db,
		      "SELECT id FROM source WHERE operation_id = %lld AND "
		      "file = '%s' AND line = %s",
		      (long long)operation_id, file, colon + 1);
}

int64_t db_call(sqlite3 *db, int thread, const char *name, const char *type,
		const char *where, int64_t start_ns, int64_t end_ns)
{
	int64_t source_id = source(db, operation(db, name, type), where);

	db_exec(db,
		"INSERT INTO event(thread_id, source_id, start_ns, "
		"duration_ns, self_ns, nested, open) "
		"VALUES(%d, %lld, %lld, %lld, %lld, 0, 0)",
		thread, (long long)source_id, (long long)start_ns,
		(long long)(end_ns - start_ns), (long long)(end_ns - start_ns));
	return sqlite3_last_insert_rowid(db);
}

int64_t db_event(sqlite3 *db, int thread, const char *type, const char *where,
		 int64_t start_ns, int64_t end_ns)
{
	return db_call(db, thread, type, type, where, start_ns, end_ns);
}

void db_arg(sqlite3 *db, int64_t event, const char *name, int64_t value)
{
	int64_t operation_id =
		db_int(db,
		       "SELECT s.operation_id FROM event e JOIN source s "
		       "ON s.id = e.source_id WHERE e.id = %lld",
		       (long long)event);
	int64_t argument;

	db_exec(db,
		"INSERT INTO argument(operation_id, phase, name, code) "
		"SELECT %lld, 'start', '%s', 'i' WHERE NOT EXISTS (SELECT 1 FROM "
		"argument WHERE operation_id = %lld AND name = '%s')",
		(long long)operation_id, name, (long long)operation_id, name);
	argument = db_int(db,
			  "SELECT id FROM argument WHERE operation_id = %lld "
			  "AND name = '%s'",
			  (long long)operation_id, name);
	db_exec(db,
		"INSERT INTO event_arg SELECT %lld * 64 + count(*), %lld, %lld "
		"FROM event_arg WHERE id >> 6 = %lld",
		(long long)event, (long long)argument, (long long)value,
		(long long)event);
}

void db_collective(sqlite3 *db, int64_t event, int64_t team, int64_t sequence)
{
	db_arg(db, event, "team", team);
	db_arg(db, event, "sequence", sequence);
}

int64_t db_team(sqlite3 *db, int n)
{
	int64_t team;

	db_exec(db,
		"INSERT INTO team(ordinal, kind, name, size, inter) "
		"VALUES(0, 'world', 'world', %d, 0)",
		n);
	team = sqlite3_last_insert_rowid(db);
	for (int i = 0; i < n; i++)
		db_exec(db, "INSERT INTO team_member VALUES(%lld, %d, %d)",
			(long long)team, i, i);
	return team;
}

void db_finish(sqlite3 *db)
{
	db_exec(db, "UPDATE thread SET "
		    "first_event = (SELECT min(id) FROM event e "
		    "  WHERE e.thread_id = thread.id), "
		    "last_event = (SELECT max(id) FROM event e "
		    "  WHERE e.thread_id = thread.id)");
}

void db_passes(sqlite3 *db)
{
	struct gaspdb_error err = { 0 };

	db_finish(db);
	if (gaspdb_run_passes(db, NULL, &err) != GASPDB_OK)
		fail_msg("passes: %s", err.msg);
}
