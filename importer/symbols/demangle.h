/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Demangling of C++ symbols. */
#ifndef GASPDB_IMPORTER_SYMBOLS_DEMANGLE_H
#define GASPDB_IMPORTER_SYMBOLS_DEMANGLE_H

#include <stddef.h>

/*
 * Writes the demangled name of a symbol, without parameters and without
 * compiler suffixes: heat::Grid<double>::exchange for
 * _ZN4heat4GridIdE8exchangeEi. Other symbols are copied, and all are where
 * libstdc++ is not installed. The middle of a name longer than size bytes is
 * replaced by "...".
 */
void gaspdb_demangle(const char *symbol, char *name, size_t size);

/* The same with parameters. */
void gaspdb_demangle_whole(const char *symbol, char *name, size_t size);

/* Copies a name; the middle of one that is too long is replaced by "...". */
void gaspdb_copy_name(char *to, size_t size, const char *name);

#endif
