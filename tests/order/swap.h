/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A little-endian log made big-endian, by docs/log-format.md alone. */
#ifndef GASPDB_TESTS_ORDER_SWAP_H
#define GASPDB_TESTS_ORDER_SWAP_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Reverses the numbers of the file's header, of the blocks' headers and of
 * PROFILE blocks, from the first block on while one follows another. A checksum
 * that was right is made right again; any other is left, reversed. false: not a
 * log, or one cut in its header.
 */
bool swap_log(unsigned char *bytes, size_t n);

/* Where the big-endian twin of a log has the byte at this offset. bytes: the
   little-endian log. */
size_t swap_offset(const unsigned char *bytes, size_t n, size_t at);

#endif
