/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A note in a program that has the collector in it, as no symbol of a program
 * can be looked up by a library.
 */
#ifndef GASPDB_COLLECTOR_GASP_NOTE_H
#define GASPDB_COLLECTOR_GASP_NOTE_H

#include <stdint.h>

#define GASPDB_NOTE_OWNER "gaspdb"

struct gaspdb_note {
	uint32_t name_bytes, value_bytes, type;
	char name[8]; /* padded to a multiple of 4 */
};

#endif
