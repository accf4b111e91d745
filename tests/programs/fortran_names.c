/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which function of C each Fortran function calls.  Stands before the MPI
 * library with functions that note their name and fail; stubs.h, made by
 * tests/e2e/mpi_fortran_names.sh, has STUB(name) of each.  Fortran names come
 * on standard input, one a line; prints each with what it called.  Each is
 * called in a process of its own, with arguments of 0; if it calls nothing,
 * with 1, then with communicators (WORLD: MPI_COMM_WORLD as a number), then
 * with blanks.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern int PMPI_Init(int *argc, char ***argv);
static int calling, *noted; /* shared with the callers */

static int note(const char *name)
{
	if (calling)
		dprintf(1, " %s", name);
	if (noted)
		*noted |= calling;
	return 16; /* an error of both MPIs */
}

#define STUB(name)                  \
	int name(void)              \
	{                           \
		return note(#name); \
	}                           \
	int P##name(void)           \
	{                           \
		return note(#name); \
	}
#include "stubs.h"

/* All arguments are one address, which is low: a text's length is passed as a
   value. */
#define AT    0x20000
#define BYTES 0x80000

typedef void function(void *, void *, void *, void *, void *, void *, void *,
		      void *, void *, void *, void *, void *, void *, void *);

/* Returns whether the function called another. */
static int call(const char *name, int value)
{
	function *f = (function *)(uintptr_t)dlsym(RTLD_DEFAULT, name);
	void *a = (void *)AT;

	if (fork()) {
		wait(NULL);
		return *noted;
	}
	alarm(10);
	for (int *p = a; p < (int *)a + BYTES / sizeof *p; p++)
		*p = value;
	calling = 1;
	if (f)
		f(a, a, a, a, a, a, a, a, a, a, a, a, a, a);
	_exit(0);
}

/* Communicators with neighbours: a grid, and a graph. 0: not needed. */
static int grid, graph;

static void make_topologies(void)
{
#ifdef WORLD
	typedef int create(int, int, const int *, const int *, int, int *);
	typedef int connect(int, int, const int *, const int *, int,
			    const int *, const int *, int, int, int *);
	create *f = (create *)(uintptr_t)dlsym(RTLD_NEXT, "PMPI_Cart_create");
	connect *g = (connect *)(uintptr_t)dlsym(
		RTLD_NEXT, "PMPI_Dist_graph_create_adjacent");
	const int zero = 0, one = 1;

	f(WORLD, 1, &one, &zero, 0, &grid);
	g(WORLD, 1, &zero, &one, 1, &zero, &one, 0x1c000000, 0, &graph);
#endif
}

int main(void)
{
	char name[256];

	if (mmap((void *)AT, BYTES, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
		return 1;
	noted = mmap(NULL, sizeof *noted, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	PMPI_Init(NULL, NULL);
	make_topologies();
	while (fgets(name, sizeof name, stdin)) {
		name[strcspn(name, "\n")] = 0;
		dprintf(1, "%s", name);
		*noted = 0;
		(void)(call(name, 0) || call(name, 1) || call(name, grid) ||
		       call(name, graph) || call(name, 0x20202020));
		dprintf(1, "\n");
	}
	_exit(0);
}
