/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gasp_churn HOW N: N threads, one after another, of one event each, whose
 * value is the thread's number.  HOW: pupc, or gasp (each has a context of
 * gasp_init).  Prints by how many mappings the process has grown since the
 * first ten.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gasp.h>
#include <pupc.h>

static bool through_gasp;

static void *work(void *number)
{
	const long i = *(long *)number;

	if (through_gasp) {
		gasp_context_t c = gasp_init(GASP_MODEL_UPC, NULL, NULL);

		gasp_event_notify(c, gasp_create_event(c, "step", "%ld"),
				  GASP_ATOMIC, "c.c", 1, 0, i);
	} else {
		pupc_event_atomic(pupc_create_event("step", "%ld"), i);
	}
	return NULL;
}

static long mappings(void)
{
	FILE *f = fopen("/proc/self/maps", "r");
	long n = 0;
	int c;

	while ((c = getc(f)) != EOF)
		n += c == '\n';
	fclose(f);
	return n;
}

int main(int argc, char **argv)
{
	long n = argc == 3 ? atol(argv[2]) : 0, before = 0;

	through_gasp = n && !strcmp(argv[1], "gasp");
	for (long i = 1; i <= n; i++) {
		pthread_t t;

		if (i == 11)
			before = mappings();
		if (pthread_create(&t, NULL, work, &i) || pthread_join(t, NULL))
			return 1;
	}
	printf("%ld\n", mappings() - before);
	return 0;
}
