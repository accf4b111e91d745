/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scan of the events of a thread for series of reads. Program functions, user
 * events and fences do not end a series, because a loop may have them around
 * its reads. A gap of recording ends it.
 */
#include "analysis/signals/spin_series.h"

#include <stdlib.h>

#include "common/sum.h"
#include "sql/passes/engine.h"
#include "sql/passes/signals.h"

typedef struct gaspdb_spin_reader reader;

/* Bytes of the longest object read as a flag, and of a signal word. */
enum { FLAG_BYTES_MAX = 8, SIGNAL_BYTES = 8 };

/* Kinds of sources. NO_CALL: no effect on a series. */
enum { OTHER, NO_CALL, READ, WRITE, READ_OBJECT, WRITE_OBJECT };

#define OF_OBJECT INT64_MIN /* struct gaspdb_spin_word.high */

/* Arguments, in the order of names. */
enum {
	RELAXED,
	SOURCE_POINTER,
	SOURCE_HIGH,
	TARGET,
	TARGET_HIGH,
	TARGET_THREAD,
	ATTEMPTS,
	SIGNAL,
	N_NAMES
};
static const char *const names[] = { "relaxed",	 "source",	"source_high",
				     "target",	 "target_high", "target_thread",
				     "attempts", "signal" };

struct arguments {
	int64_t values[N_NAMES]; /* NONE: absent */
};

static void read_arguments(reader *r, int64_t event, struct arguments *t)
{
	struct gaspdb_event_arg args[GASPDB_ARGS_OF_EVENT];
	const size_t n = gaspdb_event_args_read(&r->arguments, event, args);

	for (int i = 0; i < N_NAMES; i++)
		t->values[i] = GASPDB_NONE;
	for (size_t i = 0; i < n; i++) {
		const int64_t id = args[i].argument;

		if (id >= 0 && id < r->n_roles && r->roles[id] < N_NAMES &&
		    t->values[r->roles[id]] == GASPDB_NONE)
			t->values[r->roles[id]] = args[i].value;
	}
}

static unsigned char kind_of(const struct gaspdb_run_source *source,
			     bool has_source, bool has_target)
{
	if (!source->call || source->type == GASPDB_TYPE_fence ||
	    source->type == GASPDB_TYPE_quiet)
		return NO_CALL;
	if (source->type == GASPDB_TYPE_get && has_source)
		return READ;
	if (has_target)
		return WRITE;
	if (source->writes)
		return WRITE_OBJECT;
	return source->blocking_access ? READ_OBJECT : OTHER;
}

/* Load the kinds of sources; returns whether any are reads. */
static bool load_kinds(reader *r)
{
	sqlite3_stmt *stmt = gaspdb_prepare(r->run, gaspdb_sql_spin_sources);
	bool any = false;

	r->kinds = gaspdb_zeroed(r->run, (size_t)r->run->n_sources, 1);
	while (r->kinds && gaspdb_row(r->run, stmt)) {
		const int64_t id = sqlite3_column_int64(stmt, 0);
		const struct gaspdb_run_source *source =
			gaspdb_run_source(r->run, id);

		if (!source)
			continue;
		r->kinds[id] = kind_of(source, sqlite3_column_int(stmt, 1),
				       sqlite3_column_int(stmt, 2));
		any |= r->kinds[id] == READ || r->kinds[id] == READ_OBJECT;
	}
	sqlite3_finalize(stmt);
	return any;
}

static void next_gap(reader *r)
{
	const bool any = gaspdb_row(r->run, r->gaps);

	r->gap_thread = any ? sqlite3_column_int64(r->gaps, 0) : INT64_MAX;
	r->gap_ns = any ? sqlite3_column_int64(r->gaps, 1) : 0;
}

bool gaspdb_spin_reader_open(
	reader *r, struct gaspdb_run *run,
	void (*fn)(void *user, const struct gaspdb_spin_series *series),
	void *user)
{
	*r = (reader){ .run = run, .fn = fn, .user = user };
	gaspdb_event_args_open(&r->arguments, r->run);
	if (!load_kinds(r))
		return false;
	r->roles = gaspdb_argument_roles(run, names, N_NAMES, &r->n_roles);
	r->gaps = gaspdb_prepare(run, gaspdb_sql_gap_starts);
	next_gap(r);
	return r->roles != NULL;
}

/* --- series --------------------------------------------------------------- */

void gaspdb_spin_reader_finish(reader *r)
{
	if (r->series.reads > 1)
		r->fn(r->user, &r->series);
	r->series.reads = 0;
}

/* Did a gap of the thread begin since the first read? */
static bool crosses_gap(reader *r, const struct gaspdb_event *e)
{
	bool any = false;

	while (r->gap_thread < e->thread ||
	       (r->gap_thread == e->thread && r->gap_ns < e->start_ns)) {
		any |= r->gap_thread == e->thread &&
		       r->gap_ns >= r->series.start_ns;
		next_gap(r);
	}
	return any;
}

/* One event of a series. */
struct one_read {
	struct gaspdb_spin_word word;
	int64_t reads;
	bool strict;
};

/* Read of an object of the thread's own process; false: it is none. */
static bool find_object(reader *r, const struct gaspdb_event *e,
			struct one_read *one)
{
	struct arguments t;

	if (e->bytes <= 0 || e->bytes > FLAG_BYTES_MAX ||
	    e->object == GASPDB_NONE ||
	    e->peer != gaspdb_run_process(r->run, e->thread))
		return false;
	read_arguments(r, e->id, &t);
	one->word = (struct gaspdb_spin_word){ e->peer, OF_OBJECT, e->object,
					       e->bytes };
	one->reads = gaspdb_max(1, t.values[ATTEMPTS]);
	one->strict = false;
	return true;
}

/* Read of a UPC word of the thread's own process, or of unknown owner; false:
   it is none. */
static bool find_word(reader *r, const struct gaspdb_event *e,
		      struct one_read *one)
{
	struct gaspdb_spin_word *word = &one->word;
	struct arguments t;

	if (e->bytes <= 0 || (e->peer != GASPDB_NONE &&
			      e->peer != gaspdb_run_process(r->run, e->thread)))
		return false;
	read_arguments(r, e->id, &t);
	one->reads = 1;
	*word = (struct gaspdb_spin_word){
		.owner = e->peer,
		.high = t.values[SOURCE_HIGH] != GASPDB_NONE
				? t.values[SOURCE_HIGH]
				: 0,
		.low = t.values[SOURCE_POINTER],
		.bytes = e->bytes,
	};
	one->strict = t.values[RELAXED] == 0;
	/* A null pointer is no word. */
	return word->low != GASPDB_NONE && (word->low || word->high);
}

static bool continues(const struct gaspdb_spin_series *s,
		      const struct gaspdb_event *e,
		      const struct gaspdb_spin_word *word)
{
	return s->reads && s->thread == e->thread && s->source == e->source &&
	       s->word.owner == word->owner && s->word.high == word->high &&
	       s->word.low == word->low && s->word.bytes == word->bytes;
}

static void add_read(struct gaspdb_spin_series *s, const struct gaspdb_event *e,
		     const struct one_read *one)
{
	s->last = e->id;
	s->last_start_ns = e->start_ns;
	s->end_ns = e->start_ns + e->duration_ns;
	gaspdb_add_to(&s->reads, one->reads);
	gaspdb_add_to(&s->reads_ns, e->duration_ns);
	s->strict &= one->strict;
	s->folded |= one->reads > 1;
	s->last_reads = one->reads;
}

void gaspdb_spin_reader_consume(reader *r, const struct gaspdb_event *e)
{
	const unsigned char kind =
		e->source >= 0 && e->source < r->run->n_sources
			? r->kinds[e->source]
			: OTHER;
	struct one_read one;

	if (r->series.reads &&
	    (e->thread != r->series.thread || crosses_gap(r, e)))
		gaspdb_spin_reader_finish(r);
	if (kind == NO_CALL)
		return;
	if (!(kind == READ && find_word(r, e, &one)) &&
	    !(kind == READ_OBJECT && find_object(r, e, &one))) {
		gaspdb_spin_reader_finish(r);
		return;
	}
	if (!continues(&r->series, e, &one.word)) {
		gaspdb_spin_reader_finish(r);
		crosses_gap(r, e);
		r->series = (struct gaspdb_spin_series){
			.word = one.word,
			.thread = e->thread,
			.source = e->source,
			.first = e->id,
			.start_ns = e->start_ns,
			.strict = true,
		};
	}
	add_read(&r->series, e, &one);
}

/* --- writes --------------------------------------------------------------- */

/* Targets of puts and atomics on objects, and of signals. */
static int find_objects(reader *r, const struct gaspdb_event *e,
			struct gaspdb_spin_word *to)
{
	struct arguments t;
	int n = 0;

	if (e->peer == GASPDB_NONE)
		return 0;
	if (e->object != GASPDB_NONE && e->bytes > 0)
		to[n++] = (struct gaspdb_spin_word){ e->peer, OF_OBJECT,
						     e->object, e->bytes };
	read_arguments(r, e->id, &t);
	if (t.values[SIGNAL] != GASPDB_NONE)
		to[n++] = (struct gaspdb_spin_word){ e->peer, OF_OBJECT,
						     t.values[SIGNAL],
						     SIGNAL_BYTES };
	return n;
}

int gaspdb_spin_reader_targets(
	reader *r, const struct gaspdb_event *e,
	struct gaspdb_spin_word to[GASPDB_SPIN_WRITES_MAX])
{
	struct arguments t;

	if (e->source < 0 || e->source >= r->run->n_sources)
		return 0;
	if (r->kinds[e->source] == WRITE_OBJECT)
		return find_objects(r, e, to);
	if (r->kinds[e->source] != WRITE)
		return 0;
	read_arguments(r, e->id, &t);
	*to = (struct gaspdb_spin_word){
		.owner = e->peer,
		.high = t.values[TARGET_HIGH] != GASPDB_NONE
				? t.values[TARGET_HIGH]
				: 0,
		.low = t.values[TARGET],
		.bytes = e->bytes != GASPDB_NONE ? e->bytes : 1,
	};
	/* A copy has two owners, so no peer. */
	if (to->owner == GASPDB_NONE && t.values[TARGET_THREAD] >= 0)
		to->owner = gaspdb_run_rank(r->run, t.values[TARGET_THREAD]);
	return to->low != GASPDB_NONE;
}

void gaspdb_spin_reader_close(reader *r)
{
	gaspdb_event_args_close(&r->arguments);
	sqlite3_finalize(r->gaps);
	free(r->roles);
	free(r->kinds);
}
