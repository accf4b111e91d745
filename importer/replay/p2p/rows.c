/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of p2p and collective_request, from postings and completions. */
#include "importer/replay/p2p/parts.h"
#include "sql/store/btree/page_row.h"

/* An unknown completion. */
static const struct gaspdb_completion unknown = {
	.posting = GASPDB_ABSENT,
	.event = GASPDB_NULL,
	.completed_ns = GASPDB_NULL,
};

/* Cells with constant texts. */
#define TEXT(column, text) \
	((struct gaspdb_cell_text){ column, sizeof(text) - 1, text })
#define DIRECTION(text) TEXT(GASPDB_P2P_DIRECTION, text)
#define STATE(text)	TEXT(GASPDB_P2P_STATE, text)

static void insert(struct gaspdb_p2p *p, const struct gaspdb_posting *a,
		   const struct gaspdb_completion *c,
		   struct gaspdb_cell_text state)
{
	const bool receive = a->kind == GASPDB_POSTED_RECEIVE;
	const int64_t id = a->id ? a->id : p->next_id++;

	gaspdb_insert_texts(
		p->store, GASPDB_INSERT_p2p,
		(int64_t[GASPDB_P2P_COLUMNS]){
			[GASPDB_P2P_ID] = id,
			[GASPDB_P2P_THREAD] = a->thread,
			[GASPDB_P2P_DIRECTION] = 0,
			[GASPDB_P2P_POST_EVENT] = a->event,
			[GASPDB_P2P_COMPLETE_EVENT] = c->event,
			[GASPDB_P2P_TEAM] = a->team,
			[GASPDB_P2P_PEER] = a->peer,
			[GASPDB_P2P_TAG] = a->tag,
			[GASPDB_P2P_BYTES] = a->bytes,
			[GASPDB_P2P_POSTED_PEER] = a->posted_peer,
			[GASPDB_P2P_POSTED_TAG] = a->posted_tag,
			[GASPDB_P2P_LIMIT_BYTES] = a->limit,
			[GASPDB_P2P_POSTED] = a->posted_ns,
			[GASPDB_P2P_COMPLETED] = c->completed_ns,
			[GASPDB_P2P_REQUEST] = a->request,
			[GASPDB_P2P_NUMBER] = a->number,
			[GASPDB_P2P_STATE] = 0,
			[GASPDB_P2P_ERROR] = c->error },
		(struct gaspdb_cell_text[]){ receive ? DIRECTION("receive")
						     : DIRECTION("send"),
					     state },
		2);
}

static void insert_alone(struct gaspdb_p2p *p, const struct gaspdb_posting *a,
			 struct gaspdb_cell_text state)
{
	struct gaspdb_posting now = *a;

	if (a->message)
		gaspdb_matched_place(p, &now);
	insert(p, &now, &unknown, a->null ? STATE("null") : state);
}

void gaspdb_p2p_open(struct gaspdb_p2p *p, const struct gaspdb_posting *a)
{
	insert_alone(p, a, STATE("open"));
}

void gaspdb_p2p_moved(struct gaspdb_p2p *p, const struct gaspdb_posting *a,
		      int64_t peer)
{
	gaspdb_event_rows_change(p->rows, a->moves.event, a->bytes, peer);
	gaspdb_profile_bytes(p->rollups, a->moves.thread, a->moves.source,
			     a->moves.nested, a->bytes);
	gaspdb_path_bytes(p->paths, a->moves.thread, a->moves.path, a->bytes);
}

/* Copies a receive's envelope and bytes to its posting, and its bytes to the
   call that posted it. */
static void deliver(struct gaspdb_p2p *p, struct gaspdb_posting *a,
		    const struct gaspdb_completion *c)
{
	a->peer = a->null ? GASPDB_NULL
			  : gaspdb_thread_of_rank(p->source, c->peer);
	a->tag = a->null || c->peer < 0 ? GASPDB_NULL : c->tag;
	a->bytes = c->bytes;
	if (a->request == GASPDB_NULL)
		return;
	/* A call that starts several requests has no single peer. */
	gaspdb_p2p_moved(p, a,
			 a->number == GASPDB_NULL ? a->peer : GASPDB_NULL);
}

void gaspdb_p2p_no_message(struct gaspdb_p2p *p, const struct gaspdb_posting *a,
			   const struct gaspdb_completion *c)
{
	const int64_t complete = c ? c->event : GASPDB_NULL;

	gaspdb_insert(p->store, GASPDB_INSERT_collective_request,
		      GASPDB_VALUES(collective_request){
			      [GASPDB_COLLECTIVE_REQUEST_POST_EVENT] =
				      gaspdb_int(a->event),
			      [GASPDB_COLLECTIVE_REQUEST_REQUEST] =
				      gaspdb_int(a->request),
			      [GASPDB_COLLECTIVE_REQUEST_COMPLETE_EVENT] =
				      gaspdb_int(complete),
			      [GASPDB_COLLECTIVE_REQUEST_UNSEEN] =
				      gaspdb_int(c && complete == GASPDB_NULL),
			      [GASPDB_COLLECTIVE_REQUEST_MADE_EVENT] =
				      gaspdb_int(a->made),
			      [GASPDB_COLLECTIVE_REQUEST_NUMBER] =
				      gaspdb_int(a->number) });
}

/* Derives the kind of a persistent request without known creation. Its team
   remains unknown. */
static void judge(const struct gaspdb_p2p *p, struct gaspdb_posting *a,
		  const struct gaspdb_completion *c)
{
	if (a->kind != GASPDB_POSTED_UNKNOWN)
		return;
	if (c->flags & GASPDB_COMPLETE_COLLECTIVE) {
		a->kind = GASPDB_POSTED_NO_MESSAGE;
	} else if (c->flags & GASPDB_COMPLETE_RECEIVE) {
		a->kind = GASPDB_POSTED_RECEIVE;
	} else {
		a->kind = GASPDB_POSTED_SEND;
		a->peer = gaspdb_thread_of_rank(p->source, c->peer);
		a->tag = c->tag;
		a->bytes = c->bytes;
	}
}

void gaspdb_p2p_completed(struct gaspdb_p2p *p, struct gaspdb_posting *a,
			  const struct gaspdb_completion *c)
{
	const bool cancelled = c->flags & GASPDB_COMPLETE_CANCELLED;

	if (a->message && !gaspdb_matched_place(p, a) &&
	    gaspdb_matched_wait(p, a, c))
		return;
	judge(p, a, c);
	if (a->kind == GASPDB_POSTED_NO_MESSAGE)
		gaspdb_p2p_no_message(p, a, c);
	if (a->kind != GASPDB_POSTED_SEND && a->kind != GASPDB_POSTED_RECEIVE)
		return;
	if (a->kind == GASPDB_POSTED_RECEIVE && !cancelled)
		deliver(p, a, c);
	/* unseen: the completing call was not recorded, or is lost. */
	insert(p, a, c,
	       a->null			 ? STATE("null")
	       : cancelled		 ? STATE("cancelled")
	       : c->event == GASPDB_NULL ? STATE("unseen")
					 : STATE("complete"));
}

void gaspdb_p2p_pair(struct gaspdb_p2p *p, uint32_t posting,
		     uint32_t completion)
{
	struct gaspdb_requests *r = &p->requests;

	r->completion[completion].posting = posting;
	/* The end of the completing call makes the row. */
	if (r->completion[completion].completed_ns == GASPDB_NULL &&
	    r->completion[completion].event != GASPDB_NULL)
		return;
	gaspdb_p2p_completed(p, &r->posting[posting],
			     &r->completion[completion]);
	gaspdb_posting_free(r, posting);
	gaspdb_completion_free(r, completion);
}

void gaspdb_p2p_freed(struct gaspdb_p2p *p, const struct gaspdb_posting *a)
{
	if (a->kind == GASPDB_POSTED_SEND || a->kind == GASPDB_POSTED_RECEIVE)
		insert_alone(p, a, STATE("freed"));
}
