/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/record/loaded.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/output/text.h"
#include "cli/record/elf_file.h"

/* --- ELF files ------------------------------------------------------------ */

/* Does a table of dynamic symbols have a compiler's hook? */
static bool has_hook(Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Sym symbol;

	for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
		const char *name =
			elf_strptr(elf, header->sh_link, symbol.st_name);

		if (name && symbol.st_shndx == SHN_UNDEF &&
		    !strcmp(name, "__cyg_profile_func_enter"))
			return true;
	}
	return false;
}

static bool imports_hook(Elf *elf)
{
	GElf_Shdr header;

	for (Elf_Scn *s = NULL; (s = elf_nextscn(elf, s));)
		if (gelf_getshdr(s, &header) && header.sh_type == SHT_DYNSYM &&
		    has_hook(elf, s, &header))
			return true;
	return false;
}

static void write_id(Elf *elf, char *text, size_t size)
{
	const void *id = NULL;
	const ssize_t n = dwelf_elf_gnu_build_id(elf, &id);

	snprintf(text, size, "-");
	for (ssize_t i = 0; i < n && 2 * (size_t)i + 2 < size; i++)
		snprintf(text + 2 * i, 3, "%02x",
			 ((const unsigned char *)id)[i]);
}

bool gaspdb_is_instrumented(const char *path, char *build_id, size_t size)
{
	struct gaspdb_elf_file f = gaspdb_elf_file_open(path);
	const bool is = f.elf && imports_hook(f.elf);

	if (is)
		write_id(f.elf, build_id, size);
	gaspdb_elf_file_close(&f);
	return is;
}

/* Path of the program's dynamic loader; NULL: it has none that is known to list
   libraries. The caller frees it. */
static char *loader_of(const char *program)
{
	struct gaspdb_elf_file f = gaspdb_elf_file_open(program);
	char *loader = NULL, *bytes = f.elf ? elf_rawfile(f.elf, NULL) : NULL;
	size_t n = 0, size = 0;
	GElf_Phdr h;

	if (bytes)
		elf_rawfile(f.elf, &size);
	if (bytes && elf_getphdrnum(f.elf, &n))
		n = 0;
	for (size_t i = 0; i < n && !loader; i++)
		if (gelf_getphdr(f.elf, (int)i, &h) && h.p_type == PT_INTERP &&
		    h.p_offset < size && h.p_filesz <= size - h.p_offset)
			loader = gaspdb_text_copy(bytes + h.p_offset,
						  h.p_filesz);
	gaspdb_elf_file_close(&f);
	if (loader && (loader[0] != '/' || !strstr(loader, "/ld-"))) {
		free(loader);
		loader = NULL;
	}
	return loader;
}

/* --- libraries ------------------------------------------------------------ */

static void add(struct gaspdb_loaded_files *l, const char *path)
{
	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(l->path[i], path))
			return;
	l->path = gaspdb_memory_grow(l->path, l->n + 1, sizeof *l->path);
	l->path[l->n++] = gaspdb_text_copy(path, strlen(path));
}

/* "\tlibm.so.6 => /lib/libm.so.6 (0x...)", "\t/lib64/ld-linux.so (0x...)",
   "\t./libmine.so (0x...)" */
static void take_line(struct gaspdb_loaded_files *l, char *line)
{
	char *arrow = strstr(line, " => "), *end = strstr(line, " (0x");
	char *path = arrow ? arrow + 4 : line + strspn(line, "\t ");
	char *absolute;

	if (!end || end < path || !memchr(path, '/', (size_t)(end - path)))
		return;
	*end = 0;
	absolute = *path == '/' ? NULL : realpath(path, NULL);
	add(l, absolute ? absolute : path);
	free(absolute);
}

/* The loader's list of a program's libraries; NULL: no such process. */
static FILE *start_loader(const char *loader, const char *program, pid_t *pid)
{
	int ends[2], null;

	if (pipe2(ends, O_CLOEXEC))
		return NULL;
	fflush(NULL);
	*pid = fork();
	if (*pid == 0) {
		null = open("/dev/null", O_RDWR);
		dup2(null, 0);
		dup2(ends[1], 1);
		dup2(null, 2);
		execl(loader, loader, "--list", program, (char *)NULL);
		_exit(127);
	}
	close(ends[1]);
	if (*pid > 0)
		return fdopen(ends[0], "r");
	close(ends[0]);
	return NULL;
}

void gaspdb_loaded_files_add(struct gaspdb_loaded_files *l, const char *program)
{
	char *loader = loader_of(program), *line = NULL;
	size_t size = 0;
	pid_t pid;
	FILE *list;

	add(l, program);
	list = loader ? start_loader(loader, program, &pid) : NULL;
	free(loader);
	if (!list)
		return;
	while (getline(&line, &size, list) > 0)
		take_line(l, line);
	free(line);
	fclose(list);
	waitpid(pid, NULL, 0);
}

void gaspdb_loaded_files_free(struct gaspdb_loaded_files *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->path[i]);
	free(l->path);
	*l = (struct gaspdb_loaded_files){ 0 };
}
