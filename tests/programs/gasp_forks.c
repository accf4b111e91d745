/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gasp_forks N: the N-th time that the collector asks for memory while it
 * writes an event's record, a signal's handler forks, and both processes return
 * from it and go on.  "child S" with the child's status, "N asked" if it was
 * asked less often; status 0.
 */
#include <gasp.h>
#include <gasp_upc.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int counting, asked, nth;
static pid_t child = -1;

/* The collector's calls come here. */
void *mmap(void *at, size_t bytes, int protection, int flags, int fd,
	   off_t offset)
{
	if (counting && fd < 0 && ++asked == nth)
		raise(SIGUSR1);
	return (void *)syscall(SYS_mmap, at, bytes, protection, flags, fd,
			       offset);
}

static void handler(int number)
{
	(void)number;
	counting = 0;
	child = fork();
}

static void work(gasp_context_t c)
{
	for (int i = 0; i < 20; i++) {
		const unsigned event = gasp_create_event(c, "one", "%d %s");

		for (int line = 0; line < 50; line++)
			gasp_event_notify(c, event, GASP_ATOMIC, "f.c",
					  100 * i + line, 0, line, "text");
		gasp_event_notify(c, GASP_UPC_FENCE, GASP_START, "f.c", i, 0);
		gasp_event_notify(c, GASP_UPC_FENCE, GASP_END, "f.c", i, 0);
	}
}

int main(int argc, char **argv)
{
	gasp_context_t c = gasp_init(GASP_MODEL_UPC, &argc, &argv);
	int status = 0;

	nth = atoi(argv[1]);
	signal(SIGUSR1, handler);
	counting = 1;
	work(c);
	counting = 0;
	work(c);
	if (child == 0)
		return 3;
	if (child < 0) {
		printf("%d asked\n", asked);
		return 0;
	}
	waitpid(child, &status, 0);
	printf("child %d\n", status);
	return 0;
}
