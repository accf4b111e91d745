/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sizes are told apart in powers of two: class 0 is 0 bytes, class k are
 * 2^(k-1) and up to the next, which is 2^k, less one.
 */
#ifndef GASPDB_COMMON_SIZE_CLASS_H
#define GASPDB_COMMON_SIZE_CLASS_H

#include <stdint.h>

enum { GASPDB_SIZE_CLASSES = 64 };

/* No size, and a negative one, is 0 bytes. */
static inline int gaspdb_size_class(int64_t bytes)
{
	return bytes > 0 ? 64 - __builtin_clzll((uint64_t)bytes) : 0;
}

/* The smallest of a class. */
static inline int64_t gaspdb_class_from(int size_class)
{
	return size_class ? (int64_t)1 << (size_class - 1) : 0;
}

/* The smallest of the class that bytes belongs to. */
static inline int64_t gaspdb_size_from(int64_t bytes)
{
	return gaspdb_class_from(gaspdb_size_class(bytes));
}

#endif
