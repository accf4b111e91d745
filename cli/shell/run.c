/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shell: running statements, and stopping them. */
#include <ctype.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "cli/output/human.h"
#include "cli/shell/shell.h"
#include "cli/output/text.h"

static sqlite3 *volatile running;
static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
	(void)number;
	interrupted = 1;
	if (running)
		sqlite3_interrupt(running);
}

void gaspdb_shell_catch_interrupts(void)
{
	struct sigaction action = { .sa_handler = interrupt };

	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	/* A pager that is left early is no reason to die. */
	signal(SIGPIPE, SIG_IGN);
}

bool gaspdb_shell_is_interrupted(void)
{
	return interrupted;
}

bool gaspdb_shell_was_interrupted(void)
{
	bool was = interrupted;

	interrupted = 0;
	return was;
}

/* The line of the statement that the error is in, and a mark below it. */
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

/* "FILE:LINE: " in a file; a person sees what was typed. */
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
	/* To look for what was meant makes SQLite forget the text. */
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

static struct gaspdb_output *open_output(struct gaspdb_shell *s, FILE *out,
					 sqlite3_stmt *stmt)
{
	int n = sqlite3_column_count(stmt);
	struct gaspdb_output_column *columns =
		gaspdb_memory_new((size_t)n, sizeof *columns);

	for (int i = 0; i < n; i++) {
		columns[i].name = sqlite3_column_name(stmt, i);
		columns[i].unit = "";
	}
	struct gaspdb_output *o =
		gaspdb_output_open(out, &s->style, columns, n);
	gaspdb_output_fit(o);
	free(columns);
	return o;
}

static void print_footer(const struct gaspdb_shell *s, int64_t n_rows,
			 const struct timespec *start)
{
	char count[GASPDB_HUMAN_BYTES], text[GASPDB_HUMAN_BYTES];
	struct timespec end;

	if (s->interactive && !s->sink.file &&
	    s->style.format == GASPDB_OUTPUT_TABLE && n_rows >= 0)
		printf("(%s %s)\n", gaspdb_human_count(count, n_rows),
		       gaspdb_human_plural(n_rows, "row", "rows"));
	if (!s->timer)
		return;
	clock_gettime(CLOCK_MONOTONIC, &end);
	fflush(stdout);
	fprintf(stderr, "time: %s\n",
		gaspdb_human_time(text, (end.tv_sec - start->tv_sec) *
							INT64_C(1000000000) +
						end.tv_nsec - start->tv_nsec));
}

/* Step the statement and write its rows. */
static bool run_statement(struct gaspdb_shell *s, sqlite3_stmt *stmt)
{
	struct timespec start;
	int64_t n_rows = -1;
	int rc;

	gaspdb_shell_bind(s, stmt);
	clock_gettime(CLOCK_MONOTONIC, &start);
	running = s->db.sql;
	if (sqlite3_column_count(stmt) == 0) {
		rc = sqlite3_step(stmt);
	} else {
		FILE *out = gaspdb_shell_open_out(s);
		struct gaspdb_output *o = open_output(s, out, stmt);
		rc = gaspdb_output_statement(o, stmt, &n_rows);
		gaspdb_output_close(o);
		gaspdb_shell_close_out(s, out);
	}
	running = NULL;
	if (rc == SQLITE_DONE)
		print_footer(s, n_rows, &start);
	else
		gaspdb_shell_complain(s, sqlite3_errmsg(s->db.sql), NULL);
	return rc == SQLITE_DONE;
}

/* All statements of the text; false if one failed. */
static bool run_all(struct gaspdb_shell *s, const char *text)
{
	bool good = true;

	interrupted = 0;
	while (good && *text && !interrupted) {
		sqlite3_stmt *stmt;
		const char *rest;
		if (sqlite3_prepare_v2(s->db.sql, text, -1, &stmt, &rest) !=
		    SQLITE_OK) {
			gaspdb_shell_complain(s, sqlite3_errmsg(s->db.sql),
					      text);
			return false;
		}
		if (stmt)
			good = run_statement(s, stmt);
		sqlite3_finalize(stmt);
		for (; text < rest; text++)
			s->first_line += *text == '\n';
	}
	return good;
}

void gaspdb_shell_forget_pending(struct gaspdb_shell *s)
{
	free(s->pending);
	s->pending = NULL;
	s->n_pending = 0;
}

/* Nothing, or a comment only */
static bool is_blank(const char *line)
{
	while (isspace((unsigned char)*line))
		line++;
	return !*line || !strncmp(line, "--", 2);
}

/* What people type in other shells, where no SQL begins so: the command that
   it stands for; NULL: none. */
static const char *other_shells_word(const char *line)
{
	static const struct {
		const char *word, *dot;
	} words[] = { { "help", ".help" },
		      { "quit", ".quit" },
		      { "exit", ".quit" } };
	size_t n = strcspn(line, " \t;");

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (n == strlen(words[i].word) &&
		    !strncasecmp(line, words[i].word, n) &&
		    !line[n + strspn(line + n, " \t;")])
			return words[i].dot;
	return NULL;
}

bool gaspdb_shell_line(struct gaspdb_shell *s, const char *line)
{
	size_t n = strlen(line);
	const char *dot =
		s->interactive && !s->source ? other_shells_word(line) : NULL;

	s->n_lines++;
	if (!s->pending) {
		s->first_line = s->n_lines;
		if (is_blank(line))
			return true;
		if (dot || *line == '.') {
			const bool done = gaspdb_shell_dot(s, dot ? dot : line);
			return gaspdb_shell_end_command(s) && done;
		}
	}
	s->pending = gaspdb_memory_grow(s->pending, s->n_pending + n + 2, 1);
	memcpy(s->pending + s->n_pending, line, n);
	s->n_pending += n;
	s->pending[s->n_pending++] = '\n';
	s->pending[s->n_pending] = '\0';
	if (!sqlite3_complete(s->pending))
		return true;
	return gaspdb_shell_finish(s);
}

bool gaspdb_shell_finish(struct gaspdb_shell *s)
{
	bool good = !s->pending || run_all(s, s->pending);

	gaspdb_shell_forget_pending(s);
	return gaspdb_shell_end_command(s) && good;
}
