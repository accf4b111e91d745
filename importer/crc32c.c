/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CRC-32C, eight bytes at a time (slicing by 8), on any machine. */
#include "crc32c.h"

#include <pthread.h>

#include "bytes.h"

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

static uint32_t eight(uint32_t crc, const uint8_t *p)
{
	uint32_t low = (uint32_t)gaspdb_le(p, 4) ^ crc;
	uint32_t high = (uint32_t)gaspdb_le(p + 4, 4);

	return table[7][low & 0xff] ^ table[6][low >> 8 & 0xff] ^
	       table[5][low >> 16 & 0xff] ^ table[4][low >> 24] ^
	       table[3][high & 0xff] ^ table[2][high >> 8 & 0xff] ^
	       table[1][high >> 16 & 0xff] ^ table[0][high >> 24];
}

uint32_t gaspdb_checksum(uint32_t crc, const void *bytes, size_t n)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	const uint8_t *p = bytes;

	pthread_once(&once, make_table);
	crc = ~crc;
	for (; n >= 8; p += 8, n -= 8)
		crc = eight(crc, p);
	for (; n > 0; p++, n--)
		crc = crc >> 8 ^ table[0][(crc ^ *p) & 0xff];
	return ~crc;
}
