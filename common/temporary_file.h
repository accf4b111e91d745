/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Temporary files without a name, which leave nothing after a kill. */
#ifndef GASPDB_COMMON_TEMPORARY_FILE_H
#define GASPDB_COMMON_TEMPORARY_FILE_H

/* Opens one for reading and writing in the folder of path; -1: errno is set. */
int gaspdb_temporary_file_open(const char *path);

#endif
