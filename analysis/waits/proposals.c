/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Proposals of waits, as rows of sorters: by event and time. */
#include "analysis/waits/proposals.h"

#include <string.h>

#include "analysis/rows/shared_sorter.h"
#include "analysis/waits/polls.h"
#include "common/sum.h"

/* A row of a proposal, sorted by event and time. A polled proposal has its kind
   as START. */
enum column {
	EVENT,
	START,
	END,
	SORTED_BY,
	THREAD = SORTED_BY,
	CAUSE_THREAD,
	CAUSE_EVENT,
	CAUSE_NS,
	CAUSE_SOURCE, /* and the partner, from bit PARTNER_SHIFT on */
	FLAGS,
	COLUMNS
};

enum {
	CLAMPED = 1,
	BOUND = 2,
	HAS_CAUSE_SOURCE = 4,
	WRONG_SHIFT = 3,
	WRONG_MASK = 3,
	KIND_SHIFT = 5
};

/* Numbers of sources have 32 bits; an unknown source has no partner. */
enum { PARTNER_SHIFT = 32 };

struct gaspdb_sorter *gaspdb_wait_proposals(struct gaspdb_run *run)
{
	return gaspdb_sorter_share(run, &run->shared.wait_proposals, COLUMNS,
				   SORTED_BY);
}

/* Polled proposals, by the test that succeeded. */
static struct gaspdb_sorter *polled_of(struct gaspdb_run *run)
{
	return gaspdb_sorter_share(run, &run->shared.polled_proposals, COLUMNS,
				   SORTED_BY);
}

void gaspdb_wait_writer_open(struct gaspdb_wait_writer *writer,
			     struct gaspdb_run *run)
{
	writer->run = run;
	writer->proposals = gaspdb_wait_proposals(run);
	writer->polled = polled_of(run);
}

static int64_t flags_of(const struct gaspdb_wait *w)
{
	return (w->clamped ? CLAMPED : 0) | (w->bound ? BOUND : 0) |
	       (w->has_cause_source ? HAS_CAUSE_SOURCE : 0) |
	       (int64_t)w->wrong_order << WRONG_SHIFT |
	       (int64_t)w->kind << KIND_SHIFT;
}

void gaspdb_wait_propose(struct gaspdb_wait_writer *writer,
			 const struct gaspdb_wait *w)
{
	const int64_t row[COLUMNS] = {
		[EVENT] = w->event,
		[THREAD] = w->thread,
		[START] = w->polled ? (int64_t)w->kind : w->start_ns,
		[END] = w->end_ns,
		[CAUSE_THREAD] = w->cause_thread,
		[CAUSE_EVENT] = w->cause_event,
		[CAUSE_NS] = w->cause_ns,
		[CAUSE_SOURCE] = w->cause_source | w->partner << PARTNER_SHIFT,
		[FLAGS] = flags_of(w)
	};

	if (w->polled && writer->polled)
		gaspdb_sorter_add(writer->polled, row);
	else if (!w->polled && w->end_ns > w->start_ns && writer->proposals)
		gaspdb_sorter_add(writer->proposals, row);
}

void gaspdb_wait_writer_close(struct gaspdb_wait_writer *writer)
{
	writer->proposals = writer->polled = NULL;
}

struct gaspdb_wait gaspdb_wait_of_proposal(const int64_t *row)
{
	const int64_t source = row[CAUSE_SOURCE];
	const bool known = source != GASPDB_NONE;

	return (struct gaspdb_wait){
		.event = row[EVENT],
		.kind = (enum gaspdb_wait_kind)(row[FLAGS] >> KIND_SHIFT),
		.thread = row[THREAD],
		.start_ns = row[START],
		.end_ns = row[END],
		.cause_thread = row[CAUSE_THREAD],
		.cause_event = row[CAUSE_EVENT],
		.cause_ns = row[CAUSE_NS],
		.cause_source = known ? source & UINT32_MAX : source,
		.partner = known ? source >> PARTNER_SHIFT : 0,
		.has_cause_source = row[FLAGS] & HAS_CAUSE_SOURCE,
		.clamped = row[FLAGS] & CLAMPED,
		.bound = row[FLAGS] & BOUND,
		.wrong_order = (enum gaspdb_wrong)(row[FLAGS] >> WRONG_SHIFT &
						   WRONG_MASK)
	};
}

/* --- polled proposals ----------------------------------------------------- */

void gaspdb_wait_propose_part(void *user, int64_t event, int64_t start_ns,
			      int64_t end_ns)
{
	const struct gaspdb_wait_part *part = user;
	struct gaspdb_wait w = part->wait;

	w.event = event;
	w.start_ns = start_ns;
	w.end_ns = w.cause_ns != GASPDB_NONE ? gaspdb_min(end_ns, w.cause_ns)
					     : end_ns;
	gaspdb_wait_propose(part->writer, &w);
}

static bool later(const int64_t *row, const int64_t *than)
{
	return row[CAUSE_NS] != than[CAUSE_NS]
		       ? row[CAUSE_NS] > than[CAUSE_NS]
		       : row[CAUSE_EVENT] < than[CAUSE_EVENT];
}

void gaspdb_wait_resolve_polled(struct gaspdb_run *run)
{
	struct gaspdb_sorter *sorted = polled_of(run);
	struct gaspdb_wait_writer writer;
	struct gaspdb_polls polls;
	int64_t best[COLUMNS] = { [EVENT] = GASPDB_NONE };
	const int64_t *row;

	gaspdb_wait_writer_open(&writer, run);
	gaspdb_polls_open(&polls, run);
	do {
		row = sorted ? gaspdb_sorter_next(sorted) : NULL;
		if (row && row[EVENT] == best[EVENT] &&
		    row[START] == best[START]) {
			if (later(row, best))
				memcpy(best, row, sizeof best);
			continue;
		}
		if (best[EVENT] != GASPDB_NONE)
			gaspdb_polls_before(&polls, best[EVENT],
					    gaspdb_wait_propose_part,
					    &(struct gaspdb_wait_part){
						    &writer, gaspdb_wait_of_proposal(best) });
		if (row)
			memcpy(best, row, sizeof best);
	} while (row);
	gaspdb_polls_close(&polls);
	gaspdb_wait_writer_close(&writer);
	if (sorted)
		gaspdb_sorter_empty(sorted);
}
