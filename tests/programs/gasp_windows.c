/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gasp_windows steps | nested | threads | fork: phases "step" by the GASP
 * interface, with a fence in each.  steps: four.  nested: a second one in the
 * first, whose fence comes after it.  threads: four in each of two threads.
 * fork: a child is forked in the first, and has the second, as its parent does.
 */
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gasp.h>
#include <gasp_upc.h>

static void fence(gasp_context_t c)
{
	gasp_event_notify(c, GASP_UPC_FENCE, GASP_START, "w.upc", 1, 1);
	gasp_event_notify(c, GASP_UPC_FENCE, GASP_END, "w.upc", 1, 1);
}

static void begin(gasp_context_t c, unsigned step)
{
	gasp_event_notify(c, step, GASP_START, "w.upc", 2, 1);
}

static void end(gasp_context_t c, unsigned step)
{
	gasp_event_notify(c, step, GASP_END, "w.upc", 2, 1);
}

static void one_step(gasp_context_t c, unsigned step)
{
	begin(c, step);
	fence(c);
	end(c, step);
}

static void *steps(void *unused)
{
	gasp_context_t c = gasp_init(GASP_MODEL_UPC, NULL, NULL);
	unsigned step = gasp_create_event(c, "step", NULL);

	for (int i = 0; i < 4; i++)
		one_step(c, step);
	return unused;
}

static void in_threads(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, steps, NULL);
	pthread_join(thread, NULL);
	steps(NULL);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "steps";
	gasp_context_t c;
	unsigned step;

	if (!strcmp(mode, "threads")) {
		in_threads();
		return 0;
	}
	if (!strcmp(mode, "steps")) {
		steps(NULL);
		return 0;
	}
	c = gasp_init(GASP_MODEL_UPC, NULL, NULL);
	step = gasp_create_event(c, "step", NULL);
	begin(c, step);
	if (!strcmp(mode, "nested")) {
		one_step(c, step);
	} else if (fork() == 0) {
		one_step(c, step);
		return 0;
	}
	wait(NULL);
	fence(c);
	end(c, step);
	one_step(c, step);
	return 0;
}
