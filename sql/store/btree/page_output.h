/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pages on their way to a file, gathered in large buffers.  The first failure
 * sticks, and what comes after it is thrown away.
 */
#ifndef GASPDB_SQL_STORE_BTREE_PAGE_OUTPUT_H
#define GASPDB_SQL_STORE_BTREE_PAGE_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

struct gaspdb_output;

/* For pages of that size, into fd, which stays the caller's; path is named in
   errors. */
struct gaspdb_output *gaspdb_output_new(int fd, const char *path,
					size_t page_bytes);
/* A thread of its own writes a buffer while the next are filled (if there can
   be one).  Before the first page. */
void gaspdb_output_thread(struct gaspdb_output *o);
/* Where page number page (from 1) is to be built, all its bytes, before the
   next call. */
uint8_t *gaspdb_output_page(struct gaspdb_output *o, uint32_t page);
/* Wait until all is written. */
enum gaspdb_status gaspdb_output_finish(struct gaspdb_output *o,
					struct gaspdb_error *err);
/* So far; does not wait, and any thread may ask. */
enum gaspdb_status gaspdb_output_status(const struct gaspdb_output *o,
					struct gaspdb_error *err);
void gaspdb_output_free(struct gaspdb_output *o);

#endif
