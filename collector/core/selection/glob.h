/* SPDX-License-Identifier: BSD-2-Clause */
/* Globs: * ? [a-z] [!a-z], and \ before a literal character.  A bracket without
   an end is literal.  Not by fnmatch(3), which may allocate: allocation may be
   recorded. */
#ifndef GASPDB_COLLECTOR_CORE_SELECTION_GLOB_H
#define GASPDB_COLLECTOR_CORE_SELECTION_GLOB_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a glob of length bytes matches all of text. */
bool gaspdb_glob(const char *glob, size_t length, const char *text);
/* The same without case. */
bool gaspdb_glob_any_case(const char *glob, size_t length, const char *text);

#endif
