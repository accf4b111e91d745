/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions of the program and user events do not end a series, nor do fences:
 * a loop may have them around its reads.  A time without recording does.
 */
#include "analysis/spin_series.h"

#include <stdlib.h>

#include "sum.h"

typedef struct gaspdb_spin_reader reader;

/* What the calls of a source are. */
enum { OTHER, NO_CALL, READ, WRITE };

/* Arguments, as names has them. */
enum {
	RELAXED,
	SOURCE_POINTER,
	SOURCE_HIGH,
	TARGET,
	TARGET_HIGH,
	TARGET_THREAD,
	N_NAMES
};
static const char *const names[] = {
	"relaxed", "source",	  "source_high",
	"target",  "target_high", "target_thread"
};

struct told {
	int64_t values[N_NAMES]; /* NONE: not told */
};

static void read_arguments(reader *r, int64_t event, struct told *t)
{
	const int64_t first = event * GASPDB_ARGS_OF_EVENT;
	const int64_t *row;

	for (int i = 0; i < N_NAMES; i++)
		t->values[i] = GASPDB_NONE;
	for (row = gaspdb_cursor_seek(&r->arguments, first);
	     row && row[GASPDB_EVENT_ARG_ID] < first + GASPDB_ARGS_OF_EVENT;
	     row = gaspdb_cursor_seek(&r->arguments,
				      row[GASPDB_EVENT_ARG_ID] + 1)) {
		const int64_t id = row[GASPDB_EVENT_ARG_ARGUMENT];

		if (id >= 0 && id < r->n_roles && r->roles[id] < N_NAMES &&
		    t->values[r->roles[id]] == GASPDB_NONE)
			t->values[r->roles[id]] = row[GASPDB_EVENT_ARG_VALUE];
	}
}

static void open_arguments(reader *r)
{
	gaspdb_cursor_open(&r->arguments, r->run, "event_arg",
			   GASPDB_EVENT_ARG_COLUMNS);
}

static unsigned char kind_of(const struct gaspdb_run_source *source,
			     bool has_source, bool has_target)
{
	if (!source->call || source->type == GASPDB_TYPE_fence ||
	    source->type == GASPDB_TYPE_quiet)
		return NO_CALL;
	if (source->type == GASPDB_TYPE_get && has_source)
		return READ;
	return has_target ? WRITE : OTHER;
}

static const char sources_sql[] =
	"SELECT s.id, o.model = 'UPC' AND EXISTS (SELECT 1 FROM argument a "
	"  WHERE a.operation_id = o.id AND a.name = 'source'), "
	"o.model = 'UPC' AND o.type IN ('put', 'put_nb', 'copy', 'copy_nb') "
	"  AND EXISTS (SELECT 1 FROM argument a "
	"  WHERE a.operation_id = o.id AND a.name = 'target') "
	"FROM source s JOIN operation o ON o.id = s.operation_id";

/* Are there any reads? */
static bool load_kinds(reader *r)
{
	sqlite3_stmt *stmt = gaspdb_prepare(r->run, sources_sql);
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
		any |= r->kinds[id] == READ;
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
	open_arguments(r);
	if (!load_kinds(r))
		return false;
	r->roles = gaspdb_argument_roles(run, names, N_NAMES, &r->n_roles);
	r->gaps = gaspdb_prepare(run, "SELECT thread_id, start_ns FROM gap "
				      "WHERE kind <> 'tool' ORDER BY 1, 2");
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

/* Did the thread stop being recorded since the last read? */
static bool passes_gap(reader *r, const struct gaspdb_event *e)
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

/* The word that is read, if it is the thread's own, or nobody knows whose. */
static bool find_word(reader *r, const struct gaspdb_event *e,
		      struct gaspdb_spin_word *word, bool *strict)
{
	struct told t;

	if (e->bytes <= 0 || (e->peer != GASPDB_NONE &&
			      e->peer != gaspdb_run_process(r->run, e->thread)))
		return false;
	read_arguments(r, e->id, &t);
	*word = (struct gaspdb_spin_word){
		.owner = e->peer,
		.high = t.values[SOURCE_HIGH] != GASPDB_NONE
				? t.values[SOURCE_HIGH]
				: 0,
		.low = t.values[SOURCE_POINTER],
		.bytes = e->bytes,
	};
	*strict = t.values[RELAXED] == 0;
	/* NULL is none. */
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
		     bool strict)
{
	s->last = e->id;
	s->last_start_ns = e->start_ns;
	s->end_ns = e->start_ns + e->duration_ns;
	s->reads++;
	gaspdb_add_to(&s->reads_ns, e->duration_ns);
	s->strict &= strict;
}

void gaspdb_spin_reader_take(reader *r, const struct gaspdb_event *e)
{
	const unsigned char kind =
		e->source >= 0 && e->source < r->run->n_sources
			? r->kinds[e->source]
			: OTHER;
	struct gaspdb_spin_word word;
	bool strict;

	if (r->series.reads &&
	    (e->thread != r->series.thread || passes_gap(r, e)))
		gaspdb_spin_reader_finish(r);
	if (kind == NO_CALL)
		return;
	if (kind != READ || !find_word(r, e, &word, &strict)) {
		gaspdb_spin_reader_finish(r);
		return;
	}
	if (!continues(&r->series, e, &word)) {
		gaspdb_spin_reader_finish(r);
		passes_gap(r, e);
		r->series = (struct gaspdb_spin_series){
			.word = word,
			.thread = e->thread,
			.source = e->source,
			.first = e->id,
			.start_ns = e->start_ns,
			.strict = true,
		};
	}
	add_read(&r->series, e, strict);
}

/* --- writes --------------------------------------------------------------- */

void gaspdb_spin_reader_rewind(reader *r)
{
	gaspdb_cursor_close(&r->arguments);
	open_arguments(r);
}

bool gaspdb_spin_reader_writes(reader *r, const struct gaspdb_event *e,
			       struct gaspdb_spin_word *to)
{
	struct told t;

	if (e->source < 0 || e->source >= r->run->n_sources ||
	    r->kinds[e->source] != WRITE)
		return false;
	read_arguments(r, e->id, &t);
	*to = (struct gaspdb_spin_word){
		.owner = e->peer,
		.high = t.values[TARGET_HIGH] != GASPDB_NONE
				? t.values[TARGET_HIGH]
				: 0,
		.low = t.values[TARGET],
		.bytes = e->bytes != GASPDB_NONE ? e->bytes : 1,
	};
	/* A copy has two owners, and so no peer. */
	if (to->owner == GASPDB_NONE && t.values[TARGET_THREAD] >= 0)
		to->owner = gaspdb_run_rank(r->run, t.values[TARGET_THREAD]);
	return to->low != GASPDB_NONE;
}

void gaspdb_spin_reader_close(reader *r)
{
	gaspdb_cursor_close(&r->arguments);
	sqlite3_finalize(r->gaps);
	free(r->roles);
	free(r->kinds);
}
