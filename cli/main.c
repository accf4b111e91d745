/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command: finds the subcommand and runs it. */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/nearest.h"
#include "cli/output/text.h"

static int usage(void)
{
	fputs("usage: gaspdb COMMAND [ARGUMENT...]\n"
	      "'gaspdb --help' lists the commands\n",
	      stderr);
	return GASPDB_EXIT_USAGE;
}

static int unknown(const char *name)
{
	struct gaspdb_nearest nearest = { .typed = name };

	for (int i = 0; gaspdb_commands[i]; i++)
		gaspdb_nearest_try(&nearest, gaspdb_commands[i]->name);
	char *hint =
		gaspdb_nearest_hint(&nearest, "'gaspdb --help' lists them");
	gaspdb_print_error("there is no command '%s'; %s", name, hint);
	free(hint);
	return GASPDB_EXIT_USAGE;
}

static int run_named(int argc, char **argv)
{
	const struct gaspdb_command *command = gaspdb_command_find(argv[0]);

	if (command)
		return command->run(argc, argv);
	return unknown(argv[0]);
}

/* gaspdb help [COMMAND [NAME]] is gaspdb [COMMAND] --help [NAME] */
static int help(int argc, char **argv)
{
	if (argc < 2)
		return gaspdb_commands_help();
	char *args[] = { argv[1], "--help", argv[2], NULL };
	return run_named(argc > 2 ? 3 : 2, args);
}

static int run(int argc, char **argv)
{
	if (argc < 2)
		return usage();
	const char *first = argv[1];
	if (!strcmp(first, "--help") || !strcmp(first, "-h"))
		return gaspdb_commands_help();
	if (!strcmp(first, "help"))
		return help(argc - 1, argv + 1);
	if (!strcmp(first, "--version")) {
		puts("gaspdb " GASPDB_VERSION);
		return GASPDB_EXIT_DONE;
	}
	if (!strncmp(first, "--list=", 7))
		return gaspdb_commands_list(first + 7);
	if (first[0] == '-') {
		gaspdb_print_error("unknown option '%s'", first);
		return usage();
	}
	return run_named(argc - 1, argv + 1);
}

/*
 * Configures SQLite: each connection is used by one thread, and memory
 * statistics are not needed, so that locks for both, a tenth of SQLite's time,
 * are dropped. A failure is harmless.
 */
static void set_up_sqlite(void)
{
	sqlite3_config(SQLITE_CONFIG_MULTITHREAD);
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/* Opens closed standard streams to /dev/null; otherwise a file would get their
   number and their output. Started commands do not inherit them. */
static void keep_streams_apart(void)
{
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null",
			     (fd ? O_RDONLY : O_WRONLY) | O_CLOEXEC);
}

int main(int argc, char **argv)
{
	keep_streams_apart();
	set_up_sqlite();
	setlocale(LC_CTYPE, "");
	int status = run(argc, argv);

	/* A report cut short by a full disk must not look like a whole one. */
	if (fflush(stdout) || ferror(stdout)) {
		gaspdb_print_error("cannot write to standard output: %s",
				   strerror(errno));
		if (status != GASPDB_EXIT_USAGE)
			status = GASPDB_EXIT_FAILED; /* the output is incomplete
						      */
	}
	return status;
}
