/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scan by two threads. */
#ifndef GASPDB_PAGE_AHEAD_H
#define GASPDB_PAGE_AHEAD_H

#include <stddef.h>

#include "sql/page_reader.h"

/*
 * gaspdb_page_reader_scan() of all rows of a table of so many columns, to the
 * same effect: another thread reads rows, if there are many and there can be
 * one, while fn has those before them.  Until it returns, the reader must not
 * be used.
 */
bool gaspdb_page_ahead_scan(struct gaspdb_page_reader *reader, size_t columns,
			    gaspdb_row_fn fn, void *user);

#endif
