/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two PEs with OpenSHMEM exchange buffers that they allocate in each round.
 * FAULT marks the line whose blocks are never all freed: of ROUNDS buffers of
 * BUFFER bytes a PE gives back all but LEAKED.  The program prints what it
 * leaves behind: blocks and bytes of all PEs.
 */
#include <shmem.h>
#include <stdio.h>
#include <string.h>

#define ROUNDS 10
#define LEAKED 3
#define BUFFER 1000

int main(void)
{
	char text[BUFFER], *kept, *buffer;
	int me, n;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	memset(text, me, sizeof text);
	kept = shmem_malloc(BUFFER);
	for (int round = 0; round < ROUNDS; round++) {
		buffer = shmem_malloc(BUFFER); /* FAULT leak */
		if (!kept || !buffer)
			shmem_global_exit(1);
		shmem_putmem(buffer, text, BUFFER, (me + 1) % n);
		shmem_barrier_all();
		memcpy(kept, buffer, BUFFER);
		if (round >= LEAKED)
			shmem_free(buffer);
	}
	shmem_free(kept);
	if (me == 0)
		printf("fault: leak blocks %d bytes %d\n", LEAKED * n,
		       LEAKED * n * BUFFER);
	shmem_finalize();
	return 0;
}
