/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processor time of a malloc and its free: of 64 bytes, with 100 others in
   between, and of 64 KiB; ns a pair. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LIVE = 100, ROUNDS = 20000, LARGE_ROUNDS = 200 };

static void *volatile blocks[LIVE];

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void measure(const char *name, size_t bytes, int rounds)
{
	const double start = seconds();

	for (int round = 0; round < rounds; round++) {
		for (int i = 0; i < LIVE; i++)
			blocks[i] = malloc(bytes);
		for (int i = 0; i < LIVE; i++)
			free(blocks[i]);
	}
	printf("%s %.1f\n", name,
	       (seconds() - start) * 1e9 / ((double)rounds * LIVE));
}

int main(int argc, char **argv)
{
	const int part = argc > 1 ? atoi(argv[1]) : 1; /* for callgrind */

	measure("small", 64, ROUNDS / part);
	measure("large", 65536, LARGE_ROUNDS);
	return 0;
}
