/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The one writer of rows.  CSV and JSON are written as the rows come;
 * tables by output_table.c, which must have seen some rows to know the widths.
 */
#include "output.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "output_table.h"
#include "text.h"

struct gaspdb_output {
	FILE *out;
	enum gaspdb_output_format format;
	bool terminal;
	char **names;
	int n_columns;
	int64_t n_rows;
	struct gaspdb_output_table *table;
};

bool gaspdb_output_format_parse(const char *name,
				enum gaspdb_output_format *format)
{
	static const char *const names[] = { "table", "csv", "json" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(name, names[i])) {
			*format = (enum gaspdb_output_format)i;
			return true;
		}
	return false;
}

struct gaspdb_output_cell gaspdb_output_text(const char *s)
{
	return (struct gaspdb_output_cell){ .type = s ? SQLITE_TEXT
						      : SQLITE_NULL,
					    .bytes = s,
					    .n = s ? strlen(s) : 0 };
}

struct gaspdb_output_cell gaspdb_output_integer(int64_t n)
{
	return (struct gaspdb_output_cell){ .type = SQLITE_INTEGER,
					    .integer = n };
}

/* The shortest decimal number that reads back as the same. */
static void print_real(FILE *out, double v)
{
	char buf[40];

	for (int digits = 15; digits <= 17; digits++) {
		snprintf(buf, sizeof buf, "%.*g", digits, v);
		if (strtod(buf, NULL) == v)
			break;
	}
	fputs(buf, out);
	if (!strpbrk(buf, ".e"))
		fputs(".0", out);
}

static void print_hex(FILE *out, const struct gaspdb_output_cell *cell)
{
	const unsigned char *u = cell->bytes;

	for (size_t i = 0; i < cell->n; i++)
		fprintf(out, "%02x", u[i]);
}

static void csv_text(struct gaspdb_output *o, const char *s, size_t n)
{
	char *safe = NULL;
	bool quote = n == 0;

	if (o->terminal) {
		s = safe = gaspdb_text_safe(s, n);
		n = strlen(s);
	}
	for (size_t i = 0; i < n && !quote; i++)
		quote = s[i] && strchr("\",\r\n", s[i]);
	if (quote)
		putc('"', o->out);
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '"')
			putc('"', o->out);
		putc(s[i], o->out);
	}
	if (quote)
		putc('"', o->out);
	free(safe);
}

static void csv_cell(struct gaspdb_output *o,
		     const struct gaspdb_output_cell *cell)
{
	switch (cell->type) {
	case SQLITE_INTEGER:
		fprintf(o->out, "%" PRId64, cell->integer);
		break;
	case SQLITE_FLOAT:
		if (isfinite(cell->real))
			print_real(o->out, cell->real);
		else
			fputs(cell->real > 0 ? "Inf" : "-Inf", o->out);
		break;
	case SQLITE_TEXT:
		csv_text(o, cell->bytes, cell->n);
		break;
	case SQLITE_BLOB:
		print_hex(o->out, cell);
		break;
	default:
		/* An empty line would be no record to most readers. */
		if (o->n_columns == 1)
			fputs("\"\"", o->out);
	}
}

static void csv_header(struct gaspdb_output *o)
{
	for (int i = 0; i < o->n_columns; i++) {
		if (i)
			putc(',', o->out);
		csv_text(o, o->names[i], strlen(o->names[i]));
	}
	putc('\n', o->out);
}

static void csv_row(struct gaspdb_output *o,
		    const struct gaspdb_output_cell *cells)
{
	for (int i = 0; i < o->n_columns; i++) {
		if (i)
			putc(',', o->out);
		csv_cell(o, &cells[i]);
	}
	putc('\n', o->out);
}

static void json_character(FILE *out, int32_t c, const char *s, size_t size)
{
	if (c == '"' || c == '\\')
		fprintf(out, "\\%c", (int)c);
	else if (c == '\n')
		fputs("\\n", out);
	else if (c >= 0 && (c < 0x20 || (c >= 0x7f && c < 0xa0) ||
			    (c >= 0x200b && c <= 0x206f) || c == 0xfeff))
		fprintf(out, "\\u%04x", (unsigned)c);
	else if (c < 0)
		fputs("\\ufffd", out); /* JSON is UTF-8 throughout */
	else
		fwrite(s, 1, size, out);
}

static void json_text(FILE *out, const char *s, size_t n)
{
	putc('"', out);
	while (n > 0) {
		size_t size;
		int32_t c = gaspdb_text_decode(s, n, &size);
		json_character(out, c, s, size);
		s += size;
		n -= size;
	}
	putc('"', out);
}

void gaspdb_output_json(FILE *out, const struct gaspdb_output_cell *cell)
{
	switch (cell->type) {
	case SQLITE_INTEGER:
		fprintf(out, "%" PRId64, cell->integer);
		break;
	case SQLITE_FLOAT:
		if (isfinite(cell->real))
			print_real(out, cell->real);
		else
			fputs("null", out);
		break;
	case SQLITE_TEXT:
		json_text(out, cell->bytes, cell->n);
		break;
	case SQLITE_BLOB:
		putc('"', out);
		print_hex(out, cell);
		putc('"', out);
		break;
	default:
		fputs("null", out);
	}
}

static void json_row(struct gaspdb_output *o,
		     const struct gaspdb_output_cell *cells)
{
	fputs(o->n_rows ? ",\n{" : "[\n{", o->out);
	for (int i = 0; i < o->n_columns; i++) {
		if (i)
			fputs(", ", o->out);
		json_text(o->out, o->names[i], strlen(o->names[i]));
		fputs(": ", o->out);
		gaspdb_output_json(o->out, &cells[i]);
	}
	putc('}', o->out);
}

struct gaspdb_output *
gaspdb_output_open(FILE *out, enum gaspdb_output_format format, bool terminal,
		   const struct gaspdb_output_column *columns, int n_columns)
{
	struct gaspdb_output *o = gaspdb_memory_new(1, sizeof *o);

	o->out = out;
	o->format = format;
	o->terminal = terminal;
	o->n_columns = n_columns;
	o->names = gaspdb_memory_new((size_t)n_columns, sizeof *o->names);
	for (int i = 0; i < n_columns; i++)
		o->names[i] = gaspdb_text_copy(columns[i].name,
					       strlen(columns[i].name));
	if (format == GASPDB_OUTPUT_CSV)
		csv_header(o);
	else if (format == GASPDB_OUTPUT_TABLE)
		o->table = gaspdb_output_table_new(out, columns, n_columns);
	return o;
}

size_t gaspdb_output_terminal_width(void)
{
	const char *columns = getenv("COLUMNS");
	const long n = columns ? strtol(columns, NULL, 10) : 0;
	struct winsize size;

	if (n > 0)
		return (size_t)n;
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) ? 0 : size.ws_col;
}

void gaspdb_output_fit(struct gaspdb_output *o)
{
	if (o->table && o->terminal)
		gaspdb_output_table_fit(o->table,
					gaspdb_output_terminal_width());
}

void gaspdb_output_row(struct gaspdb_output *o,
		       const struct gaspdb_output_cell *cells)
{
	switch (o->format) {
	case GASPDB_OUTPUT_TABLE:
		gaspdb_output_table_row(o->table, cells);
		break;
	case GASPDB_OUTPUT_CSV:
		csv_row(o, cells);
		break;
	case GASPDB_OUTPUT_JSON:
		json_row(o, cells);
		break;
	}
	o->n_rows++;
}

void gaspdb_output_close(struct gaspdb_output *o)
{
	if (o->format == GASPDB_OUTPUT_JSON)
		fputs(o->n_rows ? "\n]\n" : "[]\n", o->out);
	if (o->table)
		gaspdb_output_table_free(o->table);
	for (int i = 0; i < o->n_columns; i++)
		free(o->names[i]);
	free(o->names);
	free(o);
}

struct gaspdb_output_cell gaspdb_output_column(sqlite3_stmt *stmt, int i)
{
	struct gaspdb_output_cell cell = { .type = sqlite3_column_type(stmt,
								       i) };

	if (cell.type == SQLITE_INTEGER) {
		cell.integer = sqlite3_column_int64(stmt, i);
	} else if (cell.type == SQLITE_FLOAT) {
		cell.real = sqlite3_column_double(stmt, i);
	} else if (cell.type != SQLITE_NULL) {
		cell.bytes =
			cell.type == SQLITE_TEXT
				? (const void *)sqlite3_column_text(stmt, i)
				: sqlite3_column_blob(stmt, i);
		cell.n = (size_t)sqlite3_column_bytes(stmt, i);
	}
	return cell;
}

int gaspdb_output_statement(struct gaspdb_output *o, sqlite3_stmt *stmt,
			    int64_t *n_rows)
{
	struct gaspdb_output_cell *cells =
		gaspdb_memory_new((size_t)o->n_columns, sizeof *cells);
	int rc;

	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW && !ferror(o->out)) {
		for (int i = 0; i < o->n_columns; i++)
			cells[i] = gaspdb_output_column(stmt, i);
		gaspdb_output_row(o, cells);
	}
	if (rc == SQLITE_ROW) /* nobody listens any more */
		rc = SQLITE_DONE;
	if (n_rows)
		*n_rows = o->n_rows;
	free(cells);
	return rc;
}
