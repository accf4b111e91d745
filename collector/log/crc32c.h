/* SPDX-License-Identifier: BSD-2-Clause */
/* CRC-32C (Castagnoli), as in iSCSI and ext4: part of the log's format. */
#ifndef GASPDB_COLLECTOR_LOG_CRC32C_H
#define GASPDB_COLLECTOR_LOG_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Continues crc (0 at the start) over n bytes. */
uint32_t gaspdb_crc32c(uint32_t crc, const void *data, size_t n);

/* The same without the processor's instruction; for tests. */
uint32_t gaspdb_crc32c_by_table(uint32_t crc, const void *data, size_t n);

#endif
