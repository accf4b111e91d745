/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Size classes by powers of two: class 0 is 0 bytes, class k is 2^(k-1) to 2^k
   - 1. */
#ifndef GASPDB_COMMON_SIZE_CLASS_H
#define GASPDB_COMMON_SIZE_CLASS_H

#include <stdint.h>

enum { GASPDB_SIZE_CLASSES = 64 };

/* Class of a size; NULL and negative sizes count as 0. */
static inline int gaspdb_size_class(int64_t bytes)
{
	return bytes > 0 ? 64 - __builtin_clzll((uint64_t)bytes) : 0;
}

/* Smallest size of a class. */
static inline int64_t gaspdb_class_from(int size_class)
{
	return size_class ? (int64_t)1 << (size_class - 1) : 0;
}

/* Smallest size of the class of `bytes`. */
static inline int64_t gaspdb_size_from(int64_t bytes)
{
	return gaspdb_class_from(gaspdb_size_class(bytes));
}

#endif
