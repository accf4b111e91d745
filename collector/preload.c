/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What `gaspdb record` preloads into everything it starts: mpirun, shells, the
 * program.  In a process that has an MPI or OpenSHMEM library loaded it brings
 * in the adapter for just that one, by executing the program again with the
 * adapter preloaded; anywhere else it does nothing.  An adapter for the wrong
 * library would kill its process, so the process itself is asked.
 */
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf_notes.h"
#include "note.h"
#include "tell.h"

/* Set while the program is executed again; holds LD_PRELOAD as it was. */
#define AGAIN "GASPDB_PRELOADED"

/* A runtime is known by a symbol that only its library has. */
static const struct {
	const char *symbol, *adapter;
	const char *linked; /* the program has the adapter itself */
} runtimes[] = {
	{ "pshmem_init", "libgaspdb-oshmem.so", "gaspdb_shmem_adapter_v1" },
	/* Open MPI */
	{ "ompi_mpi_comm_world", "libgaspdb-openmpi.so",
	  "gaspdb_mpi_adapter_v1" },
	/* MPICH and its kin */
	{ "MPIR_Err_create_code", "libgaspdb-mpich.so",
	  "gaspdb_mpi_adapter_v1" },
};

static void complain(const char *what, const char *subject)
{
	char line[1024];
	int n = snprintf(line, sizeof line,
			 "gaspdb: nothing is recorded: %s '%s'\n", what,
			 subject);

	if (n > 0)
		gaspdb_tell(line, (size_t)n < sizeof line ? (size_t)n
							  : sizeof line - 1);
}

/* The folder this library was loaded from, with the slash. */
static bool own_folder(char *folder, size_t size)
{
	Dl_info info;
	char *slash;

	if (!dladdr((void *)(size_t)own_folder, &info) ||
	    snprintf(folder, size, "%s", info.dli_fname) >= (int)size)
		return false;
	slash = strrchr(folder, '/');
	if (!slash)
		return false;
	slash[1] = 0;
	return true;
}

/*
 * The adapters of what this process has loaded, each with a colon before it.
 * OpenSHMEM may stand on an MPI: then the lack of one adapter is no lack.
 */
static bool find_adapters(char *list, size_t size)
{
	char folder[1024], path[1280], missing[1280] = "";
	size_t used = 0;

	if (!own_folder(folder, sizeof folder))
		return false;
	for (size_t i = 0; i < sizeof runtimes / sizeof *runtimes; i++) {
		if (!dlsym(RTLD_DEFAULT, runtimes[i].symbol) ||
		    dlsym(RTLD_DEFAULT, runtimes[i].linked))
			continue;
		snprintf(path, sizeof path, "%s%s", folder,
			 runtimes[i].adapter);
		if (access(path, R_OK))
			snprintf(missing, sizeof missing, "%s", path);
		else
			used += (size_t)snprintf(list + used, size - used,
						 ":%s", path);
		if (used >= size)
			return false;
	}
	if (!used && missing[0])
		complain("no adapter for this runtime,", missing);
	return used > 0;
}

/* A value may be longer than any buffer of ours. */
static char *joined(const char *a, const char *b)
{
	size_t n = strlen(a) + strlen(b) + 1;
	char *s = malloc(n);

	if (s)
		snprintf(s, n, "%s%s", a, b);
	return s;
}

/* As it was started, where that still names it: the process keeps its name. */
static const char *own_path(void)
{
	static const char self[] = "/proc/self/exe";
	const char *path = (const char *)getauxval(AT_EXECFN);
	struct stat a, b;

	if (path && !stat(path, &a) && !stat(self, &b) &&
	    a.st_dev == b.st_dev && a.st_ino == b.st_ino)
		return path;
	return self;
}

/* The program's notes: is ours among them? */
static bool has_note(struct gaspdb_elf_notes notes)
{
	static const char owner[] = GASPDB_NOTE_OWNER;

	while (gaspdb_elf_notes_next(&notes))
		if (notes.note->n_namesz == sizeof owner &&
		    !memcmp(notes.name, owner, sizeof owner))
			return true;
	return false;
}

/* The first is the program. */
static int look_at_program(struct dl_phdr_info *program, size_t size,
			   void *found)
{
	(void)size;
	for (int i = 0; i < program->dlpi_phnum; i++)
		if (program->dlpi_phdr[i].p_type == PT_NOTE &&
		    has_note(gaspdb_elf_notes(program, &program->dlpi_phdr[i])))
			*(bool *)found = true;
	return 1;
}

/*
 * A UPC program with gaspdb-upc.o in it.  An adapter, for the MPI that its
 * runtime may stand on, would record its threads a second time.
 */
static bool has_collector(void)
{
	bool found = false;

	dl_iterate_phdr(look_at_program, &found);
	return found;
}

static void execute_again(char **argv, const char *adapters)
{
	const char *preload = getenv("LD_PRELOAD");
	char *with = joined(preload ? preload : "", adapters);

	if (!with || setenv(AGAIN, preload ? preload : "", 1) ||
	    setenv("LD_PRELOAD", with, 1)) {
		complain("no memory in", argv[0]);
		return;
	}
	free(with);
	execv(own_path(), argv);
	complain(strerror(errno), argv[0]);
	setenv("LD_PRELOAD", getenv(AGAIN), 1);
	unsetenv(AGAIN);
}

__attribute__((constructor)) static void load(int argc, char **argv)
{
	const char *before = getenv(AGAIN);
	char adapters[4096];

	(void)argc;
	if (before) { /* what the program starts decides for itself */
		setenv("LD_PRELOAD", before, 1);
		unsetenv(AGAIN);
		return;
	}
	if (!getenv("GASPDB_DIR") || getauxval(AT_SECURE) || !argv ||
	    has_collector() || !find_adapters(adapters, sizeof adapters))
		return;
	if (getauxval(AT_BASE))
		execute_again(argv, adapters);
	else /* the dynamic loader was the command: it has eaten its argument */
		complain("started through the dynamic loader:", argv[0]);
}
