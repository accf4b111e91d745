/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers of records that later arithmetic relies on: ranks of a team, its
 * size, places in its list of members.  A log may say any; those out of range
 * (limits.h) are told, and whoever takes the record keeps within it.
 */
#ifndef GASPDB_IMPORTER_RUN_BOUNDS_H
#define GASPDB_IMPORTER_RUN_BOUNDS_H

#include "importer/log/reader.h"

#define GASPDB_BOUNDS_DETAIL 120

/* false: one of a record's fields is out of range; detail says which, and where
   it would have to be. */
bool gaspdb_record_bounded(unsigned kind, const struct gaspdb_field *fields,
			   char detail[static GASPDB_BOUNDS_DETAIL]);

#endif
