/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shmem_rest STEPS: the same calls in each step, for traces that end at a size
   limit. */
#include <shmem.h>
#include <stdlib.h>

enum { MOST = 64 };

int main(int argc, char **argv)
{
	const int steps = argc > 1 ? atoi(argv[1]) : 1;
	long own[MOST] = { 0 }, *all, *word;
	int right;

	shmem_init();
	right = (shmem_my_pe() + 1) % shmem_n_pes();
	all = shmem_calloc(MOST, sizeof *all);
	word = shmem_calloc(1, sizeof *word);
	for (int step = 0; step < steps; step++) {
		shmem_long_put(all, own, (size_t)(1 + step % MOST), right);
		shmem_quiet();
		shmem_long_get(own, all, (size_t)(1 + step % 9), right);
		shmem_long_atomic_add(word, 1, right);
		if (step % 16 == 0)
			shmem_barrier_all();
	}
	shmem_barrier_all();
	shmem_free(word);
	shmem_free(all);
	shmem_finalize();
	return 0;
}
