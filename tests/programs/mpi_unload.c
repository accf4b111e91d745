/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plugins that come and go at one address: mpi_unload ACTION...
 *   LIBRARY    load it, call its run(), unload it; prints where run() lies
 *   -copy A B  file A takes the name B
 *   -unseen    from now on dlclose is libc's own, however it is wrapped
 *   -thread    another thread makes each of the calls to come
 *   -times N   do the actions that follow N times
 */
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int (*close_library)(void *) = dlclose;
static bool threaded;
static void (*run)(void);

static void *call(void *unused)
{
	run();
	return unused;
}

static void load(const char *path)
{
	void *library = dlopen(path, RTLD_NOW);
	pthread_t thread;

	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	*(void **)&run = dlsym(library, "run");
	printf("%p\n", *(void **)&run);
	if (threaded && !pthread_create(&thread, NULL, call, NULL))
		pthread_join(thread, NULL);
	else
		run();
	close_library(library);
}

static void copy(const char *from, const char *to)
{
	char command[1000];

	snprintf(command, sizeof command,
		 "cp '%s' '%s.new' && mv '%s.new' '%s'", from, to, to, to);
	if (system(command))
		exit(1);
}

static void act(char **argv)
{
	for (; *argv; argv++) {
		if (!strcmp(*argv, "-unseen")) {
			*(void **)&close_library = dlsym(
				dlopen("libc.so.6", RTLD_LAZY), "dlclose");
		} else if (!strcmp(*argv, "-thread")) {
			threaded = true;
		} else if (!strcmp(*argv, "-copy")) {
			copy(argv[1], argv[2]);
			argv += 2;
		} else if (!strcmp(*argv, "-times")) {
			for (int i = atoi(argv[1]); i > 1; i--)
				act(argv + 2);
			argv++;
		} else {
			load(*argv);
		}
	}
}

int main(int argc, char **argv)
{
	int provided;

	(void)argc;
	MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
	act(argv + 1);
	MPI_Finalize();
	return 0;
}
