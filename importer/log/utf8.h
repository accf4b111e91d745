/* SPDX-License-Identifier: GPL-3.0-or-later */
/* UTF-8: check, and repair that replaces invalid bytes by question marks. */
#ifndef GASPDB_IMPORTER_LOG_UTF8_H
#define GASPDB_IMPORTER_LOG_UTF8_H

#include <stdbool.h>
#include <stddef.h>

bool gaspdb_utf8_valid(const char *p, size_t n);
void gaspdb_utf8_repair(char *p, size_t n);

#endif
