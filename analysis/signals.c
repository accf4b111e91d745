/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A thread that waits for a word of its own memory waits for the last write to
 * it that began before the waiting ended, by whatever process.  The words that
 * anyone waits for are few: one scan finds the writes to them.
 */
#include "analysis/signals.h"

#include <stdlib.h>

#include "analysis/deliveries.h"
#include "analysis/groups.h"
#include "analysis/scan.h"
#include "analysis/syncs.h"
#include "analysis/waits.h"

struct word {
	int64_t process, object;
};

struct signals {
	struct gaspdb_run run;
	struct gaspdb_wait_writer waits;
	struct gaspdb_syncs syncs;
	struct gaspdb_sorter *deliveries;
	struct gaspdb_sorter moments;
	struct gaspdb_groups words; /* process, object; sorted before the
				       writes are looked for */
	bool *writes;		    /* by source: it writes others' memory */
};

/* A row of moments: at `AT` a write began, a wait ended, or did not till the
   end of its log. */
enum { PROCESS, OBJECT, AT, WHAT, EVENT, THREAD, START, COLUMNS };
enum { WRITE, WAIT, OPEN_WAIT };

static int compare(const int64_t *row, const struct word *word)
{
	if (row[0] != word->process)
		return row[0] < word->process ? -1 : 1;
	return (row[1] > word->object) - (row[1] < word->object);
}

/* The first word that is not before this one. */
static size_t find_word(const struct signals *s, const struct word *word)
{
	size_t low = 0, high = s->words.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare(gaspdb_groups_row(&s->words, middle), word) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* If the event waits for a word, note so. */
static void add_wait(void *user, const struct gaspdb_event *e)
{
	struct signals *s = user;
	const struct gaspdb_run_source *source =
		gaspdb_run_source(&s->run, e->source);
	const int64_t process = gaspdb_run_process(&s->run, e->thread);

	if (!source || source->type != GASPDB_TYPE_wait_until ||
	    e->object == GASPDB_NONE)
		return;
	gaspdb_group(&s->run, &s->words, (int64_t[]){ process, e->object });
	gaspdb_sorter_add(&s->moments,
			  (int64_t[]){ [PROCESS] = process,
				       [OBJECT] = e->object,
				       [AT] = e->start_ns + e->duration_ns,
				       [WHAT] = e->open ? OPEN_WAIT : WAIT,
				       [EVENT] = e->id,
				       [THREAD] = e->thread,
				       [START] = e->start_ns });
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

/* If the event writes to words that are waited for, note so. */
static void add_write(void *user, const struct gaspdb_event *e)
{
	struct signals *s = user;
	const struct word word = { e->peer, e->object };
	const int64_t bytes = e->bytes > 0 ? e->bytes : 1;

	if (e->source < 0 || e->source >= s->run.n_sources ||
	    !s->writes[e->source] || e->peer == GASPDB_NONE ||
	    e->object == GASPDB_NONE)
		return;
	for (size_t i = find_word(s, &word); i < s->words.n; i++) {
		const int64_t *row = gaspdb_groups_row(&s->words, i);

		if (row[0] != e->peer ||
		    (uint64_t)row[1] - (uint64_t)e->object >= (uint64_t)bytes)
			break;
		gaspdb_sorter_add(&s->moments,
				  (int64_t[]){ [PROCESS] = e->peer,
					       [OBJECT] = row[1],
					       [AT] = e->start_ns,
					       [WHAT] = WRITE,
					       [EVENT] = e->id,
					       [THREAD] = e->thread,
					       [START] = e->start_ns });
	}
}

/* What has been written last, so far, to the word that is being read. */
struct latest {
	int64_t process, object;
	int64_t event, thread, at_ns; /* event NONE: nothing */
	int64_t seen_ns; /* when the first wait returned since; NONE: none */
};

/* A thread that waits again after it was seen waits for what is not recorded:
   of that delivery nothing is known. */
static bool is_seen(const struct latest *write, int64_t start_ns)
{
	return write->seen_ns != GASPDB_NONE && write->seen_ns <= start_ns;
}

static void propose(struct signals *s, const struct latest *write,
		    int64_t event, int64_t thread, int64_t start_ns,
		    int64_t end_ns)
{
	struct gaspdb_wait w = { .kind = GASPDB_WAIT_LATE_SIGNAL,
				 .thread = thread,
				 .event = event,
				 .start_ns = start_ns,
				 .end_ns = end_ns,
				 .cause_thread = GASPDB_NONE,
				 .cause_event = GASPDB_NONE,
				 .cause_ns = GASPDB_NONE,
				 .bound = true };

	if (write->event != GASPDB_NONE) {
		w.end_ns = write->at_ns;
		w.cause_thread = write->thread;
		w.cause_event = write->event;
		w.cause_ns = write->at_ns;
		w.bound = false;
		gaspdb_syncs_pair(&s->syncs, GASPDB_SYNC_SIGNAL, event,
				  write->event, event);
		if (s->deliveries && !is_seen(write, start_ns))
			gaspdb_sorter_add(
				s->deliveries,
				(int64_t[]){ event,
					     end_ns - (write->at_ns > start_ns
							       ? write->at_ns
							       : start_ns) });
	}
	gaspdb_wait_propose(&s->waits, &w);
}

/* Writes and waits of each word, in order of time, writes first. */
static void match(struct signals *s)
{
	struct latest last = { .process = GASPDB_NONE, .event = GASPDB_NONE };
	const int64_t *row;

	while ((row = gaspdb_sorter_next(&s->moments))) {
		if (row[PROCESS] != last.process || row[OBJECT] != last.object)
			last = (struct latest){ .process = row[PROCESS],
						.object = row[OBJECT],
						.event = GASPDB_NONE };
		if (row[WHAT] == WRITE) {
			last.event = row[EVENT];
			last.thread = row[THREAD];
			last.at_ns = row[AT];
			last.seen_ns = GASPDB_NONE;
			continue;
		}
		propose(s, &last, row[EVENT], row[THREAD], row[START], row[AT]);
		if (row[WHAT] == WAIT && last.seen_ns == GASPDB_NONE)
			last.seen_ns = row[AT];
	}
}

static void analyse(struct signals *s)
{
	gaspdb_wait_writer_open(&s->waits, &s->run);
	gaspdb_syncs_open(&s->syncs, &s->run);
	s->deliveries = gaspdb_deliveries(&s->run);
	gaspdb_sorter_init(&s->moments, &s->run, COLUMNS, EVENT + 1);
	gaspdb_groups_init(&s->words, 2, 0);
	gaspdb_scan_events(&s->run, add_wait, s);
	gaspdb_groups_sort(&s->words);
	load_writers(s);
	if (s->words.n && s->writes)
		gaspdb_scan_events(&s->run, add_write, s);
	match(s);
	gaspdb_wait_writer_close(&s->waits);
	gaspdb_sorter_fini(&s->moments);
	gaspdb_groups_fini(&s->words);
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
