/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions of a program or library, by its debug information and symbols. */
#ifndef GASPDB_IMPORTER_SYMBOLS_FUNCTION_LIST_H
#define GASPDB_IMPORTER_SYMBOLS_FUNCTION_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Texts that are not known are empty; none is NULL. */
struct gaspdb_listed_function {
	uint64_t address;      /* ELF address of its first byte, or of a part */
	const char *name;      /* as declared: exchange */
	const char *qualified; /* heat::Grid::exchange; Fortran: module::f */
	const char *signature; /* C++: with parameters; else qualified */
	const char *symbol;    /* mangled; else name */
	const char *path, *file; /* whole; as compiled */
	bool has_debug;		 /* false: known by its symbol only */
};

typedef void gaspdb_list_function_fn(void *user,
				     const struct gaspdb_listed_function *f);

/*
 * Calls take for each function of the file at path, in no order.  A function
 * can come several times: by debug information, by symbols, for each part.
 * false: it cannot be read, and why says so.
 */
bool gaspdb_list_functions(const char *path, gaspdb_list_function_fn *take,
			   void *user, char *why, size_t size);

#endif
