/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files without a name: a kill leaves nothing of them. */
#ifndef GASPDB_COMMON_TEMPORARY_FILE_H
#define GASPDB_COMMON_TEMPORARY_FILE_H

/* For reading and writing, in the folder of path.  -1: errno tells why. */
int gaspdb_temporary_file_open(const char *path);

#endif
