/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables for people. The first rows are held to compute widths, units and
   alignment; later rows are written directly, so that memory is bounded. */
#include "cli/output/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/human.h"
#include "cli/output/text.h"

enum {
	HELD_ROWS = 500,
	LONGEST_TEXT = 1000, /* columns; CSV and JSON have whole texts */
	/* A character is at most four bytes. */
	LONGEST_TEXT_BYTES = 4 * LONGEST_TEXT + 4,
	LONGEST_BLOB = 16, /* bytes */
	LEAST_WIDTH = 12   /* minimum to which texts are cut */
};

#define GAP    "  "
#define INDENT "    " /* of continuation lines */

struct column {
	char *name, *unit; /* unit: of an analysis, may be ""; else NULL */
	struct gaspdb_scale scale;
	double largest;
	bool is_number, is_real, is_text, right;
	size_t fixed; /* minimum width, for texts also the maximum; 0: any */
	size_t cells, width; /* of its cells; of the column */
	bool cut;	     /* texts are cut to width */
	bool begins;	     /* starts another line of the row */
};

struct gaspdb_output_table {
	FILE *out;
	int n_columns;
	struct column *columns;
	struct gaspdb_output_cell *held; /* n_held rows of copies */
	size_t n_held;
	bool begun, headings;
	size_t page; /* width of the page; 0: unlimited */
	bool breaks; /* headings may take several lines */
	size_t rule; /* width of the widest line, if rows have several; 0: one
		      */
};

static char *short_text(const char *s, size_t n)
{
	char *safe = gaspdb_text_safe(
		s, n < LONGEST_TEXT_BYTES ? n : LONGEST_TEXT_BYTES);
	char *cut = gaspdb_text_cut(safe, LONGEST_TEXT, GASPDB_TEXT_BEGINNING);

	free(safe);
	return cut;
}

struct gaspdb_output_table *
gaspdb_output_table_new(FILE *out, const struct gaspdb_output_style *style,
			const struct gaspdb_output_column *columns,
			int n_columns)
{
	struct gaspdb_output_table *t = gaspdb_memory_new(1, sizeof *t);

	t->out = out;
	t->headings = style->headings == GASPDB_OUTPUT_HEADINGS_ON;
	t->n_columns = n_columns;
	t->columns = gaspdb_memory_new((size_t)n_columns, sizeof *t->columns);
	for (int i = 0; i < n_columns; i++) {
		const char *unit = columns[i].unit;

		t->columns[i].name =
			short_text(columns[i].name, strlen(columns[i].name));
		t->columns[i].unit =
			unit ? gaspdb_text_copy(unit, strlen(unit)) : NULL;
		if (i < style->n_widths) {
			t->columns[i].right = style->widths[i] < 0;
			t->columns[i].fixed = (size_t)abs(style->widths[i]);
		}
	}
	return t;
}

static bool has_unit(const struct column *c)
{
	return c->unit && *c->unit;
}

static char *number_text(const struct column *c, double value,
			 const struct gaspdb_output_cell *cell)
{
	char buf[GASPDB_HUMAN_BYTES];
	bool is_integer = cell->type == SQLITE_INTEGER;

	if (!isfinite(value))
		snprintf(buf, sizeof buf, "%f", value);
	else if (has_unit(c) && is_integer && !c->scale.decimals)
		gaspdb_human_count(buf, cell->integer);
	else if (has_unit(c) || (c->unit && c->is_real))
		gaspdb_human_scaled(buf, value, c->scale);
	else if (is_integer)
		snprintf(buf, sizeof buf, "%" PRId64, cell->integer);
	else
		snprintf(buf, sizeof buf, "%.6g", value);
	return gaspdb_text_copy(buf, strlen(buf));
}

static char *blob_text(const struct gaspdb_output_cell *cell)
{
	const unsigned char *u = cell->bytes;
	size_t n = cell->n < LONGEST_BLOB ? cell->n : LONGEST_BLOB;
	char hex[2 * LONGEST_BLOB + 1] = "";

	for (size_t i = 0; i < n; i++)
		snprintf(hex + 2 * i, 3, "%02x", u[i]);
	return gaspdb_text_format("x'%s%s'", hex, n < cell->n ? "..." : "");
}

/* Text of a cell; the caller frees it. */
static char *cell_text(const struct column *c,
		       const struct gaspdb_output_cell *cell)
{
	switch (cell->type) {
	case SQLITE_INTEGER:
		return number_text(c, (double)cell->integer, cell);
	case SQLITE_FLOAT:
		return number_text(c, cell->real, cell);
	case SQLITE_TEXT:
		return short_text(cell->bytes, cell->n);
	case SQLITE_BLOB:
		return blob_text(cell);
	default:
		return gaspdb_text_copy("-", 1);
	}
}

static void print_row(struct gaspdb_output_table *t, char *const *texts)
{
	for (int i = 0; i < t->n_columns; i++) {
		const struct column *c = &t->columns[i];
		bool right = c->right || (c->is_number && !c->is_text);
		bool last = i == t->n_columns - 1 || c[1].begins;
		char *cut = c->cut ? gaspdb_text_cut(texts[i], c->width,
						     GASPDB_TEXT_BOTH)
				   : NULL;

		fputs(c->begins ? INDENT : "", t->out);
		gaspdb_text_pad(t->out, cut ? cut : texts[i],
				last && !right ? 0 : c->width, right);
		fputs(last ? "\n" : GAP, t->out);
		free(cut);
	}
}

static void print_cells(struct gaspdb_output_table *t,
			const struct gaspdb_output_cell *cells)
{
	char **texts = gaspdb_memory_new((size_t)t->n_columns, sizeof *texts);

	for (int i = 0; i < t->n_columns; i++)
		texts[i] = cell_text(&t->columns[i], &cells[i]);
	print_row(t, texts);
	for (int i = 0; i < t->n_columns; i++)
		free(texts[i]);
	free(texts);
}

/* Heading: the column's name and unit, "self [ms]". */
static char *heading(const struct column *c)
{
	size_t n = strlen(c->name);

	if (!c->is_number || !has_unit(c) || !strcmp(c->unit, "count"))
		return gaspdb_text_copy(c->name, n);
	if (!strcmp(c->unit, "ns") && n > 3 && !strcmp(c->name + n - 3, "_ns"))
		n -= 3; /* replaced by the unit */
	return gaspdb_text_format("%.*s [%s]", (int)n, c->name, c->scale.unit);
}

/* Length of the next line of a heading, broken after _ and at blanks to at most
   width bytes if possible; *rest: the rest. */
static size_t heading_line(const char **rest, size_t width)
{
	const char *s = *rest;
	size_t n = 0;

	for (size_t i = 1; *s && (!n || s[n]); i++) {
		if (s[i] && s[i] != ' ' && s[i - 1] != '_')
			continue;
		if (n && i > width)
			break;
		n = i;
	}
	*rest = s + n + (s[n] == ' ');
	return n;
}

/* Width of a heading, or of its widest line. */
static size_t heading_width(const struct gaspdb_output_table *t,
			    const struct column *c)
{
	char *text = heading(c);
	size_t width = t->breaks ? 0 : gaspdb_text_width(text);

	for (const char *rest = text; t->breaks && *rest;) {
		const size_t n = heading_line(&rest, 1);

		width = n > width ? n : width;
	}
	free(text);
	return width;
}

/*
 * Prints a line of all headings; *rest: the rest of each. false: nothing left.
 */
static bool print_heading_line(struct gaspdb_output_table *t, const char **rest)
{
	char **texts = gaspdb_memory_new((size_t)t->n_columns, sizeof *texts);
	bool any = false;

	for (int i = 0; i < t->n_columns; i++) {
		const char *from = rest[i];
		size_t n = strlen(from);

		any |= *from;
		if (t->breaks)
			n = heading_line(&rest[i], t->columns[i].width);
		else
			rest[i] += n;
		texts[i] = gaspdb_text_copy(from, n);
	}
	if (any)
		print_row(t, texts);
	for (int i = 0; i < t->n_columns; i++)
		free(texts[i]);
	free(texts);
	return any;
}

static void print_dashes(struct gaspdb_output_table *t, size_t n)
{
	while (n--)
		putc('-', t->out);
}

static void print_rule(struct gaspdb_output_table *t)
{
	print_dashes(t, t->rule);
	for (int i = 0; !t->rule && i < t->n_columns; i++) {
		fputs(i ? GAP : "", t->out);
		print_dashes(t, t->columns[i].width);
	}
	putc('\n', t->out);
}

static void print_headings(struct gaspdb_output_table *t)
{
	const size_t n = (size_t)t->n_columns;
	char **texts = gaspdb_memory_new(n, sizeof *texts);
	const char **rest = gaspdb_memory_new(n, sizeof *rest);

	for (size_t i = 0; i < n; i++)
		rest[i] = texts[i] = heading(&t->columns[i]);
	while (print_heading_line(t, rest))
		;
	print_rule(t);
	for (size_t i = 0; i < n; i++)
		free(texts[i]);
	free(texts);
	free(rest);
}

/* Sets widths by the contents; returns the table's total width. */
static size_t lay_out(struct gaspdb_output_table *t)
{
	size_t total = (size_t)(t->n_columns - 1) * strlen(GAP);

	for (int i = 0; i < t->n_columns; i++) {
		struct column *c = &t->columns[i];
		size_t least = t->headings ? heading_width(t, c) : 0;

		least = c->fixed > least ? c->fixed : least;
		c->cut = c->fixed && c->is_text;
		c->width = c->cells > least && !c->cut ? c->cells : least;
		total += c->width;
	}
	return total;
}

/* Can a text column be narrowed? At least half of the widest text stays. */
static bool can_shrink(struct gaspdb_output_table *t, const struct column *c)
{
	return c->is_text && !c->fixed && c->width > LEAST_WIDTH &&
	       c->width > (c->cells + 1) / 2 && c->width > heading_width(t, c);
}

/* Narrows the widest text column by one; false: none can be narrowed. */
static bool shrink(struct gaspdb_output_table *t)
{
	struct column *widest = NULL;

	for (int i = 0; i < t->n_columns; i++) {
		struct column *c = &t->columns[i];

		if (can_shrink(t, c) && (!widest || c->width > widest->width))
			widest = c;
	}
	if (!widest)
		return false;
	widest->width--;
	return widest->cut = true;
}

/* Folds rows to as many lines as needed, each filled as far as possible. */
static void fold(struct gaspdb_output_table *t)
{
	size_t at = 0;

	for (int i = 0; i < t->n_columns; i++) {
		struct column *c = &t->columns[i];

		c->begins = i && at + strlen(GAP) + c->width > t->page;
		if (c->begins)
			at = strlen(INDENT);
		else if (i)
			at += strlen(GAP);
		at += c->width;
		t->rule = at > t->rule ? at : t->rule;
	}
	t->rule = t->rule < t->page ? t->rule : t->page;
}

/* Fits the table to the page: first breaks headings, then cuts texts; if that
   does not suffice, folds rows with whole texts instead. */
static void fit(struct gaspdb_output_table *t)
{
	size_t total = lay_out(t);

	if (!t->page || total <= t->page)
		return;
	t->breaks = true;
	total = lay_out(t);
	while (total > t->page && shrink(t))
		total--;
	if (total <= t->page)
		return;
	t->breaks = false;
	lay_out(t);
	fold(t);
}

void gaspdb_output_table_fit(struct gaspdb_output_table *t, size_t width)
{
	t->page = width;
}

/* Resolves a unit ":COLUMN", by the first row's value in that column. */
static void resolve_unit(struct gaspdb_output_table *t, struct column *c)
{
	const char *unit = "";
	int i = 0;

	while (i < t->n_columns - 1 &&
	       strcmp(t->columns[i].name, c->unit + 1) != 0)
		i++;
	if (t->n_held && t->held[i].type == SQLITE_TEXT)
		unit = gaspdb_human_unit_of(t->held[i].bytes);
	free(c->unit);
	c->unit = gaspdb_text_copy(unit, strlen(unit));
}

/* Fixes the columns by the held rows, and writes these. */
static void begin(struct gaspdb_output_table *t)
{
	for (int i = 0; i < t->n_columns; i++) {
		struct column *c = &t->columns[i];

		if (c->unit && *c->unit == ':')
			resolve_unit(t, c);
		if (c->unit)
			c->scale = gaspdb_human_scale(c->unit, c->largest,
						      c->is_real);
		for (size_t r = 0; r < t->n_held; r++) {
			char *text = cell_text(
				c, &t->held[r * (size_t)t->n_columns + i]);
			size_t width = gaspdb_text_width(text);
			if (c->cells < width)
				c->cells = width;
			free(text);
		}
	}
	fit(t);
	if (t->headings)
		print_headings(t);
	for (size_t r = 0; r < t->n_held; r++)
		print_cells(t, &t->held[r * (size_t)t->n_columns]);
	t->begun = true;
}

/* Holds a copy of a cell, and notes its column's properties. */
static void hold(struct column *c, struct gaspdb_output_cell *copy,
		 const struct gaspdb_output_cell *cell)
{
	double value =
		cell->type == SQLITE_FLOAT ? cell->real : (double)cell->integer;

	*copy = *cell;
	if (cell->type == SQLITE_TEXT || cell->type == SQLITE_BLOB) {
		c->is_text = true;
		copy->bytes = gaspdb_text_copy(cell->bytes,
					       cell->n < LONGEST_TEXT_BYTES
						       ? cell->n
						       : LONGEST_TEXT_BYTES);
	} else if (cell->type != SQLITE_NULL) {
		c->is_number = true;
		c->is_real |= cell->type == SQLITE_FLOAT;
		if (fabs(value) > c->largest && isfinite(value))
			c->largest = fabs(value);
	}
}

void gaspdb_output_table_row(struct gaspdb_output_table *t,
			     const struct gaspdb_output_cell *cells)
{
	size_t n = (size_t)t->n_columns;

	if (t->begun) {
		print_cells(t, cells);
		return;
	}
	if (!t->held)
		t->held = gaspdb_memory_new(HELD_ROWS * n, sizeof *t->held);
	for (size_t i = 0; i < n; i++)
		hold(&t->columns[i], &t->held[t->n_held * n + i], &cells[i]);
	if (++t->n_held == HELD_ROWS)
		begin(t);
}

void gaspdb_output_table_free(struct gaspdb_output_table *t)
{
	if (!t->begun)
		begin(t);
	for (size_t i = 0; i < t->n_held * (size_t)t->n_columns; i++)
		if (t->held[i].type == SQLITE_TEXT ||
		    t->held[i].type == SQLITE_BLOB)
			free((void *)t->held[i].bytes);
	for (int i = 0; i < t->n_columns; i++) {
		free(t->columns[i].name);
		free(t->columns[i].unit);
	}
	free(t->columns);
	free(t->held);
	free(t);
}
