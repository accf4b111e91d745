/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report's tables: cells in human units, never wider than the page. */
#include "report_table.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "human.h"
#include "text.h"

enum {
	INDENT = 2,
	GAP = 2,
	LEAST_WIDTH = 12 /* that a text is cut to */
};

struct gaspdb_report_table {
	const struct gaspdb_report_column *columns;
	size_t n_columns, n_cells, room;
	char **cells; /* safe */
};

struct gaspdb_report_table *
gaspdb_report_table_new(const struct gaspdb_report_column *columns)
{
	struct gaspdb_report_table *t = gaspdb_memory_new(1, sizeof *t);

	t->columns = columns;
	while (columns[t->n_columns].name)
		t->n_columns++;
	return t;
}

static void add(struct gaspdb_report_table *t, char *cell)
{
	if (t->n_cells == t->room) {
		t->room = 2 * t->room + 64;
		t->cells =
			gaspdb_memory_grow(t->cells, t->room, sizeof *t->cells);
	}
	t->cells[t->n_cells++] = cell;
}

static enum gaspdb_report_kind kind_of_next(const struct gaspdb_report_table *t)
{
	return t->columns[t->n_cells % t->n_columns].kind;
}

static bool is_text(enum gaspdb_report_kind kind)
{
	return kind == GASPDB_REPORT_TEXT || kind == GASPDB_REPORT_PLACE;
}

void gaspdb_report_table_text(struct gaspdb_report_table *t, const char *text)
{
	const char *shown = text && *text ? text : "-";

	add(t, gaspdb_text_safe(shown, strlen(shown)));
}

void gaspdb_report_table_integer(struct gaspdb_report_table *t, int64_t value)
{
	char buf[GASPDB_HUMAN_BYTES];

	switch (kind_of_next(t)) {
	case GASPDB_REPORT_COUNT:
		gaspdb_human_count(buf, value);
		break;
	case GASPDB_REPORT_TIME:
		gaspdb_human_time(buf, value);
		break;
	case GASPDB_REPORT_SIZE:
		gaspdb_human_size(buf, value);
		break;
	case GASPDB_REPORT_SHARE:
		gaspdb_human_share(buf, (double)value, 100);
		break;
	case GASPDB_REPORT_FLAG:
		strcpy(buf, value ? "yes" : "NO");
		break;
	default:
		snprintf(buf, sizeof buf, "%" PRId64, value);
	}
	add(t, gaspdb_text_copy(buf, strlen(buf)));
}

void gaspdb_report_table_real(struct gaspdb_report_table *t, double value)
{
	char buf[GASPDB_HUMAN_BYTES];
	enum gaspdb_report_kind kind = kind_of_next(t);

	if (kind == GASPDB_REPORT_SHARE)
		gaspdb_human_share(buf, value, 100);
	else if (kind == GASPDB_REPORT_REAL || !(value > -9e18 && value < 9e18))
		snprintf(buf, sizeof buf, "%.3g", value);
	else {
		gaspdb_report_table_integer(
			t, (int64_t)(value < 0 ? value - 0.5 : value + 0.5));
		return;
	}
	add(t, gaspdb_text_copy(buf, strlen(buf)));
}

void gaspdb_report_table_value(struct gaspdb_report_table *t,
			       sqlite3_stmt *stmt, int column)
{
	switch (sqlite3_column_type(stmt, column)) {
	case SQLITE_INTEGER:
		gaspdb_report_table_integer(t,
					    sqlite3_column_int64(stmt, column));
		break;
	case SQLITE_FLOAT:
		gaspdb_report_table_real(t,
					 sqlite3_column_double(stmt, column));
		break;
	default:
		gaspdb_report_table_text(
			t, (const char *)sqlite3_column_text(stmt, column));
	}
}

/* Widths of the columns; 0: nothing in it. */
static void measure(const struct gaspdb_report_table *t, size_t *widths)
{
	for (size_t i = 0; i < t->n_columns; i++) {
		bool any = false;
		widths[i] = gaspdb_text_width(t->columns[i].heading);
		for (size_t k = i; k < t->n_cells; k += t->n_columns) {
			size_t width = gaspdb_text_width(t->cells[k]);
			any |= strcmp(t->cells[k], "-") != 0;
			widths[i] = width > widths[i] ? width : widths[i];
		}
		if (!any)
			widths[i] = 0;
	}
}

/* Take from the widest text until all fits. */
static void fit(const struct gaspdb_report_table *t, size_t *widths)
{
	for (;;) {
		size_t total = INDENT, widest = t->n_columns;
		for (size_t i = 0; i < t->n_columns; i++) {
			if (!widths[i])
				continue;
			total += widths[i] + GAP;
			if (is_text(t->columns[i].kind) &&
			    widths[i] > LEAST_WIDTH &&
			    (widest == t->n_columns ||
			     widths[i] > widths[widest]))
				widest = i;
		}
		if (total - GAP <= GASPDB_REPORT_WIDTH ||
		    widest == t->n_columns)
			return;
		widths[widest]--;
	}
}

static void print_cell(FILE *out, const char *cell,
		       enum gaspdb_report_kind kind, size_t width, bool last)
{
	char *cut = is_text(kind)
			    ? gaspdb_text_cut(cell, width, GASPDB_TEXT_BOTH)
			    : gaspdb_text_copy(cell, strlen(cell));

	gaspdb_text_pad(out, cut, last && is_text(kind) ? 0 : width,
			!is_text(kind));
	free(cut);
}

/* cells NULL: the headings */
static void print_row(const struct gaspdb_report_table *t, FILE *out,
		      char **cells, const size_t *widths)
{
	size_t last = 0;

	for (size_t i = 0; i < t->n_columns; i++)
		if (widths[i])
			last = i;
	fprintf(out, "%*s", INDENT, "");
	for (size_t i = 0; i < t->n_columns; i++) {
		if (!widths[i])
			continue;
		print_cell(out, cells ? cells[i] : t->columns[i].heading,
			   t->columns[i].kind, widths[i], i == last);
		fprintf(out, "%*s", i == last ? 0 : GAP, "");
	}
	putc('\n', out);
}

void gaspdb_report_table_free(struct gaspdb_report_table *t)
{
	for (size_t k = 0; k < t->n_cells; k++)
		free(t->cells[k]);
	free(t->cells);
	free(t);
}

void gaspdb_report_table_print(struct gaspdb_report_table *t, FILE *out)
{
	size_t *widths = gaspdb_memory_new(t->n_columns, sizeof *widths);

	measure(t, widths);
	fit(t, widths);
	print_row(t, out, NULL, widths);
	for (size_t k = 0; k + t->n_columns <= t->n_cells; k += t->n_columns)
		print_row(t, out, t->cells + k, widths);
	free(widths);
	gaspdb_report_table_free(t);
}

void gaspdb_report_wrap(FILE *out, const char *text, int column, int indent)
{
	char *safe = gaspdb_text_safe(text, strlen(text));
	char *rest = safe, *word;
	bool first = true;

	while ((word = strsep(&rest, " "))) {
		int width = (int)gaspdb_text_width(word);
		if (!first && column + 1 + width > GASPDB_REPORT_WIDTH) {
			fprintf(out, "\n%*s", indent, "");
			column = indent;
			first = true;
		}
		fprintf(out, "%s%s", first ? "" : " ", word);
		column += width + !first;
		first = false;
	}
	putc('\n', out);
	free(safe);
}
