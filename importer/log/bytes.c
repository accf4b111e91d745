/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Varints of more than one byte. */
#include "importer/log/bytes.h"

#include "collector/log/log_format.h"

bool gaspdb_get_long_varint(struct gaspdb_bytes *b, uint64_t *value)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < GASPDB_VARINT_MAX; i++) {
		uint8_t byte;

		if (b->at == b->end) {
			b->ran_out = true;
			return false;
		}
		byte = *b->at++;
		if (i == GASPDB_VARINT_MAX - 1 && byte > 1)
			return false; /* more than 64 bits */
		v |= (uint64_t)(byte & 0x7f) << (7 * i);
		if (byte < 0x80) {
			*value = v;
			return true;
		}
	}
	return false;
}
