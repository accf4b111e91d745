/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Report: tables with cells in human units, never wider than the page. */
#include "cli/report/table.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/output/human.h"
#include "cli/output/output.h"
#include "cli/output/text.h"

enum {
	INDENT = 2,
	GAP = 2,	  /* 1 if that makes a row fit */
	CONTINUED = 4,	  /* indent of continuation lines */
	LEAST_WIDTH = 12, /* minimum to which texts are cut */
	LONG_NAME = 40	  /* minimum for a place in a C++ function */
};

struct gaspdb_report_table {
	const struct gaspdb_report_column *columns;
	char **headings;
	size_t n_columns, n_cells, room;
	char **cells; /* safe */
};

static int fixed_width; /* 0: not fixed */

int gaspdb_report_width(FILE *out)
{
	const int fd = fileno(out);
	const size_t width =
		fd >= 0 && isatty(fd) ? gaspdb_output_terminal_width() : 0;

	if (fixed_width)
		return fixed_width;
	if (width == 0 || width > GASPDB_REPORT_WIDTH)
		return GASPDB_REPORT_WIDTH;
	return width < GASPDB_REPORT_LEAST_WIDTH ? GASPDB_REPORT_LEAST_WIDTH
						 : (int)width;
}

void gaspdb_report_fix_width(FILE *out)
{
	fixed_width = gaspdb_report_width(out);
}

struct gaspdb_report_table *
gaspdb_report_table_new(const struct gaspdb_report_column *columns,
			const struct gaspdb_run_words *words)
{
	struct gaspdb_report_table *t = gaspdb_memory_new(1, sizeof *t);

	t->columns = columns;
	while (columns[t->n_columns].name)
		t->n_columns++;
	t->headings = gaspdb_memory_new(t->n_columns + 1, sizeof *t->headings);
	for (size_t i = 0; i < t->n_columns; i++)
		t->headings[i] =
			gaspdb_run_words_fill(words, columns[i].heading);
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

/* Sets the widths of columns; 0: empty. */
static void measure(const struct gaspdb_report_table *t, size_t *widths)
{
	for (size_t i = 0; i < t->n_columns; i++) {
		bool any = false;
		widths[i] = gaspdb_text_width(t->headings[i]);
		for (size_t k = i; k < t->n_cells; k += t->n_columns) {
			size_t width = gaspdb_text_width(t->cells[k]);
			any |= strcmp(t->cells[k], "-") != 0;
			widths[i] = width > widths[i] ? width : widths[i];
		}
		if (!any)
			widths[i] = 0;
	}
}

/* Layout of rows on the page. */
struct layout {
	size_t page, gap;
	size_t *widths;	 /* of the columns; 0: empty */
	size_t new_line; /* column before which a line ends; 0: none given */
};

static size_t total_width(const struct gaspdb_report_table *t,
			  const struct layout *l, size_t first)
{
	size_t total = first ? CONTINUED : INDENT;
	bool any = false;

	for (size_t i = first; i < t->n_columns; i++) {
		if (!l->widths[i])
			continue;
		total += l->widths[i] + (any ? l->gap : 0);
		any = true;
	}
	return total;
}

/* Start of the first "file:line" or "module+0x..." in a text; NULL: none. */
static const char *location_in(const char *safe)
{
	const char *word = safe;

	for (const char *p = safe; *p; p++) {
		if (*p == ' ')
			word = p + 1;
		else if (p > word &&
			 ((*p == ':' && p[1] >= '0' && p[1] <= '9') ||
			  !strncmp(p, "+0x", 3)))
			return word;
	}
	return NULL;
}

/* Cuts a text but keeps its locations, if possible: "comput... a.c:1". */
static char *cut_place(const char *safe, size_t width)
{
	const char *location = location_in(safe);
	size_t rest = location ? gaspdb_text_width(location) + 1 : 0;

	if (!location || gaspdb_text_width(safe) <= width || rest + 3 > width)
		return gaspdb_text_cut(safe, width, GASPDB_TEXT_BOTH);
	char *before = gaspdb_text_copy(safe, (size_t)(location - safe));
	char *cut =
		gaspdb_text_cut(before, width - rest, GASPDB_TEXT_BEGINNING);
	char *place = gaspdb_text_format("%s %s", cut, location);

	free(cut);
	free(before);
	return place;
}

/* Is it a C++ name, which may be longer than a line? */
static bool is_long_name(const char *location)
{
	return strstr(location, "::") || strchr(location, '<');
}

/* Minimum width of a column of texts; locations in places remain. */
static size_t least_width(const struct gaspdb_report_table *t, size_t column,
			  size_t width)
{
	size_t least = LEAST_WIDTH;

	if (column + 1 == t->n_columns && width / 2 > least)
		least = width /
			2; /* a sentence, which fits on a line of its own */
	if (t->columns[column].kind != GASPDB_REPORT_PLACE)
		return least;
	for (size_t k = column; k < t->n_cells; k += t->n_columns) {
		const char *location = location_in(t->cells[k]);
		size_t kept = location ? gaspdb_text_width(location) : 0;
		if (location && is_long_name(location) && kept > LONG_NAME)
			kept = LONG_NAME;
		if (location && location > t->cells[k])
			kept += 4; /* "... " */
		least = kept > least ? kept : least;
	}
	return least;
}

/* Narrows the widest text column of a kind until rows fit. */
static void shrink(const struct gaspdb_report_table *t, struct layout *l,
		   enum gaspdb_report_kind kind)
{
	size_t *least = gaspdb_memory_new(t->n_columns, sizeof *least);
	size_t widest = 0;

	for (size_t i = 0; i < t->n_columns; i++)
		least[i] = least_width(t, i, l->widths[i]);
	while (widest < t->n_columns && total_width(t, l, 0) > l->page) {
		widest = t->n_columns;
		for (size_t i = 0; i < t->n_columns; i++)
			if (t->columns[i].kind == kind &&
			    l->widths[i] > least[i] &&
			    (widest == t->n_columns ||
			     l->widths[i] > l->widths[widest]))
				widest = i;
		if (widest < t->n_columns)
			l->widths[widest]--;
	}
	free(least);
}

/* Breaks rows into several lines, with figures on one line if they fit. */
static void break_rows(const struct gaspdb_report_table *t, struct layout *l)
{
	size_t first = 0;

	measure(t, l->widths);
	for (size_t i = 0; i < t->n_columns; i++)
		if (is_text(t->columns[i].kind) &&
		    l->widths[i] > l->page - CONTINUED)
			l->widths[i] = l->page - CONTINUED;
	while (first < t->n_columns && is_text(t->columns[first].kind))
		first++;
	for (l->gap = GAP; l->gap > 0; l->gap--)
		if (first < t->n_columns &&
		    total_width(t, l, first) <= l->page) {
			l->new_line = first;
			return;
		}
	l->gap = GAP;
}

/* Fits rows to the page: narrows gaps, then cuts texts, then places; if that
   does not suffice, breaks rows. */
static void fit(const struct gaspdb_report_table *t, struct layout *l)
{
	measure(t, l->widths);
	for (l->gap = GAP; l->gap > 0; l->gap--)
		if (total_width(t, l, 0) <= l->page)
			return;
	for (l->gap = GAP; l->gap > 0; l->gap--) {
		measure(t, l->widths);
		shrink(t, l, GASPDB_REPORT_TEXT);
		shrink(t, l, GASPDB_REPORT_PLACE);
		if (total_width(t, l, 0) <= l->page)
			return;
	}
	break_rows(t, l);
}

static void print_cell(FILE *out, const char *cell,
		       enum gaspdb_report_kind kind, size_t width, bool last)
{
	char *cut = kind == GASPDB_REPORT_PLACE ? cut_place(cell, width)
		    : kind == GASPDB_REPORT_TEXT
			    ? gaspdb_text_cut(cell, width, GASPDB_TEXT_BOTH)
			    : gaspdb_text_copy(cell, strlen(cell));

	gaspdb_text_pad(out, cut, last && is_text(kind) ? 0 : width,
			!is_text(kind));
	free(cut);
}

/* The next non-empty column; n_columns: none. */
static size_t next_column(const struct gaspdb_report_table *t,
			  const struct layout *l, size_t i)
{
	while (++i < t->n_columns && !l->widths[i])
		;
	return i;
}

/* Does a line end between these columns? at: end of the first on the page. */
static bool is_broken(const struct layout *l, size_t i, size_t next, size_t at)
{
	return (i < l->new_line && next >= l->new_line) ||
	       at + l->gap + l->widths[next] > l->page;
}

/* Prints a row; cells NULL: the headings. */
static void print_row(const struct gaspdb_report_table *t, FILE *out,
		      char **cells, const struct layout *l)
{
	size_t at = INDENT, i = next_column(t, l, (size_t)-1), next;

	fprintf(out, "%*s", INDENT, "");
	for (; i < t->n_columns; i = next) {
		next = next_column(t, l, i);
		at += l->widths[i];
		bool more = next < t->n_columns;
		bool broken = more && is_broken(l, i, next, at);
		print_cell(out, cells ? cells[i] : t->headings[i],
			   t->columns[i].kind, l->widths[i], broken || !more);
		at = broken ? CONTINUED : at + l->gap;
		fprintf(out, "%s%*s", broken ? "\n" : "",
			broken ? CONTINUED
			: more ? (int)l->gap
			       : 0,
			"");
	}
	putc('\n', out);
}

void gaspdb_report_table_free(struct gaspdb_report_table *t)
{
	for (size_t k = 0; k < t->n_cells; k++)
		free(t->cells[k]);
	free(t->cells);
	for (size_t i = 0; i < t->n_columns; i++)
		free(t->headings[i]);
	free(t->headings);
	free(t);
}

void gaspdb_report_table_print(struct gaspdb_report_table *t, FILE *out)
{
	struct layout l = {
		.page = (size_t)gaspdb_report_width(out),
		.widths = gaspdb_memory_new(t->n_columns, sizeof(size_t)),
	};

	fit(t, &l);
	print_row(t, out, NULL, &l);
	for (size_t k = 0; k + t->n_columns <= t->n_cells; k += t->n_columns)
		print_row(t, out, t->cells + k, &l);
	free(l.widths);
	gaspdb_report_table_free(t);
}

void gaspdb_report_rule(FILE *out, const char *title)
{
	const int page = gaspdb_report_width(out);
	int n = fprintf(out, "\n--- %s ", title);

	for (; n <= page; n++)
		putc('-', out);
	putc('\n', out);
}

/*
 * The next word of a text, cut in place; a per cent sign stays with its number.
 */
static char *next_word(char **rest)
{
	char *word = strsep(rest, " ");

	while (word && *rest && **rest == '%') {
		(*rest)[-1] = ' ';
		strsep(rest, " ");
	}
	return word;
}

void gaspdb_report_wrap(FILE *out, const char *text, int column, int indent)
{
	char *safe = gaspdb_text_safe(text, strlen(text));
	char *rest = safe, *word;
	const int page = gaspdb_report_width(out);
	bool first = true;

	while ((word = next_word(&rest))) {
		if (first && !*word)
			continue;
		int width = (int)gaspdb_text_width(word);
		if (!first && column + 1 + width > page) {
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
