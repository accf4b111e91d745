/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recording is off for a while: what happens then has no comment, but counts
 * in the sequences, which are written out here.  And one look at another PE's
 * memory that is no call.
 */
#include <pupc.h>
#include <shmem.h>

#pragma weak pupc_control /* there under the collector only */

/* clang-format off */
static long sync_words[SHMEM_BARRIER_SYNC_SIZE], word;

static int control(int on)
{
	return pupc_control ? pupc_control(on) : 0;
}

int main(void)
{
	shmem_init();							// all SHMEM_INIT
	int me = shmem_my_pe(), pair = me & ~1;

	for (int i = 0; i < SHMEM_BARRIER_SYNC_SIZE; i++)
		sync_words[i] = SHMEM_SYNC_VALUE;
	shmem_barrier_all();						// all SHMEM_BARRIER team=0,1,2,3:0
	shmem_barrier_all();						// all SHMEM_BARRIER team=0,1,2,3:1
	control(0);
	shmem_barrier_all();
	shmem_barrier(pair, 0, 2, sync_words);
	shmem_long_p(&word, 1, me ^ 1);
	shmem_barrier_all();
	shmem_barrier(pair, 0, 2, sync_words);
	shmem_sync_all();
	control(1);
	shmem_barrier_all();						// all SHMEM_BARRIER team=0,1,2,3:5
	shmem_barrier(pair, 0, 2, sync_words);				// all SHMEM_BARRIER team=pair:2
	long *mine = shmem_malloc(sizeof *mine);			// all SHMEM_MALLOC team=0,1,2,3:6 bytes=8
	long *theirs = shmem_ptr(mine, me ^ 1);
	if (theirs)
		*theirs = me;
	shmem_free(mine);						// all SHMEM_FREE team=0,1,2,3:7
	shmem_finalize();						// all SHMEM_FINALIZE team=0,1,2,3:8
	return 0;
}
