/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compressions, undone here rather than by libarchive's filters: those give
 * nothing of the last 64 KiB or more before the place where a file was cut,
 * and that can be a whole run.
 */
#ifndef GASPDB_IMPORTER_INPUT_DECODER_H
#define GASPDB_IMPORTER_INPUT_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gaspdb_decoder;

/* Bytes of the compressed file: so many into to; 0: no more; -1: an error. */
typedef long (*gaspdb_decoder_fn)(void *user, uint8_t *to, size_t n);

/* How data that begins like this is compressed: "gzip"; NULL: not in a way that
   is undone here, or (lz4) by libarchive. */
const char *gaspdb_decoder_format(const uint8_t *head, size_t n);

/* For data that begins like this; NULL: it is not compressed, or by lz4. */
struct gaspdb_decoder *gaspdb_decoder_new(const uint8_t *head, size_t n_head,
					  gaspdb_decoder_fn more, void *user);
void gaspdb_decoder_free(struct gaspdb_decoder *d);

/*
 * The next bytes, at most n; 0: no more, and *why says what is wrong, or is
 * NULL.
 */
size_t gaspdb_decoder_read(struct gaspdb_decoder *d, uint8_t *to, size_t n,
			   const char **why);

/* Where in the compressed file what was read comes from. */
uint64_t gaspdb_decoder_offset(const struct gaspdb_decoder *d);

#endif
