/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LSD radix sort; insertion sort up to VERY_FEW rows. */
#include "common/radix_sort.h"

#include <stdbool.h>
#include <string.h>

/* Bits of a digit; BITS_MIN below FEW rows. */
enum { BITS_MIN = 8, BITS_MAX = 11, FEW = 4096, VERY_FEW = 16 };

typedef struct gaspdb_radix_row slot;

enum by { BY_KEY, BY_ROW };

static inline __attribute__((always_inline)) uint64_t get(const slot *s,
							  enum by by)
{
	return by == BY_KEY ? s->key : s->row;
}

static inline __attribute__((always_inline)) void
insert_slots(slot *slots, size_t n, enum by by)
{
	for (size_t i = 1; i < n; i++) {
		const slot moved = slots[i];
		size_t to = i;

		for (; to && get(&slots[to - 1], by) > get(&moved, by); to--)
			slots[to] = slots[to - 1];
		slots[to] = moved;
	}
}

/* Stable sort by one digit of the keys; false: all digits are equal, nothing is
   copied. */
static inline __attribute__((always_inline)) bool
sort_bits(const slot *from, slot *to, size_t n, unsigned shift, unsigned bits,
	  enum by by)
{
	const uint64_t mask = ((uint64_t)1 << bits) - 1;
	uint32_t at[1 << BITS_MAX], sum = 0;

	memset(at, 0, sizeof *at << bits);
	for (size_t i = 0; i < n; i++)
		at[get(&from[i], by) >> shift & mask]++;
	if (at[get(&from[0], by) >> shift & mask] == n)
		return false;
	for (size_t i = 0; i <= mask; i++) {
		const uint32_t first = sum;

		sum += at[i];
		at[i] = first;
	}
	for (size_t i = 0; i < n; i++)
		to[at[get(&from[i], by) >> shift & mask]++] = from[i];
	return true;
}

static inline __attribute__((always_inline)) slot *
sort(slot *slots, slot *other, size_t n, uint64_t greatest, enum by by)
{
	const unsigned bits = n < FEW ? BITS_MIN : BITS_MAX;
	slot *swap;

	if (n <= VERY_FEW) {
		insert_slots(slots, n, by);
		return slots;
	}
	for (unsigned shift = 0; shift < 64 && greatest >> shift;
	     shift += bits) {
		if (!sort_bits(slots, other, n, shift, bits, by))
			continue;
		swap = slots;
		slots = other;
		other = swap;
	}
	return slots;
}

slot *gaspdb_radix_sort(slot *slots, slot *other, size_t n, uint64_t greatest)
{
	return sort(slots, other, n, greatest, BY_KEY);
}

slot *gaspdb_radix_sort_by_row(slot *slots, slot *other, size_t n,
			       uint32_t greatest)
{
	return sort(slots, other, n, greatest, BY_ROW);
}
