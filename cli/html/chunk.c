/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writer of chunks. */
#include "cli/html/chunk.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "cli/output/output.h"
#include "cli/output/text.h"
#include "common/map.h"
#include "sql/store/btree/page_reader.h"

enum { LEVEL = 3 }; /* 5: 2 % smaller, a third more time */

void gaspdb_bytes_add(struct gaspdb_bytes *b, const void *more, size_t n)
{
	if (b->n + n > b->room) {
		b->room = 2 * (b->n + n) + 64;
		b->at = gaspdb_memory_grow(b->at, b->room, 1);
	}
	memcpy(b->at + b->n, more, n);
	b->n += n;
}

FILE *gaspdb_chunk_text(char **text, size_t *n)
{
	FILE *stream = open_memstream(text, n);

	if (!stream)
		gaspdb_memory_none();
	return stream;
}

void gaspdb_chunk_text_end(FILE *stream)
{
	const bool failed = ferror(stream);

	if (fclose(stream) || failed)
		gaspdb_memory_none();
}

static void add_byte(struct gaspdb_bytes *b, uint8_t byte)
{
	gaspdb_bytes_add(b, &byte, 1);
}

static void add_leb128(struct gaspdb_bytes *b, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		add_byte(b, (uint8_t)(v | 0x80));
	add_byte(b, (uint8_t)v);
}

/* --- base64 ----------------------------------------------------------------
 */

static void put_base64(FILE *out, const uint8_t *p, size_t n)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";

	for (; n; p += 3, n = n > 3 ? n - 3 : 0) {
		const uint32_t v = (uint32_t)p[0] << 16 |
				   (uint32_t)(n > 1 ? p[1] : 0) << 8 |
				   (uint32_t)(n > 2 ? p[2] : 0);
		const char four[4] = { digits[v >> 18], digits[v >> 12 & 63],
				       n > 1 ? digits[v >> 6 & 63] : '=',
				       n > 2 ? digits[v & 63] : '=' };

		fwrite(four, 1, sizeof four, out);
	}
}

enum gaspdb_status gaspdb_chunk_write(FILE *out, const char *name,
				      const void *bytes, size_t n,
				      struct gaspdb_error *err)
{
	uLongf packed_n = compressBound(n);
	uint8_t *packed = gaspdb_memory_new(packed_n, 1);
	const int rc = compress2(packed, &packed_n, bytes, n, LEVEL);

	if (rc == Z_OK) {
		fprintf(out, "<script type=\"text/plain\" data-chunk=\"%s\">",
			name);
		put_base64(out, packed, packed_n);
		fputs("</script>\n", out);
	}
	free(packed);
	if (ferror(out)) /* gaspdb_target_close() names the cause */
		return gaspdb_fail(err, GASPDB_FAILED, "the page is not whole");
	return rc == Z_OK ? GASPDB_OK
			  : gaspdb_fail(err, GASPDB_FAILED,
					"part '%s' of the page cannot be packed",
					name);
}

/* --- columns ---------------------------------------------------------------
 */

/* A column is of the type of its first value. */
struct column {
	const char *name;
	enum { UNKNOWN, INTEGER, REAL, TEXT } kind;
	bool has_null;
	struct gaspdb_bytes nulls, values;
	int64_t before;
	struct gaspdb_names texts; /* each once */
	uint32_t last;		   /* found last: rows are often alike */
};

static uint32_t find_text(struct column *c, const char *text)
{
	const size_t n = strlen(text);

	if (c->last >= c->texts.n || c->texts.names[c->last].length != n ||
	    memcmp(c->texts.names[c->last].bytes, text, n))
		c->last = gaspdb_names_add(&c->texts, text, n, NULL);
	return c->last;
}

static void add_integer(struct column *c, int64_t value)
{
	const uint64_t step = (uint64_t)value - (uint64_t)c->before;

	add_leb128(&c->values, step << 1 ^ (step >> 63 ? UINT64_MAX : 0));
	c->before = value;
}

static void add_real(struct column *c, double value)
{
	gaspdb_bytes_add(&c->values, &value, sizeof value);
}

/* Adds the first value's column: NULLs are zeros before it. */
static void learn_kind(struct column *c, int type)
{
	c->kind = type == SQLITE_INTEGER ? INTEGER
		  : type == SQLITE_FLOAT ? REAL
					 : TEXT;
	for (size_t i = 0; i < c->nulls.n; i++)
		if (c->kind == REAL)
			add_real(c, 0);
		else
			add_integer(c, 0);
}

static const char *text_of(sqlite3_stmt *stmt, int i)
{
	const char *text = (const char *)sqlite3_column_text(stmt, i);

	return text ? text : "";
}

static void add_value(struct column *c, sqlite3_stmt *stmt, int i)
{
	const int type = sqlite3_column_type(stmt, i);
	const bool null = type == SQLITE_NULL;

	if (c->kind == UNKNOWN && !null)
		learn_kind(c, type);
	c->has_null |= null;
	add_byte(&c->nulls, null);
	if (c->kind == REAL)
		add_real(c, null ? 0 : sqlite3_column_double(stmt, i));
	else if (c->kind != UNKNOWN && null)
		add_integer(c, c->before);
	else if (c->kind == INTEGER)
		add_integer(c, sqlite3_column_int64(stmt, i));
	else if (c->kind == TEXT)
		add_integer(c, find_text(c, text_of(stmt, i)));
}

void gaspdb_chunk_put_json(FILE *out, const char *text)
{
	const struct gaspdb_output_cell cell = gaspdb_output_text(text);

	gaspdb_output_json(out, &cell);
}

static void put_head(FILE *out, const struct column *c)
{
	static const char *const kinds[] = { "int", "int", "real", "text" };

	fputs("{\"name\":", out);
	gaspdb_chunk_put_json(out, c->name);
	fprintf(out, ",\"kind\":\"%s\",\"null\":%s,\"bytes\":%zu",
		kinds[c->kind], c->has_null ? "true" : "false",
		c->values.n + (c->has_null ? c->nulls.n : 0));
	for (uint32_t i = 0; i < c->texts.n; i++) {
		fputs(i ? "," : ",\"texts\":[", out);
		gaspdb_chunk_put_json(out, c->texts.names[i].bytes);
	}
	fputs(c->texts.n ? "]}" : "}", out);
}

static void free_column(struct column *c)
{
	gaspdb_names_free(&c->texts);
	free(c->nulls.at);
	free(c->values.at);
}

static enum gaspdb_status write_columns(FILE *out, const char *name,
					const struct column *columns, int n,
					size_t rows, struct gaspdb_error *err)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *chunk = gaspdb_chunk_text(&text, &bytes);
	enum gaspdb_status status;

	fprintf(chunk, "{\"rows\":%zu,\"columns\":[", rows);
	for (int i = 0; i < n; i++) {
		fputs(i ? "," : "", chunk);
		put_head(chunk, &columns[i]);
	}
	fputs("]}\n", chunk);
	for (int i = 0; i < n; i++) {
		const struct column *c = &columns[i];

		if (c->has_null)
			fwrite(c->nulls.at, 1, c->nulls.n, chunk);
		if (c->values.n)
			fwrite(c->values.at, 1, c->values.n, chunk);
	}
	gaspdb_chunk_text_end(chunk);
	status = gaspdb_chunk_write(out, name, text, bytes, err);
	free(text);
	return status;
}

void gaspdb_chunk_execute(struct gaspdb_report *r, const char *sql)
{
	if (sqlite3_exec(r->db->sql, sql, NULL, NULL, NULL))
		gaspdb_fail(&r->err, GASPDB_FAILED, "the page: %s",
			    sqlite3_errmsg(r->db->sql));
}

sqlite3_stmt *gaspdb_chunk_prepare(struct gaspdb_report *r, const char *sql)
{
	sqlite3_stmt *stmt = NULL;

	if (sqlite3_prepare_v2(r->db->sql, sql, -1, &stmt, NULL))
		gaspdb_fail(&r->err, GASPDB_FAILED, "the page: %s",
			    sqlite3_errmsg(r->db->sql));
	return stmt;
}

void gaspdb_chunk_scan(struct gaspdb_report *r, const char *name, unsigned all,
		       unsigned columns, gaspdb_row_fn fn, void *user)
{
	enum gaspdb_status status = GASPDB_OK;
	struct gaspdb_tables in = { .db = r->db->sql,
				    .err = &r->err,
				    .status = &status };
	struct gaspdb_table table;

	gaspdb_pages_allow(in.db);
	gaspdb_table_open(&table, &in, name, all);
	gaspdb_table_scan_columns(&table, columns, fn, user);
	gaspdb_table_close(&table);
}

enum gaspdb_status gaspdb_chunk_write_rows(FILE *out, const char *name,
					   sqlite3_stmt *stmt,
					   struct gaspdb_error *err)
{
	const int n = sqlite3_column_count(stmt);
	struct column *columns = gaspdb_memory_new((size_t)n, sizeof *columns);
	enum gaspdb_status status = GASPDB_OK;
	size_t rows = 0;
	int rc;

	for (int i = 0; i < n; i++)
		columns[i].name = sqlite3_column_name(stmt, i);
	for (; (rc = sqlite3_step(stmt)) == SQLITE_ROW; rows++)
		for (int i = 0; i < n; i++)
			add_value(&columns[i], stmt, i);
	status = rc == SQLITE_DONE
			 ? write_columns(out, name, columns, n, rows, err)
			 : gaspdb_fail(err, GASPDB_FAILED,
				       "part '%s' of the page: %s", name,
				       sqlite3_errmsg(
					       sqlite3_db_handle(stmt)));
	for (int i = 0; i < n; i++)
		free_column(&columns[i]);
	free(columns);
	return status;
}
