/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One module's file, through elfutils. */
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

#include "demangle.h"
#include "memory.h"
#include "symbols.h"

struct data_symbol {
	uint64_t address, size;
	const char *name;
};

struct gaspdb_elf {
	Dwfl *dwfl;
	Dwfl_Module *module;
	GElf_Addr bias; /* libdwfl's address less the file's */
	bool has_lines;
	struct data_symbol *data; /* sorted; NULL: not read yet */
	size_t n_data, data_capacity;
};

static int open_regular(const char *path)
{
	/* Not blocking: it could be a FIFO. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd < 0 || (!fstat(fd, &st) && S_ISREG(st.st_mode)))
		return fd;
	close(fd);
	errno = EINVAL;
	return -1;
}

/*
 * Separate debug information, by build-id and from this machine only:
 * libdwfl's own search would also ask servers.
 */
static int find_debuginfo(Dwfl_Module *module, void **user, const char *name,
			  Dwarf_Addr base, const char *file,
			  const char *link_file, GElf_Word crc, char **found)
{
	const unsigned char *id;
	GElf_Addr address;
	int n = dwfl_module_build_id(module, &id, &address), fd;
	char path[256] = "/usr/lib/debug/.build-id/";
	size_t used = strlen(path);

	(void)user, (void)name, (void)base, (void)file, (void)link_file,
		(void)crc;
	if (n < 2 || n > 64)
		return -1;
	for (int i = 0; i < n; i++)
		used += (size_t)snprintf(path + used, sizeof path - used,
					 i ? "%02x" : "%02x/", id[i]);
	snprintf(path + used, sizeof path - used, ".debug");
	fd = open_regular(path);
	if (fd >= 0)
		*found = strdup(path);
	return fd;
}

static bool same_build_id(struct gaspdb_elf *e, struct gaspdb_text build_id)
{
	Elf *elf = dwfl_module_getelf(e->module, &e->bias);
	const void *id = NULL;
	ssize_t n = elf ? dwelf_elf_gnu_build_id(elf, &id) : -1;

	if (!elf)
		return false;
	if (n <= 0)
		return build_id.n == 0;
	return (size_t)n == build_id.n && !memcmp(id, build_id.p, build_id.n);
}

static void find_lines(struct gaspdb_elf *e)
{
	Dwarf_Addr bias;

	e->has_lines = dwfl_module_nextcu(e->module, NULL, &bias);
}

struct gaspdb_elf *gaspdb_elf_open(const char *path,
				   struct gaspdb_text build_id, char *why,
				   size_t size)
{
	static const Dwfl_Callbacks callbacks = {
		.find_debuginfo = find_debuginfo,
		.section_address = dwfl_offline_section_address,
	};
	struct gaspdb_elf *e;
	int fd = open_regular(path);

	if (fd < 0) {
		snprintf(why, size, "it cannot be opened: %s", strerror(errno));
		return NULL;
	}
	e = gaspdb_mem_alloc(sizeof *e);
	e->dwfl = dwfl_begin(&callbacks);
	if (e->dwfl)
		e->module = dwfl_report_offline(e->dwfl, path, path, fd);
	if (!e->module)
		close(fd);
	if (!e->module || dwfl_report_end(e->dwfl, NULL, NULL))
		snprintf(why, size, "it is not an ELF file");
	else if (!same_build_id(e, build_id))
		snprintf(why, size,
			 "it is not the file that ran: its build-id "
			 "differs");
	else {
		find_lines(e);
		return e;
	}
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
 * The compilation unit of an address, the bias of its addresses too.  Clang
 * writes no table of address ranges: then all units are asked.
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

/* As DWARF has it, but relative to the folder that it was compiled in. */
static const char *shorten(Dwarf_Die *unit, const char *file)
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
	snprintf(place->file, sizeof place->file, "%s", shorten(unit, file));
}

/* The function that the line is in: an inlined one, if so. */
static void look_up_function(Dwarf_Die *unit, Dwarf_Addr address,
			     struct gaspdb_elf_place *place)
{
	Dwarf_Die *scopes = NULL;
	int n = dwarf_getscopes(unit, address, &scopes);
	const char *name = NULL;

	for (int i = 0; i < n && !name; i++) {
		int tag = dwarf_tag(&scopes[i]);

		if (tag == DW_TAG_subprogram ||
		    tag == DW_TAG_inlined_subroutine)
			name = dwarf_diename(&scopes[i]);
	}
	if (name)
		snprintf(place->function, sizeof place->function, "%s", name);
	free(scopes);
}

void gaspdb_elf_lookup(struct gaspdb_elf *e, uint64_t address,
		       struct gaspdb_elf_place *place)
{
	Dwarf_Addr bias, at = address + e->bias;
	Dwarf_Die *unit = find_unit(e, at, &bias);
	const char *name;

	place->function[0] = place->file[0] = 0;
	place->line = place->column = 0;
	if (unit) {
		look_up_line(unit, at - bias, place);
		look_up_function(unit, at - bias, place);
	}
	if (!place->function[0]) {
		name = dwfl_module_addrname(e->module, at);
		gaspdb_demangle(name ? name : "", place->function,
				sizeof place->function);
	}
}

/* --- data symbols --------------------------------------------------------- */

static int by_address(const void *a, const void *b)
{
	const struct data_symbol *p = a, *q = b;

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
			(struct data_symbol){ address - e->bias, symbol.st_size,
					      name };
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
