/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command that one types next. */
#ifndef GASPDB_CLI_NEXT_COMMAND_H
#define GASPDB_CLI_NEXT_COMMAND_H

/* The path as a word of a shell, never taken for an option.  The caller frees
 * it. */
char *gaspdb_path_word(const char *path);

/*
 * The database that 'gaspdb import PATH' makes without -o: "runs/a/" becomes
 * "runs/a.db", "a.tar.gz" "a.db", and run b of it "b.db" (NULL: the only run);
 * "." the name of the folder.  The caller frees it.
 */
char *gaspdb_default_output(const char *path, const char *run_name);

/* One line on stderr: "gaspdb: next: gaspdb COMMAND PATH". */
void gaspdb_print_next(const char *command, const char *path);

#endif
