/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shell: output to files and commands. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/text.h"
#include "cli/shell/dots.h"

bool gaspdb_shell_end_output(struct gaspdb_shell *s)
{
	struct gaspdb_shell_sink *sink = &s->sink;

	if (sink->file && sink->is_pipe) {
		/* a command may end without reading everything */
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

/* Handler for SIGPIPE: a command that stops reading must not end the shell.
   Unlike an ignored signal it is reset in started commands. */
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
