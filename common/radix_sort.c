/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LSD radix sort; insertion sort up to VERY_FEW rows. */
#include "common/radix_sort.h"

#include <stdbool.h>
#include <string.h>

/* Bits of a digit; BITS_MIN below FEW rows. */
enum { BITS_MIN = 8, BITS_MAX = 11, FEW = 4096, VERY_FEW = 16 };

typedef struct gaspdb_radix_row slot;

static void insert_slots(slot *slots, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		const slot moved = slots[i];
		size_t to = i;

		for (; to && slots[to - 1].key > moved.key; to--)
			slots[to] = slots[to - 1];
		slots[to] = moved;
	}
}

/* Stable sort by one digit of the keys; false: all digits are equal, nothing is
   copied. */
static bool sort_bits(const slot *from, slot *to, size_t n, unsigned shift,
		      unsigned bits)
{
	const uint64_t mask = ((uint64_t)1 << bits) - 1;
	uint32_t at[1 << BITS_MAX], sum = 0;

	memset(at, 0, sizeof *at << bits);
	for (size_t i = 0; i < n; i++)
		at[from[i].key >> shift & mask]++;
	if (at[from[0].key >> shift & mask] == n)
		return false;
	for (size_t i = 0; i <= mask; i++) {
		const uint32_t first = sum;

		sum += at[i];
		at[i] = first;
	}
	for (size_t i = 0; i < n; i++)
		to[at[from[i].key >> shift & mask]++] = from[i];
	return true;
}

slot *gaspdb_radix_sort(slot *slots, slot *other, size_t n, uint64_t greatest)
{
	const unsigned bits = n < FEW ? BITS_MIN : BITS_MAX;
	slot *swap;

	if (n <= VERY_FEW) {
		insert_slots(slots, n);
		return slots;
	}
	for (unsigned shift = 0; shift < 64 && greatest >> shift;
	     shift += bits) {
		if (!sort_bits(slots, other, n, shift, bits))
			continue;
		swap = slots;
		slots = other;
		other = swap;
	}
	return slots;
}
