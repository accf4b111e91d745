/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Byte order of a log's headers reversed. */
#include "tests/order/swap.h"

#include <stdint.h>
#include <string.h>

#define HEADER 64 /* bytes of the file's header that hold fields */
#define BLOCK  48 /* of a block's header */

struct number {
	unsigned char at, bytes;
};

static const struct number file_numbers[] = { { 8, 2 },	 { 10, 2 }, { 12, 4 },
					      { 16, 8 }, { 24, 8 }, { 32, 8 },
					      { 40, 4 }, { 44, 4 }, { 48, 4 },
					      { 52, 4 }, { 60, 4 } };
static const struct number block_numbers[] = {
	{ 0, 4 },  { 6, 2 },  { 8, 4 },	 { 12, 4 }, { 16, 8 },
	{ 24, 8 }, { 32, 8 }, { 40, 4 }, { 44, 4 }
};

/* Of a PROFILE block: the payload's header, and cells of each kind. */
#define HEAD 80
#define CELL 128

static const struct number head_numbers[] = { { 0, 4 },	 { 4, 4 },  { 8, 8 },
					      { 16, 8 }, { 24, 8 }, { 32, 8 },
					      { 40, 8 }, { 48, 8 }, { 56, 8 },
					      { 64, 8 }, { 72, 8 } };
static const struct number free_numbers[] = { { 0, 4 }, { 4, 4 } };
static const struct number node_numbers[] = { { 0, 4 },	 { 4, 4 },  { 8, 4 },
					      { 12, 4 }, { 16, 8 }, { 24, 8 },
					      { 32, 8 }, { 40, 8 }, { 48, 8 },
					      { 56, 8 }, { 64, 8 }, { 72, 8 },
					      { 80, 8 }, { 88, 8 }, { 96, 8 }, { 104, 8 } };
static const struct number traffic_numbers[] = {
	{ 0, 4 },  { 4, 4 },   { 8, 4 },   { 12, 4 },  { 16, 4 }, { 20, 4 },
	{ 24, 8 }, { 32, 8 },  { 40, 8 },  { 48, 4 },  { 52, 4 }, { 56, 4 },
	{ 60, 4 }, { 64, 8 },  { 72, 8 },  { 80, 8 },  { 88, 4 }, { 92, 4 },
	{ 96, 4 }, { 100, 4 }, { 104, 8 }, { 112, 8 }, { 120, 8 }
};

/* A piece of a log with numbers. */
struct piece {
	size_t at, bytes;
	const struct number *numbers;
	size_t n;
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static uint64_t little(const unsigned char *p, unsigned n)
{
	uint64_t v = 0;

	while (n-- > 0)
		v = v << 8 | p[n];
	return v;
}

static void put(unsigned char *p, uint32_t v, bool big)
{
	for (int i = 0; i < 4; i++)
		p[big ? 3 - i : i] = (unsigned char)(v >> 8 * i);
}

/* The checksum by a table of one byte, without the code under test. */
static uint32_t crc32c(const unsigned char *p, size_t n)
{
	static uint32_t table[256];
	uint32_t crc = ~0u;

	for (uint32_t i = 0; i < 256 && !table[255]; i++) {
		uint32_t c = i;

		for (int bit = 0; bit < 8; bit++)
			c = c & 1 ? c >> 1 ^ 0x82f63b78 : c >> 1;
		table[i] = c;
	}
	for (size_t i = 0; i < n; i++)
		crc = crc >> 8 ^ table[(crc ^ p[i]) & 255];
	return ~crc;
}

/* Checksum of a block of n bytes: its own four are taken as 0. */
static uint32_t block_sum(unsigned char *b, size_t n)
{
	unsigned char sum[4];
	uint32_t right;

	memcpy(sum, b + 12, 4);
	memset(b + 12, 0, 4);
	right = crc32c(b, n);
	memcpy(b + 12, sum, 4);
	return right;
}

static void reverse(unsigned char *h, const struct number *numbers, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char *first = h + numbers[i].at;
		unsigned char *last = first + numbers[i].bytes - 1;

		for (; first < last; first++, last--) {
			const unsigned char c = *first;

			*first = *last;
			*last = c;
		}
	}
}

/* Bytes of the block at b, of which n are there; 0: no block. */
static size_t block_bytes(const unsigned char *b, size_t n)
{
	return n < BLOCK || memcmp(b, "GBLK", 4)
		       ? 0
		       : little(b + 6, 2) + little(b + 8, 4);
}

static size_t align(size_t n)
{
	return (n + 7) & ~(size_t)7;
}

static struct piece cell_at(const unsigned char *b, size_t at)
{
	struct piece p = { at, CELL, free_numbers, COUNT(free_numbers) };
	const uint64_t kind = little(b + at + 4, 4);

	if (kind == 1) {
		p.numbers = node_numbers;
		p.n = COUNT(node_numbers);
	} else if (kind == 2) {
		p.numbers = traffic_numbers;
		p.n = COUNT(traffic_numbers);
	}
	return p;
}

/* The piece of a little-endian block that follows one, of n bytes in all;
   the one before, all zero: none. false: there is none. */
static bool next_piece(const unsigned char *b, size_t n, struct piece *p)
{
	const size_t at = p->at + p->bytes;

	if (at == 0)
		*p = (struct piece){ 0, BLOCK, block_numbers,
				     COUNT(block_numbers) };
	else if (b[4] != 3 || at >= n)
		return false;
	else if (at == BLOCK)
		*p = (struct piece){ BLOCK, HEAD, head_numbers,
				     COUNT(head_numbers) };
	else if (at + CELL <= n)
		*p = cell_at(b, at);
	else
		return false;
	return p->at + p->bytes <= n;
}

/* The block's numbers, the last ones first: the header's say how many. */
static void reverse_block(unsigned char *b, size_t n)
{
	struct piece pieces[512 + 2], p = { 0 };
	size_t k = 0;

	while (k < COUNT(pieces) && next_piece(b, n, &p))
		pieces[k++] = p;
	while (k-- > 0)
		reverse(b + pieces[k].at, pieces[k].numbers, pieces[k].n);
}

static void swap_block(unsigned char *b, size_t n, size_t room)
{
	const bool right = n <= room && little(b + 12, 4) == block_sum(b, n);

	reverse_block(b, n < room ? n : room);
	if (right)
		put(b + 12, block_sum(b, n), true);
}

bool swap_log(unsigned char *bytes, size_t n)
{
	size_t at, length;
	bool right;

	if (n < HEADER || memcmp(bytes, "\211GASPLG\n", 8))
		return false;
	at = align(little(bytes + 12, 4));
	right = little(bytes + 60, 4) == crc32c(bytes, 60);
	reverse(bytes, file_numbers, COUNT(file_numbers));
	if (right)
		put(bytes + 60, crc32c(bytes, 60), true);
	while (at < n && (length = block_bytes(bytes + at, n - at)) > 0) {
		swap_block(bytes + at, length, n - at);
		at = align(at + length);
	}
	return true;
}

/* Offset of a header's byte after its numbers are reversed. */
static size_t mirrored(const struct number *numbers, size_t n, size_t at)
{
	for (size_t i = 0; i < n; i++)
		if (at >= numbers[i].at &&
		    at < numbers[i].at + (size_t)numbers[i].bytes)
			return 2 * (size_t)numbers[i].at + numbers[i].bytes -
			       1 - at;
	return at;
}

static size_t mirrored_in_block(const unsigned char *b, size_t n, size_t at)
{
	struct piece p = { 0 };

	while (next_piece(b, n, &p))
		if (at >= p.at && at < p.at + p.bytes)
			return p.at + mirrored(p.numbers, p.n, at - p.at);
	return at;
}

size_t swap_offset(const unsigned char *bytes, size_t n, size_t at)
{
	size_t block = align(little(bytes + 12, 4)), length;

	if (at < HEADER)
		return mirrored(file_numbers, COUNT(file_numbers), at);
	while (block < n &&
	       (length = block_bytes(bytes + block, n - block)) > 0) {
		if (at >= block && at < block + length)
			return block + mirrored_in_block(bytes + block, length,
							 at - block);
		block = align(block + length);
	}
	return at;
}
