/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explanation of an empty recording: its reason, and mostly a remedy, by
   inspecting the program. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/output/text.h"
#include "cli/record/elf_file.h"
#include "cli/record/record.h"
#include "collector/log/log_format.h"

/* Properties of a program that matter to a preloaded library. */
struct looks {
	bool readable, script, elf, other_class, other_machine, is_static,
		privileged;
	const char *runtime; /* runtime whose library it needs; NULL: unknown */
	const char *adapter; /* the collector's adapter for it; NULL: none */
	char library[64];    /* the library's name */
	bool upc;	     /* it has GASP calls, but no collector */
	bool collector;	     /* it is linked with the collector */
};

/* Libraries of parallel runtimes, by name prefix. */
static const struct {
	const char *library, *runtime, *adapter;
} runtimes[] = {
	{ "liboshmem.so.", "OpenSHMEM", "libgaspdb-oshmem.so" },
	{ "libmpi.so.40", "Open MPI", "libgaspdb-openmpi.so" },
	{ "libmpi_mpifh.so.", "Open MPI", "libgaspdb-openmpi.so" },
	{ "libmpich.so.12", "MPICH", "libgaspdb-mpich-abi.so" },
	{ "libmpichfort.so.12", "MPICH", "libgaspdb-mpich-abi.so" },
	{ "libmpi.so.12", "MPICH's interface", "libgaspdb-mpich-abi.so" },
	{ "libmpi", "another MPI", NULL },
	{ "libsma", "another OpenSHMEM", NULL },
};

/* Notes the libraries it needs, from its dynamic section. */
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

/* Notes gasp_init(): weak in a UPC runtime without collector, strong in a
   collector. */
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

/* ELF machine of this command. */
static unsigned own_machine(void)
{
	struct gaspdb_elf_file f = gaspdb_elf_file_open("/proc/self/exe");
	GElf_Ehdr header;
	const unsigned machine = f.elf && gelf_getehdr(f.elf, &header)
					 ? header.e_machine
					 : EM_NONE;

	gaspdb_elf_file_close(&f);
	return machine;
}

static void look_at_elf(struct looks *looks, Elf *elf)
{
	GElf_Ehdr header;
	GElf_Phdr program;
	GElf_Shdr section;
	size_t n = 0;
	int own_class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;

	if (!gelf_getehdr(elf, &header))
		return;
	looks->elf = true;
	looks->other_class = gelf_getclass(elf) != own_class;
	looks->other_machine = header.e_machine != own_machine();
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
	struct gaspdb_elf_file f = gaspdb_elf_file_open(path);
	struct looks looks = { .readable = f.fd >= 0 };
	char head[2] = "";
	struct stat st;

	if (looks.readable) {
		if (fstat(f.fd, &st) == 0)
			looks.privileged = st.st_mode & (S_ISUID | S_ISGID);
		looks.script =
			pread(f.fd, head, 2, 0) == 2 && !memcmp(head, "#!", 2);
	}
	if (f.elf)
		look_at_elf(&looks, f.elf);
	gaspdb_elf_file_close(&f);
	return looks;
}

static bool has_adapter(const struct gaspdb_recording *r, const char *name)
{
	char *path = gaspdb_text_format("%s/%s", r->library_folder, name);
	bool has = access(path, R_OK) == 0;

	free(path);
	return has;
}

/* Explanation for a program that needs a runtime's library. */
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

/* errno of a log that a collector could not create; 0: none. */
static int collectors_error(const struct gaspdb_recording *r)
{
	DIR *dir = gaspdb_record_open_directory(r);
	const struct dirent *entry;
	int error = 0;

	while (dir && !error && (entry = readdir(dir))) {
		if (!gaspdb_record_has_suffix(entry->d_name,
					      GASPDB_FAILED_SUFFIX))
			continue;
		const char *number = strrchr(entry->d_name, '-');
		error = number ? (int)strtol(number + 1, NULL, 10) : 0;
	}
	if (dir)
		closedir(dir);
	return error;
}

/* errno of creating a log in the directory; 0: possible. */
static int directory_error(const struct gaspdb_recording *r)
{
	static const char name[] = "probe";
	int fd = gaspdb_record_make_file(r, name);
	int error = fd < 0 && errno != EEXIST ? errno : 0;

	if (fd >= 0) {
		/* a full disk still permits an empty file */
		error = posix_fallocate(fd, 0, GASPDB_BLOCK_MAX);
		if (error == EOPNOTSUPP || error == EINVAL)
			error = 0;
		close(fd);
		unlinkat(r->folder, name, 0);
	}
	return error;
}

/* Explanation if no log could be written at all; NULL: possible. */
static char *explain_failure(const struct gaspdb_recording *r)
{
	int error = collectors_error(r);

	if (!error)
		error = directory_error(r);
	return error ? gaspdb_text_format("no log could be written in '%s': %s",
					  r->directory, strerror(error))
		     : NULL;
}

static char *explain_machine(const char *name, const struct looks *looks)
{
	if (looks->other_class)
		return gaspdb_text_format(
			"'%s' is a %s-bit program, and the collector is not",
			name, sizeof(void *) == 8 ? "32" : "64");
	return gaspdb_text_format(
		"'%s' is built for another kind of processor than the "
		"collector",
		name);
}

/* Explanation for a program that cannot be preloaded, or has the collector;
   NULL: neither. */
static char *explain_program(const char *name, const struct looks *looks)
{
	if (looks->other_class || looks->other_machine)
		return explain_machine(name, looks);
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

static struct looks look_at_program(const struct gaspdb_programs *p,
				    const char *name)
{
	char *path = gaspdb_record_find_file(name);
	struct looks looks = { 0 };

	if (!path && p->folder)
		path = gaspdb_text_format("%s/%s", p->folder, name);
	if (path)
		looks = look_at(path);
	free(path);
	return looks;
}

/* Is it an interpreter, by name prefix? */
static bool is_interpreter(const char *name)
{
	static const char *const known[] = { "python",	"perl", "ruby",
					     "Rscript", "R",	"julia",
					     "node",	"lua",	"octave" };
	const char *slash = strrchr(name, '/');

	name = slash ? slash + 1 : name;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		const size_t n = strlen(known[i]);
		if (!strncmp(name, known[i], n) &&
		    !strchr("abcdefghijklmnopqrstuvwxyz", name[n]))
			return true;
		if (!strcmp(name, known[i]))
			return true;
	}
	return false;
}

static char *explain_missing(const char *name)
{
	if (strchr(name, '/') && access(name, F_OK) == 0)
		return gaspdb_text_format("'%s' is not an executable file",
					  name);
	return gaspdb_text_format("the program '%s' was not found here%s", name,
				  strchr(name, '/') ? ""
						    : ", in no folder of PATH");
}

/* Explanation for a launcher or wrapper that removes the variables. */
static char *explain_obstacle(const char *obstacle)
{
	if (!strcmp(obstacle, "sudo"))
		return gaspdb_text_format(
			"sudo takes LD_PRELOAD from the environment of what it "
			"starts; put it in front: sudo gaspdb record ...");
	if (strstr(obstacle, "LD_PRELOAD"))
		return gaspdb_text_format(
			"'%s' takes or replaces the LD_PRELOAD by which the "
			"collector comes in; leave it out, and set LD_PRELOAD "
			"before gaspdb record, which adds to it",
			obstacle);
	return gaspdb_text_format(
		"'%s' keeps LD_PRELOAD and GASPDB_DIR from the program, by "
		"which the collector comes in; leave it out, or let it pass "
		"these two",
		obstacle);
}

/* Explanation for a program without known runtime: only what was observed. */
static char *explain_plain(const struct gaspdb_recording *r, const char *name,
			   const struct looks *looks)
{
	if (is_interpreter(name))
		return gaspdb_text_format(
			"'%s' made no MPI or OpenSHMEM call that was seen%s",
			name, r->status ? ", and the command failed" : "");
	if (looks->script)
		return gaspdb_text_format(
			"'%s' is a script, and nothing that it started made an "
			"MPI or OpenSHMEM call that was seen",
			name);
	return gaspdb_text_format(
		"'%s' is itself linked with neither MPI nor OpenSHMEM, and no "
		"call to a library that it loaded later was seen; its own "
		"functions are recorded if it is compiled with gaspcc "
		"--inst-functions (docs/instrument.md)",
		name);
}

/*
 * Explanation for one program; NULL: none, except that it may not be parallel.
 */
static char *explain_one(const struct gaspdb_recording *r,
			 const struct gaspdb_programs *p, int i, bool is_last)
{
	const char *name = p->names[i];

	if (!gaspdb_programs_has_file(p, i))
		return explain_missing(name);
	struct looks looks = look_at_program(p, name);
	char *why = looks.elf ? explain_program(name, &looks) : NULL;

	if (why)
		return why;
	if (p->obstacle)
		return explain_obstacle(p->obstacle);
	if (looks.runtime)
		return explain_runtime(r, name, &looks);
	return is_last && (looks.script || looks.elf)
		       ? explain_plain(r, name, &looks)
		       : NULL;
}

static char *explain_programs(const struct gaspdb_recording *r,
			      const struct gaspdb_programs *p)
{
	char *why = NULL;

	for (int i = 0; !why && !p->unsure && i < p->n; i++)
		why = explain_one(r, p, i, i == p->n - 1);
	if (!why && p->obstacle)
		why = explain_obstacle(p->obstacle);
	return why ? why
		   : gaspdb_text_format(
			     "no MPI or OpenSHMEM call of what the command "
			     "started was seen");
}

char *gaspdb_record_explain(const struct gaspdb_recording *r)
{
	struct gaspdb_programs programs;

	if (r->unrecorded)
		return gaspdb_text_format(
			"with the collector's variables the command line and "
			"the environment are too long: %s",
			strerror(r->unrecorded));
	char *why = explain_failure(r);
	if (why)
		return why;
	gaspdb_programs_find(&programs, r->command);
	why = explain_programs(r, &programs);
	gaspdb_programs_free(&programs);
	return why;
}
