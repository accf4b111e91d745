/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A loop that reads one word of a thread's own shared memory and does nothing
 * else waits for whoever writes the word.  The first scan of the events finds
 * such series of reads, the second the writes to their words; by word and time
 * each series meets the last write that began before its end; the third scan
 * proposes the waits of its reads.
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

/* A row of moments: a write began (by the clock of the reader, at the
   earliest), or a series ended.  Of one moment writes come first. */
enum {
	OWNER,
	HIGH,
	LOW,
	AT,
	WHAT,
	EVENT, /* of a series the first */
	SORTED_BY,
	THREAD = SORTED_BY,
	END,   /* of a write */
	START, /* from here on of a series: of its first read */
	LAST,  /* event */
	LAST_START,
	SOURCE,
	READS,
	READS_NS,
	STRICT,
	LAST_READS, /* that the last event is; 0: none is of several */
	COLUMNS
};
enum { WRITE, SERIES };

/* A row of verdicts: reads FIRST .. LAST of a source waited. */
enum {
	V_FIRST,
	V_LAST,
	V_SOURCE,
	V_CAUSE_THREAD, /* NONE: not known */
	V_CAUSE_EVENT,
	V_CAUSE_NS,
	V_UNKNOWN_FROM, /* from then on for nobody known; INT64_MAX: never */
	V_COLUMNS
};

/* Values of a row of spin_total. */
enum { T_SERIES, T_READS, T_BYTES, T_TIME, N_TOTAL };

struct write {
	int64_t event, thread, at_ns, end_ns; /* event NONE: there is none */
};

struct spins {
	struct gaspdb_run *run;
	struct gaspdb_spin_reader reader;
	struct gaspdb_clock_errors clocks;
	struct gaspdb_groups words; /* owner, high, low */
	struct gaspdb_sorter moments, verdicts;
	struct gaspdb_wait_writer waits;
	struct gaspdb_syncs syncs;
	struct gaspdb_groups totals; /* source, thread */
	int64_t word[3];	     /* whose moments pass by */
	struct write last, other;    /* to it; other: of another thread */
	const int64_t *verdict;	     /* the next */
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
		&p->moments,
		(int64_t[COLUMNS]){ [OWNER] = word[0],
				    [HIGH] = word[1],
				    [LOW] = word[2],
				    [AT] = s->end_ns,
				    [WHAT] = SERIES,
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

static void take_read(void *user, const struct gaspdb_event *e)
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

/* The first word that is not before this one. */
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
		&p->clocks, e->thread, to->owner >= 0 ? to->owner : e->thread);

	for (size_t i = find_word(p, from); i < p->words.n; i++) {
		const int64_t *word = gaspdb_groups_row(&p->words, i);

		if (word[0] != from[0] || word[1] != from[1] ||
		    (word[2] != from[2] && word[2] >= until))
			break;
		gaspdb_sorter_add(
			&p->moments,
			(int64_t[COLUMNS]){
				[OWNER] = word[0],
				[HIGH] = word[1],
				[LOW] = word[2],
				[AT] = gaspdb_plus(e->start_ns, -error_ns),
				[WHAT] = WRITE,
				[EVENT] = e->id,
				[THREAD] = e->thread,
				[END] = e->start_ns + e->duration_ns });
	}
}

static void take_write(void *user, const struct gaspdb_event *e)
{
	struct spins *p = user;
	struct gaspdb_spin_word to[GASPDB_SPIN_WRITES_MAX];
	const int n = gaspdb_spin_reader_writes(&p->reader, e, to);

	for (int i = 0; i < n; i++)
		add_write(p, e, &to[i]);
}

/* --- which write ended which series --------------------------------------- */

static void note_write(struct spins *p, const int64_t *row)
{
	const struct write w = { row[EVENT], row[THREAD], row[AT], row[END] };

	if (p->last.event != GASPDB_NONE && p->last.thread != w.thread)
		p->other = p->last;
	p->last = w;
}

/* The last write of another thread that began in the series; NULL: none. */
static const struct write *ending(const struct spins *p, const int64_t *row)
{
	const struct write *w =
		p->last.thread != row[THREAD] ? &p->last : &p->other;

	return w->event != GASPDB_NONE && w->at_ns > row[START] ? w : NULL;
}

/* Does it do nothing but read?  What lies between reads is the loop itself, and
   what recording costs. */
static bool only_reads(const int64_t *row)
{
	const int64_t between_ns = row[AT] - row[START] - row[READS_NS];

	return between_ns <= gaspdb_times(2, row[READS_NS]);
}

static bool waits(const int64_t *row, const struct write *w)
{
	if (row[READS] < GASPDB_SPINS_MIN)
		return w && only_reads(row);
	return w || row[STRICT] || only_reads(row);
}

/* Reads that began after the write was over, if all take as long. */
static int64_t reads_after(const int64_t *row, const struct write *w)
{
	const int64_t after_ns = row[LAST_START] - w->end_ns;
	const int64_t all_ns = gaspdb_max(1, row[LAST_START] - row[START]);

	return after_ns <= 0 ? 0
			     : (int64_t)((double)after_ns * (double)row[READS] /
					 (double)all_ns);
}

/* What is read eight times more after the write, and for longer than that took,
   is not what the loop waited for. */
static bool goes_on(const int64_t *row, const struct write *w)
{
	/* An event of several reads found one value again and again. */
	if (row[LAST_READS])
		return row[LAST_READS] > 1 && row[LAST_START] > w->at_ns;
	return reads_after(row, w) >= GASPDB_SPINS_MIN &&
	       row[LAST_START] - w->end_ns >
		       gaspdb_times(2, w->end_ns - w->at_ns);
}

static void judge(struct spins *p, const int64_t *row)
{
	const struct write *w = ending(p, row);
	int64_t verdict[V_COLUMNS] = {
		[V_FIRST] = row[EVENT],	       [V_LAST] = row[LAST],
		[V_SOURCE] = row[SOURCE],      [V_CAUSE_THREAD] = GASPDB_NONE,
		[V_CAUSE_EVENT] = GASPDB_NONE, [V_CAUSE_NS] = GASPDB_NONE,
		[V_UNKNOWN_FROM] = row[START]
	};

	if (!waits(row, w))
		return;
	if (w && !goes_on(row, w)) {
		verdict[V_CAUSE_THREAD] = w->thread;
		verdict[V_CAUSE_EVENT] = w->event;
		verdict[V_CAUSE_NS] = w->at_ns;
		verdict[V_UNKNOWN_FROM] = INT64_MAX;
		gaspdb_syncs_pair(&p->syncs, GASPDB_SYNC_SIGNAL, row[LAST],
				  w->event, row[LAST]);
	}
	gaspdb_sorter_add(&p->verdicts, verdict);
}

static void match(struct spins *p)
{
	static const struct write none = { .event = GASPDB_NONE,
					   .thread = GASPDB_NONE };
	const int64_t *row;

	p->word[0] = INT64_MAX;
	while ((row = gaspdb_sorter_next(&p->moments))) {
		if (compare(row, p->word)) {
			p->last = p->other = none;
			for (int i = 0; i < 3; i++)
				p->word[i] = row[i];
		}
		if (row[WHAT] == WRITE)
			note_write(p, row);
		else
			judge(p, row);
	}
}

/* --- waits ---------------------------------------------------------------- */

static void propose(struct spins *p, const struct gaspdb_event *e)
{
	const int64_t *v = p->verdict;
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
		/* The last one found what it looked for, if it ended. */
		if (e->id == v[V_LAST] && !e->open)
			return;
	} else {
		w.end_ns = gaspdb_min(w.end_ns, w.cause_ns);
	}
	gaspdb_wait_propose(&p->waits, &w);
}

static void take_waiting(void *user, const struct gaspdb_event *e)
{
	struct spins *p = user;
	int64_t *total;

	while (p->verdict && p->verdict[V_LAST] < e->id)
		p->verdict = gaspdb_sorter_next(&p->verdicts);
	if (!p->verdict || e->id < p->verdict[V_FIRST] ||
	    e->source != p->verdict[V_SOURCE])
		return;
	propose(p, e);
	total = gaspdb_group(p->run, &p->totals,
			     (int64_t[]){ e->source, e->thread });
	if (!total)
		return;
	total[T_SERIES] += e->id == p->verdict[V_FIRST];
	total[T_READS]++;
	if (e->bytes != GASPDB_NONE)
		gaspdb_add_to(&total[T_BYTES], e->bytes);
	gaspdb_add_to(&total[T_TIME], e->duration_ns);
}

static void analyse(struct spins *p)
{
	gaspdb_groups_init(&p->words, 3, 0);
	gaspdb_groups_init(&p->totals, 2, N_TOTAL);
	gaspdb_sorter_init(&p->moments, p->run, COLUMNS, SORTED_BY);
	gaspdb_sorter_init(&p->verdicts, p->run, V_COLUMNS, 1);
	gaspdb_wait_writer_open(&p->waits, p->run);
	gaspdb_syncs_open(&p->syncs, p->run);
	gaspdb_clock_errors_load(&p->clocks, p->run);
	gaspdb_scan_events(p->run, take_read, p);
	gaspdb_spin_reader_finish(&p->reader);
	gaspdb_groups_sort(&p->words);
	if (p->words.n) {
		gaspdb_scan_events(p->run, take_write, p);
		match(p);
		p->verdict = gaspdb_sorter_next(&p->verdicts);
	}
	if (p->verdict)
		gaspdb_scan_events(p->run, take_waiting, p);
	gaspdb_groups_write(p->run, &p->totals, GASPDB_INSERT_INTO_spin_total);
	gaspdb_wait_writer_close(&p->waits);
	gaspdb_clock_errors_free(&p->clocks);
	gaspdb_sorter_fini(&p->moments);
	gaspdb_sorter_fini(&p->verdicts);
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
