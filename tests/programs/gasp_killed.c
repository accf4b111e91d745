/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gasp_killed N HOW: a function is entered, N private allocations of 1..N
 * bytes follow, then the program ends: by signal HOW, by "fork" (a child ends
 * in between) or by return ("none").
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gasp.h>
#include <gasp_upc.h>

static void end(const char *how)
{
	if (!strcmp(how, "KILL"))
		kill(getpid(), SIGKILL);
	if (!strcmp(how, "SEGV"))
		raise(SIGSEGV);
	if (!strcmp(how, "ABRT"))
		abort();
	if (!strcmp(how, "fork")) {
		if (fork() == 0)
			exit(0);
		wait(NULL);
	}
}

int main(int argc, char **argv)
{
	gasp_context_t c = gasp_init(GASP_MODEL_UPC, &argc, &argv);
	size_t n = strtoul(argv[1], NULL, 10);

	gasp_event_notify(c, GASP_C_FUNC, GASP_START, "k.c", 1, 0, "main");
	for (size_t i = 1; i <= n; i++) {
		gasp_event_notify(c, GASP_C_MALLOC, GASP_START, "k.c", 2, 0, i);
		gasp_event_notify(c, GASP_C_MALLOC, GASP_END, "k.c", 2, 0, i,
				  (void *)0);
	}
	end(argv[2]);
	gasp_event_notify(c, GASP_C_FUNC, GASP_END, "k.c", 9, 0, "main");
	return 0;
}
