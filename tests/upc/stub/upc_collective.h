/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The collectives, with numbers and types as in GNU's and Clang's header. */
#ifndef TEST_UPC_COLLECTIVE_H
#define TEST_UPC_COLLECTIVE_H

#include <stddef.h>

typedef int upc_flag_t;
typedef unsigned long upc_op_t;

#define UPC_IN_ALLSYNC	0
#define UPC_IN_MYSYNC	2
#define UPC_IN_NOSYNC	1
#define UPC_OUT_ALLSYNC 0
#define UPC_OUT_MYSYNC	8
#define UPC_OUT_NOSYNC	4

#define UPC_ADD	 (1UL << 0)
#define UPC_FUNC (1UL << 16)

/* RELOCATION(name), REDUCTION(letters, type) */
#define UPC_RELOCATIONS(RELOCATION)    \
	RELOCATION(upc_all_broadcast)  \
	RELOCATION(upc_all_scatter)    \
	RELOCATION(upc_all_gather)     \
	RELOCATION(upc_all_gather_all) \
	RELOCATION(upc_all_exchange)
#define UPC_REDUCTIONS(REDUCTION)                                             \
	REDUCTION(C, signed char)                                             \
	REDUCTION(UC, unsigned char) REDUCTION(S, short) REDUCTION(           \
		US, unsigned short) REDUCTION(I, int) REDUCTION(UI, unsigned) \
		REDUCTION(L, long) REDUCTION(UL, unsigned long)               \
			REDUCTION(F, float) REDUCTION(D, double)              \
				REDUCTION(LD, long double)

#define RELOCATION(name)                                                \
	void name(const void *target, const void *source, size_t bytes, \
		  upc_flag_t flags);
UPC_RELOCATIONS(RELOCATION)
#undef RELOCATION

void upc_all_permute(const void *target, const void *source,
		     const int *permutation, size_t bytes, upc_flag_t flags);

#define REDUCTION(letters, type)                                            \
	void upc_all_reduce##letters(                                       \
		const void *target, const void *source, upc_op_t op,        \
		size_t elements, size_t block, type (*combine)(type, type), \
		upc_flag_t flags);                                          \
	void upc_all_prefix_reduce##letters(                                \
		const void *target, const void *source, upc_op_t op,        \
		size_t elements, size_t block, type (*combine)(type, type), \
		upc_flag_t flags);
UPC_REDUCTIONS(REDUCTION)
#undef REDUCTION

void upc_all_sort(const void *target, size_t element_bytes, size_t elements,
		  size_t block, int (*compare)(const void *, const void *),
		  upc_flag_t flags);

#endif
