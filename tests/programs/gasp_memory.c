/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gasp_memory lost N: N steps at as many lines; after the first there is no
 * memory, nor for a function's START and END and for an event made then.
 * gasp_memory exit: the program ends while a table is given back.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <gasp.h>
#include <gasp_upc.h>

static int no_memory, exit_in_munmap;

/* In the place of the C library's, for the collector. */
void *mmap(void *at, size_t bytes, int protection, int flags, int fd,
	   off_t offset)
{
	if (no_memory && (flags & MAP_ANONYMOUS)) {
		errno = ENOMEM;
		return MAP_FAILED;
	}
	return (void *)syscall(SYS_mmap, at, bytes, protection, flags, fd,
			       offset);
}

int munmap(void *at, size_t bytes)
{
	int result = (int)syscall(SYS_munmap, at, bytes);

	if (exit_in_munmap) {
		exit_in_munmap = 0;
		exit(5); /* as a signal's handler may */
	}
	return result;
}

#define RAISE(tag, type, line, ...) \
	gasp_event_notify(c, tag, type, "m.c", line, 0, ##__VA_ARGS__)

static void lose(gasp_context_t c, unsigned step, int n)
{
	for (int i = 0; i < 63; i++) /* operations come by 64 */
		gasp_create_event(c, "unused", "");
	RAISE(step, GASP_ATOMIC, 1, 1L);
	no_memory = 1;
	for (int i = 2; i <= n; i++)
		RAISE(step, GASP_ATOMIC, i, (long)i);
	RAISE(GASP_C_FUNC, GASP_START, 1, "f");
	RAISE(GASP_C_FUNC, GASP_END, 1, "f");
	RAISE(gasp_create_event(c, "late", ""), GASP_ATOMIC, 1);
}

int main(int argc, char **argv)
{
	gasp_context_t c = gasp_init(GASP_MODEL_UPC, &argc, &argv);
	unsigned step = gasp_create_event(c, "step", "%ld");

	if (argc > 2 && !strcmp(argv[1], "lost"))
		lose(c, step, atoi(argv[2]));
	RAISE(step, GASP_ATOMIC, 1, 0L);
	exit_in_munmap = argc > 1 && !strcmp(argv[1], "exit");
	for (int i = 0; exit_in_munmap && i < 1000; i++)
		gasp_create_event(c, "unused", "");
	return 0;
}
