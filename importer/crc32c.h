/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CRC-32C (Castagnoli). */
#ifndef GASPDB_IMPORTER_CRC32C_H
#define GASPDB_IMPORTER_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* The CRC of all so far (0 at first) and n more bytes. */
uint32_t gaspdb_checksum(uint32_t crc, const void *bytes, size_t n);

#endif
