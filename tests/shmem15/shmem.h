/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A stand-in for an OpenSHMEM 1.5: its prototypes, written from the
 * specification, in the way of those implementations that make theirs of
 * lists of types.  shmem.c is its library.
 */
#ifndef SHMEM_H
#define SHMEM_H

#include <stddef.h>
#include <stdint.h>

#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION 5
#define SHMEM_MAX_NAME_LEN  64

enum { SHMEM_THREAD_SINGLE, SHMEM_THREAD_FUNNELED, SHMEM_THREAD_SERIALIZED, SHMEM_THREAD_MULTIPLE };
/* Not in the order of the log's numbers. */
enum { SHMEM_CMP_LE = 11, SHMEM_CMP_LT, SHMEM_CMP_GE, SHMEM_CMP_GT, SHMEM_CMP_NE, SHMEM_CMP_EQ };
enum { SHMEM_SIGNAL_SET = 7, SHMEM_SIGNAL_ADD = 9 };

typedef struct shmem_ctx *shmem_ctx_t;
typedef struct shmem_team *shmem_team_t;
typedef struct {
	int num_contexts;
} shmem_team_config_t;

extern shmem_team_t SHMEM_TEAM_WORLD, SHMEM_TEAM_SHARED;
#define SHMEM_TEAM_INVALID ((shmem_team_t)0)
#define SHMEM_CTX_DEFAULT  ((shmem_ctx_t)0)

#define SHMEM_RMA_TYPES(X)                                                              \
	X(float, float) X(double, double) X(longdouble, long double) X(char, char)      \
	X(schar, signed char) X(short, short) X(int, int) X(long, long)                 \
	X(longlong, long long) X(uchar, unsigned char) X(ushort, unsigned short)        \
	X(uint, unsigned) X(ulong, unsigned long) X(ulonglong, unsigned long long)      \
	X(int8, int8_t) X(int16, int16_t) X(int32, int32_t) X(int64, int64_t)           \
	X(uint8, uint8_t) X(uint16, uint16_t) X(uint32, uint32_t) X(uint64, uint64_t)   \
	X(size, size_t) X(ptrdiff, ptrdiff_t)
#define SHMEM_AMO_TYPES(X)                                                              \
	X(int, int) X(long, long) X(longlong, long long) X(uint, unsigned)              \
	X(ulong, unsigned long) X(ulonglong, unsigned long long) X(int32, int32_t)      \
	X(int64, int64_t) X(uint32, uint32_t) X(uint64, uint64_t) X(size, size_t)       \
	X(ptrdiff, ptrdiff_t)
#define SHMEM_SYNC_TYPES(X) SHMEM_AMO_TYPES(X) X(short, short) X(ushort, unsigned short)
#define SHMEM_BITS(X)	    X(8, 1) X(16, 2) X(32, 4) X(64, 8) X(128, 16)

/* F(result, name, (parameters)) of each function. */
#define SHMEM_EACH(F)                                                                         \
	F(void, init, (void))                                                                 \
	F(int, init_thread, (int requested, int *provided))                                   \
	F(void, finalize, (void))                                                             \
	F(void, global_exit, (int status))                                                    \
	F(int, my_pe, (void))                                                                 \
	F(int, n_pes, (void))                                                                 \
	F(int, pe_accessible, (int pe))                                                       \
	F(int, addr_accessible, (const void *addr, int pe))                                   \
	F(void *, ptr, (const void *dest, int pe))                                            \
	F(void, info_get_version, (int *major, int *minor))                                   \
	F(void, info_get_name, (char *name))                                                  \
	F(void, query_thread, (int *provided))                                                \
	F(void, pcontrol, (int level, ...))                                                   \
	F(void *, malloc, (size_t size))                                                      \
	F(void *, malloc_with_hints, (size_t size, long hints))                               \
	F(void *, calloc, (size_t count, size_t size))                                        \
	F(void *, align, (size_t alignment, size_t size))                                     \
	F(void *, realloc, (void *ptr, size_t size))                                          \
	F(void, free, (void *ptr))                                                            \
	F(void, set_lock, (long *lock))                                                       \
	F(int, test_lock, (long *lock))                                                       \
	F(void, clear_lock, (long *lock))                                                     \
	F(void, fence, (void))                                                                \
	F(void, ctx_fence, (shmem_ctx_t ctx))                                                 \
	F(void, quiet, (void))                                                                \
	F(void, ctx_quiet, (shmem_ctx_t ctx))                                                 \
	F(void, barrier_all, (void))                                                          \
	F(void, sync_all, (void))                                                             \
	F(int, ctx_create, (long options, shmem_ctx_t *ctx))                                  \
	F(int, team_create_ctx, (shmem_team_t team, long options, shmem_ctx_t *ctx))          \
	F(void, ctx_destroy, (shmem_ctx_t ctx))                                               \
	F(int, ctx_get_team, (shmem_ctx_t ctx, shmem_team_t *team))                           \
	F(int, team_my_pe, (shmem_team_t team))                                               \
	F(int, team_n_pes, (shmem_team_t team))                                               \
	F(int, team_get_config, (shmem_team_t team, long mask, shmem_team_config_t *config))  \
	F(int, team_translate_pe, (shmem_team_t from, int pe, shmem_team_t to))               \
	F(int, team_split_strided,                                                            \
	  (shmem_team_t parent, int start, int stride, int size,                              \
	   const shmem_team_config_t *config, long mask, shmem_team_t *team))                 \
	F(int, team_split_2d,                                                                 \
	  (shmem_team_t parent, int xrange, const shmem_team_config_t *xconfig, long xmask,   \
	   shmem_team_t *xteam, const shmem_team_config_t *yconfig, long ymask,               \
	   shmem_team_t *yteam))                                                              \
	F(void, team_destroy, (shmem_team_t team))                                            \
	F(int, team_sync, (shmem_team_t team))                                                \
	F(void, broadcast64,                                                                  \
	  (void *dest, const void *source, size_t n, int root, int first, int log_stride, int size, long *work)) \
	F(uint64_t, signal_fetch, (const uint64_t *sig_addr))                                 \
	F(uint64_t, signal_wait_until, (uint64_t * sig_addr, int cmp, uint64_t cmp_value))

#define SHMEM_SIGNALLED uint64_t *sig_addr, uint64_t signal, int sig_op, int pe

/* Of a type, in memory, or of elements of a size: NAME, type, suffix. */
#define SHMEM_EACH_PUT(F, T, PUT)                                                             \
	F(void, PUT, (T * dest, const T *source, size_t n, int pe))                           \
	F(void, ctx_##PUT, (shmem_ctx_t ctx, T * dest, const T *source, size_t n, int pe))    \
	F(void, PUT##_nbi, (T * dest, const T *source, size_t n, int pe))                     \
	F(void, ctx_##PUT##_nbi, (shmem_ctx_t ctx, T * dest, const T *source, size_t n, int pe)) \
	F(void, PUT##_signal, (T * dest, const T *source, size_t n, SHMEM_SIGNALLED))         \
	F(void, ctx_##PUT##_signal,                                                           \
	  (shmem_ctx_t ctx, T * dest, const T *source, size_t n, SHMEM_SIGNALLED))            \
	F(void, PUT##_signal_nbi, (T * dest, const T *source, size_t n, SHMEM_SIGNALLED))     \
	F(void, ctx_##PUT##_signal_nbi,                                                       \
	  (shmem_ctx_t ctx, T * dest, const T *source, size_t n, SHMEM_SIGNALLED))
#define SHMEM_EACH_GET(F, T, GET)                                                             \
	F(void, GET, (T * dest, const T *source, size_t n, int pe))                           \
	F(void, ctx_##GET, (shmem_ctx_t ctx, T * dest, const T *source, size_t n, int pe))    \
	F(void, GET##_nbi, (T * dest, const T *source, size_t n, int pe))                     \
	F(void, ctx_##GET##_nbi, (shmem_ctx_t ctx, T * dest, const T *source, size_t n, int pe))
#define SHMEM_EACH_ELEMENT(F, N, T)                                                           \
	F(void, N##_p, (T * dest, T value, int pe))                                           \
	F(void, ctx_##N##_p, (shmem_ctx_t ctx, T * dest, T value, int pe))                    \
	F(T, N##_g, (const T *source, int pe))                                                \
	F(T, ctx_##N##_g, (shmem_ctx_t ctx, const T *source, int pe))
#define SHMEM_EACH_STRIDED(F, T, GET)                                                         \
	F(void, GET, (T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe)) \
	F(void, ctx_##GET,                                                                    \
	  (shmem_ctx_t ctx, T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe))
#define SHMEM_EACH_ATOMIC(F, N, T)                                                            \
	F(T, N##_atomic_fetch, (const T *source, int pe))                                     \
	F(T, ctx_##N##_atomic_fetch, (shmem_ctx_t ctx, const T *source, int pe))              \
	F(void, N##_atomic_set, (T * dest, T value, int pe))                                  \
	F(T, N##_atomic_swap, (T * dest, T value, int pe))                                    \
	F(T, N##_atomic_compare_swap, (T * dest, T cond, T value, int pe))                    \
	F(void, N##_atomic_inc, (T * dest, int pe))                                           \
	F(void, N##_atomic_add, (T * dest, T value, int pe))                                  \
	F(T, N##_atomic_fetch_inc, (T * dest, int pe))                                        \
	F(T, N##_atomic_fetch_add, (T * dest, T value, int pe))                               \
	F(T, N##_atomic_fetch_xor, (T * dest, T value, int pe))                               \
	F(void, N##_atomic_xor, (T * dest, T value, int pe))                                  \
	F(void, N##_atomic_fetch_nbi, (T * fetch, const T *source, int pe))                   \
	F(void, ctx_##N##_atomic_fetch_nbi, (shmem_ctx_t ctx, T * fetch, const T *source, int pe)) \
	F(void, N##_atomic_swap_nbi, (T * fetch, T * dest, T value, int pe))                  \
	F(void, N##_atomic_compare_swap_nbi, (T * fetch, T * dest, T cond, T value, int pe))  \
	F(void, N##_atomic_fetch_inc_nbi, (T * fetch, T * dest, int pe))                      \
	F(void, N##_atomic_fetch_add_nbi, (T * fetch, T * dest, T value, int pe))             \
	F(void, ctx_##N##_atomic_fetch_add_nbi,                                               \
	  (shmem_ctx_t ctx, T * fetch, T * dest, T value, int pe))                            \
	F(void, N##_atomic_fetch_xor_nbi, (T * fetch, T * dest, T value, int pe))

#define SHMEM_WORDS(T) T *ivars, size_t n
#define SHMEM_EACH_WAIT(F, N, T)                                                              \
	F(void, N##_wait_until, (T * ivar, int cmp, T value))                                 \
	F(int, N##_test, (T * ivar, int cmp, T value))                                        \
	F(void, N##_wait_until_all, (SHMEM_WORDS(T), const int *status, int cmp, T value))    \
	F(size_t, N##_wait_until_any, (SHMEM_WORDS(T), const int *status, int cmp, T value))  \
	F(size_t, N##_wait_until_some,                                                        \
	  (SHMEM_WORDS(T), size_t *indices, const int *status, int cmp, T value))             \
	F(int, N##_test_all, (SHMEM_WORDS(T), const int *status, int cmp, T value))           \
	F(size_t, N##_test_any, (SHMEM_WORDS(T), const int *status, int cmp, T value))        \
	F(size_t, N##_test_some,                                                              \
	  (SHMEM_WORDS(T), size_t *indices, const int *status, int cmp, T value))             \
	F(void, N##_wait_until_all_vector, (SHMEM_WORDS(T), const int *status, int cmp, T *values)) \
	F(size_t, N##_wait_until_any_vector, (SHMEM_WORDS(T), const int *status, int cmp, T *values)) \
	F(size_t, N##_wait_until_some_vector,                                                 \
	  (SHMEM_WORDS(T), size_t *indices, const int *status, int cmp, T *values))           \
	F(int, N##_test_all_vector, (SHMEM_WORDS(T), const int *status, int cmp, T *values))  \
	F(size_t, N##_test_any_vector, (SHMEM_WORDS(T), const int *status, int cmp, T *values)) \
	F(size_t, N##_test_some_vector,                                                       \
	  (SHMEM_WORDS(T), size_t *indices, const int *status, int cmp, T *values))
#define SHMEM_EACH_COLLECTIVE(F, T, BROADCAST, COLLECT, FCOLLECT, ALLTOALL, ALLTOALLS)        \
	F(int, BROADCAST, (shmem_team_t team, T * dest, const T *source, size_t n, int root)) \
	F(int, COLLECT, (shmem_team_t team, T * dest, const T *source, size_t n))             \
	F(int, FCOLLECT, (shmem_team_t team, T * dest, const T *source, size_t n))            \
	F(int, ALLTOALL, (shmem_team_t team, T * dest, const T *source, size_t n))            \
	F(int, ALLTOALLS,                                                                     \
	  (shmem_team_t team, T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t n))
#define SHMEM_EACH_REDUCTION(F, N, T)                                                         \
	F(int, N##_sum_reduce, (shmem_team_t team, T * dest, const T *source, size_t n))      \
	F(int, N##_max_reduce, (shmem_team_t team, T * dest, const T *source, size_t n))

#define SHMEM_DECLARE(R, NAME, P) R shmem_##NAME P; R pshmem_##NAME P;
#define SHMEM_DECLARE_RMA(N, T)                                                               \
	SHMEM_EACH_PUT(SHMEM_DECLARE, T, N##_put) SHMEM_EACH_GET(SHMEM_DECLARE, T, N##_get)   \
	SHMEM_EACH_ELEMENT(SHMEM_DECLARE, N, T) SHMEM_EACH_STRIDED(SHMEM_DECLARE, T, N##_iput) \
	SHMEM_EACH_STRIDED(SHMEM_DECLARE, T, N##_iget)                                        \
	SHMEM_EACH_COLLECTIVE(SHMEM_DECLARE, T, N##_broadcast, N##_collect, N##_fcollect,     \
			      N##_alltoall, N##_alltoalls)                                    \
	SHMEM_EACH_REDUCTION(SHMEM_DECLARE, N, T)
#define SHMEM_DECLARE_AMO(N, T)	 SHMEM_EACH_ATOMIC(SHMEM_DECLARE, N, T)
#define SHMEM_DECLARE_SYNC(N, T) SHMEM_EACH_WAIT(SHMEM_DECLARE, N, T)
#define SHMEM_DECLARE_BITS(B, SIZE)                                                           \
	SHMEM_EACH_PUT(SHMEM_DECLARE, void, put##B) SHMEM_EACH_GET(SHMEM_DECLARE, void, get##B) \
	SHMEM_EACH_STRIDED(SHMEM_DECLARE, void, iput##B) SHMEM_EACH_STRIDED(SHMEM_DECLARE, void, iget##B)

SHMEM_EACH(SHMEM_DECLARE)
SHMEM_RMA_TYPES(SHMEM_DECLARE_RMA)
SHMEM_AMO_TYPES(SHMEM_DECLARE_AMO)
SHMEM_SYNC_TYPES(SHMEM_DECLARE_SYNC)
SHMEM_BITS(SHMEM_DECLARE_BITS)
SHMEM_EACH_PUT(SHMEM_DECLARE, void, putmem)
SHMEM_EACH_GET(SHMEM_DECLARE, void, getmem)
SHMEM_EACH_COLLECTIVE(SHMEM_DECLARE, void, broadcastmem, collectmem, fcollectmem, alltoallmem, alltoallsmem)
void start_pes(int npes);
void pstart_pes(int npes);

#endif
