/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CRC-32C by the processor's instruction, or by tables, eight bytes at a time.
 */
#include "collector/log/crc32c.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#define POLYNOMIAL 0x82f63b78u /* Castagnoli's, reversed */

static uint32_t table[8][256];

static void make_table(void)
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t c = i;

		for (int bit = 0; bit < 8; bit++)
			c = c >> 1 ^ (c & 1 ? POLYNOMIAL : 0);
		table[0][i] = c;
	}
	for (int k = 1; k < 8; k++)
		for (int i = 0; i < 256; i++)
			table[k][i] = table[k - 1][i] >> 8 ^
				      table[0][table[k - 1][i] & 0xff];
}

static uint32_t eight(uint32_t crc, const unsigned char *p)
{
	uint32_t next = 0;

	for (int i = 0; i < 8; i++)
		next ^= table[7 - i]
			     [(p[i] ^ (i < 4 ? crc >> 8 * i : 0)) & 0xff];
	return next;
}

static uint32_t by_table(uint32_t crc, const unsigned char *p, size_t n)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, make_table);
	for (; n >= 8; p += 8, n -= 8)
		crc = eight(crc, p);
	for (; n > 0; p++, n--)
		crc = crc >> 8 ^ table[0][(crc ^ *p) & 0xff];
	return crc;
}

#if defined(__x86_64__)
#define SSE4_2 __attribute__((target("sse4.2")))

static uint64_t word_at(const unsigned char *p)
{
	uint64_t word;

	memcpy(&word, p, sizeof word);
	return word;
}

SSE4_2 static uint32_t by_instruction(uint32_t crc, const unsigned char *p,
				      size_t n)
{
	uint64_t c = crc;

	for (; n >= 8; n -= 8, p += 8)
		c = __builtin_ia32_crc32di(c, word_at(p));
	crc = (uint32_t)c;
	while (n--)
		crc = __builtin_ia32_crc32qi(crc, *p++);
	return crc;
}

/* Cached: the instruction is slow under a hypervisor. __builtin_cpu_supports
   would need the compiler's library. */
static bool has_instruction(void)
{
	static int answer; /* 1 no, 2 yes */
	int known = __atomic_load_n(&answer, __ATOMIC_RELAXED);
	unsigned a, b, c = 0, d;

	if (!known) {
		known = __get_cpuid(1, &a, &b, &c, &d) && c & bit_SSE4_2 ? 2
									 : 1;
		__atomic_store_n(&answer, known, __ATOMIC_RELAXED);
	}
	return known == 2;
}
#endif

uint32_t gaspdb_crc32c_by_table(uint32_t crc, const void *data, size_t n)
{
	return ~by_table(~crc, data, n);
}

uint32_t gaspdb_crc32c(uint32_t crc, const void *data, size_t n)
{
#if defined(__x86_64__)
	if (has_instruction())
		return ~by_instruction(~crc, data, n);
#endif
	return gaspdb_crc32c_by_table(crc, data, n);
}
