/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Busy waits. A loop that only reads one word of the thread's own shared memory
 * waits for the write of that word. The first scan of the events finds such
 * series of reads, the second the writes to their words. Sorted by word and
 * time, each series is matched with the last write that began before its end.
 * The third scan proposes the waits of its reads.
 */
#include "analysis/signals/spins.h"

#include <stdlib.h>

#include "analysis/engine/clock_errors.h"
#include "analysis/rows/groups.h"
#include "analysis/engine/scan.h"
#include "analysis/signals/spin_series.h"
#include "analysis/engine/syncs.h"
#include "analysis/waits/waits.h"
#include "common/sum.h"

/* A row of the timeline, sorted by the columns before SORTED_BY. TIME: the
   earliest start of a write by the reader's clock, or the end of a series. At
   one time writes are first. */
enum {
	OWNER,
	HIGH,
	LOW,
	TIME,
	KIND,
	EVENT, /* series: the first */
	SORTED_BY,
	THREAD = SORTED_BY,
	END, /* write */
	/* Series only: */
	START, /* of the first read */
	LAST,  /* event */
	LAST_START,
	SOURCE,
	READS,
	READS_NS,
	STRICT,
	LAST_READS, /* reads of the last event; 0: no event has several */
	COLUMNS
};
enum { WRITE, SERIES };

/* A row of waiting: a series whose reads, FIRST to LAST of a source, waited. */
enum {
	V_FIRST,
	V_LAST,
	V_SOURCE,
	V_CAUSE_THREAD, /* NONE: unknown */
	V_CAUSE_EVENT,
	V_CAUSE_NS,
	V_COLUMNS
};

/* Values of a row of spin_total. */
enum { T_SERIES, T_READS, T_BYTES, T_TIME, N_TOTAL };

struct write {
	int64_t event, thread, at_ns, end_ns; /* event NONE: none */
};

struct spins {
	struct gaspdb_run *run;
	struct gaspdb_spin_reader reader;
	struct gaspdb_clock_errors clocks;
	struct gaspdb_groups words; /* owner, high, low */
	struct gaspdb_sorter timeline, waiting;
	struct gaspdb_wait_writer waits;
	struct gaspdb_syncs syncs;
	struct gaspdb_groups totals;   /* source, thread */
	int64_t word[3];	       /* current one of the timeline */
	struct write last, last_other; /* to it; other: of another thread */
	const int64_t *next_waiting;
};

enum { WORDS_MAX = 1 << 20 };

/* --- series --------------------------------------------------------------- */

static void add_series(void *user, const struct gaspdb_spin_series *s)
{
	struct spins *p = user;
	const int64_t word[] = { s->word.owner, s->word.high, s->word.low };

	if (p->words.n >= WORDS_MAX && !gaspdb_groups_find(&p->words, word))
		return;
	gaspdb_group(p->run, &p->words, word);
	gaspdb_sorter_add(
		&p->timeline,
		(int64_t[COLUMNS]){ [OWNER] = word[0],
				    [HIGH] = word[1],
				    [LOW] = word[2],
				    [TIME] = s->end_ns,
				    [KIND] = SERIES,
				    [EVENT] = s->first,
				    [THREAD] = s->thread,
				    [START] = s->start_ns,
				    [LAST] = s->last,
				    [LAST_START] = s->last_start_ns,
				    [SOURCE] = s->source,
				    [READS] = s->reads,
				    [READS_NS] = s->reads_ns,
				    [STRICT] = s->strict,
				    [LAST_READS] =
					    s->folded ? s->last_reads : 0 });
}

static void consume_read(void *user, const struct gaspdb_event *e)
{
	struct spins *p = user;

	gaspdb_spin_reader_consume(&p->reader, e);
}

/* --- writes --------------------------------------------------------------- */

static int compare(const int64_t *a, const int64_t *b)
{
	for (int i = 0; i < 3; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

/* Binary search: the index of the first word not before this one. */
static size_t find_word(const struct spins *p, const int64_t *word)
{
	size_t low = 0, high = p->words.n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (compare(gaspdb_groups_row(&p->words, middle), word) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void add_write(struct spins *p, const struct gaspdb_event *e,
		      const struct gaspdb_spin_word *to)
{
	const int64_t from[3] = { to->owner, to->high, to->low };
	const int64_t until = gaspdb_plus(to->low, gaspdb_max(1, to->bytes));
	const int64_t error_ns = gaspdb_clock_errors_between(
		&p->clocks, e->thread, to->owner >= 0 ? to->owner : e->thread,
		e->start_ns);

	for (size_t i = find_word(p, from); i < p->words.n; i++) {
		const int64_t *word = gaspdb_groups_row(&p->words, i);

		if (word[0] != from[0] || word[1] != from[1] ||
		    (word[2] != from[2] && word[2] >= until))
			break;
		gaspdb_sorter_add(
			&p->timeline,
			(int64_t[COLUMNS]){
				[OWNER] = word[0],
				[HIGH] = word[1],
				[LOW] = word[2],
				[TIME] = gaspdb_plus(e->start_ns, -error_ns),
				[KIND] = WRITE,
				[EVENT] = e->id,
				[THREAD] = e->thread,
				[END] = e->start_ns + e->duration_ns });
	}
}

static void add_writes(void *user, const struct gaspdb_event *e)
{
	struct spins *p = user;
	struct gaspdb_spin_word to[GASPDB_SPIN_WRITES_MAX];
	const int n = gaspdb_spin_reader_targets(&p->reader, e, to);

	for (int i = 0; i < n; i++)
		add_write(p, e, &to[i]);
}

/* --- which write ended which series --------------------------------------- */

static void set_last_write(struct spins *p, const int64_t *row)
{
	const struct write w = { row[EVENT], row[THREAD], row[TIME], row[END] };

	if (p->last.event != GASPDB_NONE && p->last.thread != w.thread)
		p->last_other = p->last;
	p->last = w;
}

/* The last write of another thread that began in the series; NULL: none. */
static const struct write *ending(const struct spins *p, const int64_t *row)
{
	const struct write *w =
		p->last.thread != row[THREAD] ? &p->last : &p->last_other;

	return w->event != GASPDB_NONE && w->at_ns > row[START] ? w : NULL;
}

/* Does a series do nothing but read? The time between reads is then only the
   loop, and the overhead of recording. */
static bool only_reads(const int64_t *row)
{
	const int64_t between_ns = row[TIME] - row[START] - row[READS_NS];

	return between_ns <= gaspdb_times(2, row[READS_NS]);
}

static bool is_wait(const int64_t *row, const struct write *w)
{
	if (row[READS] < GASPDB_SPINS_MIN)
		return w && only_reads(row);
	return w || row[STRICT] || only_reads(row);
}

/* Estimate of the reads that began after the write's end, if all take equally
   long. */
static int64_t reads_after(const int64_t *row, const struct write *w)
{
	const int64_t after_ns = row[LAST_START] - w->end_ns;
	const int64_t all_ns = gaspdb_max(1, row[LAST_START] - row[START]);

	return after_ns <= 0 ? 0
			     : (int64_t)((double)after_ns * (double)row[READS] /
					 (double)all_ns);
}

/* Does the loop go on after the write, for eight reads and twice the write's
   duration? Then it did not wait for this write. */
static bool keeps_spinning(const int64_t *row, const struct write *w)
{
	/* An event of several reads found one value again and again. */
	if (row[LAST_READS])
		return row[LAST_READS] > 1 && row[LAST_START] > w->at_ns;
	return reads_after(row, w) >= GASPDB_SPINS_MIN &&
	       row[LAST_START] - w->end_ns >
		       gaspdb_times(2, w->end_ns - w->at_ns);
}

static void attribute(struct spins *p, const int64_t *row)
{
	const struct write *w = ending(p, row);
	int64_t result[V_COLUMNS] = {
		[V_FIRST] = row[EVENT],	       [V_LAST] = row[LAST],
		[V_SOURCE] = row[SOURCE],      [V_CAUSE_THREAD] = GASPDB_NONE,
		[V_CAUSE_EVENT] = GASPDB_NONE, [V_CAUSE_NS] = GASPDB_NONE
	};

	if (!is_wait(row, w))
		return;
	if (w && !keeps_spinning(row, w)) {
		result[V_CAUSE_THREAD] = w->thread;
		result[V_CAUSE_EVENT] = w->event;
		result[V_CAUSE_NS] = w->at_ns;
		gaspdb_syncs_pair(&p->syncs, GASPDB_SYNC_SIGNAL, row[LAST],
				  w->event, row[LAST]);
	}
	gaspdb_sorter_add(&p->waiting, result);
}

static void match(struct spins *p)
{
	static const struct write none = { .event = GASPDB_NONE,
					   .thread = GASPDB_NONE };
	const int64_t *row;

	p->word[0] = INT64_MAX;
	while ((row = gaspdb_sorter_next(&p->timeline))) {
		if (compare(row, p->word)) {
			p->last = p->last_other = none;
			for (int i = 0; i < 3; i++)
				p->word[i] = row[i];
		}
		if (row[KIND] == WRITE)
			set_last_write(p, row);
		else
			attribute(p, row);
	}
}

/* --- waits ---------------------------------------------------------------- */

static void propose(struct spins *p, const struct gaspdb_event *e)
{
	const int64_t *v = p->next_waiting;
	struct gaspdb_wait w = { .kind = GASPDB_WAIT_LATE_SIGNAL,
				 .thread = e->thread,
				 .event = e->id,
				 .start_ns = e->start_ns,
				 .end_ns = e->start_ns + e->duration_ns,
				 .cause_thread = v[V_CAUSE_THREAD],
				 .cause_event = v[V_CAUSE_EVENT],
				 .cause_ns = v[V_CAUSE_NS] };

	if (v[V_CAUSE_EVENT] == GASPDB_NONE) {
		w.bound = true;
		/* The last read found the value, if it ended. */
		if (e->id == v[V_LAST] && !e->open)
			return;
	} else {
		w.end_ns = gaspdb_min(w.end_ns, w.cause_ns);
	}
	gaspdb_wait_propose(&p->waits, &w);
}

static void propose_waiting(void *user, const struct gaspdb_event *e)
{
	struct spins *p = user;
	int64_t *total;

	while (p->next_waiting && p->next_waiting[V_LAST] < e->id)
		p->next_waiting = gaspdb_sorter_next(&p->waiting);
	if (!p->next_waiting || e->id < p->next_waiting[V_FIRST] ||
	    e->source != p->next_waiting[V_SOURCE])
		return;
	propose(p, e);
	total = gaspdb_group(p->run, &p->totals,
			     (int64_t[]){ e->source, e->thread });
	if (!total)
		return;
	total[T_SERIES] += e->id == p->next_waiting[V_FIRST];
	total[T_READS]++;
	if (e->bytes != GASPDB_NONE)
		gaspdb_add_to(&total[T_BYTES], e->bytes);
	gaspdb_add_to(&total[T_TIME], e->duration_ns);
}

static void analyse(struct spins *p)
{
	gaspdb_groups_init(&p->words, 3, 0);
	gaspdb_groups_init(&p->totals, 2, N_TOTAL);
	gaspdb_sorter_init(&p->timeline, p->run, COLUMNS, SORTED_BY);
	gaspdb_sorter_init(&p->waiting, p->run, V_COLUMNS, 1);
	gaspdb_wait_writer_open(&p->waits, p->run);
	gaspdb_syncs_open(&p->syncs, p->run);
	gaspdb_clock_errors_load(&p->clocks, p->run);
	gaspdb_scan_events(p->run, consume_read, p);
	gaspdb_spin_reader_finish(&p->reader);
	gaspdb_groups_sort(&p->words);
	if (p->words.n) {
		gaspdb_scan_events(p->run, add_writes, p);
		match(p);
		p->next_waiting = gaspdb_sorter_next(&p->waiting);
	}
	if (p->next_waiting)
		gaspdb_scan_events(p->run, propose_waiting, p);
	gaspdb_groups_write(p->run, &p->totals, GASPDB_INSERT_INTO_spin_total);
	gaspdb_wait_writer_close(&p->waits);
	gaspdb_clock_errors_free(&p->clocks);
	gaspdb_sorter_fini(&p->timeline);
	gaspdb_sorter_fini(&p->waiting);
	gaspdb_groups_fini(&p->words);
	gaspdb_groups_fini(&p->totals);
}

enum gaspdb_status gaspdb_pass_spins(struct gaspdb_run *run)
{
	static const enum gaspdb_type reads[] = { GASPDB_TYPE_get,
						  GASPDB_TYPE_atomic_fetch };
	struct spins p = { .run = run };

	if (gaspdb_run_has(run, reads, 2) &&
	    gaspdb_spin_reader_open(&p.reader, run, add_series, &p))
		analyse(&p);
	gaspdb_spin_reader_close(&p.reader);
	return run->status;
}
