/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows wherever they are, brought into the order of a key that each has. */
#ifndef GASPDB_COMMON_RADIX_SORT_H
#define GASPDB_COMMON_RADIX_SORT_H

#include <stddef.h>
#include <stdint.h>

struct gaspdb_radix_row {
	uint64_t key;
	uint32_t row; /* its number, or a key above the other */
	uint32_t more; /* anything: it stays with its row */
};

/*
 * By their keys, of which that is the greatest at most; equal ones stay as they
 * are.  other: room for as many.  Returns which of the two they are in then.
 */
struct gaspdb_radix_row *gaspdb_radix_sort(struct gaspdb_radix_row *slots,
					   struct gaspdb_radix_row *other,
					   size_t n, uint64_t greatest);
/* The same by row. */
struct gaspdb_radix_row *
gaspdb_radix_sort_by_row(struct gaspdb_radix_row *slots,
			 struct gaspdb_radix_row *other, size_t n,
			 uint32_t greatest);

#endif
