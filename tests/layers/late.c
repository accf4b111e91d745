/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program without MPI that loads a plugin with it, whose main is here called
 * plugin, for itself alone; or with two arguments a library, in which it looks
 * the functions up.
 */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	void *handle = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
	int (*f)(int, char **), (*init)(int *, char ***), (*end)(void);

	if (!handle) {
		puts(dlerror());
		return 1;
	}
	if (argc < 3) {
		f = (__typeof__(f))(size_t)dlsym(handle, "plugin");
		return f(1, argv);
	}
	init = (__typeof__(init))(size_t)dlsym(handle, "MPI_Init");
	end = (__typeof__(end))(size_t)dlsym(handle, "MPI_Finalize");
	init(NULL, NULL);
	return end();
}
