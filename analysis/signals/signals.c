/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Late signals. A wait for words of the thread's own memory is caused by the
 * last write to one of them that began before the wait ended, by any process.
 * The first scan of the events finds the words, which are few; the second finds
 * the waits and the writes to these words. The words are divided into parts
 * (waited_words.h), and each part's writes and waits are processed in the order
 * of time. A wait for words in several ranges or parts has several rows, whose
 * answers are joined at the end.
 */
#include "analysis/signals/signals.h"

#include <string.h>

#include "analysis/engine/clock_errors.h"
#include "analysis/engine/quality.h"
#include "analysis/engine/scan.h"
#include "analysis/engine/syncs.h"
#include "analysis/signals/byte_ranges.h"
#include "analysis/signals/deliveries.h"
#include "analysis/signals/test_series.h"
#include "analysis/signals/waited_words.h"
#include "analysis/signals/word_memory.h"
#include "analysis/signals/word_waits.h"
#include "analysis/waits/waits.h"
#include "common/sum.h"
#include "sql/passes/signals.h"

struct signals {
	struct gaspdb_run *run;
	struct gaspdb_wait_writer waits;
	struct gaspdb_contradictions contradictions;
	struct gaspdb_syncs syncs;
	struct gaspdb_sorter *deliveries;
	struct gaspdb_sorter timeline;
	struct gaspdb_sorter partial_answers; /* for waits with several rows */
	struct gaspdb_waited_words words;
	struct gaspdb_word_waits calls;
	struct gaspdb_access_arguments arguments;
	struct gaspdb_clock_errors clocks;
	struct gaspdb_word_memory memory; /* of the current part */
	struct gaspdb_test_series series;
	bool stores_unseen; /* unrecorded stores are possible: the program
			       called shmem_ptr */
};

/* A row of the timeline, sorted by the columns up to EVENT. TIME: the earliest
   start of a write by the waiting thread's clock, or the end of a wait. At one
   time the writes of other processes are first; a process's own calls are in
   their order, because a thread's later write ends no wait of it. */
enum {
	PART,
	TIME,
	OWN, /* 0: another process's write */
	EVENT,
	KIND,
	THREAD,
	OBJECT,
	BYTES,
	START,
	STRIDE,		/* write */
	RANGES,		/* write */
	AFTER = STRIDE, /* word write: the word's value after it */
	VALUE = STRIDE, /* wait */
	FLAGS = RANGES, /* wait */
	COLUMNS
};
/* KIND. WORD_WRITE: of a known value, to one word. OPEN_WAIT: its log ends in
   the wait. */
enum { WRITE, WORD_WRITE, WAIT, OPEN_WAIT, FAILED_TEST };

/* Flags of a wait. */
enum {
	BOUND = 1,
	SHARED = 2, /* the wait has several rows */
	COMPARISON_SHIFT = 2,
	COMPARISON_MASK = 7, /* as logged */
	COMPARISON_UNKNOWN = 7,
	WORD_BYTES_SHIFT = 8
};

/* A row of partial_answers: the wait's row, with the event as first column, and
   the answer of one row. */
enum {
	LAST_EVENT = COLUMNS,
	LAST_THREAD,
	LAST_TIME,
	LAST_RETURNED,
	LAST_CERTAIN,
	REFUTED,
	ANSWER_COLUMNS
};

static size_t part_of(const struct signals *s, size_t from, int64_t process,
		      const struct gaspdb_word_range *range)
{
	return gaspdb_waited_words_part(
		&s->words, from, process, range->first,
		gaspdb_plus(range->first, range->bytes - 1));
}

/* Values of after_known (collector/events/README.md). */
enum { VALUE_KNOWN = 1, VALUE_UNCHANGED };

enum {
	WANTED = GASPDB_BYTE_RANGES_NEEDED | GASPDB_ACCESS_BIT(SIGNAL) |
		 GASPDB_ACCESS_BIT(SIGNAL_VALUE) |
		 GASPDB_ACCESS_BIT(SIGNAL_ADDS) | GASPDB_ACCESS_BIT(AFTER) |
		 GASPDB_ACCESS_BIT(AFTER_KNOWN)
};

static void add_words(void *user, const struct gaspdb_event *e)
{
	struct signals *s = user;
	const struct gaspdb_run_source *source =
		gaspdb_run_source(s->run, e->source);
	struct gaspdb_word_wait wait;

	if (!gaspdb_word_waits_match(&s->calls, e)) {
		if (source && source->call)
			gaspdb_test_series_consume(&s->series, e,
						   GASPDB_TEST_OTHER);
		return;
	}
	gaspdb_word_waits_get(&s->calls, e, &wait);
	gaspdb_test_series_consume(&s->series, e,
				   e->open || source->type !=
							   GASPDB_TYPE_wait_test
					   ? GASPDB_TEST_OTHER
				   : wait.failed ? GASPDB_TEST_FAILS
						 : GASPDB_TEST_SUCCEEDS);
	for (size_t i = 0; i < wait.n; i++)
		gaspdb_waited_words_add(
			&s->words, gaspdb_run_process(s->run, e->thread),
			wait.ranges[i].first, wait.ranges[i].bytes);
}

static int64_t kind_of(const struct gaspdb_event *e,
		       const struct gaspdb_word_wait *wait)
{
	return wait->failed ? FAILED_TEST : e->open ? OPEN_WAIT : WAIT;
}

/* The number of rows of a wait: parts of each range. */
static size_t count_parts(const struct signals *s, int64_t process,
			  const struct gaspdb_word_wait *wait)
{
	size_t n = 0;

	for (size_t i = 0; i < wait->n; i++)
		for (size_t part = 0;
		     (part = part_of(s, part, process, &wait->ranges[i])) !=
		     SIZE_MAX;
		     part++)
			n++;
	return n;
}

static void attribute(struct signals *s, const int64_t *wait,
		      const struct gaspdb_value_answer *answer);

static int64_t comparison_of(const struct gaspdb_word_range *range)
{
	return range->comparison >= 0 && range->comparison < COMPARISON_UNKNOWN
		       ? range->comparison
		       : COMPARISON_UNKNOWN;
}

static void add_ranges(struct signals *s, int64_t process,
		       const struct gaspdb_word_wait *wait, int64_t *row)
{
	const int64_t flags = row[FLAGS];

	for (size_t i = 0; i < wait->n; i++) {
		size_t part = 0;

		row[OBJECT] = wait->ranges[i].first;
		row[BYTES] = wait->ranges[i].bytes;
		row[VALUE] = wait->ranges[i].value;
		row[FLAGS] = flags | comparison_of(&wait->ranges[i])
					     << COMPARISON_SHIFT;
		while ((part = part_of(s, part, process, &wait->ranges[i])) !=
		       SIZE_MAX) {
			row[PART] = (int64_t)part++;
			gaspdb_sorter_add(&s->timeline, row);
		}
	}
}

static void add_wait(struct signals *s, const struct gaspdb_event *e)
{
	static const struct gaspdb_value_answer none;
	const int64_t process = gaspdb_run_process(s->run, e->thread);
	int64_t row[COLUMNS] = { [TIME] = e->start_ns + e->duration_ns,
				 [OWN] = 1,
				 [EVENT] = e->id,
				 [THREAD] = e->thread,
				 [START] = e->start_ns };
	struct gaspdb_word_wait wait;
	size_t n;

	gaspdb_word_waits_get(&s->calls, e, &wait);
	n = count_parts(s, process, &wait);
	row[KIND] = kind_of(e, &wait);
	row[FLAGS] = (wait.bound ? BOUND : 0) | (n > 1 ? SHARED : 0) |
		     wait.word_bytes << WORD_BYTES_SHIFT;
	add_ranges(s, process, &wait, row);
	if (!n && !wait.no_words)
		attribute(s, row, &none);
}

/* The value of a word after a write; known: argument after_known. */
struct value {
	int64_t after, known;
};

/* Is a write to one word, with a known value? */
static bool is_of_word(const struct gaspdb_byte_ranges *to,
		       const struct value *value)
{
	return value->known == VALUE_KNOWN && to->n == 1 &&
	       (to->bytes == 1 || to->bytes == 2 || to->bytes == 4 ||
		to->bytes == 8);
}

/* Add a write to each part with waited words that it may change. */
static void add_write_rows(struct signals *s, const struct gaspdb_event *e,
			   const struct gaspdb_byte_ranges *to,
			   const struct value *value)
{
	const int64_t last = gaspdb_byte_ranges_last(to);
	const bool of_word = is_of_word(to, value);
	const int64_t error_ns = gaspdb_clock_errors_between(
		&s->clocks, e->thread, e->peer, e->start_ns);
	const bool own = gaspdb_run_process(s->run, e->thread) ==
			 gaspdb_run_process(s->run, e->peer);
	size_t part = 0;

	while ((part = gaspdb_waited_words_part(&s->words, part, e->peer,
						to->first, last)) != SIZE_MAX)
		gaspdb_sorter_add(
			&s->timeline,
			(int64_t[COLUMNS]){
				[PART] = (int64_t)part++,
				[TIME] = gaspdb_plus(e->start_ns, -error_ns),
				[OWN] = own,
				[KIND] = of_word ? WORD_WRITE : WRITE,
				[EVENT] = e->id,
				[THREAD] = e->thread,
				[OBJECT] = to->first,
				[BYTES] = to->bytes,
				[START] = e->start_ns,
				[STRIDE] = of_word ? value->after : to->stride,
				[RANGES] = to->n });
}

static struct value value_of(const struct gaspdb_access_values *given)
{
	return (struct value){
		gaspdb_access_value(given, GASPDB_ACCESS_AFTER, 0),
		gaspdb_access_value(given, GASPDB_ACCESS_AFTER_KNOWN, 0)
	};
}

/* A signal's value is unknown if the put adds to it. */
static struct value signal_value_of(const struct gaspdb_access_values *given)
{
	return (struct value){
		gaspdb_access_value(given, GASPDB_ACCESS_SIGNAL_VALUE, 0),
		gaspdb_access_value(given, GASPDB_ACCESS_SIGNAL_ADDS, 1) == 0
			? VALUE_KNOWN
			: 0
	};
}

/* Add a write's data, and its signal if it has one. */
static void add_write(struct signals *s, const struct gaspdb_event *e)
{
	struct gaspdb_access_values given;
	struct gaspdb_byte_ranges data, signal;
	struct value value, signal_value;

	gaspdb_access_get(&s->arguments, e, WANTED, &given);
	data = gaspdb_byte_ranges_of(e->object, e->bytes, &given);
	signal = gaspdb_byte_ranges_signal(&given);
	value = value_of(&given);
	signal_value = signal_value_of(&given);
	if (e->object != GASPDB_NONE && data.n &&
	    value.known != VALUE_UNCHANGED)
		add_write_rows(s, e, &data, &value);
	if (signal.n && signal.first != GASPDB_NONE)
		add_write_rows(s, e, &signal, &signal_value);
}

static void add_event(void *user, const struct gaspdb_event *e)
{
	struct signals *s = user;
	const struct gaspdb_run_source *source =
		gaspdb_run_source(s->run, e->source);

	if (source && source->writes && e->peer != GASPDB_NONE)
		add_write(s, e);
	else if (gaspdb_word_waits_match(&s->calls, e))
		add_wait(s, e);
}

static void add_delivery(struct signals *s, const int64_t *wait, int64_t at_ns)
{
	if (s->deliveries)
		gaspdb_sorter_add(
			s->deliveries,
			(int64_t[]){
				wait[EVENT],
				gaspdb_max(0,
					   wait[TIME] -
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
				 .end_ns = wait[TIME],
				 .cause_thread = GASPDB_NONE,
				 .cause_event = GASPDB_NONE,
				 .cause_ns = GASPDB_NONE,
				 .bound = true };

	if (write->event) {
		w.end_ns = write->at_ns;
		w.cause_thread = write->thread;
		w.cause_event = write->event;
		w.cause_ns = write->at_ns;
		w.bound = wait[FLAGS] & BOUND;
	}
	if (write->event && write->at_ns > wait[TIME])
		gaspdb_contradictions_add(&s->contradictions, wait[THREAD],
					  write->thread,
					  write->at_ns - wait[TIME]);
	gaspdb_wait_propose(&s->waits, &w);
	if (wait[KIND] == WAIT)
		gaspdb_test_series_propose(&s->series, &s->waits, &w);
}

/*
 * Attribute a wait to its answer. If an earlier wait has returned since that
 * write, the write does not end this one, so an unrecorded store may have: such
 * a wait has no delivery, and if unrecorded stores are possible no cause. If
 * they are, a delivery also needs a value that satisfies the wait.
 */
static void attribute(struct signals *s, const int64_t *wait,
		      const struct gaspdb_value_answer *answer)
{
	static const struct gaspdb_write none;
	const struct gaspdb_last_write *last = &answer->last;
	const struct gaspdb_write *write = &last->write;
	const bool arrived = write->event && wait[KIND] != FAILED_TEST;
	const bool is_old = last->returned_ns <= wait[START];
	const bool unseen = arrived && s->stores_unseen;

	if (wait[KIND] == FAILED_TEST &&
	    gaspdb_test_series_has(&s->series, wait[EVENT]))
		return; /* its cause is that of the test that succeeds */

	if (unseen && is_old) {
		propose(s, wait, &none);
		return;
	}
	propose(s, wait, write);
	if (!arrived)
		return;
	gaspdb_syncs_pair(&s->syncs, GASPDB_SYNC_SIGNAL, wait[EVENT],
			  write->event, wait[EVENT]);
	if (!is_old && !answer->refuted && (answer->certain || !unseen))
		add_delivery(s, wait, write->at_ns);
}

static void process_wait(struct signals *s, const int64_t *row)
{
	const struct gaspdb_wanted wanted = {
		.object = row[OBJECT],
		.bytes = row[FLAGS] >> WORD_BYTES_SHIFT,
		.comparison = row[FLAGS] >> COMPARISON_SHIFT & COMPARISON_MASK,
		.value = row[VALUE]
	};
	const struct gaspdb_value_answer answer = gaspdb_word_memory_query(
		&s->memory, &wanted, row[BYTES],
		row[KIND] == WAIT ? row[TIME] : GASPDB_NOT_RETURNED);
	int64_t shared[ANSWER_COLUMNS];

	if (!(row[FLAGS] & SHARED)) {
		attribute(s, row, &answer);
		return;
	}
	memcpy(shared, row, LAST_EVENT * sizeof *row);
	shared[PART] = row[EVENT];
	shared[LAST_EVENT] = answer.last.write.event;
	shared[LAST_THREAD] = answer.last.write.thread;
	shared[LAST_TIME] = answer.last.write.at_ns;
	shared[LAST_RETURNED] = answer.last.returned_ns;
	shared[LAST_CERTAIN] = answer.certain;
	shared[REFUTED] = answer.refuted;
	gaspdb_sorter_add(&s->partial_answers, shared);
}

/* Join the answers of each wait, and attribute it. */
static void attribute_shared(struct signals *s)
{
	int64_t wait[ANSWER_COLUMNS];
	struct gaspdb_value_answer all;
	const int64_t *row;
	bool any = false;

	while ((row = gaspdb_sorter_next(&s->partial_answers))) {
		const struct gaspdb_value_answer one = {
			.last = { { row[LAST_EVENT], row[LAST_THREAD],
				    row[LAST_TIME] },
				  row[LAST_RETURNED] },
			.certain = row[LAST_CERTAIN],
			.refuted = row[REFUTED]
		};

		if (any && row[EVENT] == wait[EVENT]) {
			gaspdb_value_answer_join(&all, &one);
			continue;
		}
		if (any)
			attribute(s, wait, &all);
		memcpy(wait, row, sizeof wait);
		all = one;
		any = true;
	}
	if (any)
		attribute(s, wait, &all);
}

static void process_write(struct signals *s, const int64_t *row)
{
	const struct gaspdb_byte_ranges to = { row[OBJECT], row[BYTES],
					       row[STRIDE], row[RANGES] };
	const struct gaspdb_value_write write = {
		.write = { row[EVENT], row[THREAD], row[START] },
		.object = row[OBJECT],
		.bytes = row[KIND] == WORD_WRITE ? row[BYTES] : 0,
		.value = row[AFTER]
	};

	gaspdb_word_memory_write(&s->memory, &to, &write);
}

static bool begin_part(struct signals *s, size_t part)
{
	return gaspdb_waited_words_load(&s->words, part) &&
	       gaspdb_word_memory_begin(&s->memory);
}

/* Process writes and waits of each part in the order of time. */
static void match(struct signals *s)
{
	int64_t part = -1;
	const int64_t *row;

	while ((row = gaspdb_sorter_next(&s->timeline))) {
		if (row[PART] != part && !begin_part(s, (size_t)row[PART]))
			return;
		part = row[PART];
		if (row[KIND] == WRITE || row[KIND] == WORD_WRITE)
			process_write(s, row);
		else
			process_wait(s, row);
	}
}

/* Did the program ask for pointers to other processes' memory? */
static bool uses_shmem_ptr(struct gaspdb_run *run)
{
	sqlite3_stmt *stmt = gaspdb_prepare(run, gaspdb_sql_uses_shmem_ptr);
	const bool asked = gaspdb_row(run, stmt) && sqlite3_column_int(stmt, 0);

	sqlite3_finalize(stmt);
	return asked;
}

static void analyse(struct signals *s)
{
	gaspdb_wait_writer_open(&s->waits, s->run);
	gaspdb_contradictions_open(&s->contradictions, s->run);
	gaspdb_syncs_open(&s->syncs, s->run);
	s->deliveries = gaspdb_deliveries(s->run);
	gaspdb_clock_errors_load(&s->clocks, s->run);
	gaspdb_word_memory_init(&s->memory, s->run, &s->words);
	s->stores_unseen = uses_shmem_ptr(s->run);
	gaspdb_sorter_init(&s->timeline, s->run, COLUMNS, EVENT + 1);
	gaspdb_sorter_init(&s->partial_answers, s->run, ANSWER_COLUMNS, 1);
	gaspdb_test_series_open(&s->series, s->run);
	gaspdb_waited_words_open(&s->words, s->run);
	gaspdb_word_waits_open(&s->calls, s->run);
	gaspdb_scan_events(s->run, add_words, s);
	gaspdb_word_waits_close(&s->calls);
	gaspdb_waited_words_sort(&s->words);
	gaspdb_word_waits_open(&s->calls, s->run);
	gaspdb_access_arguments_open(&s->arguments, s->run);
	gaspdb_scan_events(s->run, add_event, s);
	gaspdb_access_arguments_close(&s->arguments);
	gaspdb_word_waits_close(&s->calls);
	match(s);
	attribute_shared(s);
	gaspdb_contradictions_close(&s->contradictions, "writes of",
				    "began after the waits that they end");
	gaspdb_wait_writer_close(&s->waits);
	gaspdb_sorter_fini(&s->timeline);
	gaspdb_sorter_fini(&s->partial_answers);
	gaspdb_waited_words_close(&s->words);
	gaspdb_word_memory_free(&s->memory);
	gaspdb_test_series_close(&s->series);
	gaspdb_clock_errors_free(&s->clocks);
}

enum gaspdb_status gaspdb_pass_signals(struct gaspdb_run *run)
{
	static const enum gaspdb_type waits[] = { GASPDB_TYPE_wait_until,
						  GASPDB_TYPE_wait_test };
	struct signals s = { .run = run };

	if (gaspdb_run_has(run, waits, sizeof waits / sizeof *waits))
		analyse(&s);
	return run->status;
}
