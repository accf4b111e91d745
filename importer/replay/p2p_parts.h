/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What p2p.c consists of. */
#ifndef GASPDB_IMPORTER_REPLAY_P2P_PARTS_H
#define GASPDB_IMPORTER_REPLAY_P2P_PARTS_H

#include "importer/replay/p2p.h"

/* --- p2p_postings.c --------------------------------------------------------
 */

/* A posting is large, and made where the caller has room for it.  Nothing is
   known but what it is. */
void gaspdb_posting_bare(struct gaspdb_posting *a, const struct gaspdb_p2p *p,
			 enum gaspdb_posted kind);
/* What the call f posts. */
void gaspdb_posting_of(struct gaspdb_posting *a, const struct gaspdb_p2p *p,
		       const struct gaspdb_frame *f, enum gaspdb_posted kind);
void gaspdb_send_of(struct gaspdb_posting *a, const struct gaspdb_p2p *p,
		    const struct gaspdb_frame *f);
void gaspdb_receive_of(struct gaspdb_posting *a, const struct gaspdb_p2p *p,
		       const struct gaspdb_frame *f);
/* The same in a record's terms: request flags peer tag bytes team */
void gaspdb_posting_made(struct gaspdb_posting *a, const struct gaspdb_p2p *p,
			 const struct gaspdb_field *fields);
/* A serial number among f's arguments; 0: none. */
uint64_t gaspdb_serial_of(const struct gaspdb_frame *f, enum gaspdb_role role);

/* --- p2p_messages.c --------------------------------------------------------
 */

/* The receive f, of a message that a probe matched, or any other. */
void gaspdb_matched_receive_of(struct gaspdb_posting *a, struct gaspdb_p2p *p,
			       const struct gaspdb_frame *f);
/* A receive of a message whose probe had not been read: it has its place now;
   false: it still has not been. */
bool gaspdb_matched_place(struct gaspdb_p2p *p, struct gaspdb_posting *a);
/* The same, and it is completed: it waits for the probe.  false: another one
   does. */
bool gaspdb_matched_wait(struct gaspdb_p2p *p, const struct gaspdb_posting *a,
			 const struct gaspdb_completion *c);
/* The process's logs are read: write what waits for its probe or receive. */
void gaspdb_matched_end(struct gaspdb_p2p *p);

/* --- p2p_persistent.c ------------------------------------------------------
 */

/* A start of this number comes: what the request of that index holds belongs
   together, or nobody knows yet. */
void gaspdb_persistent_settle(struct gaspdb_p2p *p, uint32_t request,
			      int64_t number);
/* It was completed. */
void gaspdb_persistent_hold(struct gaspdb_p2p *p, uint32_t request,
			    uint32_t completion);
/* The process's logs are read: what belongs together by time. */
void gaspdb_persistent_end(struct gaspdb_p2p *p,
			   struct gaspdb_request *request);

/* --- p2p_rows.c ------------------------------------------------------------
 */

/* The call that posted it, and has ended, moves its bytes; peer GASPDB_NULL: it
   has none, or it is known. */
void gaspdb_p2p_moved(struct gaspdb_p2p *p, const struct gaspdb_posting *a,
		      int64_t peer);
/* A posting and its completion, of a call that has ended; a is filled with
   what the completion tells. */
void gaspdb_p2p_completed(struct gaspdb_p2p *p, struct gaspdb_posting *a,
			  const struct gaspdb_completion *c);
/* They belong together: make their row, and free both; at the end of the
   completing call, if that has not ended. */
void gaspdb_p2p_pair(struct gaspdb_p2p *p, uint32_t posting,
		     uint32_t completion);
/* A send or receive that nothing completed. */
void gaspdb_p2p_open(struct gaspdb_p2p *p, const struct gaspdb_posting *a);
/* One whose request was freed before, if it is a send or a receive. */
void gaspdb_p2p_freed(struct gaspdb_p2p *p, const struct gaspdb_posting *a);
/* c NULL: nothing completed it. */
void gaspdb_p2p_no_message(struct gaspdb_p2p *p, const struct gaspdb_posting *a,
			   const struct gaspdb_completion *c);

#endif
