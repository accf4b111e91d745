/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shell: interactive input by readline, with a persistent history. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

#include "cli/output/human.h"
#include "cli/database/remarks.h"
#include "cli/database/words.h"
#include "cli/shell/dots.h"
#include "cli/output/text.h"

enum { HISTORY_LINES = 5000 };

static struct gaspdb_shell *shell; /* readline's callbacks take no argument */

static char **complete(const char *text, int start, int end)
{
	(void)end;
	char *before = gaspdb_text_copy(rl_line_buffer, (size_t)start);
	const struct gaspdb_shell_dot *d =
		start ? gaspdb_shell_find_dot(before) : NULL;
	/* complete file names only as arguments of files */
	rl_attempted_completion_over =
		!d || d->argument != GASPDB_SHELL_FILE || shell->pending;
	char **words = gaspdb_shell_completions(shell, before, text);
	/* no blank after '=', because the value follows */
	size_t n = words && !words[1] ? strlen(words[0]) : 0;
	rl_completion_append_character =
		n > 0 && words[0][n - 1] == '=' ? '\0' : ' ';
	free(before);
	return words;
}

/* Word breaks: names of analyses and files may have characters that separate
   words in SQL. */
static char *word_breaks(void)
{
	static char of_dots[] = " \t";
	static char of_sql[] = " \t\n\"'`<>=;|&{}(),+-*/%!~:";
	const struct gaspdb_shell_dot *d =
		shell->pending ? NULL : gaspdb_shell_find_dot(rl_line_buffer);

	return d && d->argument != GASPDB_SHELL_SQL ? of_dots : of_sql;
}

/* Reads a key. Ctrl-C discards the line at once; readline alone would wait for
   another key. */
static int get_key(FILE *in)
{
	unsigned char c;

	for (;;) {
		/* the signal may have come before read() */
		rl_check_signals();
		if (gaspdb_shell_is_interrupted())
			return '\n';
		ssize_t n = read(fileno(in), &c, 1);
		if (n == 1)
			return c;
		if (n == 0 || errno != EINTR)
			return EOF;
	}
}

/* Path of the history: in XDG's state folder if that exists, otherwise in the
   home folder. For free(). */
static char *history_file(void)
{
	const char *state = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");
	struct stat st;

	if (!home || !*home)
		return NULL;
	char *folder = state && *state == '/'
			       ? gaspdb_text_copy(state, strlen(state))
			       : gaspdb_text_format("%s/.local/state", home);
	char *file = NULL;
	if (stat(folder, &st) == 0 && S_ISDIR(st.st_mode)) {
		char *own = gaspdb_text_format("%s/gaspdb", folder);
		if (mkdir(own, 0700) == 0 || errno == EEXIST)
			file = gaspdb_text_format("%s/history", own);
		free(own);
	}
	free(folder);
	return file ? file : gaspdb_text_format("%s/.gaspdb_history", home);
}

static void start_readline(struct gaspdb_shell *s, const char *history)
{
	shell = s;
	rl_readline_name = "gaspdb";
	rl_attempted_completion_function = complete;
	rl_completion_word_break_hook = word_breaks;
	rl_getc_function = get_key;
	using_history();
	/* time stamps mark the entries of several lines */
	history_comment_char = '#';
	history_write_timestamps = 1;
	history_multiline_entries = 1;
	stifle_history(HISTORY_LINES);
	if (history)
		read_history(history);
}

/* Adds a statement or dot-command to the history, unless it equals the last
   one. */
static void remember(const char *text)
{
	size_t n = strlen(text);

	while (n > 0 && text[n - 1] == '\n')
		n--;
	char *entry = gaspdb_text_copy(text, n);
	const HIST_ENTRY *last =
		history_length > 0
			? history_get(history_base + history_length - 1)
			: NULL;
	if (n > 0 && (!last || strcmp(last->line, entry)))
		add_history(entry);
	free(entry);
}

static void take_line(struct gaspdb_shell *s, const char *line)
{
	char *whole =
		gaspdb_text_format("%s%s", s->pending ? s->pending : "", line);

	if (*line == '.' ? !s->pending : sqlite3_complete(whole))
		remember(whole);
	free(whole);
	gaspdb_shell_line(s, line);
}

static void greet(struct gaspdb_shell *s)
{
	char threads[GASPDB_HUMAN_BYTES], time[GASPDB_HUMAN_BYTES];
	int64_t n = gaspdb_database_integer(&s->db,
					    "SELECT count(*) FROM thread", 0);
	int64_t ns = gaspdb_database_integer(
		&s->db, "SELECT max(last_ns) FROM thread", 0);
	char *defect = gaspdb_remarks_threads(&s->db);
	struct gaspdb_run_words words;
	char *path = gaspdb_text_safe(s->db.path, strlen(s->db.path));

	gaspdb_run_words_read(s->db.sql, &words);
	printf("gaspdb " GASPDB_VERSION ", %s: %s %s, %s\n"
	       ".help tells what there is; TAB completes; Ctrl-D leaves\n",
	       path, gaspdb_human_count(threads, n),
	       gaspdb_run_words_threads(&words, n),
	       gaspdb_human_time(time, ns));
	if (*defect)
		gaspdb_print_error("%s", defect);
	gaspdb_run_words_free(&words);
	free(path);
	free(defect);
}

void gaspdb_shell_interact(struct gaspdb_shell *s)
{
	char *history = history_file(), *line;

	gaspdb_shell_catch_interrupts();
	start_readline(s, history);
	greet(s);
	while (!s->quit &&
	       (line = readline(s->pending ? "   ...> " : "gaspdb> "))) {
		if (gaspdb_shell_was_interrupted())
			gaspdb_shell_forget_pending(s);
		else
			take_line(s, line);
		gaspdb_shell_was_interrupted(); /* clears an interrupt of what
						   ran */
		free(line);
	}
	if (!s->quit)
		putchar('\n');
	if (history)
		write_history(history);
	free(history);
}
