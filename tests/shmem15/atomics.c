/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Atomics: the compiler's. */
#include "library.h"

#define WORD(T, CTX, ADDRESS) ((T *)shmem15_at(CTX, ADDRESS, pe))
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
