/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Binary heap in an array, with the top first. GASPDB_HEAP defines
 * NAME_down(of, items, n, i), which restores the heap from index i down, and
 * NAME_up(of, items, i, item), which inserts an item at the end i. before(of,
 * a, b): is a removed before b?
 */
#ifndef GASPDB_COMMON_HEAP_H
#define GASPDB_COMMON_HEAP_H

#include <stddef.h>

#define GASPDB_HEAP_DOWN(name, type, before)                                  \
	static inline void name##_down(const void *of, type *items, size_t n, \
				       size_t i)                              \
	{                                                                     \
		const type moved = items[i];                                  \
                                                                              \
		for (size_t child; (child = 2 * i + 1) < n; i = child) {      \
			if (child + 1 < n &&                                  \
			    before(of, &items[child + 1], &items[child]))     \
				child++;                                      \
			if (!before(of, &items[child], &moved))               \
				break;                                        \
			items[i] = items[child];                              \
		}                                                             \
		items[i] = moved;                                             \
	}

#define GASPDB_HEAP(name, type, before)                                       \
	GASPDB_HEAP_DOWN(name, type, before)                                  \
	static inline void name##_up(const void *of, type *items, size_t i,   \
				     type item)                               \
	{                                                                     \
		for (; i && before(of, &item, &items[(i - 1) / 2]);           \
		     i = (i - 1) / 2)                                         \
			items[i] = items[(i - 1) / 2];                        \
		items[i] = item;                                              \
	}

#endif
