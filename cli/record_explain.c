/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Why the command left no log.  An empty recording has a reason and mostly a
 * cure; both can be told from the program.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/log_format.h"
#include "record.h"
#include "text.h"

/* What of a program matters to a preloaded library. */
struct looks {
	bool readable, script, elf, other_class, is_static, privileged;
	const char *runtime; /* whose library it needs; NULL: none known */
	const char *adapter; /* the collector's for it; NULL: there is none */
	char library[64];    /* the library's name */
	bool upc;	     /* it speaks GASP, and nobody listens */
	bool collector;	     /* it has the collector itself */
};

/* Libraries of parallel runtimes, by the beginning of their names. */
static const struct {
	const char *library, *runtime, *adapter;
} runtimes[] = {
	{ "liboshmem.so.", "OpenSHMEM", "libgaspdb-oshmem.so" },
	{ "libmpi.so.40", "Open MPI", "libgaspdb-openmpi.so" },
	{ "libmpi_mpifh.so.", "Open MPI", "libgaspdb-openmpi.so" },
	{ "libmpich.so.12", "MPICH", "libgaspdb-mpich.so" },
	{ "libmpichfort.so.12", "MPICH", "libgaspdb-mpich.so" },
	{ "libmpi", "another MPI", NULL },
	{ "libsma", "another OpenSHMEM", NULL },
};

/* The libraries it needs, from its dynamic section. */
static void look_at_libraries(struct looks *looks, Elf *elf, Elf_Scn *section,
			      const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Dyn dyn;

	for (int i = 0; data && gelf_getdyn(data, i, &dyn); i++) {
		const char *name = dyn.d_tag != DT_NEEDED
					   ? NULL
					   : elf_strptr(elf, header->sh_link,
							dyn.d_un.d_val);
		if (name && !strncmp(name, "libgaspdb.so", 12))
			looks->collector = true;
		for (size_t k = 0; name && !looks->runtime &&
				   k < sizeof runtimes / sizeof *runtimes;
		     k++) {
			if (strncmp(name, runtimes[k].library,
				    strlen(runtimes[k].library)))
				continue;
			looks->runtime = runtimes[k].runtime;
			looks->adapter = runtimes[k].adapter;
			snprintf(looks->library, sizeof looks->library, "%s",
				 name);
		}
	}
}

/* A UPC library's own gasp_* is idle and weak; a collector's would be strong.
 */
static void look_at_symbols(struct looks *looks, Elf *elf, Elf_Scn *section,
			    const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Sym symbol;

	for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
		const char *name =
			elf_strptr(elf, header->sh_link, symbol.st_name);

		if (!name || strcmp(name, "gasp_init") ||
		    symbol.st_shndx == SHN_UNDEF)
			continue;
		if (GELF_ST_BIND(symbol.st_info) == STB_WEAK)
			looks->upc = true;
		else
			looks->collector = true;
	}
}

static void look_at_elf(struct looks *looks, Elf *elf)
{
	GElf_Ehdr header;
	GElf_Phdr program;
	GElf_Shdr section;
	size_t n = 0;
	int own_class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;

	if (elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header))
		return;
	looks->elf = true;
	looks->other_class = gelf_getclass(elf) != own_class;
	looks->is_static = true;
	if (elf_getphdrnum(elf, &n))
		return;
	for (size_t i = 0; i < n; i++)
		if (gelf_getphdr(elf, (int)i, &program) &&
		    program.p_type == PT_INTERP)
			looks->is_static = false;
	for (Elf_Scn *s = NULL; (s = elf_nextscn(elf, s));) {
		if (!gelf_getshdr(s, &section))
			continue;
		if (section.sh_type == SHT_DYNAMIC)
			look_at_libraries(looks, elf, s, &section);
		else if (section.sh_type == SHT_SYMTAB)
			look_at_symbols(looks, elf, s, &section);
	}
}

static struct looks look_at(const char *path)
{
	struct looks looks = { 0 };
	char head[2] = "";
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return looks;
	looks.readable = true;
	if (fstat(fd, &st) == 0)
		looks.privileged = st.st_mode & (S_ISUID | S_ISGID);
	looks.script = pread(fd, head, 2, 0) == 2 && !memcmp(head, "#!", 2);
	elf_version(EV_CURRENT);
	Elf *elf = looks.script ? NULL : elf_begin(fd, ELF_C_READ, NULL);
	if (elf)
		look_at_elf(&looks, elf);
	elf_end(elf);
	close(fd);
	return looks;
}

static bool has_adapter(const struct gaspdb_recording *r, const char *name)
{
	char *path = gaspdb_text_format("%s/%s", r->library_folder, name);
	bool has = access(path, R_OK) == 0;

	free(path);
	return has;
}

/* For a program that needs a runtime's library. */
static char *explain_runtime(const struct gaspdb_recording *r, const char *name,
			     const struct looks *looks)
{
	if (!looks->adapter)
		return gaspdb_text_format(
			"'%s' uses %s (%s), which this gaspdb cannot record; "
			"Open MPI 4, MPICH 4 and Open MPI's OpenSHMEM it can",
			name, looks->runtime, looks->library);
	if (!has_adapter(r, looks->adapter))
		return gaspdb_text_format(
			"'%s' uses %s, and this gaspdb was built without its "
			"adapter (%s); build gaspdb where the runtime's "
			"compiler wrapper is installed",
			name, looks->runtime, looks->adapter);
	if (r->status != 0)
		return gaspdb_text_format(
			"'%s' uses %s, but the command ended with status %d "
			"before that was started",
			name, looks->runtime, r->status);
	return gaspdb_text_format(
		"'%s' uses %s, but never started it, or LD_PRELOAD and "
		"GASPDB_DIR were taken from its environment",
		name, looks->runtime);
}

/* The errno value that a collector left for its log; 0: none did. */
static int collectors_error(const struct gaspdb_recording *r)
{
	static const size_t n_suffix = sizeof GASPDB_FAILED_SUFFIX - 1;
	DIR *dir = gaspdb_record_open_directory(r);
	const struct dirent *entry;
	int error = 0;

	while (dir && !error && (entry = readdir(dir))) {
		size_t n = strlen(entry->d_name);
		if (n <= n_suffix ||
		    strcmp(entry->d_name + n - n_suffix, GASPDB_FAILED_SUFFIX))
			continue;
		const char *number = strrchr(entry->d_name, '-');
		error = number ? (int)strtol(number + 1, NULL, 10) : 0;
	}
	if (dir)
		closedir(dir);
	return error;
}

/* Why no log can be made in it; 0: one can. */
static int directory_error(const struct gaspdb_recording *r)
{
	static const char name[] = "probe";
	int fd = gaspdb_record_make_file(r, name);
	int error = fd < 0 && errno != EEXIST ? errno : 0;

	if (fd >= 0) {
		/* On a full disk an empty file can still be made. */
		error = posix_fallocate(fd, 0, GASPDB_BLOCK_MAX);
		if (error == EOPNOTSUPP || error == EINVAL)
			error = 0;
		close(fd);
		unlinkat(r->folder, name, 0);
	}
	return error;
}

/* If no log could be written, whatever the program; NULL: it could. */
static char *explain_failure(const struct gaspdb_recording *r)
{
	int error = collectors_error(r);

	if (!error)
		error = directory_error(r);
	return error ? gaspdb_text_format("no log could be written in '%s': %s",
					  r->directory, strerror(error))
		     : NULL;
}

/* For a program that no library could come into, or that has the collector. */
static char *explain_program(const char *name, const struct looks *looks)
{
	if (looks->other_class)
		return gaspdb_text_format(
			"'%s' is a %s-bit program, and the collector is not",
			name, sizeof(void *) == 8 ? "32" : "64");
	if (looks->collector)
		return gaspdb_text_format(
			"'%s' has the collector linked in, but raised no event "
			"before it ended, or GASPDB_DIR was taken from its "
			"environment",
			name);
	if (looks->upc)
		return gaspdb_text_format(
			"'%s' is a UPC program without the collector; link "
			"gaspdb-upc.o into it, as an object: docs/upc.md",
			name);
	if (looks->is_static)
		return gaspdb_text_format(
			"'%s' is statically linked, so that the collector "
			"cannot come in; link it dynamically, or link "
			"libgaspdb into it",
			name);
	if (looks->privileged)
		return gaspdb_text_format(
			"'%s' is set-user-id or set-group-id, and such "
			"programs ignore LD_PRELOAD; record a copy without "
			"that bit",
			name);
	return NULL;
}

static struct looks look_at_program(const char *name)
{
	char *path = gaspdb_record_find_file(name);
	struct looks looks = { 0 };

	if (path)
		looks = look_at(path);
	free(path);
	return looks;
}

char *gaspdb_record_explain(const struct gaspdb_recording *r)
{
	if (r->unrecorded)
		return gaspdb_text_format(
			"with the collector's variables the command line and "
			"the environment are too long: %s",
			strerror(r->unrecorded));
	char *failure = explain_failure(r);

	if (failure)
		return failure;

	const char *name = r->command[gaspdb_record_find_program(r->command)];
	struct looks looks = look_at_program(name);

	if (!looks.readable || (!looks.script && !looks.elf))
		return gaspdb_text_format(
			"nothing that ran was an MPI or OpenSHMEM program "
			"that could be recorded");
	if (looks.script)
		return gaspdb_text_format(
			"'%s' is a script, and nothing that it started used "
			"MPI or OpenSHMEM",
			name);
	char *why = explain_program(name, &looks);
	if (why)
		return why;
	if (looks.runtime)
		return explain_runtime(r, name, &looks);
	return gaspdb_text_format(
		"'%s' is linked with neither MPI nor OpenSHMEM; if it loads "
		"one of them later (Python does), preload or link its "
		"gaspdb adapter",
		name);
}
