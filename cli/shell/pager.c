/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shell's output: through a pager, where a person would otherwise see the
 * end only. */
#include <errno.h>

#include "cli/output/pager.h"
#include "cli/shell/shell.h"

FILE *gaspdb_shell_open_out(struct gaspdb_shell *s)
{
	/* It starts only when it is needed: no -F.  Wide rows scroll sideways
	 * rather than wrap. */
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
		s->pager = false; /* told once */
	return gaspdb_pager_open(command);
}

void gaspdb_shell_close_out(struct gaspdb_shell *s, FILE *out)
{
	if (out != s->sink.file)
		gaspdb_pager_close(out);
	else if (fflush(out))
		s->sink.error = errno;
}
