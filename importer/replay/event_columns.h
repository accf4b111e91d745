/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of table event, and traffic, from the arguments of a call. */
#ifndef GASPDB_IMPORTER_REPLAY_EVENT_COLUMNS_H
#define GASPDB_IMPORTER_REPLAY_EVENT_COLUMNS_H

#include "importer/replay/replay.h"

/* Product of sizes, limited. */
static inline int64_t gaspdb_bytes_product(int64_t a, int64_t b)
{
	int64_t bytes;

	if (a < 0 || b < 0 || __builtin_mul_overflow(a, b, &bytes))
		return GASPDB_BYTES_MAX;
	return gaspdb_size((uint64_t)bytes);
}

/* Bytes that a call moves; GASPDB_NULL: none, or unknown. */
static inline int64_t gaspdb_event_bytes(const struct gaspdb_log_operation *o,
					 const struct gaspdb_roles *roles)
{
	if (o->prepares)
		return GASPDB_NULL;
	if (gaspdb_has(roles, GASPDB_ROLE_bytes))
		return roles->value[GASPDB_ROLE_bytes];
	if (gaspdb_has(roles, GASPDB_ROLE_blocks) &&
	    gaspdb_has(roles, GASPDB_ROLE_block_bytes))
		return gaspdb_bytes_product(
			roles->value[GASPDB_ROLE_blocks],
			roles->value[GASPDB_ROLE_block_bytes]);
	/* Bytes that these complete count in the calls that posted them. */
	return o->type == GASPDB_OPTYPE_wait || o->type == GASPDB_OPTYPE_test
		       ? 0
		       : GASPDB_NULL;
}

/* Fills row->peer and row->object. */
void gaspdb_event_peer_and_object(struct gaspdb_importer *im,
				  const struct gaspdb_log_operation *o,
				  const struct gaspdb_roles *roles,
				  union gaspdb_event_row *row);

/* Adds what a call has moved to the thread's traffic. */
void gaspdb_event_traffic(struct gaspdb_importer *im, enum gaspdb_optype type,
			  const struct gaspdb_roles *roles,
			  const union gaspdb_event_row *row);

#endif
