/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of tables p2p and collective_request. */
#ifndef GASPDB_P2P_ROWS_H
#define GASPDB_P2P_ROWS_H

#include "p2p.h"

/* A posting and its completion, of a call that has ended; a is filled with
   what the completion tells. */
void gaspdb_p2p_completed(struct gaspdb_p2p *p, struct gaspdb_posting *a,
			  const struct gaspdb_completion *c);
/* A send or receive that nothing completed. */
void gaspdb_p2p_open(struct gaspdb_p2p *p, const struct gaspdb_posting *a);
/* One whose request was freed before, if it is a send or a receive. */
void gaspdb_p2p_freed(struct gaspdb_p2p *p, const struct gaspdb_posting *a);
/* complete GASPDB_NULL: no call was seen to complete it. */
void gaspdb_p2p_collective(struct gaspdb_p2p *p, int64_t post,
			   int64_t complete);

#endif
