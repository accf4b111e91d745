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

#include "analysis/deliveries.h"
#include "analysis/last_writes.h"
#include "analysis/scan.h"
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
	bool *writes; /* by source: it writes others' memory */
	struct gaspdb_last_writes last; /* to the words of this part */
	struct seen {
		int64_t number; /* of a write */
		int64_t at_ns;	/* when the first wait returned since */
	} * seen;		/* of each word */
	size_t seen_room;
};

/* A row of moments: at `AT` a write began, a wait ended, or did not till the
   end of its log. */
enum {
	PART,
	AT,
	WHAT,
	EVENT,
	THREAD,
	OBJECT,
	LAST,	      /* byte, of a write */
	START = LAST, /* of a wait */
	COLUMNS
};
enum { WRITE, WAIT, OPEN_WAIT };

static bool is_wait(const struct signals *s, const struct gaspdb_event *e)
{
	const struct gaspdb_run_source *source =
		gaspdb_run_source(&s->run, e->source);

	return source && source->type == GASPDB_TYPE_wait_until &&
	       e->object != GASPDB_NONE;
}

static void add_word(void *user, const struct gaspdb_event *e)
{
	struct signals *s = user;

	if (is_wait(s, e))
		gaspdb_waited_words_add(&s->words,
					gaspdb_run_process(&s->run, e->thread),
					e->object);
}

/*
 * Puts and atomics write; atomics that only read are told by their names, for
 * which there is no type.
 */
static void load_writers(struct signals *s)
{
	sqlite3_stmt *stmt = gaspdb_prepare(
		&s->run, "SELECT s.id FROM source s "
			 "JOIN operation o ON o.id = s.operation_id "
			 "WHERE o.type IN ('put', 'put_nb', 'atomic', "
			 "  'atomic_fetch') AND o.name NOT GLOB '*_fetch'");

	s->writes = gaspdb_zeroed(&s->run, (size_t)s->run.n_sources,
				  sizeof(*s->writes));
	while (gaspdb_row(&s->run, stmt))
		if (gaspdb_run_source(&s->run, sqlite3_column_int64(stmt, 0)))
			s->writes[sqlite3_column_int64(stmt, 0)] = true;
	sqlite3_finalize(stmt);
}

static void add_wait(struct signals *s, const struct gaspdb_event *e)
{
	const size_t part = gaspdb_waited_words_part(
		&s->words, 0, gaspdb_run_process(&s->run, e->thread), e->object,
		e->object);

	if (part == SIZE_MAX)
		return;
	gaspdb_sorter_add(&s->moments,
			  (int64_t[]){ [PART] = (int64_t)part,
				       [AT] = e->start_ns + e->duration_ns,
				       [WHAT] = e->open ? OPEN_WAIT : WAIT,
				       [EVENT] = e->id,
				       [THREAD] = e->thread,
				       [OBJECT] = e->object,
				       [START] = e->start_ns });
}

/* Where it may write to words that are waited for. */
static void add_write(struct signals *s, const struct gaspdb_event *e)
{
	const int64_t last =
		gaspdb_plus(e->object, e->bytes > 0 ? e->bytes - 1 : 0);
	size_t part = 0;

	while ((part = gaspdb_waited_words_part(&s->words, part, e->peer,
						e->object, last)) != SIZE_MAX)
		gaspdb_sorter_add(&s->moments,
				  (int64_t[]){ [PART] = (int64_t)part++,
					       [AT] = e->start_ns,
					       [WHAT] = WRITE,
					       [EVENT] = e->id,
					       [THREAD] = e->thread,
					       [OBJECT] = e->object,
					       [LAST] = last });
}

static void add_moment(void *user, const struct gaspdb_event *e)
{
	struct signals *s = user;

	if (e->source >= 0 && e->source < s->run.n_sources &&
	    s->writes[e->source] && e->peer != GASPDB_NONE &&
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
	return seen->number == write->number && seen->at_ns <= start_ns;
}

static void deliver(struct signals *s, const int64_t *wait, int64_t at_ns)
{
	if (s->deliveries)
		gaspdb_sorter_add(
			s->deliveries,
			(int64_t[]){ wait[EVENT],
				     wait[AT] -
					     gaspdb_max(at_ns, wait[START]) });
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

	if (write->number) {
		w.end_ns = write->at_ns;
		w.cause_thread = write->thread;
		w.cause_event = write->event;
		w.cause_ns = write->at_ns;
		w.bound = false;
		gaspdb_syncs_pair(&s->syncs, GASPDB_SYNC_SIGNAL, wait[EVENT],
				  write->event, wait[EVENT]);
	}
	gaspdb_wait_propose(&s->waits, &w);
}

static void take_wait(struct signals *s, const int64_t *row)
{
	const size_t word = gaspdb_waited_words_before(&s->words, row[OBJECT]);
	const struct gaspdb_write write = gaspdb_last_writes_to(&s->last, word);
	struct seen *seen = &s->seen[word];

	propose(s, row, &write);
	if (!write.number)
		return;
	if (!is_seen(seen, &write, row[START]))
		deliver(s, row, write.at_ns);
	if (row[WHAT] == WAIT && seen->number != write.number)
		*seen = (struct seen){ write.number, row[AT] };
}

static void take_write(struct signals *s, const int64_t *row)
{
	const size_t from = gaspdb_waited_words_before(&s->words, row[OBJECT]);
	const size_t until =
		row[LAST] == INT64_MAX
			? s->words.n
			: gaspdb_waited_words_before(&s->words, row[LAST] + 1);

	gaspdb_last_writes_add(&s->last, from, until, row[EVENT], row[THREAD],
			       row[AT]);
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
	s->last.run = &s->run;
	gaspdb_sorter_init(&s->moments, &s->run, COLUMNS, EVENT + 1);
	gaspdb_waited_words_open(&s->words, &s->run);
	gaspdb_scan_events(&s->run, add_word, s);
	gaspdb_waited_words_sort(&s->words);
	load_writers(s);
	if (s->words.n_parts && s->writes)
		gaspdb_scan_events(&s->run, add_moment, s);
	match(s);
	gaspdb_wait_writer_close(&s->waits);
	gaspdb_sorter_fini(&s->moments);
	gaspdb_waited_words_close(&s->words);
	gaspdb_last_writes_free(&s->last);
	free(s->seen);
	free(s->writes);
}

enum gaspdb_status gaspdb_pass_signals(sqlite3 *db, struct gaspdb_error *err)
{
	const enum gaspdb_type wait_until = GASPDB_TYPE_wait_until;
	struct signals s = { .writes = NULL };

	gaspdb_run_open(&s.run, db, err);
	if (gaspdb_run_has(&s.run, &wait_until, 1))
		analyse(&s);
	return gaspdb_run_close(&s.run);
}
