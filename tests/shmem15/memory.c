/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts, gets and collectives: of memory that all map. */
#include <stdatomic.h>
#include <string.h>

#include "library.h"

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
	uint64_t *word = shmem15_at(ctx, sig_addr, pe);

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
	shmem15_meet(team);
	for (int i = 0; i < team->n; i++)
		copy((char *)to + (size_t)i * bytes, (char *)shmem15_at(NULL, from, team->member[i]) + which * bytes, bytes);
	shmem15_meet(team);
	return 0;
}

static int broadcast(shmem_team_t team, void *to, const void *from, size_t bytes, int root)
{
	if (!team)
		return -1;
	shmem15_meet(team);
	copy(to, shmem15_at(NULL, from, team->member[root]), bytes);
	shmem15_meet(team);
	return 0;
}

/* The one collective of active sets. */
DEFINE(void, broadcast64,
       (void *dest, const void *source, size_t n, int root, int first, int log_stride, int size, long *work))
{
	struct shmem_team set = { .n = size };

	(void)work;
	for (int i = 0; i < size; i++)
		set.member[i] = first + (i << log_stride);
	broadcast(&set, dest, source, 8 * n, root);
}

/* --- functions ------------------------------------------------------------- */

#define PUT_ONE(CTX, SIZE) copy(shmem15_at(CTX, dest, pe), source, n *(SIZE))
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
#define GET_ONE(CTX, SIZE) copy(dest, shmem15_at(CTX, source, pe), n *(SIZE))
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
		strided(shmem15_at(NULL, dest, pe), (const char *)source, dst, sst, n, SIZE);                          \
	}                                                                                                      \
	DEFINE(void, ctx_##PUT,                                                                                \
	       (shmem_ctx_t ctx, T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe))   \
	{                                                                                                      \
		strided(shmem15_at(ctx, dest, pe), (const char *)source, dst, sst, n, SIZE);                           \
	}                                                                                                      \
	DEFINE(void, GET, (T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe))         \
	{                                                                                                      \
		strided((char *)dest, shmem15_at(NULL, source, pe), dst, sst, n, SIZE);                                \
	}                                                                                                      \
	DEFINE(void, ctx_##GET,                                                                                \
	       (shmem_ctx_t ctx, T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe))   \
	{                                                                                                      \
		strided((char *)dest, shmem15_at(ctx, source, pe), dst, sst, n, SIZE);                                 \
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
		shmem15_meet(team);                                                                 \
		for (size_t i = 0; i < n; i++) {                                            \
			T so_far = ((T *)shmem15_at(NULL, source, team->member[0]))[i];             \
                                                                                            \
			for (int k = 1; k < team->n; k++) {                                 \
				const T one = ((T *)shmem15_at(NULL, source, team->member[k]))[i];  \
                                                                                            \
				so_far = (T)(COMBINED);                                     \
			}                                                                   \
			dest[i] = so_far;                                                   \
		}                                                                           \
		shmem15_meet(team);                                                                 \
		return 0;                                                                   \
	}
#define DEFINE_RMA(N, T)                                                                            \
	DEFINE_PUT(T, N##_put, sizeof(T))                                                           \
	DEFINE_GET(T, N##_get, sizeof(T))                                                           \
	DEFINE_STRIDED(T, N##_iput, N##_iget, sizeof(T))                                            \
	DEFINE_COLLECTIVE(T, sizeof(T), N##_broadcast, N##_collect, N##_fcollect, N##_alltoall,     \
			  N##_alltoalls)                                                            \
	DEFINE(void, N##_p, (T * dest, T value, int pe)) { copy(shmem15_at(NULL, dest, pe), &value, sizeof value); } \
	DEFINE(void, ctx_##N##_p, (shmem_ctx_t ctx, T * dest, T value, int pe))                     \
	{                                                                                           \
		copy(shmem15_at(ctx, dest, pe), &value, sizeof value);                                      \
	}                                                                                           \
	DEFINE(T, N##_g, (const T *source, int pe)) { return *(T *)shmem15_at(NULL, source, pe); }          \
	DEFINE(T, ctx_##N##_g, (shmem_ctx_t ctx, const T *source, int pe)) { return *(T *)shmem15_at(ctx, source, pe); } \
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
