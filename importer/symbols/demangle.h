/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a function is called in C++, by the symbol that the linker knows. */
#ifndef GASPDB_IMPORTER_SYMBOLS_DEMANGLE_H
#define GASPDB_IMPORTER_SYMBOLS_DEMANGLE_H

#include <stddef.h>

/*
 * heat::Grid<double>::exchange for _ZN4heat4GridIdE8exchangeEi: its parameters
 * are left out, and what the compiler says of a copy of it.  Any other symbol
 * stays as it is, and so do all where the library of C++ is not installed.
 * Of longer names than size bytes the middle is left out.
 */
void gaspdb_demangle(const char *symbol, char *name, size_t size);

/* A copy; "..." stands for the middle of one that is too long. */
void gaspdb_copy_name(char *to, size_t size, const char *name);

#endif
