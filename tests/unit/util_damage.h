/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A log to be damaged. */
#ifndef GASPDB_TESTS_UNIT_UTIL_DAMAGE_H
#define GASPDB_TESTS_UNIT_UTIL_DAMAGE_H

#include <stddef.h>

struct log;

/* A log of rank 0, 1 or 2 of three with a bit of everything. */
struct log *damage_rich_log(int rank);

/* Make the blocks' checksums right again, in either byte order: damage gets
   past them.  The header's stays. */
void damage_reseal(unsigned char *b, size_t n);

#endif
