/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Is it UTF-8?  A byte that is none becomes a question mark. */
#ifndef GASPDB_IMPORTER_LOG_UTF8_H
#define GASPDB_IMPORTER_LOG_UTF8_H

#include <stdbool.h>
#include <stddef.h>

bool gaspdb_utf8_valid(const char *p, size_t n);
void gaspdb_utf8_repair(char *p, size_t n);

#endif
