/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program without MPI that loads one for itself alone: loaded_late LIBRARY. A
   comment "#: CALL FUNCTION" says what its line calls, and in which function.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *mpi;

static void *function(const char *name)
{
	void *f = dlsym(mpi, name);

	if (!f) {
		fprintf(stderr, "no %s\n", name);
		exit(1);
	}
	return f;
}

/* MPICH's communicators are numbers. */
static int barrier(void)
{
	int (*f)(void *) = (int (*)(void *))function("MPI_Barrier");
	void *world = dlsym(mpi, "ompi_mpi_comm_world");

	return f(world ? world : (void *)0x44000000); /*#: MPI_Barrier barrier */
}

int main(int argc, char **argv)
{
	int (*init)(int *, char ***), (*finalize)(void), rc;

	mpi = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
	if (!mpi)
		return 1;
	init = (int (*)(int *, char ***))function("MPI_Init");
	finalize = (int (*)(void))function("MPI_Finalize");
	rc = init(NULL, NULL); /*#: MPI_Init main */
	rc |= barrier();
	rc |= finalize(); /*#: MPI_Finalize main */
	return rc;
}
