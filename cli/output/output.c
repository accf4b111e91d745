/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writer of rows in all formats. Formats without alignment are written here,
 * row by row; aligned ones by table.c and columns.c, which hold rows to compute
 * widths.
 */
#include "cli/output/output.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/output/columns.h"
#include "cli/output/table.h"
#include "cli/output/text.h"

struct gaspdb_output {
	FILE *out;
	struct gaspdb_output_style style;
	bool terminal, headings;
	char **names;
	int n_columns;
	int64_t n_rows;
	size_t widest_name;		   /* for format line */
	struct gaspdb_output_table *table; /* NULL: another format */
	struct gaspdb_output_columns
		*columns; /* for box, markdown and column */
};

#define MODE(id, name, headings, doc) { name, headings, doc },
const struct gaspdb_output_mode gaspdb_output_modes[] = { GASPDB_OUTPUT_LIST(
	MODE){ NULL, false, NULL } };

bool gaspdb_output_format_parse(const char *name,
				enum gaspdb_output_format *format)
{
	const size_t n = strlen(name);
	int n_begin = 0, found = 0;

	for (int i = 0; n && gaspdb_output_modes[i].name; i++) {
		const char *mode = gaspdb_output_modes[i].name;
		const size_t n_mode = strlen(mode);

		/* "lines" and "columns" are accepted, as by sqlite3 */
		if (!strncmp(name, mode, n_mode) &&
		    (!name[n_mode] || !strcmp(name + n_mode, "s"))) {
			found = i;
			n_begin = 1;
			break;
		}
		if (strncmp(name, mode, n))
			continue;
		found = i;
		n_begin++;
	}
	if (n_begin == 1)
		*format = (enum gaspdb_output_format)found;
	return n_begin == 1;
}

/* Prints the shortest decimal that reads back as the same number. */
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

/* Prints a text: made safe on a terminal, unchanged elsewhere. */
static void plain_text(struct gaspdb_output *o, const char *s, size_t n)
{
	char *safe = o->terminal ? gaspdb_text_safe(s, n) : NULL;

	if (safe)
		fputs(safe, o->out);
	else if (n)
		fwrite(s, 1, n, o->out);
	free(safe);
}

static void plain_cell(struct gaspdb_output *o,
		       const struct gaspdb_output_cell *cell)
{
	if (cell->type == SQLITE_TEXT) {
		plain_text(o, cell->bytes, cell->n);
		return;
	}
	char *text = gaspdb_output_cell_text(cell);
	fputs(text, o->out);
	free(text);
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
		plain_cell(o, cell);
		break;
	default:
		/* most readers skip an empty line */
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

static void line_row(struct gaspdb_output *o,
		     const struct gaspdb_output_cell *cells)
{
	fputs(o->n_rows ? "\n" : "", o->out);
	for (int i = 0; i < o->n_columns; i++) {
		char *name = gaspdb_text_safe(o->names[i], strlen(o->names[i]));

		gaspdb_text_pad(o->out, name, o->widest_name, true);
		free(name);
		fputs(" = ", o->out);
		plain_cell(o, &cells[i]);
		putc('\n', o->out);
	}
}

static void separated_row(struct gaspdb_output *o, char separator,
			  void (*write)(struct gaspdb_output *o,
					const struct gaspdb_output_cell *cell),
			  const struct gaspdb_output_cell *cells)
{
	for (int i = 0; i < o->n_columns; i++) {
		if (i)
			putc(separator, o->out);
		write(o, &cells[i]);
	}
	putc('\n', o->out);
}

static void quote_text(struct gaspdb_output *o, const char *s, size_t n)
{
	putc('\'', o->out);
	for (size_t i = 0, from = 0; i <= n; i++)
		if (i == n || s[i] == '\'') {
			plain_text(o, s + from, i - from);
			fputs(i < n ? "''" : "'", o->out);
			from = i + 1;
		}
}

/* Like SQLite's quote(), but with all digits of reals. */
static void quote_cell(struct gaspdb_output *o,
		       const struct gaspdb_output_cell *cell)
{
	char real[40];

	switch (cell->type) {
	case SQLITE_NULL:
		fputs("NULL", o->out);
		break;
	case SQLITE_TEXT:
		quote_text(o, cell->bytes, cell->n);
		break;
	case SQLITE_BLOB:
		fputs("X'", o->out);
		for (size_t i = 0; i < cell->n; i++)
			fprintf(o->out, "%02X",
				((const unsigned char *)cell->bytes)[i]);
		putc('\'', o->out);
		break;
	case SQLITE_FLOAT:
		fputs(sqlite3_snprintf(sizeof real, real, "%!.20g", cell->real),
		      o->out);
		break;
	default:
		plain_cell(o, cell);
	}
}

/* Prints a row of formats list, tabs and quote. */
static void separated(struct gaspdb_output *o,
		      const struct gaspdb_output_cell *cells)
{
	const bool is_quote = o->style.format == GASPDB_OUTPUT_QUOTE;

	separated_row(o,
		      is_quote				      ? ','
		      : o->style.format == GASPDB_OUTPUT_TABS ? '\t'
							      : '|',
		      is_quote ? quote_cell : plain_cell, cells);
}

static void separated_names(struct gaspdb_output *o)
{
	struct gaspdb_output_cell *names =
		gaspdb_memory_new((size_t)o->n_columns, sizeof *names);

	for (int i = 0; i < o->n_columns; i++)
		names[i] = gaspdb_output_text(o->names[i]);
	separated(o, names);
	free(names);
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

static void json_blob(FILE *out, const struct gaspdb_output_cell *cell)
{
	char *text = gaspdb_output_cell_text(cell);

	fprintf(out, "\"%s\"", text);
	free(text);
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
		json_blob(out, cell);
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

static void open_aligned(struct gaspdb_output *o,
			 const struct gaspdb_output_column *columns)
{
	switch (o->style.format) {
	case GASPDB_OUTPUT_TABLE:
		o->table = gaspdb_output_table_new(o->out, &o->style, columns,
						   o->n_columns);
		break;
	case GASPDB_OUTPUT_BOX:
	case GASPDB_OUTPUT_MARKDOWN:
	case GASPDB_OUTPUT_COLUMN:
		o->columns = gaspdb_output_columns_new(o->out, &o->style,
						       o->names, o->n_columns);
		break;
	default:
		break;
	}
}

struct gaspdb_output *
gaspdb_output_open(FILE *out, const struct gaspdb_output_style *style,
		   const struct gaspdb_output_column *columns, int n_columns)
{
	enum { LEAST_NAME = 5 }; /* minimum width of names in format line */
	struct gaspdb_output *o = gaspdb_memory_new(1, sizeof *o);

	o->out = out;
	o->style = *style;
	o->terminal = style->terminal;
	o->headings = style->headings == GASPDB_OUTPUT_HEADINGS_USUAL
			      ? gaspdb_output_modes[style->format].headings
			      : style->headings == GASPDB_OUTPUT_HEADINGS_ON;
	o->style.headings = o->headings ? GASPDB_OUTPUT_HEADINGS_ON
					: GASPDB_OUTPUT_HEADINGS_OFF;
	o->n_columns = n_columns;
	o->names = gaspdb_memory_new((size_t)n_columns, sizeof *o->names);
	o->widest_name = LEAST_NAME;
	for (int i = 0; i < n_columns; i++) {
		const size_t width = gaspdb_text_width(columns[i].name);

		o->names[i] = gaspdb_text_copy(columns[i].name,
					       strlen(columns[i].name));
		o->widest_name =
			width > o->widest_name ? width : o->widest_name;
	}
	open_aligned(o, columns);
	/* CSV has a heading even without rows */
	if (style->format == GASPDB_OUTPUT_CSV && o->headings)
		csv_header(o);
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
	if (o->columns && o->terminal)
		gaspdb_output_columns_fit(o->columns,
					  gaspdb_output_terminal_width());
}

void gaspdb_output_row(struct gaspdb_output *o,
		       const struct gaspdb_output_cell *cells)
{
	switch (o->style.format) {
	case GASPDB_OUTPUT_TABLE:
		gaspdb_output_table_row(o->table, cells);
		break;
	case GASPDB_OUTPUT_CSV:
		separated_row(o, ',', csv_cell, cells);
		break;
	case GASPDB_OUTPUT_JSON:
		json_row(o, cells);
		break;
	case GASPDB_OUTPUT_LINE:
		line_row(o, cells);
		break;
	case GASPDB_OUTPUT_BOX:
	case GASPDB_OUTPUT_MARKDOWN:
	case GASPDB_OUTPUT_COLUMN:
		gaspdb_output_columns_row(o->columns, cells);
		break;
	case GASPDB_OUTPUT_LIST:
	case GASPDB_OUTPUT_TABS:
	case GASPDB_OUTPUT_QUOTE:
		if (!o->n_rows && o->headings)
			separated_names(o);
		separated(o, cells);
		break;
	}
	o->n_rows++;
}

void gaspdb_output_close(struct gaspdb_output *o)
{
	if (o->style.format == GASPDB_OUTPUT_JSON)
		fputs(o->n_rows ? "\n]\n" : "[]\n", o->out);
	if (o->table)
		gaspdb_output_table_free(o->table);
	if (o->columns)
		gaspdb_output_columns_free(o->columns);
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
	if (rc == SQLITE_ROW) /* the reader has closed the stream */
		rc = SQLITE_DONE;
	if (n_rows)
		*n_rows = o->n_rows;
	free(cells);
	return rc;
}
