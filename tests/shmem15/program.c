/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What OpenSHMEM 1.5 has more than 1.4, on 2 PEs; the comments are what the
 * database must hold of each line, as in tests/programs/shmem_families.c.
 */
#include <shmem.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */
static int me, right, failures;
static long *h;	/* symmetric: 512 words */

#define AT(bytes) ((char *)h + (bytes))
#define WORD(bytes) ((long *)AT(bytes))
#define SIGNAL(bytes) ((uint64_t *)AT(bytes))

static void expect(int right_thing, int line)
{
	if (right_thing)
		return;
	fprintf(stderr, "PE %d: line %d: the wrong result\n", me, line);
	failures++;
}

static void begin(void)
{
	shmem_init();	// all SHMEM_INIT
	me = shmem_my_pe();
	right = (me + 1) % 2;
	h = shmem_malloc(4096);	// all SHMEM_MALLOC team=0,1 bytes=4096
	memset(h, 0, 4096);
	shmem_barrier_all();	// all SHMEM_BARRIER team=0,1
}

static void signals(void)
{
	long data[4] = { 1, 2, 3, 4 };

	shmem_long_put_signal(WORD(0), data, 4, SIGNAL(64), 5, SHMEM_SIGNAL_SET, right);	// all SHMEM_PUT_SIGNAL peer=right object=heap+0 bytes=32 signal=heap+64 signal_value=5 signal_adds=0 context=0
	expect(shmem_signal_wait_until(SIGNAL(64), SHMEM_CMP_EQ, 5) == 5, __LINE__);	// all SHMEM_WAIT_UNTIL object=heap+64 comparison=0 value=5 element_bytes=8
	expect(h[3] == 4, __LINE__);
	shmem_put16_signal_nbi(AT(32), data, 3, SIGNAL(72), 2, SHMEM_SIGNAL_ADD, right);	// all SHMEM_PUT_SIGNAL_NBI peer=right object=heap+32 bytes=6 signal=heap+72 signal_value=2 signal_adds=1 context=0
	shmem_putmem_signal(AT(32), data, 0, SIGNAL(72), 3, SHMEM_SIGNAL_ADD, right);	// all SHMEM_PUT_SIGNAL peer=right object=heap+32 bytes=0 signal=heap+72 signal_value=3 signal_adds=1 context=0
	shmem_uint64_wait_until(SIGNAL(72), SHMEM_CMP_GE, 5);	// all SHMEM_WAIT_UNTIL object=heap+72 comparison=3 value=5 element_bytes=8
	expect(shmem_signal_fetch(SIGNAL(72)) == 5, __LINE__);	// all SHMEM_ATOMIC_FETCH peer=me object=heap+72 bytes=8 context=0
	shmem_quiet();	// all SHMEM_QUIET context=0
}

static void later_atomics(void)
{
	static long old;

	shmem_barrier_all();	// all SHMEM_BARRIER team=0,1
	shmem_long_atomic_fetch_add_nbi(&old, WORD(80), 7, right);	// all SHMEM_ATOMIC_FETCH_NBI peer=right object=heap+80 bytes=8 context=0
	shmem_quiet();	// all SHMEM_QUIET context=0
	expect(old == 0, __LINE__);
	shmem_barrier_all();	// all SHMEM_BARRIER team=0,1
	shmem_long_atomic_fetch_nbi(&old, WORD(80), right);	// all SHMEM_ATOMIC_FETCH_NBI peer=right object=heap+80 bytes=8 context=0
	shmem_long_atomic_fetch_inc_nbi(&old, WORD(88), right);	// all SHMEM_ATOMIC_FETCH_NBI peer=right object=heap+88 bytes=8 context=0
	shmem_uint_atomic_swap_nbi((unsigned *)&old, (unsigned *)AT(96), 1, right);	// all SHMEM_ATOMIC_FETCH_NBI peer=right object=heap+96 bytes=4 context=0
	shmem_long_atomic_compare_swap_nbi(&old, WORD(104), 0, 1, right);	// all SHMEM_ATOMIC_FETCH_NBI peer=right object=heap+104 bytes=8 context=0
}

/* heap+256 on: ten words, of which the PE itself, as others are, is told. */
static void several(void)
{
	int status[10] = { 1, 0, 0, 1, 1, 0, 1, 1, 0, 0 }, none[10];
	size_t indices[10];
	long values[10];

	memset(none, 1, sizeof none);
	for (int i = 0; i < 10; i++)
		values[i] = i == 6 ? 6 : 99;
	shmem_long_p(WORD(256 + 8), 11, me);	// all SHMEM_P peer=me object=heap+264 bytes=8 context=0
	shmem_long_p(WORD(256 + 16), 12, me);	// all SHMEM_P peer=me object=heap+272 bytes=8 context=0
	shmem_long_p(WORD(256 + 40), 13, me);	// all SHMEM_P peer=me object=heap+296 bytes=8 context=0
	shmem_long_p(WORD(256 + 48), 6, me);	// all SHMEM_P peer=me object=heap+304 bytes=8 context=0
	expect(shmem_long_wait_until_some(WORD(256), 10, indices, NULL, SHMEM_CMP_GT, 5) == 4, __LINE__);	// all SHMEM_WAIT_UNTIL_SOME object=heap+256 comparison=2 value=5 element_bytes=8 elements=10 left_out=0 index=1 index_last=2 index=5 index_last=6 indices=4
	expect(shmem_long_wait_until_some(WORD(256), 10, indices, status, SHMEM_CMP_GT, 5) == 3, __LINE__);	// all SHMEM_WAIT_UNTIL_SOME object=heap+256 comparison=2 value=5 element_bytes=8 elements=10 left_out=5 index=1 index_last=2 index=5 indices=3
	expect(shmem_long_wait_until_any(WORD(256), 10, NULL, SHMEM_CMP_EQ, 13) == 5, __LINE__);	// all SHMEM_WAIT_UNTIL_ANY object=heap+256 comparison=0 value=13 element_bytes=8 elements=10 left_out=0 index=5
	expect(shmem_long_wait_until_any(WORD(256), 10, none, SHMEM_CMP_EQ, 13) == SIZE_MAX, __LINE__);	// all SHMEM_WAIT_UNTIL_ANY object=heap+256 comparison=0 value=13 element_bytes=8 elements=10 left_out=10 index=-1
	shmem_long_wait_until_all(WORD(256), 10, status, SHMEM_CMP_LE, 13);	// all SHMEM_WAIT_UNTIL_ALL object=heap+256 comparison=5 value=13 element_bytes=8 elements=10 left_out=5 index=1 index_last=2 index=5 index=8 index_last=9
	shmem_long_wait_until_all(WORD(256), 3, NULL, SHMEM_CMP_LT, 13);	// all SHMEM_WAIT_UNTIL_ALL object=heap+256 comparison=4 value=13 element_bytes=8 elements=3 left_out=0
	shmem_short_wait_until_all((short *)AT(256), 0, NULL, SHMEM_CMP_NE, 13);	// all SHMEM_WAIT_UNTIL_ALL object=heap+256 comparison=1 value=13 element_bytes=2 elements=0 left_out=0
	expect(shmem_long_test_all(WORD(256), 10, NULL, SHMEM_CMP_GT, 5) == 0, __LINE__);	// all SHMEM_TEST_ALL object=heap+256 comparison=2 value=5 element_bytes=8 elements=10 left_out=0 success=0
	expect(shmem_long_test_all(WORD(264), 2, NULL, SHMEM_CMP_GT, 5) == 1, __LINE__);	// all SHMEM_TEST_ALL object=heap+264 comparison=2 value=5 element_bytes=8 elements=2 left_out=0 success=1
	expect(shmem_long_test_any(WORD(256), 10, NULL, SHMEM_CMP_GT, 50) == SIZE_MAX, __LINE__);	// all SHMEM_TEST_ANY object=heap+256 comparison=2 value=50 element_bytes=8 elements=10 left_out=0 success=0 index=-1
	expect(shmem_long_test_any(WORD(256), 10, status, SHMEM_CMP_GT, 5) == 1, __LINE__);	// all SHMEM_TEST_ANY object=heap+256 comparison=2 value=5 element_bytes=8 elements=10 left_out=5 success=1 index=1
	expect(shmem_long_test_some(WORD(256), 10, indices, NULL, SHMEM_CMP_GT, 50) == 0, __LINE__);	// all SHMEM_TEST_SOME object=heap+256 comparison=2 value=50 element_bytes=8 elements=10 left_out=0 success=0 indices=0
	expect(shmem_long_test_some(WORD(256), 10, indices, NULL, SHMEM_CMP_EQ, 0) == 6, __LINE__);	// all SHMEM_TEST_SOME object=heap+256 comparison=0 value=0 element_bytes=8 elements=10 left_out=0 index=0 index=3 index_last=4 index=7 index_last=9 success=1 indices=6
	expect(shmem_long_wait_until_any_vector(WORD(256), 10, NULL, SHMEM_CMP_EQ, values) == 6, __LINE__);	// all SHMEM_WAIT_UNTIL_ANY object=heap+256 comparison=0 value=99 element_bytes=8 elements=10 left_out=0 index=6
	expect(shmem_long_wait_until_some_vector(WORD(256), 10, indices, status, SHMEM_CMP_LT, values) == 5, __LINE__);	// all SHMEM_WAIT_UNTIL_SOME object=heap+256 comparison=4 value=99 element_bytes=8 elements=10 left_out=5 index=1 index_last=2 index=5 index=8 index_last=9 indices=5
	shmem_long_wait_until_all_vector(WORD(256), 10, NULL, SHMEM_CMP_LE, values);	// all SHMEM_WAIT_UNTIL_ALL object=heap+256 comparison=5 value=99 element_bytes=8 elements=10 left_out=0
	expect(shmem_long_test_all_vector(WORD(256), 10, NULL, SHMEM_CMP_EQ, values) == 0, __LINE__);	// all SHMEM_TEST_ALL object=heap+256 comparison=0 value=99 element_bytes=8 elements=10 left_out=0 success=0
	expect(shmem_long_test_any_vector(WORD(256), 0, NULL, SHMEM_CMP_EQ, NULL) == SIZE_MAX, __LINE__);	// all SHMEM_TEST_ANY object=heap+256 comparison=0 value=0 element_bytes=8 elements=0 left_out=0 success=0 index=-1
	expect(shmem_long_test_some_vector(WORD(256), 10, indices, NULL, SHMEM_CMP_EQ, values) == 1, __LINE__);	// all SHMEM_TEST_SOME object=heap+256 comparison=0 value=99 element_bytes=8 elements=10 left_out=0 index=6 success=1 indices=1
}

/* More runs than an event has room for: 24 are told, and how many words there are. */
static void many(void)
{
	static size_t indices[100];
	static int status[100];

	for (int i = 0; i < 100; i++) {
		WORD(512)[i] = i % 2;
		status[i] = i % 2;
	}
	expect(shmem_long_test_some(WORD(512), 100, indices, NULL, SHMEM_CMP_EQ, 1) == 50, __LINE__);
	expect(shmem_long_test_all(WORD(512), 100, status, SHMEM_CMP_EQ, 0) == 1, __LINE__);
}

static void teams(void)
{
	shmem_team_t other = SHMEM_TEAM_INVALID, alone, x, y;
	shmem_ctx_t ctx;

	expect(shmem_team_sync(SHMEM_TEAM_WORLD) == 0, __LINE__);	// all SHMEM_SYNC team=0,1
	expect(shmem_long_broadcast(SHMEM_TEAM_WORLD, WORD(2048), WORD(0), 4, 1) == 0, __LINE__);	// all SHMEM_BROADCAST team=0,1 root=1 bytes=32@1 bytes_received=32@0
	expect(shmem_broadcastmem(SHMEM_TEAM_WORLD, AT(2048), AT(0), 5, 0) == 0, __LINE__);	// all SHMEM_BROADCAST team=0,1 root=0 bytes=5@0 bytes_received=5@1
	expect(shmem_int_collect(SHMEM_TEAM_WORLD, (int *)AT(2048), (int *)AT(0), 3) == 0, __LINE__);	// all SHMEM_COLLECT bytes=12 team=0,1
	expect(shmem_fcollectmem(SHMEM_TEAM_WORLD, AT(2048), AT(0), 3) == 0, __LINE__);	// all SHMEM_FCOLLECT bytes=3 team=0,1 bytes_received=6
	expect(shmem_long_alltoall(SHMEM_TEAM_WORLD, WORD(2048), WORD(0), 2) == 0, __LINE__);	// all SHMEM_ALLTOALL bytes=32 team=0,1 bytes_received=32
	expect(shmem_alltoallsmem(SHMEM_TEAM_WORLD, AT(2048), AT(0), 2, 1, 2) == 0, __LINE__);	// all SHMEM_ALLTOALLS bytes=4 team=0,1 bytes_received=4 element_bytes=1 elements=2 target_stride=2 source_stride=1
	h[300] = me + 1;
	expect(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, WORD(2048), WORD(2400), 1) == 0 && *WORD(2048) == 3, __LINE__);	// all SHMEM_TO_ALL bytes=8 team=0,1 bytes_received=8
	expect(shmem_team_sync(SHMEM_TEAM_SHARED) == 0, __LINE__);	// all SHMEM_SYNC team=0,1:0
	expect(shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, -1, 2, NULL, 0, &other) == 0, __LINE__);	// all SHMEM_TEAM_SPLIT team=0,1 created=1,0 success=1
	expect(shmem_team_split_strided(other, 0, 1, 1, NULL, 0, &alone) == 0, __LINE__);	// all SHMEM_TEAM_SPLIT team=1,0:0 created=1@1 success=1
	expect((alone == SHMEM_TEAM_INVALID) == (me == 0), __LINE__);
	expect(shmem_int_broadcast(other, (int *)AT(2048), (int *)AT(0), 1, 0) == 0, __LINE__);	// all SHMEM_BROADCAST team=1,0:1 root=1 bytes=4@1 bytes_received=4@0
	expect(shmem_team_sync(SHMEM_TEAM_INVALID) != 0, __LINE__);
	expect(shmem_team_split_2d(SHMEM_TEAM_WORLD, 1, NULL, 0, &x, NULL, 0, &y) == 0, __LINE__);	// all SHMEM_TEAM_SPLIT_2D team=0,1 created=me created_y=0,1 success=1
	expect(shmem_team_sync(y) == 0, __LINE__);	// all SHMEM_SYNC team=0,1:0
	expect(shmem_team_sync(x) == 0, __LINE__);	// all SHMEM_SYNC team=me:0
	expect(shmem_team_create_ctx(other, 0, &ctx) == 0, __LINE__);	// all SHMEM_CTX_CREATE options=0 context=1 success=1
	shmem_ctx_long_p(ctx, WORD(3000), 1, 0);	// all SHMEM_P peer=1 object=heap+3000 bytes=8 context=1
	shmem_ctx_putmem(ctx, AT(3008), AT(0), 4, 1);	// all SHMEM_PUT peer=0 object=heap+3008 bytes=4 context=1
	shmem_ctx_quiet(ctx);	// all SHMEM_QUIET context=1
	shmem_ctx_destroy(ctx);	// all SHMEM_CTX_DESTROY context=1
	shmem_team_destroy(other);	// all SHMEM_TEAM_DESTROY team=1,0:2
}

/* By all PEs, and by each alone. */
static void active_sets(void)
{
	shmem_broadcast64(AT(2048), AT(0), 2, 1, 0, 0, 2, NULL);	// all SHMEM_BROADCAST team=0,1 root=1 bytes=16@1 bytes_received=16@0
	shmem_broadcast64(AT(2048), AT(0), 1, 0, me, 0, 1, NULL);	// all SHMEM_BROADCAST team=me:0 root=me bytes=8 bytes_received=0
}

static void end(void)
{
	shmem_finalize();	// all SHMEM_FINALIZE team=0,1
}

int main(void)
{
	begin();
	signals();
	later_atomics();
	several();
	many();
	teams();
	active_sets();
	end();
	return failures != 0;
}
