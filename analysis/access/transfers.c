/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sums of accesses, one thread at a time: durations of blocking accesses by
 * line and owner, sizes, and groups of fine-grained ones.
 */
#include "analysis/access/transfers.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/access/fine_grained.h"
#include "analysis/rows/durations.h"
#include "analysis/rows/groups.h"
#include "common/copy_time.h"
#include "common/size_class.h"
#include "common/sum.h"
#include "sql/passes/access.h"
#include "sql/store/table.h"

/* In the order of their names, the order of size_total. */
enum direction { ATOMIC, GET, PUT, N_DIRECTIONS };
static const char *const direction_names[] = { "atomic", "get", "put" };

/* Keys and values of the sums by line, where OWNER is access_line.remote, and
   by pair. NUMBER: the group of durations. */
enum { SOURCE, DIRECTION, OWNER, N_KEYS };
enum { CALLS, BYTES, TIME, STRICT, NUMBER, N_SUMS };

/* Sizes of the caches of recent sums, by source, and by source and peer. */
enum { RECENT_LINES = 1024, RECENT_PAIRS = 1024 };

enum { PIECE_PAIRS = 256 }; /* pairs in a row of access_piece */

struct gaspdb_transfers {
	struct gaspdb_run *run;
	struct gaspdb_rereads rereads;
	struct gaspdb_fine_grained fine;
	struct gaspdb_access_arguments *arguments;
	/* Sums by source, direction and remote; and of this thread, by source,
	   direction and peer. */
	struct gaspdb_groups line_sums, owner_sums;
	/* Caches of rows of these. */
	uint32_t recent_lines[RECENT_LINES], recent[RECENT_PAIRS];
	struct gaspdb_durations by_line, by_owner; /* by NUMBER */
	struct {
		int64_t operations, bytes;
	} sizes[N_DIRECTIONS][GASPDB_SIZE_CLASSES]; /* of this thread */
	sqlite3_stmt *insert_line;
	struct gaspdb_table_writer *pairs, *pieces, *size_totals;
	int64_t n_pairs;
	int64_t piece[GASPDB_ACCESS_PIECE_COLUMNS]; /* being filled; first pair
						       0: none */
	int64_t thread, process;
};

typedef struct gaspdb_transfers transfers;

/* The direction of a type; N_DIRECTIONS: no transfer, or a copy. */
static enum direction direction_of(enum gaspdb_type type)
{
	switch (type) {
	case GASPDB_TYPE_get:
	case GASPDB_TYPE_get_nb:
		return GET;
	case GASPDB_TYPE_put:
	case GASPDB_TYPE_put_nb:
		return PUT;
	case GASPDB_TYPE_atomic:
	case GASPDB_TYPE_atomic_fetch:
		return ATOMIC;
	default:
		return N_DIRECTIONS;
	}
}

static int64_t bytes_of(const struct gaspdb_event *e)
{
	return e->bytes != GASPDB_NONE ? e->bytes : 0;
}

static void add_size(transfers *t, enum direction direction, int64_t bytes)
{
	const int class = gaspdb_size_class(bytes);

	t->sizes[direction][class].operations++;
	gaspdb_add_to(&t->sizes[direction][class].bytes, bytes);
}

/* The sums of a key, with their number set. NULL after a failure. */
static int64_t *sums_of(transfers *t, struct gaspdb_groups *groups,
			const int64_t *keys, uint32_t *recent)
{
	int64_t *sums = gaspdb_group_cached(t->run, groups, keys, recent);

	if (sums && !sums[CALLS])
		sums[NUMBER] = (int64_t)groups->n - 1;
	return sums;
}

static void add_access(transfers *t, const int64_t keys[N_KEYS], int64_t bytes,
		       int64_t ns, bool strict)
{
	const uint64_t pair =
		(uint64_t)keys[SOURCE] + 61 * (uint64_t)keys[OWNER];
	int64_t *sums = sums_of(t, &t->owner_sums, keys,
				&t->recent[pair % RECENT_PAIRS]);

	if (!sums)
		return;
	sums[CALLS]++;
	gaspdb_add_to(&sums[BYTES], bytes);
	gaspdb_add_to(&sums[TIME], ns);
	sums[STRICT] += strict;
	gaspdb_durations_add(t->run, &t->by_owner, (uint32_t)sums[NUMBER], ns,
			     1);
}

/* Is a source a blocking get, or an atomic that only fetches? */
static bool reads(const struct gaspdb_run_source *source)
{
	return source->blocking_access &&
	       (source->type == GASPDB_TYPE_get ||
		(source->type == GASPDB_TYPE_atomic_fetch && !source->writes));
}

/* Check an access that is no get; only writes have ranges. */
static void check_other(transfers *t, const struct gaspdb_access *a,
			const struct gaspdb_run_source *source, int64_t object,
			const struct gaspdb_access_values *given)
{
	const bool blocking = source->type == GASPDB_TYPE_put &&
			      source->blocking_access && a->peer != GASPDB_NONE;
	struct gaspdb_byte_ranges to;

	if (source->writes)
		to = gaspdb_byte_ranges_of(object, a->bytes, given);
	gaspdb_rereads_other(&t->rereads, a, blocking,
			     source->writes ? &to : NULL);
}

/* Pass a remote access to the check for redundant reads. */
static void check_rereads(transfers *t, const struct gaspdb_event *e,
			  const struct gaspdb_run_source *source,
			  const struct gaspdb_access_values *given)
{
	struct gaspdb_access a = { .event = e->id,
				   .source = e->source,
				   .thread = e->thread,
				   .peer = e->peer,
				   .object = e->object,
				   .bytes = bytes_of(e),
				   .duration_ns = e->duration_ns,
				   .is_pointer = e->object == GASPDB_NONE,
				   .is_atomic = direction_of(source->type) ==
						ATOMIC };

	if (a.is_pointer)
		a.object = gaspdb_access_pointer_hash(given);
	a.placed = gaspdb_access_place(given, e->object, a.place);
	if (a.peer != GASPDB_NONE && reads(source))
		gaspdb_rereads_get(&t->rereads, &a);
	else
		check_other(t, &a, source, e->object, given);
	if (given->found & GASPDB_ACCESS_BIT(SIGNAL)) {
		const struct gaspdb_byte_ranges signal =
			gaspdb_byte_ranges_signal(given);

		gaspdb_rereads_write(&t->rereads, a.peer, &signal);
	}
}

static void add_fine_grained(void *user, const struct gaspdb_access *a,
			     enum gaspdb_reread reread)
{
	transfers *t = user;

	if (reread != GASPDB_READ_POLLED && !a->is_atomic)
		gaspdb_fine_grained_add(&t->fine, a, reread);
}

static void end_fine_grained(void *user)
{
	transfers *t = user;

	gaspdb_fine_grained_end(&t->fine);
}

/* access_line.remote of an owner. */
static int64_t affinity_to(const transfers *t, int64_t owner)
{
	return owner == GASPDB_NONE ? 2 : owner != t->process;
}

/* Add the sums of owners to those of lines: remote, local and unknown owners
   apart. */
static void add_to_lines(transfers *t)
{
	for (size_t i = 0; i < t->owner_sums.n; i++) {
		const int64_t *row = gaspdb_groups_row(&t->owner_sums, i);
		const int64_t *owner = row + N_KEYS;
		int64_t *line = sums_of(
			t, &t->line_sums,
			(int64_t[]){ row[SOURCE], row[DIRECTION],
				     affinity_to(t, row[OWNER]) },
			&t->recent_lines[(uint64_t)row[SOURCE] % RECENT_LINES]);

		if (!line)
			return;
		for (int k = 0; k < NUMBER; k++)
			gaspdb_add_to(&line[k], owner[k]);
		gaspdb_durations_copy(t->run, &t->by_line,
				      (uint32_t)line[NUMBER], &t->by_owner,
				      (uint32_t)owner[NUMBER]);
	}
}

static void finish_piece(transfers *t)
{
	if (t->piece[GASPDB_ACCESS_PIECE_FIRST_PAIR])
		gaspdb_table_writer_add(t->pieces, t->piece);
	memset(t->piece, 0, sizeof(t->piece));
}

/* The number of strict accesses; NONE: the runtime does not log it. */
static int64_t strict_of(const transfers *t, const int64_t *keys,
			 const int64_t *sum)
{
	return gaspdb_access_knows_strict(t->arguments, keys[SOURCE])
		       ? sum[STRICT]
		       : GASPDB_NONE;
}

/* Add the last pair to the current piece. */
static void add_to_piece(transfers *t, int64_t time_ns, bool local)
{
	int64_t *piece = t->piece;

	if (!piece[GASPDB_ACCESS_PIECE_FIRST_PAIR]) {
		piece[GASPDB_ACCESS_PIECE_FIRST_PAIR] = t->n_pairs;
		piece[GASPDB_ACCESS_PIECE_FIRST_THREAD] = t->thread;
	}
	piece[GASPDB_ACCESS_PIECE_LAST_PAIR] = t->n_pairs;
	piece[GASPDB_ACCESS_PIECE_LAST_THREAD] = t->thread;
	if (time_ns > piece[GASPDB_ACCESS_PIECE_MOST])
		piece[GASPDB_ACCESS_PIECE_MOST] = time_ns;
	piece[GASPDB_ACCESS_PIECE_LOCAL] += local;
	if (t->n_pairs % PIECE_PAIRS == 0)
		finish_piece(t);
}

static void write_pair(transfers *t, const int64_t *keys, const int64_t *sum,
		       const struct gaspdb_distribution *x)
{
	const int64_t values[GASPDB_ACCESS_PAIR_COLUMNS] = {
		[GASPDB_ACCESS_PAIR_ID] = ++t->n_pairs,
		[GASPDB_ACCESS_PAIR_SOURCE] = keys[SOURCE],
		[GASPDB_ACCESS_PAIR_THREAD] = t->thread,
		[GASPDB_ACCESS_PAIR_DIRECTION] = keys[DIRECTION],
		[GASPDB_ACCESS_PAIR_PEER] = keys[OWNER],
		[GASPDB_ACCESS_PAIR_CALLS] = sum[CALLS],
		[GASPDB_ACCESS_PAIR_BYTES] = sum[BYTES],
		[GASPDB_ACCESS_PAIR_TIME] = sum[TIME],
		[GASPDB_ACCESS_PAIR_MIN] = x->min_ns,
		[GASPDB_ACCESS_PAIR_MEDIAN] = x->median_ns,
		[GASPDB_ACCESS_PAIR_P95] = x->p95_ns,
		[GASPDB_ACCESS_PAIR_MAX] = x->max_ns,
		[GASPDB_ACCESS_PAIR_STRICT] = strict_of(t, keys, sum)
	};

	gaspdb_table_writer_add(t->pairs, values);
	add_to_piece(t, sum[TIME], keys[OWNER] == t->process);
}

static void write_line(transfers *t, const int64_t *keys, const int64_t *sum,
		       const struct gaspdb_distribution *x)
{
	const int64_t values[] = { keys[SOURCE], keys[OWNER],
				   sum[CALLS],	 sum[BYTES],
				   sum[TIME],	 x->min_ns,
				   x->median_ns, x->p95_ns,
				   x->max_ns,	 strict_of(t, keys, sum) };

	gaspdb_write(t->run, t->insert_line, 10, values,
		     direction_names[keys[DIRECTION]]);
}

/* Write sums in the order of their keys. Durations are sorted. */
static void write_sums(transfers *t, struct gaspdb_groups *sums,
		       const struct gaspdb_durations *d,
		       void (*write)(transfers *, const int64_t *keys,
				     const int64_t *sum,
				     const struct gaspdb_distribution *))
{
	gaspdb_groups_sort(sums);
	for (size_t i = 0; i < sums->n; i++) {
		const int64_t *row = gaspdb_groups_row(sums, i);
		const struct gaspdb_distribution x =
			gaspdb_durations_of(d, (uint32_t)row[N_KEYS + NUMBER]);

		if (row[OWNER] != GASPDB_NONE)
			write(t, row, row + N_KEYS, &x);
	}
}

static void write_sizes(transfers *t)
{
	for (int d = 0; d < N_DIRECTIONS; d++)
		for (int c = 0; c < GASPDB_SIZE_CLASSES; c++) {
			if (!t->sizes[d][c].operations)
				continue;
			gaspdb_table_writer_add(
				t->size_totals,
				(int64_t[GASPDB_SIZE_TOTAL_COLUMNS]){
					[GASPDB_SIZE_TOTAL_THREAD] = t->thread,
					[GASPDB_SIZE_TOTAL_DIRECTION] = d,
					[GASPDB_SIZE_TOTAL_FROM_BYTES] =
						gaspdb_class_from(c),
					[GASPDB_SIZE_TOTAL_OPERATIONS] =
						t->sizes[d][c].operations,
					[GASPDB_SIZE_TOTAL_BYTES] =
						t->sizes[d][c].bytes });
		}
	memset(t->sizes, 0, sizeof(t->sizes));
}

static void finish_thread(transfers *t)
{
	gaspdb_rereads_end(&t->rereads, t->thread);
	write_sizes(t);
	if (!t->owner_sums.n)
		return;
	gaspdb_durations_sort(t->run, &t->by_owner);
	add_to_lines(t);
	write_sums(t, &t->owner_sums, &t->by_owner, write_pair);
	gaspdb_durations_clear(&t->by_owner);
	gaspdb_groups_clear(&t->owner_sums);
}

/* --- events --------------------------------------------------------------- */

static bool is_copy(enum gaspdb_type type)
{
	return type == GASPDB_TYPE_copy || type == GASPDB_TYPE_copy_nb;
}

bool gaspdb_transfers_needs(const struct gaspdb_run_source *source)
{
	return is_copy(source->type) ||
	       direction_of(source->type) != N_DIRECTIONS;
}

void gaspdb_transfers_thread(transfers *t, int64_t thread)
{
	if (!t)
		return;
	finish_thread(t);
	t->thread = thread;
	t->process = gaspdb_run_process(t->run, thread);
}

void gaspdb_transfers_separate(transfers *t)
{
	gaspdb_rereads_separate(&t->rereads);
}

void gaspdb_transfers_interrupt(transfers *t)
{
	gaspdb_rereads_interrupt(&t->rereads);
}

static void add_transfer(transfers *t, const struct gaspdb_event *e,
			 const struct gaspdb_run_source *source)
{
	const enum direction direction = direction_of(source->type);
	const int64_t bytes = bytes_of(e);
	struct gaspdb_access_values given;
	bool strict;

	gaspdb_access_get(
		t->arguments, e,
		GASPDB_ACCESS_BIT(RELAXED) | GASPDB_ACCESS_BIT(SOURCE) |
			GASPDB_ACCESS_BIT(SOURCE_HIGH) |
			GASPDB_ACCESS_BIT(TARGET) |
			GASPDB_ACCESS_BIT(TARGET_HIGH) |
			GASPDB_ACCESS_BIT(SIGNAL) | GASPDB_BYTE_RANGES_NEEDED,
		&given);
	strict = gaspdb_access_strict(&given);
	add_size(t, direction, bytes);
	if (strict)
		gaspdb_rereads_forget(&t->rereads);
	if (e->peer != t->process)
		check_rereads(t, e, source, &given);
	if (source->blocking_access)
		add_access(t, (int64_t[]){ e->source, direction, e->peer },
			   bytes, e->duration_ns, strict);
}

/* Add the get or put part of a copy. owner: rank. */
static void add_part(transfers *t, const struct gaspdb_event *e,
		     enum direction direction, int64_t owner, int64_t time_ns)
{
	add_access(t,
		   (int64_t[]){ e->source, direction,
				gaspdb_run_rank(t->run, owner) },
		   bytes_of(e), time_ns, false);
}

static void add_parts(transfers *t, const struct gaspdb_event *e)
{
	struct gaspdb_access_values given;

	gaspdb_access_get(t->arguments, e,
			  GASPDB_ACCESS_BIT(SOURCE_THREAD) |
				  GASPDB_ACCESS_BIT(TARGET_THREAD),
			  &given);
	add_part(t, e, GET,
		 gaspdb_access_value(&given, GASPDB_ACCESS_SOURCE_THREAD,
				     GASPDB_NONE),
		 gaspdb_copy_get_ns(e->duration_ns));
	add_part(t, e, PUT,
		 gaspdb_access_value(&given, GASPDB_ACCESS_TARGET_THREAD,
				     GASPDB_NONE),
		 gaspdb_copy_put_ns(e->duration_ns));
}

/* Add a copy: a get and a put, with an unknown range. */
static void add_copy(transfers *t, const struct gaspdb_event *e,
		     const struct gaspdb_run_source *source)
{
	const int64_t bytes = bytes_of(e);

	add_size(t, GET, bytes);
	add_size(t, PUT, bytes);
	gaspdb_rereads_other(
		&t->rereads, &(struct gaspdb_access){ .peer = GASPDB_NONE },
		false, &(struct gaspdb_byte_ranges){ GASPDB_NONE, 1, 1, 1 });
	if (source->type == GASPDB_TYPE_copy)
		add_parts(t, e);
}

void gaspdb_transfers_consume(transfers *t, const struct gaspdb_event *e,
			      const struct gaspdb_run_source *source)
{
	if (is_copy(source->type))
		add_copy(t, e, source);
	else
		add_transfer(t, e, source);
}

/* --- tables --------------------------------------------------------------- */

static void open_tables(transfers *t)
{
	t->pairs = gaspdb_table_writer_open(
		&t->run->tables, GASPDB_TABLE(access_pair),
		GASPDB_ACCESS_PAIR_DIRECTION, direction_names);
	t->pieces = gaspdb_table_writer_open(
		&t->run->tables, GASPDB_TABLE(access_piece), 0, NULL);
	t->size_totals = gaspdb_table_writer_open_keyed(
		&t->run->tables, GASPDB_KEYED_TABLE(size_total),
		GASPDB_SIZE_TOTAL_DIRECTION, direction_names);
	t->insert_line = gaspdb_prepare(t->run, gaspdb_sql_access_line_add);
}

struct gaspdb_transfers *
gaspdb_transfers_open(struct gaspdb_run *run,
		      struct gaspdb_access_arguments *arguments)
{
	transfers *t = gaspdb_zeroed(run, 1, sizeof *t);

	if (!t)
		return NULL;
	t->run = run;
	t->thread = GASPDB_NONE;
	gaspdb_fine_grained_open(&t->fine, run);
	t->arguments = arguments;
	gaspdb_rereads_open(&t->rereads, run,
			    (struct gaspdb_rereads_out){ add_fine_grained,
							 end_fine_grained, t });
	gaspdb_durations_init(&t->by_line);
	gaspdb_durations_init(&t->by_owner);
	gaspdb_groups_init(&t->line_sums, N_KEYS, N_SUMS);
	gaspdb_groups_init(&t->owner_sums, N_KEYS, N_SUMS);
	open_tables(t);
	return t;
}

static void finish(transfers *t)
{
	finish_thread(t);
	finish_piece(t);
	gaspdb_durations_sort(t->run, &t->by_line);
	write_sums(t, &t->line_sums, &t->by_line, write_line);
}

void gaspdb_transfers_close(transfers *t)
{
	if (!t)
		return;
	finish(t);
	gaspdb_fine_grained_close(&t->fine);
	gaspdb_rereads_close(&t->rereads);
	gaspdb_durations_fini(&t->by_line);
	gaspdb_durations_fini(&t->by_owner);
	gaspdb_groups_fini(&t->line_sums);
	gaspdb_groups_fini(&t->owner_sums);
	sqlite3_finalize(t->insert_line);
	free(t);
}
