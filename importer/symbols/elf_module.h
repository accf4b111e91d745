/* SPDX-License-Identifier: GPL-3.0-or-later */
/* File of a module, opened by elfutils: for the files that read one. */
#ifndef GASPDB_IMPORTER_SYMBOLS_ELF_MODULE_H
#define GASPDB_IMPORTER_SYMBOLS_ELF_MODULE_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gaspdb_elf {
	Dwfl *dwfl;
	Dwfl_Module *module;
	GElf_Addr bias; /* libdwfl's address minus the file's */
	bool has_lines;
	struct gaspdb_data_symbol *data; /* sorted; NULL: not read yet */
	size_t n_data, data_capacity;
};

/* A path in DWARF, relative to the unit's compilation directory if it is
   below. */
const char *gaspdb_elf_shorten(Dwarf_Die *unit, const char *file);

/* The unit with names of functions: that of the split DWARF file if there is
   one. */
Dwarf_Die gaspdb_elf_with_functions(Dwarf_Die *unit);

/* Can a DIE of the tag contain functions without having addresses? */
bool gaspdb_elf_is_container(int tag);

#endif
