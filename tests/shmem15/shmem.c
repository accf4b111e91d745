/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The library of the stand-in: PEs are processes that map one file, SHMEM15_FILE,
 * with a heap for each; SHMEM15_PE of SHMEM15_PES says who one is.  Everything is
 * done at once; every function has its profiling name, and the other weakly.
 */
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shmem.h"

enum { PES_MAX = 8, HEAP_BYTES = 1 << 20, CONTROL_BYTES = 1 << 16 };

struct shmem_team {
	int n, me, member[PES_MAX];
};
struct shmem_ctx {
	shmem_team_t team;
};

/* arrived[a][b]: how many times a has met b. */
static struct control {
	_Atomic int arrived[PES_MAX][PES_MAX];
} * control;
static int met[PES_MAX], me, n_pes;
static char *heaps;
static size_t used;
static struct shmem_team world, shared;

shmem_team_t SHMEM_TEAM_WORLD = &world, SHMEM_TEAM_SHARED = &shared;

static char *heap_of(int pe)
{
	return heaps + (size_t)pe * HEAP_BYTES;
}

static int in_heap(const void *address)
{
	return (const char *)address >= heap_of(me) && (const char *)address < heap_of(me) + HEAP_BYTES;
}

/* Where the same object is on another PE. */
static void *at(shmem_ctx_t ctx, const void *address, int pe)
{
	if (ctx)
		pe = ctx->team->member[pe];
	if (!in_heap(address)) {
		fprintf(stderr, "PE %d: %p is not symmetric\n", me, address);
		abort();
	}
	return heap_of(pe) + ((const char *)address - heap_of(me));
}

static void start(void)
{
	const int fd = open(getenv("SHMEM15_FILE"), O_RDWR);
	const size_t bytes = CONTROL_BYTES + (size_t)PES_MAX * HEAP_BYTES;

	me = atoi(getenv("SHMEM15_PE"));
	n_pes = atoi(getenv("SHMEM15_PES"));
	control = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (control == MAP_FAILED) {
		perror("SHMEM15_FILE");
		abort();
	}
	close(fd);
	heaps = (char *)control + CONTROL_BYTES;
	world.n = n_pes;
	world.me = me;
	for (int i = 0; i < n_pes; i++)
		world.member[i] = i;
	shared = world;
}

/* All members are here. */
static void meet(shmem_team_t team)
{
	for (int i = 0; i < team->n; i++)
		if (team->member[i] != me)
			atomic_fetch_add(&control->arrived[me][team->member[i]], 1);
	for (int i = 0; i < team->n; i++) {
		const int other = team->member[i];

		if (other == me)
			continue;
		met[other]++;
		while (atomic_load(&control->arrived[other][me]) < met[other])
			sched_yield();
	}
}

static void copy(void *to, const void *from, size_t bytes)
{
	memmove(to, from, bytes);
	atomic_thread_fence(memory_order_seq_cst);
}

static void strided(char *to, const char *from, ptrdiff_t dst, ptrdiff_t sst, size_t n, size_t size)
{
	for (size_t i = 0; i < n; i++)
		copy(to + (ptrdiff_t)i * dst * (ptrdiff_t)size, from + (ptrdiff_t)i * sst * (ptrdiff_t)size, size);
}

static void signal_pe(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t value, int op, int pe)
{
	uint64_t *word = at(ctx, sig_addr, pe);

	if (op == SHMEM_SIGNAL_ADD)
		__atomic_fetch_add(word, value, __ATOMIC_SEQ_CST);
	else
		__atomic_store_n(word, value, __ATOMIC_SEQ_CST);
}

/* --- collectives of n elements of a size, block by block ------------------- */

/* Each member's block of `from`, its `which`-th, to its place in `to`. */
static int gather(shmem_team_t team, void *to, const void *from, size_t bytes, size_t which)
{
	if (!team)
		return -1;
	meet(team);
	for (int i = 0; i < team->n; i++)
		copy((char *)to + (size_t)i * bytes, (char *)at(NULL, from, team->member[i]) + which * bytes, bytes);
	meet(team);
	return 0;
}

static int broadcast(shmem_team_t team, void *to, const void *from, size_t bytes, int root)
{
	if (!team)
		return -1;
	meet(team);
	copy(to, at(NULL, from, team->member[root]), bytes);
	meet(team);
	return 0;
}

/* --- functions ------------------------------------------------------------- */

#define DEFINE(R, NAME, P)                                              \
	extern R shmem_##NAME P __attribute__((weak, alias("pshmem_" #NAME))); \
	R pshmem_##NAME P

DEFINE(void, init, (void))
{
	start();
}
DEFINE(int, init_thread, (int requested, int *provided))
{
	*provided = requested;
	start();
	return 0;
}
void start_pes(int npes) __attribute__((weak, alias("pstart_pes")));
void pstart_pes(int npes)
{
	(void)npes;
	start();
}
DEFINE(void, finalize, (void))
{
	meet(&world);
}
DEFINE(void, global_exit, (int status))
{
	_exit(status);
}
DEFINE(int, my_pe, (void))
{
	return me;
}
DEFINE(int, n_pes, (void))
{
	return n_pes;
}
DEFINE(int, pe_accessible, (int pe))
{
	return pe >= 0 && pe < n_pes;
}
DEFINE(int, addr_accessible, (const void *addr, int pe))
{
	return pe >= 0 && pe < n_pes && in_heap(addr);
}
DEFINE(void *, ptr, (const void *dest, int pe))
{
	return at(NULL, dest, pe);
}
DEFINE(void, info_get_version, (int *major, int *minor))
{
	*major = 1;
	*minor = 5;
}
DEFINE(void, info_get_name, (char *name))
{
	strcpy(name, "stand-in");
}
DEFINE(void, query_thread, (int *provided))
{
	*provided = SHMEM_THREAD_SINGLE;
}
DEFINE(void, pcontrol, (int level, ...))
{
	(void)level;
}
static void *allocate(size_t size)
{
	void *block = heap_of(me) + used;

	used += (size + 63) / 64 * 64;
	meet(&world);
	return block;
}
DEFINE(void *, malloc, (size_t size))
{
	return allocate(size);
}
DEFINE(void *, malloc_with_hints, (size_t size, long hints))
{
	(void)hints;
	return allocate(size);
}
DEFINE(void *, calloc, (size_t count, size_t size))
{
	return allocate(count * size);
}
DEFINE(void *, align, (size_t alignment, size_t size))
{
	(void)alignment;
	return allocate(size);
}
DEFINE(void *, realloc, (void *ptr, size_t size))
{
	(void)ptr;
	return allocate(size);
}
DEFINE(void, free, (void *ptr))
{
	(void)ptr;
	meet(&world);
}
/* A lock is PE 0's copy of it. */
static int take(long *lock)
{
	long is_free = 0;

	return __atomic_compare_exchange_n((long *)at(NULL, lock, 0), &is_free, me + 1, 0, __ATOMIC_SEQ_CST,
					   __ATOMIC_SEQ_CST);
}
DEFINE(void, set_lock, (long *lock))
{
	while (!take(lock))
		sched_yield();
}
DEFINE(int, test_lock, (long *lock))
{
	return !take(lock);
}
DEFINE(void, clear_lock, (long *lock))
{
	__atomic_store_n((long *)at(NULL, lock, 0), 0, __ATOMIC_SEQ_CST);
}
DEFINE(void, fence, (void))
{
}
DEFINE(void, ctx_fence, (shmem_ctx_t ctx))
{
	(void)ctx;
}
DEFINE(void, quiet, (void))
{
}
DEFINE(void, ctx_quiet, (shmem_ctx_t ctx))
{
	(void)ctx;
}
DEFINE(void, barrier_all, (void))
{
	meet(&world);
}
DEFINE(void, sync_all, (void))
{
	meet(&world);
}

/* --- contexts and teams ---------------------------------------------------- */

DEFINE(int, team_create_ctx, (shmem_team_t team, long options, shmem_ctx_t *ctx))
{
	(void)options;
	if (!team)
		return -1;
	*ctx = malloc(sizeof **ctx);
	(*ctx)->team = team;
	return 0;
}
DEFINE(int, ctx_create, (long options, shmem_ctx_t *ctx))
{
	return pshmem_team_create_ctx(&world, options, ctx);
}
DEFINE(void, ctx_destroy, (shmem_ctx_t ctx))
{
	free(ctx);
}
DEFINE(int, ctx_get_team, (shmem_ctx_t ctx, shmem_team_t *team))
{
	*team = ctx ? ctx->team : &world;
	return 0;
}
DEFINE(int, team_my_pe, (shmem_team_t team))
{
	return team ? team->me : -1;
}
DEFINE(int, team_n_pes, (shmem_team_t team))
{
	return team ? team->n : -1;
}
DEFINE(int, team_get_config, (shmem_team_t team, long mask, shmem_team_config_t *config))
{
	(void)mask;
	config->num_contexts = 0;
	return team ? 0 : -1;
}
DEFINE(int, team_translate_pe, (shmem_team_t from, int pe, shmem_team_t to))
{
	for (int i = 0; from && to && pe >= 0 && pe < from->n && i < to->n; i++)
		if (to->member[i] == from->member[pe])
			return i;
	return -1;
}
/* NULL where the PE is not in it. */
static shmem_team_t team_of(const int *members, int n)
{
	shmem_team_t t = calloc(1, sizeof *t);

	t->me = -1;
	for (t->n = 0; t->n < n; t->n++) {
		t->member[t->n] = members[t->n];
		if (members[t->n] == me)
			t->me = t->n;
	}
	if (t->me >= 0)
		return t;
	free(t);
	return NULL;
}
DEFINE(int, team_split_strided,
       (shmem_team_t parent, int start, int stride, int size, const shmem_team_config_t *config, long mask,
	shmem_team_t *team))
{
	int members[PES_MAX];

	(void)config;
	(void)mask;
	*team = NULL;
	if (!parent || start + (size - 1) * stride >= parent->n)
		return -1;
	for (int i = 0; i < size; i++)
		members[i] = parent->member[start + i * stride];
	*team = team_of(members, size);
	meet(parent);
	return 0;
}
DEFINE(int, team_split_2d,
       (shmem_team_t parent, int xrange, const shmem_team_config_t *xconfig, long xmask, shmem_team_t *xteam,
	const shmem_team_config_t *yconfig, long ymask, shmem_team_t *yteam))
{
	int x[PES_MAX], y[PES_MAX], nx = 0, ny = 0;

	(void)xconfig;
	(void)yconfig;
	(void)xmask;
	(void)ymask;
	for (int i = 0; i < parent->n; i++) {
		if (i / xrange == parent->me / xrange)
			x[nx++] = parent->member[i];
		if (i % xrange == parent->me % xrange)
			y[ny++] = parent->member[i];
	}
	*xteam = team_of(x, nx);
	*yteam = team_of(y, ny);
	meet(parent);
	return 0;
}
DEFINE(void, team_destroy, (shmem_team_t team))
{
	if (team == &world || !team)
		return;
	meet(team);
	free(team);
}
DEFINE(int, team_sync, (shmem_team_t team))
{
	if (!team)
		return -1;
	meet(team);
	return 0;
}

/* --- memory ---------------------------------------------------------------- */

#define PUT_ONE(CTX, SIZE) copy(at(CTX, dest, pe), source, n *(SIZE))
#define SIGNAL(CTX)	   signal_pe(CTX, sig_addr, signal, sig_op, pe)
#define DEFINE_PUT(T, PUT, SIZE)                                                                        \
	DEFINE(void, PUT, (T * dest, const T *source, size_t n, int pe)) { PUT_ONE(NULL, SIZE); }       \
	DEFINE(void, ctx_##PUT, (shmem_ctx_t ctx, T * dest, const T *source, size_t n, int pe))         \
	{                                                                                               \
		PUT_ONE(ctx, SIZE);                                                                     \
	}                                                                                               \
	DEFINE(void, PUT##_nbi, (T * dest, const T *source, size_t n, int pe)) { PUT_ONE(NULL, SIZE); } \
	DEFINE(void, ctx_##PUT##_nbi, (shmem_ctx_t ctx, T * dest, const T *source, size_t n, int pe))   \
	{                                                                                               \
		PUT_ONE(ctx, SIZE);                                                                     \
	}                                                                                               \
	DEFINE(void, PUT##_signal, (T * dest, const T *source, size_t n, SHMEM_SIGNALLED))              \
	{                                                                                               \
		PUT_ONE(NULL, SIZE);                                                                    \
		SIGNAL(NULL);                                                                           \
	}                                                                                               \
	DEFINE(void, ctx_##PUT##_signal,                                                                \
	       (shmem_ctx_t ctx, T * dest, const T *source, size_t n, SHMEM_SIGNALLED))                 \
	{                                                                                               \
		PUT_ONE(ctx, SIZE);                                                                     \
		SIGNAL(ctx);                                                                            \
	}                                                                                               \
	DEFINE(void, PUT##_signal_nbi, (T * dest, const T *source, size_t n, SHMEM_SIGNALLED))          \
	{                                                                                               \
		PUT_ONE(NULL, SIZE);                                                                    \
		SIGNAL(NULL);                                                                           \
	}                                                                                               \
	DEFINE(void, ctx_##PUT##_signal_nbi,                                                            \
	       (shmem_ctx_t ctx, T * dest, const T *source, size_t n, SHMEM_SIGNALLED))                 \
	{                                                                                               \
		PUT_ONE(ctx, SIZE);                                                                     \
		SIGNAL(ctx);                                                                            \
	}
#define GET_ONE(CTX, SIZE) copy(dest, at(CTX, source, pe), n *(SIZE))
#define DEFINE_GET(T, GET, SIZE)                                                                        \
	DEFINE(void, GET, (T * dest, const T *source, size_t n, int pe)) { GET_ONE(NULL, SIZE); }       \
	DEFINE(void, ctx_##GET, (shmem_ctx_t ctx, T * dest, const T *source, size_t n, int pe))         \
	{                                                                                               \
		GET_ONE(ctx, SIZE);                                                                     \
	}                                                                                               \
	DEFINE(void, GET##_nbi, (T * dest, const T *source, size_t n, int pe)) { GET_ONE(NULL, SIZE); } \
	DEFINE(void, ctx_##GET##_nbi, (shmem_ctx_t ctx, T * dest, const T *source, size_t n, int pe))   \
	{                                                                                               \
		GET_ONE(ctx, SIZE);                                                                     \
	}
#define DEFINE_STRIDED(T, PUT, GET, SIZE)                                                                      \
	DEFINE(void, PUT, (T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe))         \
	{                                                                                                      \
		strided(at(NULL, dest, pe), (const char *)source, dst, sst, n, SIZE);                          \
	}                                                                                                      \
	DEFINE(void, ctx_##PUT,                                                                                \
	       (shmem_ctx_t ctx, T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe))   \
	{                                                                                                      \
		strided(at(ctx, dest, pe), (const char *)source, dst, sst, n, SIZE);                           \
	}                                                                                                      \
	DEFINE(void, GET, (T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe))         \
	{                                                                                                      \
		strided((char *)dest, at(NULL, source, pe), dst, sst, n, SIZE);                                \
	}                                                                                                      \
	DEFINE(void, ctx_##GET,                                                                                \
	       (shmem_ctx_t ctx, T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe))   \
	{                                                                                                      \
		strided((char *)dest, at(ctx, source, pe), dst, sst, n, SIZE);                                 \
	}
#define DEFINE_COLLECTIVE(T, SIZE, BROADCAST, COLLECT, FCOLLECT, ALLTOALL, ALLTOALLS)                            \
	DEFINE(int, BROADCAST, (shmem_team_t team, T * dest, const T *source, size_t n, int root))               \
	{                                                                                                        \
		return broadcast(team, dest, source, n *(SIZE), root);                                           \
	}                                                                                                        \
	DEFINE(int, COLLECT, (shmem_team_t team, T * dest, const T *source, size_t n))                           \
	{                                                                                                        \
		return gather(team, dest, source, n *(SIZE), 0);                                                 \
	}                                                                                                        \
	DEFINE(int, FCOLLECT, (shmem_team_t team, T * dest, const T *source, size_t n))                          \
	{                                                                                                        \
		return gather(team, dest, source, n *(SIZE), 0);                                                 \
	}                                                                                                        \
	DEFINE(int, ALLTOALL, (shmem_team_t team, T * dest, const T *source, size_t n))                          \
	{                                                                                                        \
		return gather(team, dest, source, n *(SIZE), team ? (size_t)team->me : 0);                       \
	}                                                                                                        \
	DEFINE(int, ALLTOALLS,                                                                                   \
	       (shmem_team_t team, T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t n))           \
	{                                                                                                        \
		(void)dst;                                                                                       \
		(void)sst;                                                                                       \
		return gather(team, dest, source, n *(SIZE), team ? (size_t)team->me : 0);                       \
	}
#define DEFINE_REDUCTION(NAME, T, COMBINED)                                                 \
	DEFINE(int, NAME, (shmem_team_t team, T * dest, const T *source, size_t n))         \
	{                                                                                   \
		if (!team)                                                                  \
			return -1;                                                          \
		meet(team);                                                                 \
		for (size_t i = 0; i < n; i++) {                                            \
			T so_far = ((T *)at(NULL, source, team->member[0]))[i];             \
                                                                                            \
			for (int k = 1; k < team->n; k++) {                                 \
				const T one = ((T *)at(NULL, source, team->member[k]))[i];  \
                                                                                            \
				so_far = (T)(COMBINED);                                     \
			}                                                                   \
			dest[i] = so_far;                                                   \
		}                                                                           \
		meet(team);                                                                 \
		return 0;                                                                   \
	}
#define DEFINE_RMA(N, T)                                                                            \
	DEFINE_PUT(T, N##_put, sizeof(T))                                                           \
	DEFINE_GET(T, N##_get, sizeof(T))                                                           \
	DEFINE_STRIDED(T, N##_iput, N##_iget, sizeof(T))                                            \
	DEFINE_COLLECTIVE(T, sizeof(T), N##_broadcast, N##_collect, N##_fcollect, N##_alltoall,     \
			  N##_alltoalls)                                                            \
	DEFINE(void, N##_p, (T * dest, T value, int pe)) { copy(at(NULL, dest, pe), &value, sizeof value); } \
	DEFINE(void, ctx_##N##_p, (shmem_ctx_t ctx, T * dest, T value, int pe))                     \
	{                                                                                           \
		copy(at(ctx, dest, pe), &value, sizeof value);                                      \
	}                                                                                           \
	DEFINE(T, N##_g, (const T *source, int pe)) { return *(T *)at(NULL, source, pe); }          \
	DEFINE(T, ctx_##N##_g, (shmem_ctx_t ctx, const T *source, int pe)) { return *(T *)at(ctx, source, pe); } \
	DEFINE_REDUCTION(N##_sum_reduce, T, so_far + one)                                           \
	DEFINE_REDUCTION(N##_max_reduce, T, so_far > one ? so_far : one)
#define DEFINE_BITS(B, SIZE)                          \
	DEFINE_PUT(void, put##B, (size_t)SIZE)        \
	DEFINE_GET(void, get##B, (size_t)SIZE)        \
	DEFINE_STRIDED(void, iput##B, iget##B, (size_t)SIZE)
SHMEM_RMA_TYPES(DEFINE_RMA)
SHMEM_BITS(DEFINE_BITS)
DEFINE_PUT(void, putmem, 1)
DEFINE_GET(void, getmem, 1)
DEFINE_COLLECTIVE(void, 1, broadcastmem, collectmem, fcollectmem, alltoallmem, alltoallsmem)

/* --- atomics --------------------------------------------------------------- */

#define WORD(T, CTX, ADDRESS) ((T *)at(CTX, ADDRESS, pe))
#define ADD(T, CTX, V)	      __atomic_fetch_add(WORD(T, CTX, dest), V, __ATOMIC_SEQ_CST)
#define XOR(T, CTX, V)	      __atomic_fetch_xor(WORD(T, CTX, dest), V, __ATOMIC_SEQ_CST)
#define LOAD(T, CTX)	      __atomic_load_n(WORD(T, CTX, source), __ATOMIC_SEQ_CST)
#define SWAP(T, CTX, V)	      __atomic_exchange_n(WORD(T, CTX, dest), V, __ATOMIC_SEQ_CST)
#define DEFINE_AMO(N, T)                                                                                     \
	DEFINE(T, N##_atomic_fetch, (const T *source, int pe)) { return LOAD(T, NULL); }                     \
	DEFINE(T, ctx_##N##_atomic_fetch, (shmem_ctx_t ctx, const T *source, int pe)) { return LOAD(T, ctx); } \
	DEFINE(void, N##_atomic_set, (T * dest, T value, int pe)) { SWAP(T, NULL, value); }                  \
	DEFINE(T, N##_atomic_swap, (T * dest, T value, int pe)) { return SWAP(T, NULL, value); }             \
	static T swap_if_##N(T *word, T cond, T value)                                                       \
	{                                                                                                    \
		__atomic_compare_exchange_n(word, &cond, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);      \
		return cond;                                                                                 \
	}                                                                                                    \
	DEFINE(T, N##_atomic_compare_swap, (T * dest, T cond, T value, int pe))                              \
	{                                                                                                    \
		return swap_if_##N(WORD(T, NULL, dest), cond, value);                                        \
	}                                                                                                    \
	DEFINE(void, N##_atomic_inc, (T * dest, int pe)) { ADD(T, NULL, 1); }                                \
	DEFINE(void, N##_atomic_add, (T * dest, T value, int pe)) { ADD(T, NULL, value); }                   \
	DEFINE(T, N##_atomic_fetch_inc, (T * dest, int pe)) { return ADD(T, NULL, 1); }                      \
	DEFINE(T, N##_atomic_fetch_add, (T * dest, T value, int pe)) { return ADD(T, NULL, value); }         \
	DEFINE(T, N##_atomic_fetch_xor, (T * dest, T value, int pe)) { return XOR(T, NULL, value); }         \
	DEFINE(void, N##_atomic_xor, (T * dest, T value, int pe)) { XOR(T, NULL, value); }                   \
	DEFINE(void, N##_atomic_fetch_nbi, (T * fetch, const T *source, int pe)) { *fetch = LOAD(T, NULL); } \
	DEFINE(void, ctx_##N##_atomic_fetch_nbi, (shmem_ctx_t ctx, T * fetch, const T *source, int pe))      \
	{                                                                                                    \
		*fetch = LOAD(T, ctx);                                                                       \
	}                                                                                                    \
	DEFINE(void, N##_atomic_swap_nbi, (T * fetch, T * dest, T value, int pe)) { *fetch = SWAP(T, NULL, value); } \
	DEFINE(void, N##_atomic_compare_swap_nbi, (T * fetch, T * dest, T cond, T value, int pe))            \
	{                                                                                                    \
		*fetch = swap_if_##N(WORD(T, NULL, dest), cond, value);                                      \
	}                                                                                                    \
	DEFINE(void, N##_atomic_fetch_inc_nbi, (T * fetch, T * dest, int pe)) { *fetch = ADD(T, NULL, 1); }  \
	DEFINE(void, N##_atomic_fetch_add_nbi, (T * fetch, T * dest, T value, int pe)) { *fetch = ADD(T, NULL, value); } \
	DEFINE(void, ctx_##N##_atomic_fetch_add_nbi, (shmem_ctx_t ctx, T * fetch, T * dest, T value, int pe)) \
	{                                                                                                    \
		*fetch = ADD(T, ctx, value);                                                                 \
	}                                                                                                    \
	DEFINE(void, N##_atomic_fetch_xor_nbi, (T * fetch, T * dest, T value, int pe)) { *fetch = XOR(T, NULL, value); }
SHMEM_AMO_TYPES(DEFINE_AMO)

/* --- waiting --------------------------------------------------------------- */

#define HOLDS(A, CMP, B)                \
	((CMP) == SHMEM_CMP_EQ   ? (A) == (B) \
	 : (CMP) == SHMEM_CMP_NE ? (A) != (B) \
	 : (CMP) == SHMEM_CMP_GT ? (A) > (B)  \
	 : (CMP) == SHMEM_CMP_GE ? (A) >= (B) \
	 : (CMP) == SHMEM_CMP_LT ? (A) < (B)  \
				 : (A) <= (B))

/* Which of the words hold, at most so many of them; *looked: how many there are
   to look at.  values: one of each word, or (step 0) of all. */
#define DEFINE_SYNC(N, T)                                                                                           \
	static size_t look_##N(T *ivars, size_t n, size_t *indices, size_t most, const int *status, int cmp,        \
			       const T *values, size_t step, size_t *looked)                                        \
	{                                                                                                           \
		size_t found = 0;                                                                                   \
                                                                                                                    \
		*looked = 0;                                                                                        \
		for (size_t i = 0; i < n; i++) {                                                                    \
			const T word = __atomic_load_n(&ivars[i], __ATOMIC_SEQ_CST);                                \
                                                                                                                    \
			if (status && status[i])                                                                    \
				continue;                                                                           \
			++*looked;                                                                                  \
			if (found < most && HOLDS(word, cmp, values[i * step]))                                     \
				indices[found++] = i;                                                               \
		}                                                                                                   \
		return found;                                                                                       \
	}                                                                                                           \
	/* some: as many as there are; else one. */                                                                 \
	static size_t some_##N(T *ivars, size_t n, size_t *indices, size_t most, const int *status, int cmp,        \
			       const T *values, size_t step, int waits)                                             \
	{                                                                                                           \
		size_t looked, found;                                                                               \
                                                                                                                    \
		while (!(found = look_##N(ivars, n, indices, most, status, cmp, values, step, &looked)) && waits && \
		       looked)                                                                                      \
			sched_yield();                                                                              \
		return found;                                                                                       \
	}                                                                                                           \
	static int all_##N(T *ivars, size_t n, const int *status, int cmp, const T *values, size_t step, int waits) \
	{                                                                                                           \
		size_t looked, *indices = malloc((n + 1) * sizeof *indices), found;                                 \
                                                                                                                    \
		while ((found = look_##N(ivars, n, indices, n, status, cmp, values, step, &looked)) < looked &&     \
		       waits)                                                                                       \
			sched_yield();                                                                              \
		free(indices);                                                                                      \
		return found == looked;                                                                             \
	}                                                                                                           \
	static size_t any_##N(T *ivars, size_t n, const int *status, int cmp, const T *values, size_t step, int waits) \
	{                                                                                                           \
		size_t index = SIZE_MAX;                                                                            \
                                                                                                                    \
		some_##N(ivars, n, &index, 1, status, cmp, values, step, waits);                                    \
		return index;                                                                                       \
	}                                                                                                           \
	DEFINE(void, N##_wait_until, (T * ivar, int cmp, T value)) { all_##N(ivar, 1, NULL, cmp, &value, 0, 1); }   \
	DEFINE(int, N##_test, (T * ivar, int cmp, T value)) { return all_##N(ivar, 1, NULL, cmp, &value, 0, 0); }   \
	DEFINE_SEVERAL(N, T, , T value, &value, 0)                                                                  \
	DEFINE_SEVERAL(N, T, _vector, T *values, values, 1)
#define DEFINE_SEVERAL(N, T, SUFFIX, PARAMETER, VALUES, STEP)                                                    \
	DEFINE(void, N##_wait_until_all##SUFFIX, (SHMEM_WORDS(T), const int *status, int cmp, PARAMETER))        \
	{                                                                                                        \
		all_##N(ivars, n, status, cmp, VALUES, STEP, 1);                                                 \
	}                                                                                                        \
	DEFINE(size_t, N##_wait_until_any##SUFFIX, (SHMEM_WORDS(T), const int *status, int cmp, PARAMETER))      \
	{                                                                                                        \
		return any_##N(ivars, n, status, cmp, VALUES, STEP, 1);                                          \
	}                                                                                                        \
	DEFINE(size_t, N##_wait_until_some##SUFFIX,                                                              \
	       (SHMEM_WORDS(T), size_t *indices, const int *status, int cmp, PARAMETER))                         \
	{                                                                                                        \
		return some_##N(ivars, n, indices, n, status, cmp, VALUES, STEP, 1);                             \
	}                                                                                                        \
	DEFINE(int, N##_test_all##SUFFIX, (SHMEM_WORDS(T), const int *status, int cmp, PARAMETER))               \
	{                                                                                                        \
		return all_##N(ivars, n, status, cmp, VALUES, STEP, 0);                                          \
	}                                                                                                        \
	DEFINE(size_t, N##_test_any##SUFFIX, (SHMEM_WORDS(T), const int *status, int cmp, PARAMETER))            \
	{                                                                                                        \
		return any_##N(ivars, n, status, cmp, VALUES, STEP, 0);                                          \
	}                                                                                                        \
	DEFINE(size_t, N##_test_some##SUFFIX,                                                                    \
	       (SHMEM_WORDS(T), size_t *indices, const int *status, int cmp, PARAMETER))                         \
	{                                                                                                        \
		return some_##N(ivars, n, indices, n, status, cmp, VALUES, STEP, 0);                             \
	}
SHMEM_SYNC_TYPES(DEFINE_SYNC)

DEFINE(uint64_t, signal_fetch, (const uint64_t *sig_addr))
{
	return __atomic_load_n(sig_addr, __ATOMIC_SEQ_CST);
}
DEFINE(uint64_t, signal_wait_until, (uint64_t * sig_addr, int cmp, uint64_t cmp_value))
{
	all_uint64(sig_addr, 1, NULL, cmp, &cmp_value, 0, 1);
	return *sig_addr;
}
