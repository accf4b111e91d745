/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A C program that marks its own phases (pupc.h) and asks whether it is
 * recorded (gaspdb.h).  Prints the run directory, what pupc_control returns,
 * and whether the ticks are as long as the system's clock says.
 */
#include <stdio.h>
#include <time.h>

#include <gaspdb.h>
#include <pupc.h>

static double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void work(void)
{
	nanosleep(&(struct timespec){ 0, 20000000 }, NULL);
}

/* The ticks' interval lies within the outer and around the inner one, but for
   a thousandth: their rate is measured. */
static const char *ticks_are_right(void)
{
	double outer = now_us();
	pupc_tick_t from = pupc_ticks_now();
	double inner = now_us();

	work();
	inner = now_us() - inner;
	double us = (double)pupc_ticks_to_us(pupc_ticks_now() - from);
	outer = now_us() - outer;
	return us >= 0.999 * inner - 1 && us <= 1.001 * outer + 1 &&
			       pupc_tick_granularityus() > 0 &&
			       pupc_tick_granularityus() <= 1 &&
			       pupc_tick_overheadus() >= 0 &&
			       pupc_tick_overheadus() < 1000
		       ? "yes"
		       : "no";
}

int main(void)
{
	unsigned step = pupc_create_event("step", "iteration %d");
	unsigned inner = pupc_create_event("inner", NULL);
	unsigned mark = pupc_create_event("mark", "%s of %ld");

	for (int i = 0; i < 4; i++) {
		if (i == 2)
			printf("off, was %d\n", pupc_control(0) != 0);
		pupc_event_start(step, i);
		pupc_event_start(inner);
		work();
		pupc_event_end(inner);
		pupc_event_atomic(mark, "half", 100L + i);
		pupc_event_end(step, 10 + i);
		if (i == 2)
			printf("on, was %d\n", pupc_control(1));
	}
	printf("ticks %s\n", ticks_are_right());
	printf("in %s\n", gaspdb_run_directory());
	return 0;
}
