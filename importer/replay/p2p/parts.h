/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to p2p: its parts. */
#ifndef GASPDB_IMPORTER_REPLAY_P2P_PARTS_H
#define GASPDB_IMPORTER_REPLAY_P2P_PARTS_H

#include "importer/replay/p2p/p2p.h"

/* --- postings.c ----------------------------------------------------------- */

/* Fills a posting of a kind without further data. Postings are large, so that
   the caller provides the memory. */
void gaspdb_posting_bare(struct gaspdb_posting *a, const struct gaspdb_p2p *p,
			 enum gaspdb_posted kind);
/* Fills the posting of the call f. */
void gaspdb_posting_of(struct gaspdb_posting *a, const struct gaspdb_p2p *p,
		       const struct gaspdb_frame *f, enum gaspdb_posted kind);
void gaspdb_send_of(struct gaspdb_posting *a, const struct gaspdb_p2p *p,
		    const struct gaspdb_frame *f);
void gaspdb_receive_of(struct gaspdb_posting *a, const struct gaspdb_p2p *p,
		       const struct gaspdb_frame *f);
/* The same from a record: request flags peer tag bytes team */
void gaspdb_posting_made(struct gaspdb_posting *a, const struct gaspdb_p2p *p,
			 const struct gaspdb_field *fields);
/* A serial number in f's arguments; 0: none. */
uint64_t gaspdb_serial_of(const struct gaspdb_frame *f, enum gaspdb_role role);

/* --- messages.c ----------------------------------------------------------- */

/* Fills the posting of the receive f, with the place of its probe if there is
   one. */
void gaspdb_matched_receive_of(struct gaspdb_posting *a, struct gaspdb_p2p *p,
			       const struct gaspdb_frame *f);
/* Gives a receive the place of its probe, if that was read since; otherwise
   false. */
bool gaspdb_matched_place(struct gaspdb_p2p *p, struct gaspdb_posting *a);
/* Stores a completed receive until its probe is read. false: another receive of
   the message waits. */
bool gaspdb_matched_wait(struct gaspdb_p2p *p, const struct gaspdb_posting *a,
			 const struct gaspdb_completion *c);
/* Writes the remaining probes and receives, when a process's logs are read. */
void gaspdb_matched_end(struct gaspdb_p2p *p);

/* --- persistent.c --------------------------------------------------------- */

/*
 * Decides about the pair held by a request, at its next start: a start with the
 * following number in the same log proves it, any other leaves both for
 * gaspdb_persistent_end().
 */
void gaspdb_persistent_settle(struct gaspdb_p2p *p, uint32_t request,
			      int64_t number);
/* Holds a completion with the start before it in the same log. */
void gaspdb_persistent_hold(struct gaspdb_p2p *p, uint32_t request,
			    uint32_t completion);
/* Pairs the remaining starts and completions by time, when a process's logs are
   read. */
void gaspdb_persistent_end(struct gaspdb_p2p *p,
			   struct gaspdb_request *request);

/* --- rows.c --------------------------------------------------------------- */

/* Adds a posting's bytes to the ended call that posted it, and its peer unless
   GASPDB_NULL. */
void gaspdb_p2p_moved(struct gaspdb_p2p *p, const struct gaspdb_posting *a,
		      int64_t peer);
/* Makes the row of a posting whose completing call has ended. Fills a with the
   completion's envelope and bytes. */
void gaspdb_p2p_completed(struct gaspdb_p2p *p, struct gaspdb_posting *a,
			  const struct gaspdb_completion *c);
/* Pairs a posting with its completion: makes the row and frees both, or leaves
   that to the end of the completing call. */
void gaspdb_p2p_pair(struct gaspdb_p2p *p, uint32_t posting,
		     uint32_t completion);
/* Makes the row of a send or receive without completion. */
void gaspdb_p2p_open(struct gaspdb_p2p *p, const struct gaspdb_posting *a);
/* Makes the row of a send or receive whose request was freed; ignores other
   kinds. */
void gaspdb_p2p_freed(struct gaspdb_p2p *p, const struct gaspdb_posting *a);
/* Makes the row of a collective's request; c NULL: not completed. */
void gaspdb_p2p_no_message(struct gaspdb_p2p *p, const struct gaspdb_posting *a,
			   const struct gaspdb_completion *c);

#endif
