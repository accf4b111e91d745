/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command that one types next. */
#ifndef GASPDB_CLI_NEXT_COMMAND_H
#define GASPDB_CLI_NEXT_COMMAND_H

/* The path as a word of a shell, never taken for an option.  The caller frees
 * it. */
char *gaspdb_path_word(const char *path);

/* One line on stderr: "gaspdb: next: gaspdb COMMAND PATH". */
void gaspdb_print_next(const char *command, const char *path);

#endif
