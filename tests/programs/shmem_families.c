/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * At least one call of every family of OpenSHMEM calls, each on a line of its
 * own, on 4 PEs.  The comment on the line is what the database must hold for
 * it: who calls it (all, or a list of PEs), the event's symbol, and its
 * arguments; tests/e2e/shmem_families.sh reads them.  right is the next PE,
 * sequences are counted by the reader, in the order of the lines.
 */
#include <complex.h>
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */
static long words[64];	/* symmetric, static */
static char local[4096];
static long lock_word;
static short s_values[64], s_work[SHMEM_REDUCE_MIN_WRKDATA_SIZE + 64];
static int i_work[SHMEM_REDUCE_MIN_WRKDATA_SIZE + 64];
static long l_work[SHMEM_REDUCE_MIN_WRKDATA_SIZE + 64];
static long long ll_work[SHMEM_REDUCE_MIN_WRKDATA_SIZE + 64];
static double d_work[SHMEM_REDUCE_MIN_WRKDATA_SIZE + 64];
static double complex z_work[SHMEM_REDUCE_MIN_WRKDATA_SIZE + 64];
static int16_t x_work[SHMEM_REDUCE_MIN_WRKDATA_SIZE + 64];
#define SYNC_BYTES SHMEM_SYNC_SIZE
static long sync_words[48][SYNC_BYTES];

static int me, right;
static char *heap;	/* symmetric */
static int failures;
static shmem_ctx_t ctx;

static void expect(int right_thing, int line)
{
	if (right_thing)
		return;
	fprintf(stderr, "PE %d: line %d: the wrong result\n", me, line);
	failures++;
}

static int begin(void)
{
	shmem_init();							// all SHMEM_INIT
	me = shmem_my_pe();
	if (shmem_n_pes() != 4)
		return 0;
	right = (me + 1) % 4;
	for (int i = 0; i < 48; i++)
		for (int k = 0; k < SYNC_BYTES; k++)
			sync_words[i][k] = SHMEM_SYNC_VALUE;
	heap = shmem_malloc(64 << 10);					// all SHMEM_MALLOC team=0,1,2,3 bytes=65536
	memset(heap, 0, 64 << 10);
	shmem_barrier_all();						// all SHMEM_BARRIER team=0,1,2,3
	expect(shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx) == 0, __LINE__); // all SHMEM_CTX_CREATE options=1 context=1 success=1
	return 1;
}

static void puts_and_gets(void)
{
	shmem_putmem(heap, local, 3, right);				// all SHMEM_PUT bytes=3 peer=right object=heap+0 context=0
	shmem_put8(heap + 1, local, 3, right);				// all SHMEM_PUT bytes=3 peer=right object=heap+1 context=0
	shmem_put16(heap + 16, local, 3, right);			// all SHMEM_PUT bytes=6 peer=right object=heap+16 context=0
	shmem_put32(heap + 32, local, 3, right);			// all SHMEM_PUT bytes=12 peer=right object=heap+32 context=0
	shmem_put64(heap + 64, local, 3, right);			// all SHMEM_PUT bytes=24 peer=right object=heap+64 context=0
	shmem_put128(heap + 128, local, 3, right);			// all SHMEM_PUT bytes=48 peer=right object=heap+128 context=0
	shmem_char_put(heap, local, 5, right);				// all SHMEM_PUT bytes=5 peer=right object=heap+0 context=0
	shmem_short_put((short *)heap, (short *)local, 5, right);	// all SHMEM_PUT bytes=10 peer=right object=heap+0 context=0
	shmem_longdouble_put((long double *)heap, (long double *)local, 5, right); // all SHMEM_PUT bytes=80 peer=right object=heap+0 context=0
	shmem_long_put(words + 2, (long *)local, 1, 3);			// all SHMEM_PUT bytes=8 peer=3 object=words+16 context=0
	shmem_size_put((size_t *)heap, (size_t *)local, 0, me);		// all SHMEM_PUT bytes=0 peer=me object=heap+0 context=0
	shmem_ctx_putmem(ctx, heap, local, 7, right);			// all SHMEM_PUT bytes=7 peer=right object=heap+0 context=1
	shmem_ctx_put32(ctx, heap, local, 7, right);			// all SHMEM_PUT bytes=28 peer=right object=heap+0 context=1
	shmem_ctx_int8_put(ctx, (int8_t *)heap, (int8_t *)local, 7, right); // all SHMEM_PUT bytes=7 peer=right object=heap+0 context=1
	shmem_getmem(local, heap + 3, 4, right);			// all SHMEM_GET bytes=4 peer=right object=heap+3 context=0
	shmem_get16(local, heap + 4, 4, right);				// all SHMEM_GET bytes=8 peer=right object=heap+4 context=0
	shmem_get128(local, heap, 4, right);				// all SHMEM_GET bytes=64 peer=right object=heap+0 context=0
	shmem_double_get((double *)local, (double *)heap, 4, right);	// all SHMEM_GET bytes=32 peer=right object=heap+0 context=0
	shmem_uint64_get((uint64_t *)local, (uint64_t *)words, 4, right); // all SHMEM_GET bytes=32 peer=right object=words+0 context=0
	shmem_ctx_getmem(ctx, local, heap, 5, right);			// all SHMEM_GET bytes=5 peer=right object=heap+0 context=1
	shmem_ctx_get64(ctx, local, heap, 5, right);			// all SHMEM_GET bytes=40 peer=right object=heap+0 context=1
	shmem_ctx_float_get(ctx, (float *)local, (float *)heap, 5, right); // all SHMEM_GET bytes=20 peer=right object=heap+0 context=1
	shmem_put(heap, local, 6, right);				// all shmem_char_put SHMEM_PUT bytes=6 peer=right object=heap+0 context=0
	shmem_get(ctx, (int *)local, (int *)heap, 6, right);		// all shmem_ctx_int_get SHMEM_GET bytes=24 peer=right object=heap+0 context=1
}

static void single_elements(void)
{
	shmem_char_p(heap, 'x', right);					// all SHMEM_P bytes=1 peer=right object=heap+0 context=0
	shmem_float_p((float *)(heap + 4), 1.5f, right);		// all SHMEM_P bytes=4 peer=right object=heap+4 context=0
	shmem_long_p(words, 77, right);					// all SHMEM_P bytes=8 peer=right object=words+0 context=0
	shmem_ctx_double_p(ctx, (double *)heap, 2.5, right);		// all SHMEM_P bytes=8 peer=right object=heap+0 context=1
	shmemx_int16_p((int16_t *)heap, 3, right);			// all SHMEM_P bytes=2 peer=right object=heap+0 context=0
	expect(shmem_long_g(words, me) >= 0, __LINE__);			// all SHMEM_G bytes=8 peer=me object=words+0 context=0
	(void)shmem_longdouble_g((long double *)heap, right);		// all SHMEM_G bytes=16 peer=right object=heap+0 context=0
	(void)shmem_ctx_uint8_g(ctx, (uint8_t *)heap, right);		// all SHMEM_G bytes=1 peer=right object=heap+0 context=1
	(void)shmemx_int64_g((int64_t *)heap, right);			// all SHMEM_G bytes=8 peer=right object=heap+0 context=0
}

static void strided(void)
{
	shmem_int_iput((int *)heap, (int *)local, 2, 3, 5, right);	// all SHMEM_IPUT bytes=20 peer=right object=heap+0 element_bytes=4 elements=5 target_stride=2 source_stride=3 context=0
	shmem_iput64(heap + 8, local, 4, 1, 6, right);			// all SHMEM_IPUT bytes=48 peer=right object=heap+8 element_bytes=8 elements=6 target_stride=4 source_stride=1 context=0
	shmem_ctx_short_iput(ctx, (short *)heap, (short *)local, 1, 2, 3, right); // all SHMEM_IPUT bytes=6 peer=right object=heap+0 element_bytes=2 elements=3 target_stride=1 source_stride=2 context=1
	shmem_ctx_iput128(ctx, heap, local, 1, 2, 3, right);		// all SHMEM_IPUT bytes=48 peer=right object=heap+0 element_bytes=16 elements=3 target_stride=1 source_stride=2 context=1
	shmem_double_iget((double *)local, (double *)heap, 1, 4, 7, right); // all SHMEM_IGET bytes=56 peer=right object=heap+0 element_bytes=8 elements=7 target_stride=1 source_stride=4 context=0
	shmem_iget8(local, heap, 1, 4, 7, right);			// all SHMEM_IGET bytes=7 peer=right object=heap+0 element_bytes=1 elements=7 target_stride=1 source_stride=4 context=0
	shmem_ctx_long_iget(ctx, (long *)local, words, 2, 1, 3, right);	// all SHMEM_IGET bytes=24 peer=right object=words+0 element_bytes=8 elements=3 target_stride=2 source_stride=1 context=1
	shmem_ctx_iget16(ctx, local, heap, 2, 1, 3, right);		// all SHMEM_IGET bytes=6 peer=right object=heap+0 element_bytes=2 elements=3 target_stride=2 source_stride=1 context=1
}

static void non_blocking(void)
{
	shmem_putmem_nbi(heap, local, 100, right);			// all SHMEM_PUT_NBI bytes=100 peer=right object=heap+0 context=0
	shmem_put16_nbi(heap, local, 100, right);			// all SHMEM_PUT_NBI bytes=200 peer=right object=heap+0 context=0
	shmem_ushort_put_nbi((unsigned short *)heap, (unsigned short *)local, 9, right); // all SHMEM_PUT_NBI bytes=18 peer=right object=heap+0 context=0
	shmem_ctx_putmem_nbi(ctx, heap, local, 11, right);		// all SHMEM_PUT_NBI bytes=11 peer=right object=heap+0 context=1
	shmem_ctx_put128_nbi(ctx, heap, local, 11, right);		// all SHMEM_PUT_NBI bytes=176 peer=right object=heap+0 context=1
	shmem_ctx_ptrdiff_put_nbi(ctx, (ptrdiff_t *)heap, (ptrdiff_t *)local, 11, right); // all SHMEM_PUT_NBI bytes=88 peer=right object=heap+0 context=1
	shmem_fence();							// all SHMEM_FENCE context=0
	shmem_ctx_fence(ctx);						// all SHMEM_FENCE context=1
	shmem_quiet();							// all SHMEM_QUIET context=0
	shmem_ctx_quiet(ctx);						// all SHMEM_QUIET context=1
	shmem_getmem_nbi(local, heap, 12, right);			// all SHMEM_GET_NBI bytes=12 peer=right object=heap+0 context=0
	shmem_get32_nbi(local + 64, heap, 12, right);			// all SHMEM_GET_NBI bytes=48 peer=right object=heap+0 context=0
	shmem_schar_get_nbi((signed char *)local + 128, (signed char *)heap, 12, right); // all SHMEM_GET_NBI bytes=12 peer=right object=heap+0 context=0
	shmem_ctx_getmem_nbi(ctx, local + 256, heap, 13, right);	// all SHMEM_GET_NBI bytes=13 peer=right object=heap+0 context=1
	shmem_ctx_get8_nbi(ctx, local + 512, heap, 13, right);		// all SHMEM_GET_NBI bytes=13 peer=right object=heap+0 context=1
	shmem_ctx_ulong_get_nbi(ctx, (unsigned long *)local, (unsigned long *)heap, 13, right); // all SHMEM_GET_NBI bytes=104 peer=right object=heap+0 context=1
	shmem_ctx_quiet(ctx);						// all SHMEM_QUIET context=1
	shmem_quiet();							// all SHMEM_QUIET context=0
}

static void atomics(void)
{
	shmem_long_atomic_set(words + 8, 5, right);			// all SHMEM_ATOMIC bytes=8 peer=right object=words+64 context=0
	shmem_barrier_all();						// all SHMEM_BARRIER team=0,1,2,3
	shmem_long_atomic_add(words + 8, 10, right);			// all SHMEM_ATOMIC bytes=8 peer=right object=words+64 context=0
	shmem_ulong_atomic_inc((unsigned long *)words + 8, right);	// all SHMEM_ATOMIC bytes=8 peer=right object=words+64 context=0
	shmem_uint32_atomic_and((uint32_t *)heap, 1, right);		// all SHMEM_ATOMIC bytes=4 peer=right object=heap+0 context=0
	shmem_int64_atomic_or((int64_t *)heap, 1, right);		// all SHMEM_ATOMIC bytes=8 peer=right object=heap+0 context=0
	shmem_ctx_uint64_atomic_xor(ctx, (uint64_t *)heap, 1, right);	// all SHMEM_ATOMIC bytes=8 peer=right object=heap+0 context=1
	shmem_ctx_double_atomic_set(ctx, (double *)heap, 1, right);	// all SHMEM_ATOMIC bytes=8 peer=right object=heap+0 context=1
	shmem_ctx_int_atomic_add(ctx, (int *)heap, 1, right);		// all SHMEM_ATOMIC bytes=4 peer=right object=heap+0 context=1
	shmem_ctx_ulong_atomic_inc(ctx, (unsigned long *)heap, right);		// all SHMEM_ATOMIC bytes=8 peer=right object=heap+0 context=1
	shmemx_int32_atomic_or((int32_t *)heap, 1, right);		// all SHMEM_ATOMIC bytes=4 peer=right object=heap+0 context=0
	shmem_longlong_add((long long *)heap, 1, right);		// all SHMEM_ATOMIC bytes=8 peer=right object=heap+0 context=0
	shmem_int_inc((int *)heap, right);				// all SHMEM_ATOMIC bytes=4 peer=right object=heap+0 context=0
	shmem_float_set((float *)heap, 1, right);			// all SHMEM_ATOMIC bytes=4 peer=right object=heap+0 context=0
	shmem_barrier_all();						// all SHMEM_BARRIER team=0,1,2,3
	expect(shmem_long_atomic_fetch(words + 8, right) == 16, __LINE__); // all SHMEM_ATOMIC_FETCH bytes=8 peer=right object=words+64 context=0
	shmem_barrier_all();						// all SHMEM_BARRIER team=0,1,2,3
	expect(shmem_long_atomic_swap(words + 8, 20, right) == 16, __LINE__); // all SHMEM_ATOMIC_FETCH bytes=8 peer=right object=words+64 context=0
	expect(shmem_long_atomic_compare_swap(words + 8, 20, 30, right) == 20, __LINE__); // all SHMEM_ATOMIC_FETCH bytes=8 peer=right object=words+64 context=0
	expect(shmem_long_atomic_fetch_add(words + 8, 3, right) == 30, __LINE__); // all SHMEM_ATOMIC_FETCH bytes=8 peer=right object=words+64 context=0
	expect(shmem_long_atomic_fetch_inc(words + 8, right) == 33, __LINE__); // all SHMEM_ATOMIC_FETCH bytes=8 peer=right object=words+64 context=0
	expect(shmem_long_fadd(words + 8, 1, right) == 34, __LINE__);	// all SHMEM_ATOMIC_FETCH bytes=8 peer=right object=words+64 context=0
	expect(shmem_long_finc(words + 8, right) == 35, __LINE__);	// all SHMEM_ATOMIC_FETCH bytes=8 peer=right object=words+64 context=0
	expect(shmem_long_cswap(words + 8, 36, 40, right) == 36, __LINE__); // all SHMEM_ATOMIC_FETCH bytes=8 peer=right object=words+64 context=0
	expect(shmem_long_swap(words + 8, 41, right) == 40, __LINE__);	// all SHMEM_ATOMIC_FETCH bytes=8 peer=right object=words+64 context=0
	expect(shmem_long_fetch(words + 8, right) == 41, __LINE__);	// all SHMEM_ATOMIC_FETCH bytes=8 peer=right object=words+64 context=0
	(void)shmem_uint_atomic_fetch_and((unsigned *)heap, 1, right);	// all SHMEM_ATOMIC_FETCH bytes=4 peer=right object=heap+0 context=0
	(void)shmem_int64_atomic_fetch_or((int64_t *)heap, 1, right);	// all SHMEM_ATOMIC_FETCH bytes=8 peer=right object=heap+0 context=0
	(void)shmem_ulonglong_atomic_fetch_xor((unsigned long long *)heap, 1, right); // all SHMEM_ATOMIC_FETCH bytes=8 peer=right object=heap+0 context=0
	(void)shmem_ctx_float_atomic_fetch(ctx, (float *)heap, right);	// all SHMEM_ATOMIC_FETCH bytes=4 peer=right object=heap+0 context=1
	(void)shmem_ctx_double_atomic_swap(ctx, (double *)heap, 2, right); // all SHMEM_ATOMIC_FETCH bytes=8 peer=right object=heap+0 context=1
	(void)shmem_ctx_long_atomic_compare_swap(ctx, (long *)heap, 1, 2, right); // all SHMEM_ATOMIC_FETCH bytes=8 peer=right object=heap+0 context=1
	(void)shmem_ctx_uint_atomic_fetch_add(ctx, (unsigned *)heap, 1, right); // all SHMEM_ATOMIC_FETCH bytes=4 peer=right object=heap+0 context=1
	(void)shmem_ctx_longlong_atomic_fetch_inc(ctx, (long long *)heap, right); // all SHMEM_ATOMIC_FETCH bytes=8 peer=right object=heap+0 context=1
	(void)shmem_ctx_uint32_atomic_fetch_xor(ctx, (uint32_t *)heap, 1, right); // all SHMEM_ATOMIC_FETCH bytes=4 peer=right object=heap+0 context=1
	(void)shmemx_int64_fadd((int64_t *)heap, 1, right);		// all SHMEM_ATOMIC_FETCH bytes=8 peer=right object=heap+0 context=0
	(void)shmemx_uint64_atomic_fetch_and((uint64_t *)heap, 1, right); // all SHMEM_ATOMIC_FETCH bytes=8 peer=right object=heap+0 context=0
}

static void waiting(void)
{
	shmem_barrier_all();						// all SHMEM_BARRIER team=0,1,2,3
	expect(!shmem_long_test(words + 16, SHMEM_CMP_EQ, 9), __LINE__); // all SHMEM_TEST object=words+128 comparison=0 value=9 element_bytes=8 success=0
	shmem_barrier_all();						// all SHMEM_BARRIER team=0,1,2,3
	shmem_long_p(words + 16, -9, right);				// all SHMEM_P bytes=8 peer=right object=words+128 context=0
	shmem_quiet();							// all SHMEM_QUIET context=0
	shmem_long_wait_until(words + 16, SHMEM_CMP_EQ, -9);		// all SHMEM_WAIT_UNTIL object=words+128 comparison=0 value=-9 element_bytes=8
	shmem_long_wait_until(words + 16, SHMEM_CMP_NE, 0);		// all SHMEM_WAIT_UNTIL object=words+128 comparison=1 value=0 element_bytes=8
	shmem_long_wait_until(words + 16, SHMEM_CMP_GT, -10);		// all SHMEM_WAIT_UNTIL object=words+128 comparison=2 value=-10 element_bytes=8
	shmem_long_wait_until(words + 16, SHMEM_CMP_GE, -9);		// all SHMEM_WAIT_UNTIL object=words+128 comparison=3 value=-9 element_bytes=8
	shmem_long_wait_until(words + 16, SHMEM_CMP_LT, 0);		// all SHMEM_WAIT_UNTIL object=words+128 comparison=4 value=0 element_bytes=8
	shmem_long_wait_until(words + 16, SHMEM_CMP_LE, -9);		// all SHMEM_WAIT_UNTIL object=words+128 comparison=5 value=-9 element_bytes=8
	shmem_long_wait(words + 16, 7);					// all SHMEM_WAIT_UNTIL object=words+128 comparison=1 value=7 element_bytes=8
	shmem_wait(words + 16, 8);					// all SHMEM_WAIT_UNTIL object=words+128 comparison=1 value=8 element_bytes=8
	shmem_uint32_wait_until((uint32_t *)(words + 20), SHMEM_CMP_EQ, 0); // all SHMEM_WAIT_UNTIL object=words+160 comparison=0 value=0 element_bytes=4
	shmemx_int32_wait((int32_t *)(words + 20), 1);			// all SHMEM_WAIT_UNTIL object=words+160 comparison=1 value=1 element_bytes=4
	expect(shmem_ushort_test((unsigned short *)(words + 20), SHMEM_CMP_LT, 1), __LINE__); // all SHMEM_TEST object=words+160 comparison=4 value=1 element_bytes=2 success=1
}

static void locks(void)
{
	shmem_set_lock(&lock_word);					// all SHMEM_SET_LOCK object=lock_word+0
	shmem_clear_lock(&lock_word);					// all SHMEM_CLEAR_LOCK object=lock_word+0
	shmem_barrier_all();						// all SHMEM_BARRIER team=0,1,2,3
	if (me == 2)
		expect(shmem_test_lock(&lock_word) == 0, __LINE__);	// 2 SHMEM_TEST_LOCK object=lock_word+0 success=1
	shmem_sync_all();						// all SHMEM_SYNC team=0,1,2,3
	if (me != 2)
		expect(shmem_test_lock(&lock_word) != 0, __LINE__);	// 0,1,3 SHMEM_TEST_LOCK object=lock_word+0 success=0
	shmem_sync_all();						// all SHMEM_SYNC team=0,1,2,3
	if (me == 2)
		shmem_clear_lock(&lock_word);				// 2 SHMEM_CLEAR_LOCK object=lock_word+0
	shmem_set_lock((long *)(heap + 2048));				// all SHMEM_SET_LOCK object=heap+2048
	shmem_clear_lock((long *)(heap + 2048));			// all SHMEM_CLEAR_LOCK object=heap+2048
	shmem_barrier_all();						// all SHMEM_BARRIER team=0,1,2,3
}

/* Active sets: the PEs first, first + stride ..., here even = 0, 2; upper = 2, 3. */
static void collectives(void)
{
	char *b = heap + 4096;
	long (*p)[SYNC_BYTES] = sync_words;

	shmem_broadcast64(b, heap, 3, 2, 0, 0, 4, *p++);		// all SHMEM_BROADCAST team=0,1,2,3 root=2 bytes=24@2 bytes_received=24@0,1,3
	shmem_broadcast32(b, heap, 3, 0, 0, 0, 4, *p++);		// all SHMEM_BROADCAST team=0,1,2,3 root=0 bytes=12@0 bytes_received=12@1,2,3
	shmem_collect32(b, heap, (size_t)me + 1, 0, 0, 4, *p++);	// all SHMEM_COLLECT team=0,1,2,3 bytes=4@0 bytes=8@1 bytes=12@2 bytes=16@3
	shmem_collect64(b, heap, 2, 0, 0, 4, *p++);			// all SHMEM_COLLECT team=0,1,2,3 bytes=16
	shmem_fcollect32(b, heap, 3, 0, 0, 4, *p++);			// all SHMEM_FCOLLECT team=0,1,2,3 bytes=12 bytes_received=48
	shmem_fcollect64(b, heap, 3, 0, 0, 4, *p++);			// all SHMEM_FCOLLECT team=0,1,2,3 bytes=24 bytes_received=96
	shmem_alltoall32(b, heap, 2, 0, 0, 4, *p++);			// all SHMEM_ALLTOALL team=0,1,2,3 bytes=32 bytes_received=32
	shmem_alltoall64(b, heap, 2, 0, 0, 4, *p++);			// all SHMEM_ALLTOALL team=0,1,2,3 bytes=64 bytes_received=64
	shmem_alltoalls32(b, heap, 2, 3, 5, 0, 0, 4, *p++);		// all SHMEM_ALLTOALLS team=0,1,2,3 bytes=80 bytes_received=80 element_bytes=4 elements=5 target_stride=2 source_stride=3
	shmem_alltoalls64(b, heap, 1, 2, 3, 0, 0, 4, *p++);		// all SHMEM_ALLTOALLS team=0,1,2,3 bytes=96 bytes_received=96 element_bytes=8 elements=3 target_stride=1 source_stride=2
	shmem_long_sum_to_all((long *)b, (long *)heap, 3, 0, 0, 4, l_work, *p++); // all SHMEM_TO_ALL team=0,1,2,3 bytes=24 bytes_received=24
	shmem_double_prod_to_all((double *)b, (double *)heap, 2, 0, 0, 4, d_work, *p++); // all SHMEM_TO_ALL team=0,1,2,3 bytes=16 bytes_received=16
	shmem_int_max_to_all((int *)b, (int *)heap, 5, 0, 0, 4, i_work, *p++); // all SHMEM_TO_ALL team=0,1,2,3 bytes=20 bytes_received=20
	shmem_short_min_to_all((short *)b, s_values, 5, 0, 0, 4, s_work, *p++); // all SHMEM_TO_ALL team=0,1,2,3 bytes=10 bytes_received=10
	shmem_longlong_and_to_all((long long *)b, (long long *)heap, 1, 0, 0, 4, ll_work, *p++); // all SHMEM_TO_ALL team=0,1,2,3 bytes=8 bytes_received=8
	shmem_int_or_to_all((int *)b, (int *)heap, 1, 0, 0, 4, i_work, *p++); // all SHMEM_TO_ALL team=0,1,2,3 bytes=4 bytes_received=4
	shmem_long_xor_to_all((long *)b, (long *)heap, 1, 0, 0, 4, l_work, *p++); // all SHMEM_TO_ALL team=0,1,2,3 bytes=8 bytes_received=8
	shmem_complexd_sum_to_all((double complex *)b, (double complex *)heap, 2, 0, 0, 4, z_work, *p++); // all SHMEM_TO_ALL team=0,1,2,3 bytes=32 bytes_received=32
	shmemx_int16_max_to_all((int16_t *)b, (int16_t *)heap, 3, 0, 0, 4, x_work, *p++); // all SHMEM_TO_ALL team=0,1,2,3 bytes=6 bytes_received=6
	if (me % 2 == 0) {
		shmem_barrier(0, 1, 2, p[0]);				// 0,2 SHMEM_BARRIER team=0,2
		shmem_sync(0, 1, 2, p[1]);				// 0,2 SHMEM_SYNC team=0,2
		shmem_broadcast32(b, heap, 4, 1, 0, 1, 2, p[2]);	// 0,2 SHMEM_BROADCAST team=0,2 root=2 bytes=16@2 bytes_received=16@0
		shmem_fcollect64(b, heap, 1, 0, 1, 2, p[3]);		// 0,2 SHMEM_FCOLLECT team=0,2 bytes=8 bytes_received=16
	}
	shmem_barrier_all();						// all SHMEM_BARRIER team=0,1,2,3
	if (me >= 2) {
		shmem_barrier(2, 0, 2, p[4]);				// 2,3 SHMEM_BARRIER team=2,3
		shmem_broadcast64(b, heap, 1, 1, 2, 0, 2, p[5]);	// 2,3 SHMEM_BROADCAST team=2,3 root=3 bytes=8@3 bytes_received=8@2
		shmem_int_sum_to_all((int *)b, (int *)heap, 1, 2, 0, 2, i_work, p[6]); // 2,3 SHMEM_TO_ALL team=2,3 bytes=4 bytes_received=4
	}
	shmem_barrier(0, 0, 4, p[7]);					// all SHMEM_BARRIER team=0,1,2,3
	shmem_sync(me, 3, 1, p[8]);					// all SHMEM_SYNC team=me
}

static void memory(void)
{
	void *a, *b, *c;

	a = shmem_malloc(1000);						// all SHMEM_MALLOC team=0,1,2,3 bytes=1000
	b = shmem_calloc(30, 7);					// all SHMEM_MALLOC team=0,1,2,3 bytes=210
	c = shmem_align(64, 300);					// all SHMEM_MALLOC team=0,1,2,3 bytes=300
	a = shmem_realloc(a, 5000);					// all SHMEM_REALLOC team=0,1,2,3 bytes=5000
	expect(a && b && c && (size_t)c % 64 == 0, __LINE__);
	shmem_free(a);							// all SHMEM_FREE team=0,1,2,3
	shmem_free(b);							// all SHMEM_FREE team=0,1,2,3
	shmem_free(c);							// all SHMEM_FREE team=0,1,2,3
	a = shmalloc(16);						// all SHMEM_MALLOC team=0,1,2,3 bytes=16
	b = shmemalign(128, 24);					// all SHMEM_MALLOC team=0,1,2,3 bytes=24
	a = shrealloc(a, 32);						// all SHMEM_REALLOC team=0,1,2,3 bytes=32
	shfree(a);							// all SHMEM_FREE team=0,1,2,3
	shfree(b);							// all SHMEM_FREE team=0,1,2,3
	c = shmemx_malloc_with_hint(48, 0);				// all SHMEM_MALLOC team=0,1,2,3 bytes=48
	shmem_free(c);							// all SHMEM_FREE team=0,1,2,3
}

static void contexts(void)
{
	shmem_ctx_t a, b;

	expect(shmem_ctx_create(0, &a) == 0, __LINE__);			// all SHMEM_CTX_CREATE options=0 context=2 success=1
	expect(shmem_ctx_create(SHMEM_CTX_SERIALIZED, &b) == 0, __LINE__); // all SHMEM_CTX_CREATE options=2 context=3 success=1
	shmem_ctx_char_p(b, heap, 1, right);				// all SHMEM_P bytes=1 peer=right object=heap+0 context=3
	shmem_ctx_char_p(a, heap, 1, right);				// all SHMEM_P bytes=1 peer=right object=heap+0 context=2
	shmem_ctx_char_p(SHMEM_CTX_DEFAULT, heap, 1, right);		// all SHMEM_P bytes=1 peer=right object=heap+0 context=0
	shmem_ctx_destroy(b);						// all SHMEM_CTX_DESTROY context=3
	shmem_ctx_destroy(a);						// all SHMEM_CTX_DESTROY context=2
	expect(shmem_ctx_create(0, &a) == 0, __LINE__);			// all SHMEM_CTX_CREATE options=0 context=4 success=1
	shmem_ctx_char_p(a, heap, 1, right);				// all SHMEM_P bytes=1 peer=right object=heap+0 context=4
	shmem_ctx_destroy(a);						// all SHMEM_CTX_DESTROY context=4
}

int main(void)
{
	if (!begin())
		return 2;
	puts_and_gets();
	single_elements();
	strided();
	non_blocking();
	atomics();
	waiting();
	locks();
	collectives();
	memory();
	contexts();
	shmem_ctx_destroy(ctx);						// all SHMEM_CTX_DESTROY context=1
	shmem_free(heap);						// all SHMEM_FREE team=0,1,2,3
	shmem_finalize();						// all SHMEM_FINALIZE team=0,1,2,3
	return failures != 0;
}
