/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program of OpenSHMEM's with a tool in it: two puts a PE, two barriers of
   its own, and one that the tool adds to each. */
#include <shmem.h>
#include <stdio.h>

void pshmem_barrier_all(void);
static int barriers;

void shmem_barrier_all(void)
{
	barriers++;
	pshmem_barrier_all();
	pshmem_barrier_all();
}

int main(void)
{
	static int word;

	shmem_init();
	shmem_barrier_all();
	shmem_int_p(&word, 1, !shmem_my_pe());
	shmem_int_p(&word, 2, !shmem_my_pe());
	shmem_barrier_all();
	if (shmem_my_pe() == 0)
		printf("tool: %d barriers\n", barriers);
	shmem_finalize();
	return 0;
}
