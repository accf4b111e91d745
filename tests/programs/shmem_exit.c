/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One PE ends the program for all, while the others wait for it. */
#include <shmem.h>
#include <string.h>

int main(int argc, char **argv)
{
	shmem_init();
	shmem_barrier_all();
	if (shmem_my_pe() == 1) {
		if (argc > 1 && !strcmp(argv[1], "old"))
			globalexit(5);
		shmem_global_exit(5);
	}
	shmem_barrier_all();
	shmem_finalize();
	return 0;
}
