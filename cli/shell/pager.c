/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shell: output through a pager if longer than the screen. */
#include <errno.h>

#include "cli/output/pager.h"
#include "cli/shell/shell.h"

FILE *gaspdb_shell_open_out(struct gaspdb_shell *s)
{
	/* no -F, because it starts only when needed; -S: wide rows scroll
	   sideways */
	static const char otherwise[] = "less -RSX";
	const char *command;

	if (s->sink.file) {
		s->sink.used = true;
		return s->sink.file;
	}
	if (!s->interactive || !s->pager)
		return stdout;
	command = gaspdb_pager_find(otherwise);
	if (!command)
		s->pager = false; /* reported once */
	return gaspdb_pager_open(command);
}

void gaspdb_shell_close_out(struct gaspdb_shell *s, FILE *out)
{
	if (out != s->sink.file)
		gaspdb_pager_close(out);
	else if (fflush(out))
		s->sink.error = errno;
}
