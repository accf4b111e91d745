/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Logs are dealt out to lines, in turns.  A line reads its logs one after the
 * other; each has a ring of its own, so that the line whose turn it is never
 * waits for another's.
 */
#include "importer/log/ahead.h"

#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "common/ring.h"

#define PIECES 16
/* A reader but for its buffer. */
#define READER_BYTES offsetof(struct gaspdb_reader, buffer)

struct line {
	const struct gaspdb_source *source;
	unsigned step;		      /* this line has every step-th log */
	unsigned skip;		      /* logs to pass over */
	size_t next;		      /* thread to look at */
	bool open;		      /* a log of its is being read */
	struct gaspdb_reader *reader; /* as it was after the last piece */
	uint8_t *kept;		      /* for it */
	struct gaspdb_piece *pieces[PIECES];
	struct gaspdb_ring ring;
	bool threaded;
	pthread_t thread;
};

struct gaspdb_ahead {
	struct line *lines;
	unsigned n_lines, at;
	const struct gaspdb_piece *piece; /* that the caller has */
};

/* --- reading -------------------------------------------------------------- */

static const struct gaspdb_log_file *next_log(struct line *l)
{
	const struct gaspdb_source *s = l->source;

	for (; l->next < s->n_threads; l->next++) {
		if (!s->threads[l->next].log || l->skip-- > 0)
			continue;
		l->skip = l->step - 1;
		return s->threads[l->next++].log;
	}
	return NULL;
}

/* A log that was closed properly needs no piece to say that it is over: of a
   small one that would be a third. */
static bool is_last(const struct gaspdb_piece *p)
{
	return p->status == GASPDB_OK ? gaspdb_reader_at_end(&p->reader)
				      : p->status != GASPDB_DAMAGED;
}

static void keep(struct line *l, struct gaspdb_piece *p)
{
	p->last = is_last(p);
	l->open = !p->last;
	if (l->open)
		memcpy(l->reader, &p->reader, READER_BYTES);
	else
		gaspdb_reader_close(&p->reader);
}

/* The line's next piece; false: it has no more logs. */
static bool read_piece(struct line *l, struct gaspdb_piece *p)
{
	const struct gaspdb_log_file *log;

	p->status = GASPDB_OK;
	if (l->open) {
		memcpy(&p->reader, l->reader, READER_BYTES);
	} else {
		log = next_log(l);
		if (!log)
			return false;
		p->status = gaspdb_source_read(l->source, log, &p->reader,
					       l->kept, &p->err);
	}
	if (!p->status)
		p->status = gaspdb_reader_block(&p->reader, &p->err);
	if (!p->status)
		gaspdb_reader_records(&p->reader, &p->records);
	keep(l, p);
	return true;
}

static void *read_line(void *user)
{
	struct line *l = user;
	unsigned slot;

	while ((slot = gaspdb_ring_empty_slot(&l->ring)) !=
		       GASPDB_RING_CLOSED &&
	       read_piece(l, l->pieces[slot]))
		gaspdb_ring_fill(&l->ring);
	return NULL;
}

/* --- lines ---------------------------------------------------------------- */

static void init_line(struct line *l, unsigned pieces)
{
	/* Of a small log the most part stays untouched. */
	l->reader = gaspdb_mem_room(sizeof *l->reader);
	l->kept = gaspdb_mem_room(GASPDB_CACHED_MAX);
	for (unsigned i = 0; i < pieces; i++) {
		l->pieces[i] = gaspdb_mem_room(sizeof *l->pieces[i]);
		l->pieces[i]->reader.fd = -1;
		gaspdb_records_init(&l->pieces[i]->records);
	}
}

static void free_line(struct line *l)
{
	gaspdb_ring_close(&l->ring);
	if (l->threaded)
		pthread_join(l->thread, NULL);
	gaspdb_ring_fini(&l->ring);
	if (l->open)
		gaspdb_reader_close(l->reader);
	for (unsigned i = 0; i < PIECES; i++) {
		if (l->pieces[i])
			gaspdb_records_free(&l->pieces[i]->records);
		free(l->pieces[i]);
	}
	free(l->reader);
	free(l->kept);
}

/* All memory is there before the first thread runs. */
void gaspdb_ahead_open(struct gaspdb_ahead **ahead,
		       const struct gaspdb_source *s, unsigned workers)
{
	struct gaspdb_ahead *a = *ahead = gaspdb_mem_alloc(sizeof *a);
	const unsigned n = workers ? workers : 1;

	a->lines = gaspdb_mem_alloc(n * sizeof *a->lines);
	for (; a->n_lines < n; a->n_lines++) {
		struct line *l = &a->lines[a->n_lines];

		l->source = s;
		l->step = n;
		l->skip = a->n_lines;
		gaspdb_ring_init(&l->ring, PIECES);
	}
	for (unsigned i = 0; i < n; i++)
		init_line(&a->lines[i], workers ? PIECES : 1);
	for (unsigned i = 0; i < workers; i++)
		a->lines[i].threaded = gaspdb_thread_start(
			&a->lines[i].thread, read_line, &a->lines[i]);
}

void gaspdb_ahead_close(struct gaspdb_ahead *a)
{
	if (!a)
		return;
	for (unsigned i = 0; i < a->n_lines; i++)
		free_line(&a->lines[i]);
	free(a->lines);
	free(a);
}

/* The caller is done with its piece; a->at is where the next one comes from. */
static void give_back(struct gaspdb_ahead *a)
{
	struct line *l = &a->lines[a->at];
	const bool ended = a->piece && a->piece->last;

	if (a->piece && l->threaded)
		gaspdb_ring_empty(&l->ring);
	if (ended)
		a->at = (a->at + 1) % a->n_lines;
}

const struct gaspdb_piece *gaspdb_ahead_next(struct gaspdb_ahead *a)
{
	struct line *l;
	unsigned slot = 0;

	give_back(a);
	l = &a->lines[a->at];
	if (l->threaded)
		slot = gaspdb_ring_full_slot(&l->ring);
	else
		read_piece(l, l->pieces[0]);
	a->piece = l->pieces[slot];
	return a->piece;
}
