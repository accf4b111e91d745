/* SPDX-License-Identifier: GPL-3.0-or-later */
/* File of a module: lines, functions and data symbols, by elfutils. */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/log/crc32c.h"
#include "common/memory.h"
#include "importer/symbols/demangle.h"
#include "importer/symbols/elf_module.h"
#include "importer/symbols/symbols.h"

struct gaspdb_data_symbol {
	uint64_t address, size;
	const char *name;
};

static int open_regular(const char *path)
{
	/* Non-blocking: it could be a FIFO. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd < 0 || (!fstat(fd, &st) && S_ISREG(st.st_mode)))
		return fd;
	close(fd);
	errno = EINVAL;
	return -1;
}

/*
 * Folders with separate debug information, by build-id, .gnu_debuglink or dwz,
 * on this machine only. libdwfl would query debuginfod servers next;
 * gaspdb_elf_stay_local() disables that.
 */
static const char *const debug_folders = "+:.debug:/usr/lib/debug";

void gaspdb_elf_stay_local(void)
{
	unsetenv("DEBUGINFOD_URLS");
}

static bool same_build_id(Elf *elf, struct gaspdb_text build_id)
{
	const void *id = NULL;
	ssize_t n = dwelf_elf_gnu_build_id(elf, &id);

	if (n <= 0)
		return build_id.n == 0;
	return (size_t)n == build_id.n && !memcmp(id, build_id.p, build_id.n);
}

/* Does the file have the size and checksum that the collector wrote? */
static bool same_bytes(int fd, const struct gaspdb_module_identity *id)
{
	unsigned char buffer[64 << 10];
	uint32_t crc = 0;
	uint64_t at = 0;
	ssize_t n;

	while ((n = pread(fd, buffer, sizeof buffer, (off_t)at)) > 0) {
		crc = gaspdb_crc32c(crc, buffer, (size_t)n);
		at += (uint64_t)n;
	}
	return n == 0 && at == id->size && crc == (uint32_t)id->checksum;
}

static uint64_t ns_of(struct timespec t)
{
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Why a file without build-id may not be the one that ran; NULL: it is. */
static const char *differs(int fd, const struct gaspdb_module_identity *id)
{
	struct stat st;

	if (!id->size)
		return "it has no build-id, and which file of that name ran is "
		       "not known";
	if (!fstat(fd, &st) && (uint64_t)st.st_size == id->size &&
	    (id->checksum ? same_bytes(fd, id)
			  : st.st_ino == id->inode &&
				    ns_of(st.st_mtim) == id->modified_ns &&
				    ns_of(st.st_ctim) == id->changed_ns))
		return NULL;
	return "it is not the file that ran: it has no build-id, and was "
	       "changed or replaced since";
}

/* Why the file in e is not the one that ran; NULL: it is. id NULL: any is. */
static const char *not_the_same(struct gaspdb_elf *e, int fd,
				const struct gaspdb_module_identity *id)
{
	Elf *elf = dwfl_module_getelf(e->module, &e->bias);

	if (!elf)
		return "it is not an ELF file";
	if (!id)
		return NULL;
	if (!same_build_id(elf, id->build_id))
		return "it is not the file that ran: its build-id differs";
	return id->build_id.n ? NULL : differs(fd, id);
}

static void find_lines(struct gaspdb_elf *e)
{
	Dwarf_Addr bias;

	e->has_lines = dwfl_module_nextcu(e->module, NULL, &bias);
}

/* Opens the file in libdwfl, which takes ownership of fd. */
static bool report(struct gaspdb_elf *e, const char *path, int fd)
{
	static const Dwfl_Callbacks callbacks = {
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.debuginfo_path = (char **)&debug_folders,
		.section_address = dwfl_offline_section_address,
	};

	e->dwfl = dwfl_begin(&callbacks);
	if (e->dwfl)
		e->module = dwfl_report_offline(e->dwfl, path, path, fd);
	if (!e->module)
		close(fd);
	return e->module && !dwfl_report_end(e->dwfl, NULL, NULL);
}

struct gaspdb_elf *gaspdb_elf_open(const char *path,
				   const struct gaspdb_module_identity *id,
				   char *why, size_t size)
{
	const char *wrong = "it is not an ELF file";
	struct gaspdb_elf *e;
	int fd = open_regular(path), own;

	if (fd < 0) {
		snprintf(why, size, "it cannot be opened: %s", strerror(errno));
		return NULL;
	}
	own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	e = gaspdb_mem_alloc(sizeof *e);
	if (report(e, path, fd) && own >= 0)
		wrong = not_the_same(e, own, id);
	if (own >= 0)
		close(own);
	if (!wrong) {
		find_lines(e);
		return e;
	}
	snprintf(why, size, "%s", wrong);
	gaspdb_elf_close(e);
	return NULL;
}

void gaspdb_elf_close(struct gaspdb_elf *e)
{
	if (!e)
		return;
	if (e->dwfl)
		dwfl_end(e->dwfl);
	free(e->data);
	free(e);
}

bool gaspdb_elf_has_lines(const struct gaspdb_elf *e)
{
	return e->has_lines;
}

/* --- lines ---------------------------------------------------------------- */

/*
 * Compilation unit of an address, and the bias of its addresses. Without a
 * table of address ranges, which Clang does not write, all units are searched.
 */
static Dwarf_Die *find_unit(const struct gaspdb_elf *e, Dwarf_Addr address,
			    Dwarf_Addr *bias)
{
	Dwarf_Die *unit = dwfl_module_addrdie(e->module, address, bias);

	if (unit)
		return unit;
	while ((unit = dwfl_module_nextcu(e->module, unit, bias)))
		if (dwarf_haspc(unit, address - *bias) > 0)
			return unit;
	return NULL;
}

const char *gaspdb_elf_shorten(Dwarf_Die *unit, const char *file)
{
	Dwarf_Attribute attribute;
	const char *folder =
		dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
	size_t n = folder ? strlen(folder) : 0;

	while (n > 1 && folder[n - 1] == '/')
		n--;
	if (n > 1 && !strncmp(file, folder, n) && file[n] == '/') {
		file += n;
		while (*file == '/' || (file[0] == '.' && file[1] == '/'))
			file++;
	}
	return file;
}

static void look_up_line(Dwarf_Die *unit, Dwarf_Addr address,
			 struct gaspdb_elf_place *place)
{
	Dwarf_Line *line = dwarf_getsrc_die(unit, address);
	const char *file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;

	if (!file || dwarf_lineno(line, &place->line) || place->line <= 0) {
		place->line = 0;
		return;
	}
	if (dwarf_linecol(line, &place->column))
		place->column = 0;
	snprintf(place->file, sizeof place->file, "%s",
		 gaspdb_elf_shorten(unit, file));
}

Dwarf_Die gaspdb_elf_with_functions(Dwarf_Die *unit)
{
	Dwarf_Die whole, part;
	uint8_t type;

	if (dwarf_cu_info(unit->cu, NULL, &type, &whole, &part, NULL, NULL,
			  NULL) ||
	    type != DW_UT_skeleton || !part.addr)
		return *unit;
	return part;
}

/* Search for the innermost function at an address. dwarf_getscopes() misses
   functions inlined from another unit (-flto). */
struct descent {
	Dwarf_Addr address;
	bool nested; /* search functions at other addresses, too */
	bool any;
	Dwarf_Die innermost;
	Dwarf_Die found[GASPDB_INLINED_MAX]; /* functions, outermost first */
	unsigned n;
};

static bool is_function(int tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

bool gaspdb_elf_is_container(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module ||
	       tag == DW_TAG_class_type || tag == DW_TAG_structure_type ||
	       tag == DW_TAG_union_type;
}

static bool is_block(int tag)
{
	return tag == DW_TAG_lexical_block || tag == DW_TAG_try_block ||
	       tag == DW_TAG_catch_block;
}

/* Searches below parent; true: found. */
static bool descend(struct descent *d, Dwarf_Die *parent, int depth)
{
	enum { DEEP = 200 };
	Dwarf_Die die;
	int more = depth < DEEP ? dwarf_child(parent, &die) : 1;

	for (; more == 0; more = dwarf_siblingof(&die, &die)) {
		const int tag = dwarf_tag(&die);
		const bool here = (is_function(tag) || is_block(tag)) &&
				  dwarf_haspc(&die, d->address) > 0;

		if (here && is_function(tag) && dwarf_diename(&die)) {
			d->any = true;
			d->innermost = die;
			if (d->n < GASPDB_INLINED_MAX)
				d->found[d->n++] = die;
		}
		if (here || gaspdb_elf_is_container(tag) ||
		    (d->nested && tag == DW_TAG_subprogram))
			if (descend(d, &die, depth + 1) || here)
				return d->any;
	}
	return false;
}

/* Finds the functions at an address. If there is none, searches nested
   procedures (Fortran). */
static void walk_down(Dwarf_Die *unit, Dwarf_Addr address, struct descent *d)
{
	Dwarf_Die all = gaspdb_elf_with_functions(unit);

	*d = (struct descent){ .address = address };
	if (!descend(d, &all, 0)) {
		d->nested = true;
		descend(d, &all, 0);
	}
}

static bool is_cplusplus(Dwarf_Die *unit)
{
	Dwarf_Die all = gaspdb_elf_with_functions(unit);

	switch (dwarf_srclang(&all)) {
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
		return true;
	default:
		return false;
	}
}

/* The declaration of a function: its class and namespaces are around it. */
static Dwarf_Die declaration_of(const Dwarf_Die *function)
{
	enum { LONGEST = 8 }; /* of a chain; damaged data may be a ring */
	Dwarf_Die die = *function, next;
	Dwarf_Attribute attribute;

	for (int i = 0; i < LONGEST; i++) {
		if (!dwarf_attr(&die, DW_AT_abstract_origin, &attribute) &&
		    !dwarf_attr(&die, DW_AT_specification, &attribute))
			break;
		if (!dwarf_formref_die(&attribute, &next))
			break;
		die = next;
	}
	return die;
}

/* Writes the classes and namespaces of a name to f, from the outermost of n
   scopes, innermost first, to those of a function. */
static void put_scopes(FILE *f, Dwarf_Die *scopes, int n)
{
	int i = 1;

	while (i < n && !is_function(dwarf_tag(&scopes[i])))
		i++;
	while (--i > 0) {
		const int tag = dwarf_tag(&scopes[i]);
		const char *name = dwarf_diename(&scopes[i]);

		if (gaspdb_elf_is_container(tag) && name)
			fprintf(f, "%s::", name);
		else if (tag == DW_TAG_namespace)
			fputs("(anonymous namespace)::", f);
	}
}

/* Copies the name of a function, in C++ with its class and namespaces. */
static void copy_function_name(Dwarf_Die *unit, Dwarf_Die *function,
			       struct gaspdb_elf_place *place)
{
	Dwarf_Die declaration = declaration_of(function), *scopes = NULL;
	const char *name = dwarf_diename(function);
	int n = name && is_cplusplus(unit)
			? dwarf_getscopes_die(&declaration, &scopes)
			: 0;
	char *text = NULL;
	size_t bytes;
	FILE *f = n > 1 ? open_memstream(&text, &bytes) : NULL;

	if (f) {
		put_scopes(f, scopes, n);
		fputs(name, f);
		fclose(f);
	}
	gaspdb_copy_name(place->function, sizeof place->function,
			 text ? text : name);
	free(text);
	free(scopes);
}

/* The function at an address, the inlined one if there is one. */
static void look_up_function(Dwarf_Die *unit, Dwarf_Addr address,
			     struct gaspdb_elf_place *place)
{
	struct descent d;

	walk_down(unit, address, &d);
	if (d.any)
		copy_function_name(unit, &d.innermost, place);
}

void gaspdb_elf_lookup(struct gaspdb_elf *e, uint64_t address,
		       struct gaspdb_elf_place *place)
{
	Dwarf_Addr bias, at = address + e->bias;
	Dwarf_Die *unit = find_unit(e, at, &bias);
	const char *name;
	GElf_Off within;
	GElf_Sym symbol;

	place->function[0] = place->file[0] = 0;
	place->line = place->column = 0;
	place->within = 0;
	if (unit) {
		look_up_line(unit, at - bias, place);
		look_up_function(unit, at - bias, place);
	}
	if (place->function[0] && place->line)
		return;
	name = dwfl_module_addrinfo(e->module, at, &within, &symbol, NULL, NULL,
				    NULL);
	if (!name)
		return;
	place->within = within;
	gaspdb_demangle(name, place->function, sizeof place->function);
}

/* --- functions ------------------------------------------------------------ */

/* An inlined function's declaration is its origin's. */
static void take_declaration(Dwarf_Die *unit, Dwarf_Die *function,
			     struct gaspdb_elf_place *place)
{
	const char *file = dwarf_decl_file(function);

	memset(place, 0, sizeof *place);
	copy_function_name(unit, function, place);
	if (file && !dwarf_decl_line(function, &place->line) && place->line > 0)
		snprintf(place->file, sizeof place->file, "%s",
			 gaspdb_elf_shorten(unit, file));
	else
		place->line = 0;
}

unsigned gaspdb_elf_functions(struct gaspdb_elf *e, uint64_t address,
			      struct gaspdb_elf_place *function, unsigned max)
{
	Dwarf_Addr bias, at = address + e->bias;
	Dwarf_Die *unit = find_unit(e, at, &bias);
	struct descent d = { 0 };
	unsigned n = 0;

	if (unit)
		walk_down(unit, at - bias, &d);
	while (d.n > 0 && n < max)
		take_declaration(unit, &d.found[--d.n], &function[n++]);
	return n;
}

/* --- data symbols --------------------------------------------------------- */

static int by_address(const void *a, const void *b)
{
	const struct gaspdb_data_symbol *p = a, *q = b;

	if (p->address != q->address)
		return p->address < q->address ? -1 : 1;
	return strcmp(q->name, p->name);
}

static void read_data(struct gaspdb_elf *e)
{
	int n = dwfl_module_getsymtab(e->module);

	e->data =
		gaspdb_mem_grow(e->data, &e->data_capacity, 1, sizeof *e->data);
	for (int i = 0; i < n; i++) {
		GElf_Addr address;
		GElf_Sym symbol;
		const char *name = dwfl_module_getsym_info(
			e->module, i, &symbol, &address, NULL, NULL, NULL);

		if (!name || !*name || symbol.st_size == 0 ||
		    GELF_ST_TYPE(symbol.st_info) != STT_OBJECT)
			continue;
		e->data = gaspdb_mem_grow(e->data, &e->data_capacity,
					  e->n_data + 1, sizeof *e->data);
		e->data[e->n_data++] =
			(struct gaspdb_data_symbol){ address - e->bias,
						     symbol.st_size, name };
	}
	qsort(e->data, e->n_data, sizeof *e->data, by_address);
}

const char *gaspdb_elf_object(struct gaspdb_elf *e, uint64_t address,
			      uint64_t *offset)
{
	size_t low = 0, high;

	if (!e->data)
		read_data(e);
	for (high = e->n_data; low < high;) {
		size_t middle = low + (high - low) / 2;

		if (e->data[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return NULL;
	*offset = address - e->data[low - 1].address;
	return *offset < e->data[low - 1].size ? e->data[low - 1].name : NULL;
}
