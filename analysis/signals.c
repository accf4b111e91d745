/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A thread that waits for a word of its own memory waits for the last write to
 * it that began before the waiting ended, by whatever process.  The words that
 * anyone waits for are few: one scan finds them, another the writes to them.
 * Writes and waits of a part of the words go by in the order of time: a write
 * of however many words is one row.
 */
#include "analysis/signals.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/clock_errors.h"
#include "analysis/deliveries.h"
#include "analysis/last_writes.h"
#include "analysis/scan.h"
#include "analysis/stretches.h"
#include "analysis/syncs.h"
#include "analysis/waited_words.h"
#include "analysis/waits.h"
#include "sum.h"

struct signals {
	struct gaspdb_run run;
	struct gaspdb_wait_writer waits;
	struct gaspdb_syncs syncs;
	struct gaspdb_sorter *deliveries;
	struct gaspdb_sorter moments;
	struct gaspdb_waited_words words;
	struct gaspdb_access_arguments arguments;
	struct gaspdb_clock_errors clocks;
	struct gaspdb_last_writes last; /* to the words of this part */
	struct seen {
		int64_t event; /* a write */
		int64_t at_ns; /* when the first wait returned since */
	} * seen;	       /* of each word */
	size_t seen_room;
};

/* A row of moments: at `AT` a write began, by the clock of who waits at the
   earliest, a wait ended, or did not till the end of its log, or a test that
   had been in vain. */
enum {
	PART,
	AT,
	WHAT,
	EVENT,
	THREAD,
	OBJECT,
	BYTES,
	START,
	STRIDE, /* of a write */
	STRETCHES,
	COLUMNS
};
enum { WRITE, WAIT, OPEN_WAIT, FAILED_TEST };

static bool is_wait(const struct signals *s, const struct gaspdb_event *e)
{
	const struct gaspdb_run_source *source =
		gaspdb_run_source(&s->run, e->source);

	return source &&
	       (source->type == GASPDB_TYPE_wait_until ||
		source->type == GASPDB_TYPE_wait_test) &&
	       e->object != GASPDB_NONE;
}

static struct gaspdb_access_told told_of(struct signals *s,
					 const struct gaspdb_event *e)
{
	return gaspdb_access_told(&s->arguments, e,
				  GASPDB_ACCESS_BIT(ELEMENT_BYTES) |
					  GASPDB_ACCESS_BIT(SUCCESS));
}

/* How long is the word that is waited for? */
static int64_t word_bytes(const struct gaspdb_access_told *told)
{
	const int64_t bytes =
		gaspdb_access_value(told, GASPDB_ACCESS_ELEMENT_BYTES, 1);

	return gaspdb_max(1, gaspdb_min(bytes, GASPDB_WORD_MAX));
}

static void add_word(void *user, const struct gaspdb_event *e)
{
	struct signals *s = user;
	struct gaspdb_access_told told;

	if (!is_wait(s, e))
		return;
	told = told_of(s, e);
	gaspdb_waited_words_add(&s->words,
				gaspdb_run_process(&s->run, e->thread),
				e->object, word_bytes(&told));
}

static int64_t what_of(const struct gaspdb_event *e,
		       const struct gaspdb_access_told *told)
{
	if (gaspdb_access_value(told, GASPDB_ACCESS_SUCCESS, 1) == 0)
		return FAILED_TEST;
	return e->open ? OPEN_WAIT : WAIT;
}

static void add_wait(struct signals *s, const struct gaspdb_event *e)
{
	const struct gaspdb_access_told told = told_of(s, e);
	const size_t part = gaspdb_waited_words_part(
		&s->words, 0, gaspdb_run_process(&s->run, e->thread), e->object,
		e->object);

	if (part == SIZE_MAX)
		return;
	gaspdb_sorter_add(
		&s->moments,
		(int64_t[COLUMNS]){ [PART] = (int64_t)part,
				    [AT] = e->start_ns + e->duration_ns,
				    [WHAT] = what_of(e, &told),
				    [EVENT] = e->id,
				    [THREAD] = e->thread,
				    [OBJECT] = e->object,
				    [BYTES] = word_bytes(&told),
				    [START] = e->start_ns });
}

/* Where it may write to words that are waited for. */
static void add_write(struct signals *s, const struct gaspdb_event *e)
{
	const struct gaspdb_access_told told =
		gaspdb_access_told(&s->arguments, e, GASPDB_STRETCHES_WANTED);
	const struct gaspdb_stretches to =
		gaspdb_stretches_of(e->object, e->bytes, &told);
	const int64_t first = gaspdb_plus(to.first, 1 - GASPDB_WORD_MAX);
	const int64_t last = gaspdb_stretches_last(&to);
	const int64_t error_ns =
		gaspdb_clock_errors_between(&s->clocks, e->thread, e->peer);
	size_t part = 0;

	if (!to.n)
		return;
	while ((part = gaspdb_waited_words_part(&s->words, part, e->peer, first,
						last)) != SIZE_MAX)
		gaspdb_sorter_add(
			&s->moments,
			(int64_t[COLUMNS]){
				[PART] = (int64_t)part++,
				[AT] = gaspdb_plus(e->start_ns, -error_ns),
				[WHAT] = WRITE,
				[EVENT] = e->id,
				[THREAD] = e->thread,
				[OBJECT] = to.first,
				[BYTES] = to.bytes,
				[START] = e->start_ns,
				[STRIDE] = to.stride,
				[STRETCHES] = to.n });
}

static void add_moment(void *user, const struct gaspdb_event *e)
{
	struct signals *s = user;

	const struct gaspdb_run_source *source =
		gaspdb_run_source(&s->run, e->source);

	if (source && source->writes && e->peer != GASPDB_NONE &&
	    e->object != GASPDB_NONE)
		add_write(s, e);
	else if (is_wait(s, e))
		add_wait(s, e);
}

/* A thread that waits again after it was seen waits for what is not recorded:
   of that delivery nothing is known. */
static bool is_seen(const struct seen *seen, const struct gaspdb_write *write,
		    int64_t start_ns)
{
	return seen->event == write->event && seen->at_ns <= start_ns;
}

static void deliver(struct signals *s, const int64_t *wait, int64_t at_ns)
{
	if (s->deliveries)
		gaspdb_sorter_add(
			s->deliveries,
			(int64_t[]){
				wait[EVENT],
				gaspdb_max(0,
					   wait[AT] -
						   gaspdb_max(at_ns,
							      wait[START])) });
}

static void propose(struct signals *s, const int64_t *wait,
		    const struct gaspdb_write *write)
{
	struct gaspdb_wait w = { .kind = GASPDB_WAIT_LATE_SIGNAL,
				 .thread = wait[THREAD],
				 .event = wait[EVENT],
				 .start_ns = wait[START],
				 .end_ns = wait[AT],
				 .cause_thread = GASPDB_NONE,
				 .cause_event = GASPDB_NONE,
				 .cause_ns = GASPDB_NONE,
				 .bound = true };

	if (write->event) {
		w.end_ns = write->at_ns;
		w.cause_thread = write->thread;
		w.cause_event = write->event;
		w.cause_ns = write->at_ns;
		w.bound = false;
	}
	gaspdb_wait_propose(&s->waits, &w);
}

static void take_wait(struct signals *s, const int64_t *row)
{
	const size_t word =
		gaspdb_waited_words_before(&s->words, row[OBJECT], row[BYTES]);
	const struct gaspdb_write write = gaspdb_last_writes_to(&s->last, word);
	struct seen *seen = &s->seen[word];

	propose(s, row, &write);
	if (!write.event || row[WHAT] == FAILED_TEST)
		return; /* nothing has arrived */
	gaspdb_syncs_pair(&s->syncs, GASPDB_SYNC_SIGNAL, row[EVENT],
			  write.event, row[EVENT]);
	if (!is_seen(seen, &write, row[START]))
		deliver(s, row, write.at_ns);
	if (row[WHAT] == WAIT && seen->event != write.event)
		*seen = (struct seen){ write.event, row[AT] };
}

/* Each of these words that it changes some byte of. */
static void write_each(struct signals *s, const struct gaspdb_stretches *to,
		       size_t from, size_t until,
		       const struct gaspdb_write *write)
{
	for (size_t i = from; i < until; i++)
		if (gaspdb_stretches_meet(to, s->words.words[i].object,
					  s->words.words[i].bytes))
			gaspdb_last_writes_add(&s->last, i, i + 1, write);
}

/* The first word that may reach so far. */
static size_t words_from(const struct signals *s, int64_t object)
{
	return gaspdb_waited_words_before(
		&s->words, gaspdb_plus(object, 1 - GASPDB_WORD_MAX), 0);
}

/* All words that begin in what is written are, and some of the few that begin
   just before. */
static void write_stretch(struct signals *s, const struct gaspdb_stretches *to,
			  const struct gaspdb_write *write)
{
	const size_t from = gaspdb_waited_words_before(&s->words, to->first, 0);
	const size_t until = gaspdb_waited_words_before(
		&s->words, gaspdb_plus(gaspdb_stretches_last(to), 1), 0);

	write_each(s, to, words_from(s, to->first), from, write);
	gaspdb_last_writes_add(&s->last, from, until, write);
}

/* Stretch by stretch, or word by word where that is less. */
static void write_strided(struct signals *s, const struct gaspdb_stretches *to,
			  const struct gaspdb_write *write)
{
	const size_t from = words_from(s, to->first);
	const size_t until = gaspdb_waited_words_before(
		&s->words, gaspdb_plus(gaspdb_stretches_last(to), 1), 0);

	if ((uint64_t)to->n >= until - from) {
		write_each(s, to, from, until, write);
		return;
	}
	for (int64_t i = 0; i < to->n; i++) {
		const struct gaspdb_stretches one = {
			gaspdb_stretches_at(to, i), to->bytes, 1, 1
		};

		write_stretch(s, &one, write);
	}
}

static void take_write(struct signals *s, const int64_t *row)
{
	const struct gaspdb_stretches to = { row[OBJECT], row[BYTES],
					     row[STRIDE], row[STRETCHES] };
	const struct gaspdb_write write = { row[EVENT], row[THREAD],
					    row[START] };

	if (to.n == 1)
		write_stretch(s, &to, &write);
	else
		write_strided(s, &to, &write);
}

static bool begin_part(struct signals *s, size_t part)
{
	struct seen *seen;

	if (!gaspdb_waited_words_load(&s->words, part) ||
	    !gaspdb_last_writes_begin(&s->last, s->words.n))
		return false;
	if (s->words.n > s->seen_room) {
		seen = gaspdb_resized(&s->run, s->seen, s->words.n,
				      sizeof *seen);
		if (!seen)
			return false;
		s->seen = seen;
		s->seen_room = s->words.n;
	}
	memset(s->seen, 0, s->words.n * sizeof *s->seen);
	return true;
}

/* Writes and waits of each part, in order of time, writes first. */
static void match(struct signals *s)
{
	int64_t part = -1;
	const int64_t *row;

	while ((row = gaspdb_sorter_next(&s->moments))) {
		if (row[PART] != part && !begin_part(s, (size_t)row[PART]))
			return;
		part = row[PART];
		if (row[WHAT] == WRITE)
			take_write(s, row);
		else
			take_wait(s, row);
	}
}

static void analyse(struct signals *s)
{
	gaspdb_wait_writer_open(&s->waits, &s->run);
	gaspdb_syncs_open(&s->syncs, &s->run);
	s->deliveries = gaspdb_deliveries(&s->run);
	gaspdb_clock_errors_load(&s->clocks, &s->run);
	s->last.run = &s->run;
	gaspdb_sorter_init(&s->moments, &s->run, COLUMNS, EVENT + 1);
	gaspdb_waited_words_open(&s->words, &s->run);
	gaspdb_access_arguments_open(&s->arguments, &s->run);
	gaspdb_scan_events(&s->run, add_word, s);
	gaspdb_access_arguments_close(&s->arguments);
	gaspdb_waited_words_sort(&s->words);
	gaspdb_access_arguments_open(&s->arguments, &s->run);
	if (s->words.n_parts)
		gaspdb_scan_events(&s->run, add_moment, s);
	gaspdb_access_arguments_close(&s->arguments);
	match(s);
	gaspdb_wait_writer_close(&s->waits);
	gaspdb_sorter_fini(&s->moments);
	gaspdb_waited_words_close(&s->words);
	gaspdb_last_writes_free(&s->last);
	gaspdb_clock_errors_free(&s->clocks);
	free(s->seen);
}

enum gaspdb_status gaspdb_pass_signals(sqlite3 *db, struct gaspdb_error *err)
{
	static const enum gaspdb_type waits[] = { GASPDB_TYPE_wait_until,
						  GASPDB_TYPE_wait_test };
	struct signals s = { .seen = NULL };

	gaspdb_run_open(&s.run, db, err);
	if (gaspdb_run_has(&s.run, waits, sizeof waits / sizeof *waits))
		analyse(&s);
	return gaspdb_run_close(&s.run);
}
