/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "importer/symbols/function_list.h"

#include <dwarf.h>
#include <stdio.h>
#include <string.h>

#include "importer/symbols/demangle.h"
#include "importer/symbols/elf_module.h"
#include "importer/symbols/symbols.h"

enum { DEEPEST = 100, NAME_BYTES = 4096 };

struct listing {
	struct gaspdb_elf *elf;
	gaspdb_list_function_fn *take;
	void *user;
	Dwarf_Die *unit;
	Dwarf_Addr bias;	   /* of the unit's addresses */
	char scope[NAME_BYTES];	   /* "module::"; "" */
	char path[2 * NAME_BYTES]; /* of the function at hand */
	char qualified[NAME_BYTES];
	char signature[NAME_BYTES];
};

/* Fills what follows from f's name and symbol. */
static void name_function(struct listing *l, struct gaspdb_listed_function *f)
{
	f->qualified = l->qualified;
	f->signature = l->signature;
	if (!strncmp(f->symbol, "_Z", 2)) {
		gaspdb_demangle(f->symbol, l->qualified, sizeof l->qualified);
		gaspdb_demangle_whole(f->symbol, l->signature,
				      sizeof l->signature);
		return;
	}
	if (snprintf(l->qualified, sizeof l->qualified, "%s%s", l->scope,
		     f->name) < 0)
		l->qualified[0] = 0;
	f->signature = f->qualified;
}

/* --- by debug information ------------------------------------------------- */

static const char *linkage_name(Dwarf_Die *function)
{
	Dwarf_Attribute attribute;
	const char *symbol = dwarf_formstring(
		dwarf_attr_integrate(function, DW_AT_linkage_name, &attribute));

	return symbol ? symbol
		      : dwarf_formstring(dwarf_attr_integrate(
				function, DW_AT_MIPS_linkage_name, &attribute));
}

/* The symbol at an address of the file; otherwise: the result if it has none.
 */
static const char *symbol_at(const struct listing *l, uint64_t address,
			     const char *otherwise)
{
	const char *name;
	GElf_Off within;
	GElf_Sym symbol;

	name = dwfl_module_addrinfo(l->elf->module, address + l->elf->bias,
				    &within, &symbol, NULL, NULL, NULL);
	return name && !within ? name : otherwise;
}

/* The whole path of a file in the unit. */
static const char *whole_path(struct listing *l, const char *path)
{
	Dwarf_Attribute attribute;
	const char *folder = dwarf_formstring(
		dwarf_attr(l->unit, DW_AT_comp_dir, &attribute));

	if (!*path || *path == '/' || !folder ||
	    snprintf(l->path, sizeof l->path, "%s/%s", folder, path) < 0)
		return path;
	return l->path;
}

static void take_debug(struct listing *l, Dwarf_Die *die)
{
	const char *path = dwarf_decl_file(die), *symbol = linkage_name(die);
	struct gaspdb_listed_function f = { .name = dwarf_diename(die),
					    .has_debug = true };
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	if (!f.name)
		return;
	f.file = gaspdb_elf_shorten(l->unit, path ? path : "");
	f.path = whole_path(l, path ? path : "");
	while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
		f.address = start + l->bias - l->elf->bias;
		f.symbol = symbol ? symbol : symbol_at(l, f.address, f.name);
		name_function(l, &f);
		l->take(l->user, &f);
	}
}

static void walk(struct listing *l, Dwarf_Die *parent, int depth);

/* Walks down a scope that has a name. */
static void walk_scope(struct listing *l, Dwarf_Die *die, int depth)
{
	const size_t n = strlen(l->scope);
	const char *name = dwarf_diename(die);

	if (name &&
	    snprintf(l->scope + n, sizeof l->scope - n, "%s::", name) < 0)
		l->scope[n] = 0;
	walk(l, die, depth);
	l->scope[n] = 0;
}

static void walk(struct listing *l, Dwarf_Die *parent, int depth)
{
	Dwarf_Die die;
	int more = depth < DEEPEST ? dwarf_child(parent, &die) : 1;

	for (; more == 0; more = dwarf_siblingof(&die, &die)) {
		const int tag = dwarf_tag(&die);

		if (tag == DW_TAG_subprogram)
			take_debug(l, &die);
		if (gaspdb_elf_is_container(tag))
			walk_scope(l, &die, depth + 1);
		else if (tag == DW_TAG_subprogram ||
			 tag == DW_TAG_lexical_block)
			walk(l, &die, depth + 1);
	}
}

static void take_units(struct listing *l)
{
	Dwarf_Die *unit = NULL;

	while ((unit = dwfl_module_nextcu(l->elf->module, unit, &l->bias))) {
		Dwarf_Die all = gaspdb_elf_with_functions(unit);

		l->unit = unit;
		walk(l, &all, 0);
	}
}

/* --- by symbols ----------------------------------------------------------- */

static void take_symbols(struct listing *l)
{
	const int n = dwfl_module_getsymtab(l->elf->module);

	l->scope[0] = 0;
	for (int i = 0; i < n; i++) {
		struct gaspdb_listed_function f = { .path = "", .file = "" };
		GElf_Addr address;
		GElf_Word section;
		GElf_Sym symbol;

		f.name =
			dwfl_module_getsym_info(l->elf->module, i, &symbol,
						&address, &section, NULL, NULL);
		if (!f.name || !*f.name || section == SHN_UNDEF ||
		    GELF_ST_TYPE(symbol.st_info) != STT_FUNC)
			continue;
		f.symbol = f.name;
		f.address = address - l->elf->bias;
		name_function(l, &f);
		l->take(l->user, &f);
	}
}

bool gaspdb_list_functions(const char *path, gaspdb_list_function_fn *take,
			   void *user, char *why, size_t size)
{
	struct listing l = { .take = take, .user = user };

	l.elf = gaspdb_elf_open(path, NULL, why, size);
	if (!l.elf)
		return false;
	take_units(&l);
	take_symbols(&l);
	gaspdb_elf_close(l.elf);
	return true;
}
