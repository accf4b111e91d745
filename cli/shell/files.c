/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shell's input from files, and its output to files and commands. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cli/shell/dots.h"
#include "cli/output/text.h"

enum { DEEPEST = 25 }; /* .read in a file that .read runs, as in sqlite3 */

bool gaspdb_shell_end_output(struct gaspdb_shell *s)
{
	struct gaspdb_shell_sink *sink = &s->sink;

	if (sink->file && sink->is_pipe) {
		/* A command that ends early has what it wants. */
		pclose(sink->file);
		sink->error = 0;
	} else if (sink->file) {
		if (ferror(sink->file) && !sink->error)
			sink->error = EIO;
		if (fclose(sink->file))
			sink->error = errno;
	}
	const bool good = !sink->error;
	if (!good)
		gaspdb_shell_error(s, "cannot write '%s': %s", sink->name,
				   strerror(sink->error));
	free(sink->name);
	memset(sink, 0, sizeof *sink);
	s->style.terminal = s->terminal;
	return good;
}

/* A command that reads no more must not end the shell; what the shell starts
   has the signal as it was. */
static void ignore_signal(int number)
{
	(void)number;
}

static FILE *open_command(const char *command)
{
	struct sigaction action = { .sa_handler = ignore_signal,
				    .sa_flags = SA_RESTART };

	fflush(NULL);
	sigaction(SIGPIPE, &action, NULL);
	return popen(command, "w");
}

static bool set_sink(struct gaspdb_shell *s, char *argument, bool once)
{
	const bool is_pipe = *argument == '|';
	char *words[1] = { argument + 1 };

	if (!is_pipe && !gaspdb_shell_words(s, argument, words, once, 1))
		return false;
	if (!gaspdb_shell_end_output(s))
		return false;
	if (!words[0] || (!is_pipe && !strcmp(words[0], "stdout")))
		return true;
	FILE *file = is_pipe ? open_command(words[0])
			     : fopen(strcmp(words[0], "off") ? words[0]
							     : "/dev/null",
				     "we");
	if (!file) {
		gaspdb_shell_error(s, "cannot write '%s': %s", words[0],
				   strerror(errno));
		return false;
	}
	s->sink = (struct gaspdb_shell_sink){
		.file = file,
		.name = gaspdb_text_copy(words[0], strlen(words[0])),
		.is_pipe = is_pipe,
		.once = once,
	};
	s->style.terminal = false;
	return true;
}

bool gaspdb_shell_once(struct gaspdb_shell *s, char *argument)
{
	return set_sink(s, argument, true);
}

bool gaspdb_shell_output(struct gaspdb_shell *s, char *argument)
{
	return set_sink(s, argument, false);
}

bool gaspdb_shell_end_command(struct gaspdb_shell *s)
{
	struct gaspdb_shell_sink *sink = &s->sink;

	if (!sink->file)
		return true;
	if ((sink->once && sink->used) ||
	    (!sink->is_pipe && ferror(sink->file)))
		return gaspdb_shell_end_output(s);
	return true;
}

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

/* All lines of it, as those of the file name. */
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
