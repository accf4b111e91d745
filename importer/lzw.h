/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What compress (.Z) wrote: codes of 9 to 16 bits, each a byte, or another
 * code's bytes and one more.  Nothing in it tells where it ends, or that it is
 * damaged but for a code that cannot be.
 */
#ifndef GASPDB_LZW_H
#define GASPDB_LZW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GASPDB_LZW_MAGIC "\x1f\x9d"

struct gaspdb_lzw;

/* NULL: out of memory.  free() it. */
struct gaspdb_lzw *gaspdb_lzw_new(void);

/*
 * Decode from *at (*left bytes) to `to` (*room bytes), and let them say what is
 * left of each: nothing of one of the two.  false: the data is damaged.
 */
bool gaspdb_lzw_step(struct gaspdb_lzw *z, const uint8_t **at, size_t *left,
		     uint8_t **to, size_t *room);

#endif
