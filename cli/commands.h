/* SPDX-License-Identifier: GPL-3.0-or-later */
/* List of subcommands, their help and lists for completion. */
#ifndef GASPDB_CLI_COMMANDS_H
#define GASPDB_CLI_COMMANDS_H

#include "cli/command.h"

/* A subcommand by name; NULL: none. */
const struct gaspdb_command *gaspdb_command_find(const char *name);

/* Prints gaspdb --help; returns the exit status. */
int gaspdb_commands_help(void);

/*
 * Prints gaspdb --list=WHAT, for completion and tests, one item a line:
 * commands, analyses, events, synopses, options:COMMAND, parameters:ANALYSIS.
 * After a tab, options have their text and parameters their choices, "a|b".
 */
int gaspdb_commands_list(const char *what);

#endif
