/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of gaspdb info; each returns the exit status. */
#ifndef GASPDB_CLI_INFO_H
#define GASPDB_CLI_INFO_H

int gaspdb_info_run(const char *directory);
int gaspdb_info_database(const char *path);

/* "key           value" on stdout, escaped; nothing if value is "" or NULL. */
void gaspdb_info_print(const char *key, const char *value);

#endif
