/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shell: execution and interruption of lines and statements. */
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "cli/output/human.h"
#include "cli/output/text.h"
#include "cli/shell/dots.h"

enum { DEEPEST = 25 }; /* nesting of .read, as in sqlite3 */

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
	/* quitting a pager must not end the shell */
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

/* Runs a statement and writes its rows. */
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

/* Runs all statements of a text; false: one failed. */
static bool run_all(struct gaspdb_shell *s, const char *text)
{
	bool good = true;

	interrupted = 0;
	while (good && *text && !interrupted) {
		sqlite3_stmt *stmt;
		const char *rest;
		if (gaspdb_shell_prepare(s, text, &stmt, &rest) != SQLITE_OK) {
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

/* Is the line empty, or a comment? */
static bool is_blank(const char *line)
{
	while (isspace((unsigned char)*line))
		line++;
	return !*line || !strncmp(line, "--", 2);
}

/* The dot-command for a word typed from habit of other shells, which begins no
   SQL; NULL: none. */
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

/* --- files ---------------------------------------------------------------- */

bool gaspdb_shell_run_lines(struct gaspdb_shell *s, FILE *in)
{
	char *line = NULL;
	size_t size = 0;
	ssize_t n;
	bool good = true;

	while (good && !s->quit && !gaspdb_shell_is_interrupted() &&
	       (n = getline(&line, &size, in)) >= 0) {
		if (n > 0 && line[n - 1] == '\n')
			line[n - 1] = '\0';
		good = gaspdb_shell_line(s, line);
	}
	free(line);
	good = good && !gaspdb_shell_is_interrupted() && gaspdb_shell_finish(s);
	gaspdb_shell_forget_pending(s);
	return good;
}

/* Runs all lines of a file; name: for messages. */
static bool run_file(struct gaspdb_shell *s, const char *name, FILE *in)
{
	const char *source = s->source;
	const int n_lines = s->n_lines, first_line = s->first_line;

	s->source = name;
	s->n_lines = 0;
	s->depth++;
	const bool good = gaspdb_shell_run_lines(s, in);
	s->depth--;
	s->source = source;
	s->n_lines = n_lines;
	s->first_line = first_line;
	if (!s->leave) /* .quit ends the file */
		s->quit = false;
	return good;
}

bool gaspdb_shell_read(struct gaspdb_shell *s, char *argument)
{
	const bool is_pipe = *argument == '|';
	char *words[1] = { argument + 1 };

	if (!is_pipe && !gaspdb_shell_words(s, argument, words, 1, 1))
		return false;
	if (s->depth >= DEEPEST) {
		gaspdb_shell_error(
			s,
			"files that read files are %d deep: does one "
			"read itself?",
			DEEPEST);
		return false;
	}
	fflush(NULL);
	FILE *in = is_pipe ? popen(words[0], "r") : fopen(words[0], "re");
	if (!in) {
		gaspdb_shell_error(s, "cannot open '%s': %s", words[0],
				   strerror(errno));
		return false;
	}
	bool good = run_file(s, words[0], in);
	if (good && ferror(in)) {
		gaspdb_shell_error(s, "cannot read '%s'", words[0]);
		good = false;
	}
	if (is_pipe)
		pclose(in);
	else
		fclose(in);
	return good;
}
