/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Well-formed logs whose numbers are the ends of their ranges: in any field of
 * any kind of record, any argument of any event of the tables, any header.
 */
#ifndef GASPDB_TESTS_UNIT_UTIL_EXTREMES_H
#define GASPDB_TESTS_UNIT_UTIL_EXTREMES_H

enum { EXTREMES_RANKS = 3 };

/* Seeds the generator for a run, and chooses how many extreme values its logs
   have.  Returns the only name of arguments and fields with any; NULL: all. */
const char *extremes_choose(unsigned run);

/* Adds the log of a rank to a run, after those of lower ranks: each event of
   the model, between records of all kinds. */
void extremes_add_log(const char *run, int rank, const char *model);

#endif
