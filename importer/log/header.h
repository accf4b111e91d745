/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to the reader: the first bytes of a log. */
#ifndef GASPDB_IMPORTER_LOG_HEADER_H
#define GASPDB_IMPORTER_LOG_HEADER_H

#include "importer/log/reader.h"

/* Block and file headers of later minor versions may be longer. */
#define GASPDB_HEADER_MAX 4096u

/* Bytes to read: the header, and the first block's magic number, which confirms
   the byte order if the header is damaged. */
#define GASPDB_HEADER_READ (GASPDB_LH_BYTES + 4)

/* Was the process killed before the log's header was complete? n: the header's
   size, or that of a shorter file. The caller checks that zeros follow. */
bool gaspdb_log_header_unmade(const uint8_t *header, size_t n);
/* Parses the header in the first n bytes; *first: offset of the first block.
   FAILED: not a log, or not one that can be read. */
enum gaspdb_status gaspdb_log_header_parse(struct gaspdb_log_header *to,
					   const uint8_t *h, size_t n,
					   uint64_t *first,
					   struct gaspdb_error *err);

#endif
