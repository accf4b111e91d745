/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pseudorandom numbers for tests, the same in each run: xorshift64*. */
#ifndef GASPDB_TESTS_UNIT_UTIL_RANDOM_H
#define GASPDB_TESTS_UNIT_UTIL_RANDOM_H

#include <stdint.h>

/* The next number, of 53 bits; state: not 0. */
static inline uint64_t random_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state * 0x2545f4914f6cdd1du >> 11;
}

#endif
