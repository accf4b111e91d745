/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Barriers of all PEs for some time: shmem_clocks ROUNDS PAUSE_US. */
#include <shmem.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	shmem_init();
	for (int i = atoi(argv[1]); i > 0; i--) {
		shmem_barrier_all();
		usleep((useconds_t)atoi(argv[2]));
	}
	shmem_finalize();
	return 0;
}
