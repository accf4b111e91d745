/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A buffered writer of pages. The first failure sticks; later pages are
   dropped. */
#ifndef GASPDB_SQL_STORE_BTREE_PAGE_OUTPUT_H
#define GASPDB_SQL_STORE_BTREE_PAGE_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

struct gaspdb_output;

/* A writer of pages into fd, which stays the caller's. path: for messages. */
struct gaspdb_output *gaspdb_output_new(int fd, const char *path,
					size_t page_bytes);
/* Write full buffers in a thread, if one can be created. Call before the first
   page. */
void gaspdb_output_thread(struct gaspdb_output *o);
/* The memory of page number page, from 1. The caller fills all bytes before the
   next call. */
uint8_t *gaspdb_output_page(struct gaspdb_output *o, uint32_t page);
/* Wait until all pages are written. */
enum gaspdb_status gaspdb_output_finish(struct gaspdb_output *o,
					struct gaspdb_error *err);
/* The status so far. Does not wait; any thread may call it. */
enum gaspdb_status gaspdb_output_status(const struct gaspdb_output *o,
					struct gaspdb_error *err);
void gaspdb_output_free(struct gaspdb_output *o);

#endif
