/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a function is called in C++, by the symbol that the linker knows. */
#ifndef GASPDB_DEMANGLE_H
#define GASPDB_DEMANGLE_H

#include <stddef.h>

/*
 * heat::Grid<double>::exchange for _ZN4heat4GridIdE8exchangeEi: its parameters
 * are left out, and what the compiler says of a copy of it.  Any other symbol
 * stays as it is, and so do all where the library of C++ is not installed.
 * Both end at size bytes.
 */
void gaspdb_demangle(const char *symbol, char *name, size_t size);

#endif
