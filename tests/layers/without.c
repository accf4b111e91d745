/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program without MPI that asks whether it is there. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

extern int MPI_Initialized(int *flag) __attribute__((weak));

static void ask(void *handle, const char *name)
{
	void *found;

	dlerror();
	found = dlsym(handle, name);
	printf("%s %s, %s\n", name, found ? "found" : "not found",
	       dlerror() ? "an error" : "no error");
}

int main(void)
{
	int flag = 0;

	if (MPI_Initialized)
		MPI_Initialized(&flag);
	printf("MPI is %sinitialized\n", flag ? "" : "not ");
	ask(RTLD_DEFAULT, "MPI_Init");
	ask(RTLD_NEXT, "PMPI_Send");
	ask(dlopen(NULL, RTLD_NOW), "shmem_barrier_all");
	ask(RTLD_DEFAULT, "puts");
	ask(RTLD_NEXT, "puts");
	return 3;
}
#ifdef ASAN_DEFAULTS
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}
#endif
