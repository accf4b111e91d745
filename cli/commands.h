/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of subcommands, and what is told of them all. */
#ifndef GASPDB_CLI_COMMANDS_H
#define GASPDB_CLI_COMMANDS_H

#include "cli/command.h"

/* NULL if there is none. */
const struct gaspdb_command *gaspdb_command_find(const char *name);

/* gaspdb --help; returns the exit status. */
int gaspdb_commands_help(void);

/*
 * gaspdb --list=WHAT, for completion and tests, one a line: commands,
 * analyses, events, synopses, options:COMMAND, parameters:ANALYSIS.  Options
 * have their text behind a tab, parameters the values that there are, "a|b".
 */
int gaspdb_commands_list(const char *what);

#endif
