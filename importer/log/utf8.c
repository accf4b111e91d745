/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Check and repair of UTF-8 in text from outside. */
#include "importer/log/utf8.h"

/* Length of the UTF-8 character at p; 0: invalid. */
static size_t character(const unsigned char *p, size_t left)
{
	size_t n = *p < 0x80   ? 1
		   : *p < 0xc2 ? 0
		   : *p < 0xe0 ? 2
		   : *p < 0xf0 ? 3
		   : *p < 0xf5 ? 4
			       : 0;

	if (n > left)
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((*p == 0xe0 && p[1] < 0xa0) || (*p == 0xed && p[1] > 0x9f) ||
	    (*p == 0xf0 && p[1] < 0x90) || (*p == 0xf4 && p[1] > 0x8f))
		return 0;
	return n;
}

bool gaspdb_utf8_valid(const char *p, size_t n)
{
	size_t c;

	for (size_t i = 0; i < n; i += c) {
		c = character((const unsigned char *)p + i, n - i);
		if (!c)
			return false;
	}
	return true;
}

void gaspdb_utf8_repair(char *p, size_t n)
{
	size_t c;

	for (size_t i = 0; i < n; i += c ? c : 1) {
		c = character((unsigned char *)p + i, n - i);
		if (!c)
			p[i] = '?';
	}
}
