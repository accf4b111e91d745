/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bounds of numbers in records that later arithmetic relies on: ranks of a
 * team, its size, indices in its list of members. A log may contain any number;
 * those out of range (limits.h) are reported, and users of the record clamp
 * them.
 */
#ifndef GASPDB_IMPORTER_RUN_BOUNDS_H
#define GASPDB_IMPORTER_RUN_BOUNDS_H

#include "importer/log/reader.h"

#define GASPDB_BOUNDS_DETAIL 120

/* Checks a record's fields. false: one is out of range; detail names it and its
   range. */
bool gaspdb_record_bounded(unsigned kind, const struct gaspdb_field *fields,
			   char detail[static GASPDB_BOUNDS_DETAIL]);

#endif
