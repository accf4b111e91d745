/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decoders of compressed files. libarchive's filters return nothing of the last
 * 64 KiB or more before the offset where a file was cut; in a small file that
 * can be the whole run.
 */
#ifndef GASPDB_IMPORTER_INPUT_DECODER_H
#define GASPDB_IMPORTER_INPUT_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gaspdb_decoder;

/* Source of compressed bytes: reads up to n into `to` and returns their number;
   0: end; -1: error. */
typedef long (*gaspdb_decoder_fn)(void *user, uint8_t *to, size_t n);

/* Name of the compression of data with this beginning, as "gzip". NULL:
   uncompressed, or neither this decoder nor libarchive knows it. */
const char *gaspdb_decoder_format(const uint8_t *head, size_t n);

/* A decoder of data with this beginning; NULL: uncompressed, or lz4. */
struct gaspdb_decoder *gaspdb_decoder_new(const uint8_t *head, size_t n_head,
					  gaspdb_decoder_fn more, void *user);
void gaspdb_decoder_free(struct gaspdb_decoder *d);

/* The next decoded bytes, at most n. 0: end, and *why is the error or NULL. */
size_t gaspdb_decoder_read(struct gaspdb_decoder *d, uint8_t *to, size_t n,
			   const char **why);

/* Offset in the compressed file up to which input was decoded. */
uint64_t gaspdb_decoder_offset(const struct gaspdb_decoder *d);

#endif
