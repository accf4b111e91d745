/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shell: error messages with their place in the input. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/text.h"
#include "cli/shell/shell.h"

/* Prints the statement's line with the error, and a mark below it. */
static void show_place(const char *statement, int offset)
{
	size_t n = strlen(statement), at = (size_t)offset;

	if (offset < 0 || at > n)
		return;
	const char *start = statement + at, *end = statement + at;
	while (start > statement && start[-1] != '\n')
		start--;
	while (*end && *end != '\n')
		end++;
	char *line = gaspdb_text_safe(start, (size_t)(end - start));
	char *before =
		gaspdb_text_safe(start, (size_t)(statement + at - start));
	size_t width = gaspdb_text_width(before);
	if (gaspdb_text_width(line) <= 200)
		fprintf(stderr, "  %s\n  %*s^\n", line, (int)width, "");
	free(before);
	free(line);
}

/* Place of an error: "FILE:LINE: " in a file; "" if interactive. */
static char *place(const struct gaspdb_shell *s, int line)
{
	if (s->source)
		return gaspdb_text_format("%s:%d: ", s->source, line);
	return s->interactive ? gaspdb_text_copy("", 0)
			      : gaspdb_text_format("line %d: ", line);
}

void gaspdb_shell_error(struct gaspdb_shell *s, const char *fmt, ...)
{
	char *at = place(s, s->n_lines), *text;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	gaspdb_print_error("%s%s", at, text ? text : "out of memory");
	free(text);
	free(at);
}

void gaspdb_shell_complain(struct gaspdb_shell *s, const char *text,
			   const char *statement)
{
	int code = sqlite3_errcode(s->db.sql);
	const char *why = code == SQLITE_AUTH
				  ? "; the shell only reads, and only this file"
				  : "";
	int offset = sqlite3_error_offset(s->db.sql), line = s->first_line;

	for (int i = 0; statement && i < offset && statement[i]; i++)
		line += statement[i] == '\n';
	/* copied, because the search for a hint replaces SQLite's message */
	char *error = gaspdb_text_copy(text, strlen(text)),
	     *at = place(s, line);
	char *hint = gaspdb_shell_hint(s, error, statement);
	if (code == SQLITE_INTERRUPT)
		gaspdb_print_error("interrupted");
	else
		gaspdb_print_error("%s%s%s%s", at, error, why, hint);
	free(hint);
	free(at);
	free(error);
	if (code != SQLITE_INTERRUPT && statement)
		show_place(statement, offset);
}
