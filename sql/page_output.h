/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pages on their way to a file: gathered in large buffers, which a thread of
 * its own writes while the next are filled.  The first failure sticks, and
 * what comes after it is thrown away.
 */
#ifndef GASPDB_PAGE_OUTPUT_H
#define GASPDB_PAGE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

struct gaspdb_output;

/* For pages of that size, into fd, which stays the caller's; path is named in
   errors. */
struct gaspdb_output *gaspdb_output_new(int fd, const char *path,
					size_t page_bytes);
/* Where page number page (from 1) is to be built, before the next call. */
uint8_t *gaspdb_output_page(struct gaspdb_output *o, uint32_t page);
/* Wait until all is written. */
enum gaspdb_status gaspdb_output_finish(struct gaspdb_output *o,
					struct gaspdb_error *err);
/* Has anything failed so far?  Does not wait. */
bool gaspdb_output_failed(struct gaspdb_output *o);
void gaspdb_output_free(struct gaspdb_output *o);

#endif
