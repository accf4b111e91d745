/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to the reader: the first 64 bytes of a log. */
#ifndef GASPDB_IMPORTER_LOG_HEADER_H
#define GASPDB_IMPORTER_LOG_HEADER_H

#include "importer/log/reader.h"

/* Block and file headers of later minor versions may be longer. */
#define GASPDB_HEADER_MAX 4096u

/* Of n bytes; *first: where the first block stands.  FAILED: not a log that
   can be read. */
/*
 * Are the log's first n bytes, as many as a header has unless it has less,
 * those of a log whose process was killed before the header was whole?  Then
 * all that follows is zero.
 */
bool gaspdb_log_header_unmade(const uint8_t *header, size_t n);

enum gaspdb_status gaspdb_log_header_parse(struct gaspdb_log_header *to,
					   const uint8_t *h, size_t n,
					   uint64_t *first,
					   struct gaspdb_error *err);

#endif
