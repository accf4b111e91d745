/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the arguments of an operation say what its calls move. */
#ifndef GASPDB_COLLECTOR_CORE_PROFILE_MOVES_H
#define GASPDB_COLLECTOR_CORE_PROFILE_MOVES_H

#include <stdbool.h>
#include <stdint.h>

enum gaspdb_move {
	GASPDB_MOVE_BYTES,
	GASPDB_MOVE_BLOCKS, /* with BLOCK_BYTES in place of BYTES */
	GASPDB_MOVE_BLOCK_BYTES,
	GASPDB_MOVE_PEER,
	GASPDB_MOVE_SOURCE, /* of a copy, the peer that is read from */
	GASPDB_N_MOVES
};

/* Direction of traffic, as in the log. */
enum gaspdb_way { GASPDB_WAY_TO, GASPDB_WAY_FROM, GASPDB_N_WAYS };

struct gaspdb_moves {
	bool any;     /* its arguments say something */
	bool traffic; /* its calls are counted by peer and size */
	bool copies;  /* they count for two peers */
	bool parts;   /* gasp.c: a peer is part of a pointer-to-shared */
	uint8_t way;  /* enum gaspdb_way */
	/* By START (and ATOMIC) and END: index of the argument + 1; 0: none. */
	uint8_t at[2][GASPDB_N_MOVES];
};

/* Reads an operation's layouts, as logged; type: of types.tbl.h. */
void gaspdb_moves_read(struct gaspdb_moves *m, const char *type,
		       const char *start, const char *end);

#endif
