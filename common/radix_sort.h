/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Radix sort of row numbers by a key. */
#ifndef GASPDB_COMMON_RADIX_SORT_H
#define GASPDB_COMMON_RADIX_SORT_H

#include <stddef.h>
#include <stdint.h>

struct gaspdb_radix_row {
	uint64_t key;
	uint32_t row;  /* row number, or a key above the other */
	uint32_t more; /* anything: it stays with its row */
};

/* Stable sort by key; greatest: upper bound of the keys. other: scratch array
   of the same size. Returns the array that holds the result. */
struct gaspdb_radix_row *gaspdb_radix_sort(struct gaspdb_radix_row *slots,
					   struct gaspdb_radix_row *other,
					   size_t n, uint64_t greatest);
/* The same by row. */
struct gaspdb_radix_row *
gaspdb_radix_sort_by_row(struct gaspdb_radix_row *slots,
			 struct gaspdb_radix_row *other, size_t n,
			 uint32_t greatest);

#endif
