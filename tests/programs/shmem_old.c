/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program of OpenSHMEM's first years: start_pes, no end.  The comments are
 * read as those of shmem_families.c.
 */
#include <shmem.h>
#include <stdio.h>

/* clang-format off */
static long word, source = 7;

int main(void)
{
	start_pes(0);							// all SHMEM_INIT
	int right = (_my_pe() + 1) % _num_pes();

	shmem_long_put(&word, &source, 1, right);			// all SHMEM_PUT bytes=8 peer=right object=word+0 context=0
	shmem_barrier_all();						// all SHMEM_BARRIER team=0,1,2,3
	shmem_barrier(0, 0, 4, NULL);					// all SHMEM_BARRIER team=0,1,2,3
	if (word != 7)
		return 1;
	start_pes(0);							// all SHMEM_INIT
	return 0;
}
