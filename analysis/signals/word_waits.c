/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decoder of the arguments of wait_until and test calls. Counts and indices
   come from a log and may be absurd. */
#include "analysis/signals/word_waits.h"

#include <stdlib.h>
#include <string.h>

#include "common/sum.h"
#include "sql/passes/signals.h"

enum argument {
	ELEMENT_BYTES,
	ELEMENTS,
	LEFT_OUT,
	SUCCESS,
	INDICES,
	COMPARISON,
	VALUE,
	N_ARGUMENTS,
	INDEX = N_ARGUMENTS, /* repeated, like those after it */
	INDEX_LAST,
	WORD_VALUE,
	OTHER
};

static const char *const argument_names[] = {
	"element_bytes", "elements", "left_out", "success",    "indices",
	"comparison",	 "value",    "index",	 "index_last", "word_value"
};

/* Modes of the calls of a source. */
enum { NO_WAIT, WAIT_FOR_ALL, WAIT_FOR_ANY };

typedef struct gaspdb_word_waits waits;
typedef struct gaspdb_word_wait word_wait;

static bool is_wait(const struct gaspdb_run_source *source)
{
	return source && (source->type == GASPDB_TYPE_wait_until ||
			  source->type == GASPDB_TYPE_wait_test);
}

/* Load the modes of sources. A wait for any word has the index of the word as
   an argument of its end. */
static void load_sources(waits *w)
{
	sqlite3_stmt *stmt =
		gaspdb_prepare(w->run, gaspdb_sql_any_word_sources);

	for (int64_t i = 0; w->mode && i < w->run->n_sources; i++)
		if (is_wait(gaspdb_run_source(w->run, i)))
			w->mode[i] = WAIT_FOR_ALL;
	while (gaspdb_row(w->run, stmt)) {
		const int64_t id = sqlite3_column_int64(stmt, 0);

		if (is_wait(gaspdb_run_source(w->run, id)))
			w->mode[id] = WAIT_FOR_ANY;
	}
	sqlite3_finalize(stmt);
}

void gaspdb_word_waits_open(waits *w, struct gaspdb_run *run)
{
	*w = (waits){ .run = run };
	w->roles =
		gaspdb_argument_roles(run, argument_names, OTHER, &w->n_roles);
	w->mode = gaspdb_zeroed(run, (size_t)run->n_sources, 1);
	if (w->mode)
		load_sources(w);
	gaspdb_event_args_open(&w->rows, run);
}

bool gaspdb_word_waits_match(const waits *w, const struct gaspdb_event *e)
{
	return w->mode && gaspdb_run_source(w->run, e->source) &&
	       w->mode[e->source] != NO_WAIT && e->object != GASPDB_NONE;
}

/* --- arguments ------------------------------------------------------------ */

struct arguments {
	int64_t values[N_ARGUMENTS];
	struct {
		int64_t first, last;
	} runs[GASPDB_ARGS_OF_EVENT]; /* of indices */
	size_t n;
	int64_t word_values[GASPDB_ARGS_OF_EVENT]; /* of the first words */
	size_t n_word_values;
};

static void add_argument(struct arguments *t, enum argument which,
			 int64_t value)
{
	if (which == INDEX) {
		t->runs[t->n].first = t->runs[t->n].last = value;
		t->n++;
	} else if (which == INDEX_LAST && t->n) {
		t->runs[t->n - 1].last = value;
	} else if (which == WORD_VALUE) {
		t->word_values[t->n_word_values++] = value;
	} else if (which < N_ARGUMENTS && t->values[which] == GASPDB_NONE) {
		t->values[which] = value;
	}
}

static void read_arguments(waits *w, int64_t event, struct arguments *t)
{
	struct gaspdb_event_arg args[GASPDB_ARGS_OF_EVENT];
	size_t n;

	t->n = t->n_word_values = 0;
	for (int i = 0; i < N_ARGUMENTS; i++)
		t->values[i] = GASPDB_NONE;
	if (!w->roles)
		return;
	n = gaspdb_event_args_read(&w->rows, event, args);
	for (size_t i = 0; i < n; i++) {
		const int64_t id = args[i].argument;

		if (id >= 0 && id < w->n_roles)
			add_argument(t, w->roles[id], args[i].value);
	}
}

/* --- words ---------------------------------------------------------------- */

static int64_t value_of(const struct arguments *t, enum argument which,
			int64_t otherwise)
{
	return t->values[which] != GASPDB_NONE ? t->values[which] : otherwise;
}

static void add_words(word_wait *wait, const struct gaspdb_event *e,
		      int64_t bytes, int64_t first, int64_t n,
		      int64_t comparison, int64_t value)
{
	if (n > 0 && wait->n < GASPDB_WORD_RANGES)
		wait->ranges[wait->n++] = (struct gaspdb_word_range){
			gaspdb_plus(e->object, gaspdb_times(first, bytes)),
			gaspdb_times(n, bytes), comparison, value
		};
}

/* Add consecutive words. Words with individual values are separate ranges. */
static void add_range(word_wait *wait, const struct gaspdb_event *e,
		      const struct arguments *t, int64_t bytes, int64_t first,
		      int64_t n)
{
	const int64_t known =
		gaspdb_max(first, gaspdb_min(gaspdb_plus(first, n),
					     (int64_t)t->n_word_values));

	if (!t->n_word_values) {
		add_words(wait, e, bytes, first, n, t->values[COMPARISON],
			  t->values[VALUE]);
		return;
	}
	for (int64_t i = first; i < known; i++)
		add_words(wait, e, bytes, i, 1, t->values[COMPARISON],
			  t->word_values[i]);
	add_words(wait, e, bytes, known, gaspdb_plus(first, n) - known,
		  GASPDB_NONE, 0);
}

/* Add the words whose indices are logged, of an array of `elements`; returns
   their number. */
static int64_t add_listed(word_wait *wait, const struct gaspdb_event *e,
			  const struct arguments *t, int64_t bytes,
			  int64_t elements)
{
	int64_t n = 0;

	for (size_t i = 0; i < t->n; i++) {
		const int64_t first = t->runs[i].first, last = t->runs[i].last;

		if (first < 0 || last < first || last >= elements)
			continue;
		add_range(wait, e, t, bytes, first, last - first + 1);
		gaspdb_add_to(&n, last - first + 1);
	}
	return n;
}

void gaspdb_word_waits_get(waits *w, const struct gaspdb_event *e,
			   word_wait *wait)
{
	struct arguments t;
	int64_t bytes, elements, left_out;

	read_arguments(w, e->id, &t);
	bytes = gaspdb_max(
		1, gaspdb_min(value_of(&t, ELEMENT_BYTES, 1), GASPDB_WORD_MAX));
	elements = value_of(&t, ELEMENTS, 1);
	left_out = gaspdb_max(0, value_of(&t, LEFT_OUT, 0));
	wait->n = 0;
	wait->word_bytes = bytes;
	wait->bound = false;
	wait->failed = t.values[SUCCESS] == 0;
	wait->no_words = left_out >= elements;
	if (wait->no_words)
		return;
	if (w->mode[e->source] == WAIT_FOR_ANY && e->open)
		return; /* its log ends in the wait: no word ended it */
	if (w->mode[e->source] == WAIT_FOR_ANY)
		wait->bound = add_listed(wait, e, &t, bytes, elements) <
			      value_of(&t, INDICES, 0);
	else if (left_out)
		wait->bound = add_listed(wait, e, &t, bytes, elements) <
			      elements - left_out;
	else
		add_range(wait, e, &t, bytes, 0, elements);
}

void gaspdb_word_waits_close(waits *w)
{
	gaspdb_event_args_close(&w->rows);
	free(w->roles);
	free(w->mode);
}
