/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Aligned rows in the style of sqlite3. Rows are held to compute widths; beyond
 * a limit the rest is written directly, wrapped to those widths. Line breaks in
 * texts are kept.
 */
#include "cli/output/columns.h"

#include <stdlib.h>
#include <string.h>

#include "cli/output/text.h"

enum {
	HELD_BYTES = 64 << 20,
	LEAST_WIDTH = 12, /* minimum to which texts are wrapped */
	TAB = 8
};

/* Strings left of, between and right of a line's cells. */
struct edge {
	const char *left, *between, *right; /* NULL: no such line */
};

static const struct frame {
	struct edge row, top, below_headings, between_rows, bottom;
	const char *dash;
	bool centred;	/* headings are centred */
	bool has_names; /* always has headings */
} frames[] = {
	[GASPDB_OUTPUT_BOX] = { { "│ ", " │ ", " │" },
				{ "┌─", "─┬─", "─┐" },
				{ "├─", "─┼─", "─┤" },
				{ "├─", "─┼─", "─┤" },
				{ "└─", "─┴─", "─┘" },
				"─",
				true,
				true },
	[GASPDB_OUTPUT_MARKDOWN] = { .row = { "| ", " | ", " |" },
				     .below_headings = { "|-", "-|-", "-|" },
				     .dash = "-",
				     .centred = true,
				     .has_names = true },
	[GASPDB_OUTPUT_COLUMN] = { .row = { "", "  ", "" },
				   .below_headings = { "", "  ", "" },
				   .between_rows = { "", "", "" },
				   .dash = "-" },
};

struct column {
	char *name;
	size_t wrap, width; /* wrap 0: texts are not wrapped */
	bool right, fixed, is_text;
};

struct gaspdb_output_columns {
	FILE *out;
	const struct frame *frame;
	bool headings;
	int n_columns;
	struct column *columns;
	char **held; /* n_held rows of texts */
	size_t n_held, room, bytes;
	size_t page; /* width of the page; 0: unlimited */
	bool begun;
	bool spaced; /* a row has several lines: separate all rows */
	bool any;    /* rows were written */
};

struct gaspdb_output_columns *
gaspdb_output_columns_new(FILE *out, const struct gaspdb_output_style *style,
			  char *const *names, int n_columns)
{
	struct gaspdb_output_columns *c = gaspdb_memory_new(1, sizeof *c);

	c->out = out;
	c->frame = &frames[style->format];
	c->headings = c->frame->has_names ||
		      style->headings == GASPDB_OUTPUT_HEADINGS_ON;
	c->n_columns = n_columns;
	c->columns = gaspdb_memory_new((size_t)n_columns, sizeof *c->columns);
	for (int i = 0; i < n_columns; i++) {
		const int fixed = i < style->n_widths ? style->widths[i] : 0;
		struct column *column = &c->columns[i];

		column->right = fixed < 0;
		column->fixed = fixed != 0;
		column->width = (size_t)abs(fixed);
		column->wrap = fixed ? column->width : (size_t)style->wrap;
		column->name = gaspdb_text_safe(names[i], strlen(names[i]));
		if (column->wrap)
			column->name[gaspdb_text_beginning(
				column->name, column->wrap)] = '\0';
	}
	return c;
}

void gaspdb_output_columns_fit(struct gaspdb_output_columns *c, size_t width)
{
	c->page = width;
}

/* A growing text and its width. */
struct line {
	char *text;
	size_t n, room, width;
};

static void append(struct line *line, const char *bytes, size_t n, size_t width)
{
	if (line->n + n >= line->room) {
		line->room = 2 * (line->room + n + 32);
		line->text = gaspdb_memory_grow(line->text, line->room, 1);
	}
	memcpy(line->text + line->n, bytes, n);
	line->n += n;
	line->text[line->n] = '\0';
	line->width += width;
}

/* The text made safe, except line breaks and tabs. */
static char *safe_lines(const char *s, size_t n)
{
	struct line text = { 0 };

	append(&text, "", 0, 0);
	for (size_t from = 0, i = 0; i <= n; i++) {
		if (i < n && s[i] != '\n' && s[i] != '\t')
			continue;
		/* a line break may have two bytes; the last one is dropped */
		const bool is_end = i < n && s[i] == '\n';
		const size_t to =
			is_end && i > from && s[i - 1] == '\r' ? i - 1 : i;
		char *safe = gaspdb_text_safe(s + from, to - from);

		append(&text, safe, strlen(safe), 0);
		if (i < n && !(is_end && i + 1 == n))
			append(&text, s + i, 1, 0);
		free(safe);
		from = i + 1;
	}
	return text.text;
}

/* Escapes Markdown's cell separator. */
static char *escape_bars(char *text)
{
	char *escaped = gaspdb_memory_new(2 * strlen(text) + 1, 1),
	     *to = escaped;

	for (const char *p = text; *p; p++) {
		if (*p == '|')
			*to++ = '\\';
		*to++ = *p;
	}
	free(text);
	return escaped;
}

static char *cell_text(const struct gaspdb_output_columns *c,
		       const struct gaspdb_output_cell *cell)
{
	char *text = cell->type == SQLITE_TEXT &&
				     (memchr(cell->bytes, '\n', cell->n) ||
				      memchr(cell->bytes, '\t', cell->n))
			     ? safe_lines(cell->bytes, cell->n)
			     : gaspdb_output_cell_text(cell);

	return c->frame == &frames[GASPDB_OUTPUT_MARKDOWN] && strchr(text, '|')
		       ? escape_bars(text)
		       : text;
}

static void append_tab(struct line *line, size_t width)
{
	do
		append(line, " ", 1, 1);
	while (line->width % TAB && line->width < width);
}

/* The next line of a text, of at most width columns (0: any); *rest: the rest,
   or NULL. The caller frees its text. */
static struct line next_line(const char **rest, size_t width)
{
	const char *p = *rest ? *rest : "";
	struct line line = { 0 };
	size_t size;

	width = width ? width : SIZE_MAX;
	append(&line, "", 0, 0);
	while (*p && *p != '\n') {
		const size_t own = gaspdb_text_character(p, &size);

		if (line.width && *p != '\t' && line.width + own > width)
			break;
		if (*p != '\t')
			append(&line, p, size, own);
		else if (line.width < width)
			append_tab(&line, width);
		p += size;
	}
	p += *p == '\n';
	*rest = *p ? p : NULL;
	return line;
}

/* Width of the widest line. */
static size_t text_width(const char *text, size_t wrap)
{
	size_t widest = 0;

	while (text) {
		struct line line = next_line(&text, wrap);

		widest = line.width > widest ? line.width : widest;
		free(line.text);
	}
	return widest;
}

static void print_edge(const struct gaspdb_output_columns *c,
		       const struct edge *edge)
{
	if (!edge->left)
		return;
	fputs(edge->left, c->out);
	for (int i = 0; *edge->between && i < c->n_columns; i++) {
		fputs(i ? edge->between : "", c->out);
		for (size_t n = c->columns[i].width; n > 0; n--)
			fputs(c->frame->dash, c->out);
	}
	fprintf(c->out, "%s\n", edge->right);
}

static void print_headings(const struct gaspdb_output_columns *c)
{
	const struct edge *edge = &c->frame->row;

	fputs(edge->left, c->out);
	for (int i = 0; i < c->n_columns; i++) {
		const struct column *column = &c->columns[i];
		const size_t own = gaspdb_text_width(column->name);
		const size_t room =
			column->width > own ? column->width - own : 0;
		const size_t before = c->frame->centred ? room / 2
				      : column->right	? room
							: 0;

		fprintf(c->out, "%s%*s%s%*s", i ? edge->between : "",
			(int)before, "", column->name, (int)(room - before),
			"");
	}
	fprintf(c->out, "%s\n", edge->right);
}

/* Prints one line of a row; *rest: the rest of each cell. Returns whether
   anything is left. */
static bool print_line(const struct gaspdb_output_columns *c, const char **rest)
{
	const struct edge *edge = &c->frame->row;
	bool more = false;

	fputs(edge->left, c->out);
	for (int i = 0; i < c->n_columns; i++) {
		const struct column *column = &c->columns[i];
		struct line line = next_line(&rest[i], c->begun ? column->width
								: column->wrap);

		fputs(i ? edge->between : "", c->out);
		gaspdb_text_pad(c->out, line.text, column->width,
				column->right);
		free(line.text);
		more |= rest[i] != NULL;
	}
	fprintf(c->out, "%s\n", edge->right);
	return more;
}

static void print_row(struct gaspdb_output_columns *c, char *const *texts)
{
	const char **rest =
		gaspdb_memory_new((size_t)c->n_columns, sizeof *rest);

	for (int i = 0; i < c->n_columns; i++)
		rest[i] = texts[i];
	if (c->any && c->spaced)
		print_edge(c, &c->frame->between_rows);
	c->any = true;
	while (print_line(c, rest))
		;
	free(rest);
}

/* Sets widths by the held rows; returns a row's total width. */
static size_t lay_out(struct gaspdb_output_columns *c)
{
	const struct edge *edge = &c->frame->row;
	size_t total =
		gaspdb_text_width(edge->left) + gaspdb_text_width(edge->right) +
		(size_t)(c->n_columns - 1) * gaspdb_text_width(edge->between);

	for (int i = 0; i < c->n_columns; i++) {
		struct column *column = &c->columns[i];
		size_t width = gaspdb_text_width(column->name);

		for (size_t row = 0; row <= c->n_held; row++) {
			if (column->width < width)
				column->width = width;
			if (row < c->n_held)
				width = text_width(
					c->held[row * (size_t)c->n_columns +
						(size_t)i],
					column->wrap);
		}
		total += column->width;
	}
	return total;
}

/* Narrows the widest text column by one; false: none can be narrowed. */
static bool shrink(struct gaspdb_output_columns *c)
{
	struct column *widest = NULL;

	for (int i = 0; i < c->n_columns; i++) {
		struct column *column = &c->columns[i];

		if (column->is_text && !column->fixed &&
		    column->width > LEAST_WIDTH &&
		    column->width > gaspdb_text_width(column->name) &&
		    (!widest || column->width > widest->width))
			widest = column;
	}
	if (!widest)
		return false;
	widest->width--;
	return true;
}

/* Wraps texts so that rows fit the page, if possible. */
static void fit(struct gaspdb_output_columns *c, size_t total)
{
	size_t *widths =
		gaspdb_memory_new((size_t)c->n_columns, sizeof *widths);

	for (int i = 0; i < c->n_columns; i++)
		widths[i] = c->columns[i].width;
	while (total > c->page && shrink(c))
		total--;
	for (int i = 0; i < c->n_columns; i++) {
		struct column *column = &c->columns[i];

		if (total > c->page)
			column->width = widths[i];
		else if (column->width < widths[i])
			column->wrap = column->width;
	}
	free(widths);
}

static void find_lines(struct gaspdb_output_columns *c)
{
	const size_t n = c->n_held * (size_t)c->n_columns;

	for (size_t i = 0; i < n && !c->spaced; i++) {
		const char *rest = c->held[i];

		free(next_line(&rest, c->columns[i % (size_t)c->n_columns].wrap)
			     .text);
		c->spaced = rest != NULL;
	}
}

/* Fixes the columns by the held rows, and writes these. */
static void begin(struct gaspdb_output_columns *c)
{
	const size_t total = lay_out(c);

	if (c->page && total > c->page)
		fit(c, total);
	find_lines(c);
	if (c->headings) {
		print_edge(c, &c->frame->top);
		print_headings(c);
		print_edge(c, &c->frame->below_headings);
	}
	for (size_t row = 0; row < c->n_held; row++)
		print_row(c, &c->held[row * (size_t)c->n_columns]);
	c->begun = true;
}

static void hold(struct gaspdb_output_columns *c,
		 const struct gaspdb_output_cell *cells)
{
	const size_t n = (size_t)c->n_columns;

	if (c->n_held == c->room) {
		c->room = 2 * c->room + 64;
		c->held = gaspdb_memory_grow(c->held, c->room * n,
					     sizeof *c->held);
	}
	for (size_t i = 0; i < n; i++) {
		char *text = cell_text(c, &cells[i]);

		c->columns[i].is_text |= cells[i].type == SQLITE_TEXT ||
					 cells[i].type == SQLITE_BLOB;
		c->held[c->n_held * n + i] = text;
		c->bytes += strlen(text) + 2 * sizeof text;
	}
	c->n_held++;
	if (c->bytes > HELD_BYTES)
		begin(c);
}

void gaspdb_output_columns_row(struct gaspdb_output_columns *c,
			       const struct gaspdb_output_cell *cells)
{
	const size_t n = (size_t)c->n_columns;

	if (!c->begun) {
		hold(c, cells);
		return;
	}
	char **texts = gaspdb_memory_new(n, sizeof *texts);
	for (size_t i = 0; i < n; i++)
		texts[i] = cell_text(c, &cells[i]);
	print_row(c, texts);
	for (size_t i = 0; i < n; i++)
		free(texts[i]);
	free(texts);
}

/* without rows, prints nothing, as sqlite3 */
void gaspdb_output_columns_free(struct gaspdb_output_columns *c)
{
	if (!c->begun && c->n_held)
		begin(c);
	if (c->n_held)
		print_edge(c, &c->frame->bottom);
	for (size_t i = 0; i < c->n_held * (size_t)c->n_columns; i++)
		free(c->held[i]);
	free(c->held);
	for (int i = 0; i < c->n_columns; i++)
		free(c->columns[i].name);
	free(c->columns);
	free(c);
}
