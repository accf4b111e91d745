/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gaspdb shell: SQL on a database, interactive or as a script. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/shell/shell.h"
#include "cli/output/text.h"

static int run(int argc, char **argv);

enum { FORMAT, SAFE };

static const struct gaspdb_option options[] = {
	[FORMAT] = { 0, "format", "FORMAT", "one of" GASPDB_OUTPUT_FORMATS },
	[SAFE] = { 0, "safe", NULL,
		   "refuse .once, .output and .read, which reach other files" },
	{ 0, NULL, NULL, NULL },
};

const struct gaspdb_command gaspdb_cmd_shell = {
	.name = "shell",
	.synopsis = "shell [--format=FORMAT] [--safe] FILE [SQL]",
	.summary = "query a database with SQL",
	.options = options,
	.doc = "With SQL, or if standard input is no terminal, statements "
	       "run one after another; the first failure\n"
	       "ends the shell with exit status 1.  Otherwise there is a "
	       "prompt: .help lists the commands, TAB\n"
	       "completes, Ctrl-C stops a query, Ctrl-D leaves.  FILE is "
	       "never changed; temporary tables and views\n"
	       "last until the end.\n",
	.run = run,
};

/* Runs a text as if typed. */
static bool run_text(struct gaspdb_shell *s, const char *text)
{
	char *copy = gaspdb_text_copy(text, strlen(text)), *rest = copy;
	bool good = true;

	while (good && !s->quit && rest)
		good = gaspdb_shell_line(s, strsep(&rest, "\n"));
	free(copy);
	return good && gaspdb_shell_finish(s);
}

static int run_shell(struct gaspdb_shell *s, const char *sql)
{
	bool good = true;

	s->interactive = !sql && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	if (s->interactive)
		gaspdb_shell_interact(s);
	else
		good = sql ? run_text(s, sql) : gaspdb_shell_run_lines(s, stdin);
	gaspdb_shell_forget_pending(s);
	good = gaspdb_shell_end_output(s) && good;
	return good ? s->exit_code : GASPDB_EXIT_FAILED;
}

static bool take_option(void *user, int option, const char *argument)
{
	struct gaspdb_shell *s = user;

	if (option == SAFE)
		return s->safe = true;
	if (gaspdb_output_format_parse(argument, &s->style.format))
		return true;
	gaspdb_options_usage(&gaspdb_cmd_shell, "no such format as '%s'",
			     argument);
	return false;
}

static int run(int argc, char **argv)
{
	struct gaspdb_options o = { .command = &gaspdb_cmd_shell,
				    .argc = argc,
				    .argv = argv };
	struct gaspdb_shell s = { .terminal = isatty(STDOUT_FILENO),
				  .pager = true };
	struct gaspdb_error err;
	int status;

	s.style.terminal = s.terminal;
	if (!gaspdb_options_take(&o, take_option, &s, &status))
		return status;
	if (o.n_operands < 1 || o.n_operands > 2)
		return gaspdb_options_usage(o.command, "one database, and SQL "
						       "in one argument");
	if (gaspdb_database_open(&s.db, o.operands[0], &err) != GASPDB_OK) {
		gaspdb_print_error("%s", err.msg);
		return GASPDB_EXIT_FAILED;
	}
	gaspdb_database_allow_long(&s.db);
	status = run_shell(&s, o.n_operands > 1 ? o.operands[1] : NULL);
	free(s.widths);
	free(s.has_view);
	gaspdb_database_close(&s.db);
	return status;
}
