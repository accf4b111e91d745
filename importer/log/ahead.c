/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Logs read ahead by workers. Logs are assigned to workers round-robin, and a
 * worker reads its logs one after another. Each worker has a ring of its own,
 * so that the worker whose log is due never waits for another.
 */
#include "importer/log/ahead.h"

#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "common/ring.h"

#define PIECES 16
/* A reader without its buffer. */
#define READER_BYTES offsetof(struct gaspdb_reader, buffer)

struct worker {
	const struct gaspdb_source *source;
	unsigned step;		      /* the worker has every step-th log */
	unsigned skip;		      /* logs of other workers to skip */
	size_t next;		      /* thread to examine */
	bool open;		      /* a log is being read */
	struct gaspdb_reader *reader; /* its state after the last piece */
	uint8_t *cache;		      /* its cache */
	struct gaspdb_piece *pieces[PIECES];
	struct gaspdb_ring ring;
	bool threaded;
	pthread_t thread;
};

struct gaspdb_ahead {
	struct worker *workers;
	unsigned n_workers, at;
	const struct gaspdb_piece *piece; /* that the caller holds */
};

/* --- reading -------------------------------------------------------------- */

static const struct gaspdb_log_file *next_log(struct worker *w)
{
	const struct gaspdb_source *s = w->source;

	for (; w->next < s->n_threads; w->next++) {
		if (!s->threads[w->next].log || w->skip-- > 0)
			continue;
		w->skip = w->step - 1;
		return s->threads[w->next++].log;
	}
	return NULL;
}

/* Is this the log's last piece? A log closed properly needs no extra piece for
   its end; for a small log that would be one of three. */
static bool is_last(const struct gaspdb_piece *p)
{
	return p->status == GASPDB_OK ? gaspdb_reader_at_end(&p->reader)
				      : p->status != GASPDB_DAMAGED;
}

static void keep(struct worker *w, struct gaspdb_piece *p)
{
	p->last = is_last(p);
	w->open = !p->last;
	if (w->open)
		memcpy(w->reader, &p->reader, READER_BYTES);
	else
		gaspdb_reader_close(&p->reader);
}

/* The worker's next piece; false: no more logs. */
static bool read_piece(struct worker *w, struct gaspdb_piece *p)
{
	const struct gaspdb_log_file *log;

	p->status = GASPDB_OK;
	if (w->open) {
		memcpy(&p->reader, w->reader, READER_BYTES);
	} else {
		log = next_log(w);
		if (!log)
			return false;
		p->status = gaspdb_source_read(w->source, log, &p->reader,
					       w->cache, &p->err);
		p->reader.profiles = true;
	}
	if (!p->status)
		p->status = gaspdb_reader_block(&p->reader, &p->err);
	if (!p->status)
		gaspdb_reader_records(&p->reader, &p->records);
	keep(w, p);
	return true;
}

static void *run_worker(void *user)
{
	struct worker *w = user;
	unsigned slot;

	while ((slot = gaspdb_ring_empty_slot(&w->ring)) !=
		       GASPDB_RING_CLOSED &&
	       read_piece(w, w->pieces[slot]))
		gaspdb_ring_fill(&w->ring);
	return NULL;
}

/* --- workers -------------------------------------------------------------- */

static void init_worker(struct worker *w, unsigned pieces)
{
	/* Small logs leave most of it untouched. */
	w->reader = gaspdb_mem_room(sizeof *w->reader);
	w->cache = gaspdb_mem_room(GASPDB_CACHED_MAX);
	for (unsigned i = 0; i < pieces; i++) {
		w->pieces[i] = gaspdb_mem_room(sizeof *w->pieces[i]);
		w->pieces[i]->reader.fd = -1;
		gaspdb_records_init(&w->pieces[i]->records);
	}
}

static void free_worker(struct worker *w)
{
	gaspdb_ring_close(&w->ring);
	if (w->threaded)
		pthread_join(w->thread, NULL);
	gaspdb_ring_fini(&w->ring);
	if (w->open)
		gaspdb_reader_close(w->reader);
	for (unsigned i = 0; i < PIECES; i++) {
		if (w->pieces[i])
			gaspdb_records_free(&w->pieces[i]->records);
		free(w->pieces[i]);
	}
	free(w->reader);
	free(w->cache);
}

/* Allocates all memory before the first thread starts: only the importing
   thread may run out of memory here. */
void gaspdb_ahead_open(struct gaspdb_ahead **ahead,
		       const struct gaspdb_source *s, unsigned workers)
{
	struct gaspdb_ahead *a = *ahead = gaspdb_mem_alloc(sizeof *a);
	const unsigned n = workers ? workers : 1;

	a->workers = gaspdb_mem_alloc(n * sizeof *a->workers);
	for (; a->n_workers < n; a->n_workers++) {
		struct worker *w = &a->workers[a->n_workers];

		w->source = s;
		w->step = n;
		w->skip = a->n_workers;
		gaspdb_ring_init(&w->ring, PIECES);
	}
	for (unsigned i = 0; i < n; i++)
		init_worker(&a->workers[i], workers ? PIECES : 1);
	for (unsigned i = 0; i < workers; i++)
		a->workers[i].threaded = gaspdb_thread_start(
			&a->workers[i].thread, run_worker, &a->workers[i]);
}

void gaspdb_ahead_close(struct gaspdb_ahead *a)
{
	if (!a)
		return;
	for (unsigned i = 0; i < a->n_workers; i++)
		free_worker(&a->workers[i]);
	free(a->workers);
	free(a);
}

/* Returns the caller's piece to its ring; a->at becomes the worker of the next
   one. */
static void give_back(struct gaspdb_ahead *a)
{
	struct worker *w = &a->workers[a->at];
	const bool ended = a->piece && a->piece->last;

	if (a->piece && w->threaded)
		gaspdb_ring_empty(&w->ring);
	if (ended)
		a->at = (a->at + 1) % a->n_workers;
}

const struct gaspdb_piece *gaspdb_ahead_next(struct gaspdb_ahead *a)
{
	struct worker *w;
	unsigned slot = 0;

	give_back(a);
	w = &a->workers[a->at];
	if (w->threaded)
		slot = gaspdb_ring_full_slot(&w->ring);
	else
		read_piece(w, w->pieces[0]);
	a->piece = w->pieces[slot];
	return a->piece;
}
