/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A thread that waits for a word of its own memory waits for the last write to
 * it that began before the waiting ended, by whatever process.  The words that
 * anyone waits for are few: one scan finds the writes to them.
 */
#include "analysis/signals.h"

#include <stdlib.h>

#include "analysis/deliveries.h"
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
	struct word *words; /* sorted */
	size_t n, room;
	bool *writes; /* by source: it writes others' memory */
	sqlite3_stmt *insert;
};

/* A write that began (is_wait 0), a wait that ended (1), or did not till the
   end of its log (2): `at_ns`. */
#define SIGNALS                                                    \
	"CREATE TEMP TABLE gaspdb_signal(process, object, at_ns, " \
	"is_wait, event, thread, start_ns)"

static int compare(const struct word *a, const struct word *b)
{
	if (a->process != b->process)
		return a->process < b->process ? -1 : 1;
	return (a->object > b->object) - (a->object < b->object);
}

/* The first word that is not before this one. */
static size_t find_word(const struct signals *s, const struct word *word)
{
	size_t low = 0, high = s->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare(&s->words[middle], word) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void load_words(struct signals *s)
{
	sqlite3_stmt *stmt = gaspdb_prepare(
		&s->run,
		"SELECT DISTINCT process, object FROM temp.gaspdb_signal "
		"ORDER BY 1, 2");

	while (gaspdb_row(&s->run, stmt) &&
	       gaspdb_grow(&s->run, &s->words, s->n, &s->room,
			   sizeof(*s->words)))
		s->words[s->n++] =
			(struct word){ sqlite3_column_int64(stmt, 0),
				       sqlite3_column_int64(stmt, 1) };
	sqlite3_finalize(stmt);
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
static void add_event(void *user, const struct gaspdb_event *e)
{
	struct signals *s = user;
	struct word word = { e->peer, e->object };
	int64_t bytes = e->bytes > 0 ? e->bytes : 1;

	if (e->source < 0 || e->source >= s->run.n_sources ||
	    !s->writes[e->source] || e->peer == GASPDB_NONE ||
	    e->object == GASPDB_NONE)
		return;
	for (size_t i = find_word(s, &word);
	     i < s->n && s->words[i].process == e->peer &&
	     (uint64_t)s->words[i].object - (uint64_t)e->object <
		     (uint64_t)bytes;
	     i++)
		gaspdb_write(&s->run, s->insert, 7,
			     (int64_t[]){ e->peer, s->words[i].object,
					  e->start_ns, 0, e->id, e->thread,
					  e->start_ns },
			     NULL);
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
	sqlite3_stmt *stmt = gaspdb_prepare(
		&s->run, "SELECT process, object, at_ns, is_wait, event, "
			 "thread, start_ns FROM temp.gaspdb_signal "
			 "ORDER BY process, object, at_ns, is_wait, event");
	struct latest last = { .process = GASPDB_NONE, .event = GASPDB_NONE };

	while (gaspdb_row(&s->run, stmt)) {
		int64_t process = sqlite3_column_int64(stmt, 0);
		int64_t object = sqlite3_column_int64(stmt, 1);
		int64_t at_ns = sqlite3_column_int64(stmt, 2);
		int64_t event = sqlite3_column_int64(stmt, 4);
		int64_t thread = sqlite3_column_int64(stmt, 5);

		if (process != last.process || object != last.object)
			last = (struct latest){ .process = process,
						.object = object,
						.event = GASPDB_NONE };
		switch (sqlite3_column_int(stmt, 3)) {
		case 0:
			last.event = event;
			last.thread = thread;
			last.at_ns = at_ns;
			last.seen_ns = GASPDB_NONE;
			break;
		case 1:
			propose(s, &last, event, thread,
				sqlite3_column_int64(stmt, 6), at_ns);
			if (last.seen_ns == GASPDB_NONE)
				last.seen_ns = at_ns;
			break;
		default:
			propose(s, &last, event, thread,
				sqlite3_column_int64(stmt, 6), at_ns);
		}
	}
	sqlite3_finalize(stmt);
}

static void gather_waits(struct signals *s)
{
	gaspdb_exec(&s->run, SIGNALS);
	gaspdb_exec(&s->run,
		    "WITH process AS (SELECT id, CASE WHEN rank IS NULL "
		    "  THEN id ELSE min(id) OVER (PARTITION BY rank) END "
		    "  AS first FROM thread) "
		    "INSERT INTO temp.gaspdb_signal SELECT c.first, e.object, "
		    "  e.start_ns + e.duration_ns, 1 + e.open, e.id, "
		    "  e.thread_id, "
		    "  e.start_ns FROM event e "
		    "JOIN process c ON c.id = e.thread_id "
		    "WHERE e.nested = 0 AND e.object IS NOT NULL "
		    "AND e.source_id IN (SELECT s.id FROM source s "
		    "  JOIN operation o ON o.id = s.operation_id "
		    "  WHERE o.type = 'wait_until')");
}

static void analyse(struct signals *s)
{
	gaspdb_wait_writer_open(&s->waits, &s->run);
	gaspdb_syncs_open(&s->syncs, &s->run);
	s->deliveries = gaspdb_deliveries(&s->run);
	gather_waits(s);
	load_words(s);
	load_writers(s);
	s->insert = gaspdb_prepare(&s->run, "INSERT INTO temp.gaspdb_signal "
					    "VALUES(?, ?, ?, ?, ?, ?, ?)");
	if (s->n)
		gaspdb_scan_events(&s->run, add_event, s);
	sqlite3_finalize(s->insert);
	match(s);
	gaspdb_wait_writer_close(&s->waits);
	gaspdb_exec(&s->run, "DROP TABLE temp.gaspdb_signal");
	free(s->words);
	free(s->writes);
}

enum gaspdb_status gaspdb_pass_signals(sqlite3 *db, struct gaspdb_error *err)
{
	const enum gaspdb_type wait_until = GASPDB_TYPE_wait_until;
	struct signals s = { .n = 0 };

	gaspdb_run_open(&s.run, db, err);
	if (gaspdb_run_has(&s.run, &wait_until, 1))
		analyse(&s);
	return gaspdb_run_close(&s.run);
}
