/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waiting for words, and looking at them. */
#include <sched.h>
#include <stdlib.h>

#include "library.h"

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
