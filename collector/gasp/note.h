/* SPDX-License-Identifier: BSD-2-Clause */
/* ELF note of a program that contains the collector.  A library cannot look up
   a program's symbols. */
#ifndef GASPDB_COLLECTOR_GASP_NOTE_H
#define GASPDB_COLLECTOR_GASP_NOTE_H

#include <stdint.h>

#define GASPDB_NOTE_OWNER "gaspdb"

struct gaspdb_note {
	uint32_t name_bytes, value_bytes, type;
	char name[8]; /* padded to a multiple of 4 */
};

#endif
