/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pager for output longer than the screen. */
#ifndef GASPDB_CLI_OUTPUT_PAGER_H
#define GASPDB_CLI_OUTPUT_PAGER_H

#include <stdio.h>

/* Command of the pager: PAGER, or `otherwise`; NULL: none, or not found (a
   missing PAGER is reported on stderr). */
const char *gaspdb_pager_find(const char *otherwise);

/*
 * Output stream: stdout, on a terminal through the pager when the screen is
 * full. command NULL: stdout. The caller ignores SIGPIPE, so that quitting the
 * pager does not end the program.
 */
FILE *gaspdb_pager_open(const char *command);
void gaspdb_pager_close(FILE *out);

#endif
