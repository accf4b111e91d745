/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A pager for output that a terminal does not hold. */
#ifndef GASPDB_CLI_OUTPUT_PAGER_H
#define GASPDB_CLI_OUTPUT_PAGER_H

#include <stdio.h>

/* The command: PAGER, or else otherwise; NULL: none, or it is not there, which is
 * told on stderr of a PAGER. */
const char *gaspdb_pager_find(const char *otherwise);

/*
 * Where to write: stdout, through the command as soon as the screen is full, if
 * stdout is a terminal.  command NULL: stdout.  Who leaves the pager early must
 * not end this program: SIGPIPE is to be ignored.
 */
FILE *gaspdb_pager_open(const char *command);
void gaspdb_pager_close(FILE *out);

#endif
