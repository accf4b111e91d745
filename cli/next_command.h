/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hint with the next command. */
#ifndef GASPDB_CLI_NEXT_COMMAND_H
#define GASPDB_CLI_NEXT_COMMAND_H

/* The path quoted for a shell, never like an option. The caller frees it. */
char *gaspdb_path_word(const char *path);

/*
 * Default output of 'gaspdb import PATH': "runs/a.db" for "runs/a/", "a.db" for
 * "a.tar.gz", "b.db" for its run b (run_name; NULL: the only run), the folder's
 * name for ".". The caller frees it.
 */
char *gaspdb_default_output(const char *path, const char *run_name);

/* Prints "gaspdb: next: gaspdb COMMAND PATH" on stderr. */
void gaspdb_print_next(const char *command, const char *path);

#endif
