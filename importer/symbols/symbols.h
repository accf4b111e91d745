/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Symbols: from addresses to lines. The run's lines.tsv comes first; otherwise
 * the module's file is read, if it is the one that ran. Debug information comes
 * from that file or a separate one, by build-id or .gnu_debuglink, never over a
 * network.
 */
#ifndef GASPDB_IMPORTER_SYMBOLS_SYMBOLS_H
#define GASPDB_IMPORTER_SYMBOLS_SYMBOLS_H

#include <stdio.h>

#include "importer/run/registry.h"

struct gaspdb_elf;
struct gaspdb_field;

/*
 * Identity of a module's file at the time of the run. A build-id is sufficient.
 * Otherwise the file at its path must have the same bytes, or, without a
 * checksum, be unmodified since.
 */
struct gaspdb_module_identity {
	struct gaspdb_text build_id;
	uint64_t size, checksum; /* CRC-32C plus 2^32; 0: unknown */
	uint64_t inode, modified_ns, changed_ns;
};

/* The functions at an address, innermost first. */
struct gaspdb_functions {
	unsigned n;		    /* at most GASPDB_INLINED_MAX */
	struct gaspdb_place *place; /* as many could stand there */
};

struct gaspdb_symbols {
	struct gaspdb_registry *registry;
	bool no_files;			/* modules must not be opened */
	struct gaspdb_names identities; /* path, build-id, file */
	struct gaspdb_module {
		char *path, *key; /* key: in lines.tsv */
		struct gaspdb_module_identity identity;
		struct gaspdb_elf *elf; /* NULL: not open */
		bool tried;
		char why[200]; /* why it has no lines */
	} * module;
	size_t capacity;
	struct gaspdb_names addresses; /* of a module */
	struct gaspdb_place *place;    /* of each address */
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

/* Number of a module, by the fields of its MODULE record; GASPDB_ABSENT: too
   many. */
uint32_t gaspdb_symbols_module(struct gaspdb_symbols *s,
			       const struct gaspdb_field *f);

/* Place of a call that returns to offset (an ELF address) in a module. */
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

/* Name of the static object at offset, as 'table+16'; false: unknown. */
bool gaspdb_symbols_object(struct gaspdb_symbols *s, uint32_t module,
			   uint64_t offset, char *name, size_t size);

/* Why a module has no lines; "": it has, or was not needed. */
const char *gaspdb_symbols_why(const struct gaspdb_symbols *s,
			       const char *path);

/* --- lines.c -------------------------------------------------------------- */

#define GASPDB_LINES_FILE "lines.tsv"
/* Reads a run's lines.tsv and closes it; f may be NULL. */
void gaspdb_lines_read(struct gaspdb_symbols *s, FILE *f);

/* --- elf.c: one module's file --------------------------------------------- */

/* Disables debuginfod. Must be called before other threads start. */
void gaspdb_elf_stay_local(void);

/* Opens a module's file; NULL: unusable, with the reason in why. id NULL: any
   file. */
struct gaspdb_elf *gaspdb_elf_open(const char *path,
				   const struct gaspdb_module_identity *id,
				   char *why, size_t size);
void gaspdb_elf_close(struct gaspdb_elf *e);

struct gaspdb_elf_place {
	char function[512], file[4096]; /* "": unknown */
	int line, column;
	uint64_t within; /* offset in a function known by its symbol; else 0 */
};

/* Functions at an ELF address, innermost first; their number, at most max.
   line is that of the declaration. */
unsigned gaspdb_elf_functions(struct gaspdb_elf *e, uint64_t address,
			      struct gaspdb_elf_place *function, unsigned max);

/* Place of the instruction at an ELF address. */
void gaspdb_elf_lookup(struct gaspdb_elf *e, uint64_t address,
		       struct gaspdb_elf_place *place);
/* Data symbol at an ELF address; NULL: none. */
const char *gaspdb_elf_object(struct gaspdb_elf *e, uint64_t address,
			      uint64_t *offset);
/* Does it have debug information? */
bool gaspdb_elf_has_lines(const struct gaspdb_elf *e);

#endif
