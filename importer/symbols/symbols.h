/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From addresses to lines.  What a run's lines.tsv says goes first; else the
 * module itself is asked, if it is the regular file that ran.  Debug
 * information comes from the module or from a separate file, by build-id or
 * .gnu_debuglink, never over a network.
 */
#ifndef GASPDB_IMPORTER_SYMBOLS_SYMBOLS_H
#define GASPDB_IMPORTER_SYMBOLS_SYMBOLS_H

#include <stdio.h>

#include "importer/run/registry.h"

struct gaspdb_elf;
struct gaspdb_field;

/*
 * The file of a module as it was when the program ran.  A build-id identifies
 * it anywhere.  Else the file at its path must have the same bytes, or, where
 * these were not summed up, be untouched since.
 */
struct gaspdb_module_identity {
	struct gaspdb_text build_id;
	uint64_t size, checksum; /* CRC-32C plus 2^32; 0: not known */
	uint64_t inode, modified_ns, changed_ns;
};

/* The functions at an address, innermost first. */
struct gaspdb_functions {
	unsigned n;		    /* at most GASPDB_INLINED_MAX */
	struct gaspdb_place *place; /* as many could stand there */
};

struct gaspdb_symbols {
	struct gaspdb_registry *registry;
	bool no_files;			/* modules are not to be opened */
	struct gaspdb_names identities; /* path, build-id, file */
	struct gaspdb_module {
		char *path, *key; /* key: of lines.tsv */
		struct gaspdb_module_identity identity;
		struct gaspdb_elf *elf; /* NULL: not opened, or not to be */
		bool tried;
		char why[200]; /* it has no lines: for a person */
	} * module;
	size_t capacity;
	struct gaspdb_names addresses; /* of a module */
	struct gaspdb_place *place;    /* of each of them */
	size_t place_capacity;
	struct gaspdb_functions *functions; /* of each; n 0: not looked up */
	size_t functions_capacity;
	struct gaspdb_names lines; /* lines.tsv: module's key and offset */
	struct gaspdb_place *line;
	size_t line_capacity;
	struct gaspdb_functions *line_functions;
	size_t line_functions_capacity;
};

void gaspdb_symbols_init(struct gaspdb_symbols *s,
			 struct gaspdb_registry *registry);
void gaspdb_symbols_free(struct gaspdb_symbols *s);

/* A module of the run, by the fields of its MODULE record; its number.
   GASPDB_ABSENT: there are too many. */
uint32_t gaspdb_symbols_module(struct gaspdb_symbols *s,
			       const struct gaspdb_field *f);

/* The place of a call that returns to offset (an ELF address) in a module. */
const struct gaspdb_place *gaspdb_symbols_place(struct gaspdb_symbols *s,
						uint32_t module,
						uint64_t offset);

/*
 * The functions at the same address: those inlined there, and the one that they
 * are inlined into.  A place is a function's name, file and line of its
 * declaration; or what is known of them, and its module and offset.  n is at
 * least 1.
 */
struct gaspdb_functions gaspdb_symbols_functions(struct gaspdb_symbols *s,
						 uint32_t module,
						 uint64_t offset);

/* Name of the static object at offset, as 'table+16'; false: not known. */
bool gaspdb_symbols_object(struct gaspdb_symbols *s, uint32_t module,
			   uint64_t offset, char *name, size_t size);

/* Why a module gave no lines; "" if it did, or was not asked. */
const char *gaspdb_symbols_why(const struct gaspdb_symbols *s,
			       const char *path);

/* --- lines.c ---------------------------------------------------------------
 */

#define GASPDB_LINES_FILE "lines.tsv"
/* Read a run's lines.tsv and close it; NULL: there is none. */
void gaspdb_lines_read(struct gaspdb_symbols *s, FILE *f);

/* --- elf.c: one module's file ----------------------------------------------
 */

/* No look-up is to ask servers: before other threads begin. */
void gaspdb_elf_stay_local(void);

/* NULL: it cannot be used, why is filled. */
struct gaspdb_elf *gaspdb_elf_open(const char *path,
				   const struct gaspdb_module_identity *id,
				   char *why, size_t size);
void gaspdb_elf_close(struct gaspdb_elf *e);

struct gaspdb_elf_place {
	char function[512], file[4096]; /* "": not known */
	int line, column;
	uint64_t within; /* function, if that is a symbol's; else 0 */
};

/* Functions at an ELF address, innermost first; their number, at most max.
   line is that of the declaration. */
unsigned gaspdb_elf_functions(struct gaspdb_elf *e, uint64_t address,
			      struct gaspdb_elf_place *function, unsigned max);

/* The instruction at an ELF address. */
void gaspdb_elf_lookup(struct gaspdb_elf *e, uint64_t address,
		       struct gaspdb_elf_place *place);
/* The data symbol at an ELF address; NULL: none. */
const char *gaspdb_elf_object(struct gaspdb_elf *e, uint64_t address,
			      uint64_t *offset);
/* Has it debug information? */
bool gaspdb_elf_has_lines(const struct gaspdb_elf *e);

#endif
