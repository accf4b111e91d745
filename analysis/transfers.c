/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One walk over all events, thread by thread: durations of blocking accesses
 * by line and owner, their sizes, and groups of fine-grained ones.
 */
#include "analysis/transfers.h"

#include "analysis/durations.h"
#include "analysis/fine_grained.h"

enum direction { GET, PUT, ATOMIC };

/* Values of the sums by line and by pair. */
enum { CALLS, BYTES, TIME, N_SUMS };

struct transfers {
	struct gaspdb_run run;
	struct gaspdb_fine_grained fine;
	struct gaspdb_durations by_line;  /* source, remote */
	struct gaspdb_durations by_owner; /* source, peer; of this thread */
	struct gaspdb_groups line_sums, owner_sums;
	struct gaspdb_groups sizes; /* thread, direction, class:
				       operations, bytes */
	sqlite3_stmt *insert_pair, *insert_line;
	int64_t thread, process;
};

static bool is_transfer(enum gaspdb_type type, enum direction *direction,
			bool *blocking)
{
	*blocking = type != GASPDB_TYPE_get_nb && type != GASPDB_TYPE_put_nb;
	switch (type) {
	case GASPDB_TYPE_get:
	case GASPDB_TYPE_get_nb:
		*direction = GET;
		return true;
	case GASPDB_TYPE_put:
	case GASPDB_TYPE_put_nb:
		*direction = PUT;
		return true;
	case GASPDB_TYPE_atomic:
	case GASPDB_TYPE_atomic_fetch:
		*direction = ATOMIC;
		return true;
	default:
		return false;
	}
}

/* After these an access may find something else, or must have arrived. */
static bool separates(const struct gaspdb_run_source *source)
{
	switch (source->type) {
	case GASPDB_TYPE_broadcast:
	case GASPDB_TYPE_scatter:
	case GASPDB_TYPE_gather:
	case GASPDB_TYPE_reduce:
	case GASPDB_TYPE_all_to_all:
	case GASPDB_TYPE_scan:
	case GASPDB_TYPE_neighbor:
		return true;
	default:
		return source->synchronizes;
	}
}

static void add_sums(struct transfers *t, struct gaspdb_groups *groups,
		     int64_t source, int64_t other, int64_t bytes,
		     int64_t duration_ns)
{
	int64_t *sums =
		gaspdb_group(&t->run, groups, (int64_t[]){ source, other });

	if (!sums)
		return;
	sums[CALLS]++;
	sums[BYTES] += bytes;
	sums[TIME] += duration_ns;
}

static void add_size(struct transfers *t, enum direction direction,
		     int64_t bytes)
{
	int64_t *sums =
		gaspdb_group(&t->run, &t->sizes,
			     (int64_t[]){ t->thread, direction,
					  gaspdb_size_class(bytes) });

	if (sums) {
		sums[0]++;
		sums[1] += bytes;
	}
}

static void add_access(struct transfers *t, const struct gaspdb_access *a,
		       enum direction direction)
{
	bool remote = a->peer != t->process;

	gaspdb_durations_add(&t->run, &t->by_line, a->source, remote,
			     a->duration_ns);
	gaspdb_durations_add(&t->run, &t->by_owner, a->source, a->peer,
			     a->duration_ns);
	add_sums(t, &t->line_sums, a->source, remote, a->bytes,
		 a->duration_ns);
	add_sums(t, &t->owner_sums, a->source, a->peer, a->bytes,
		 a->duration_ns);
	if (remote && direction != ATOMIC)
		gaspdb_fine_grained_add(&t->fine, a);
}

/* Write distributions and sums, which have the same keys, side by side. */
static void write_durations(struct transfers *t, struct gaspdb_durations *d,
			    struct gaspdb_groups *sums, sqlite3_stmt *insert,
			    bool pairs)
{
	struct gaspdb_distribution x;
	size_t at = 0;

	gaspdb_durations_sort(d);
	gaspdb_groups_sort(sums);
	for (size_t i = 0; gaspdb_durations_next(d, &at, &x); i++) {
		const int64_t *sum = gaspdb_groups_row(sums, i) + 2;
		const int64_t values[] = { x.keys[0],	 x.keys[1],
					   sum[CALLS],	 sum[BYTES],
					   sum[TIME],	 x.min_ns,
					   x.median_ns,	 x.p95_ns,
					   x.max_ns,	 t->thread };

		gaspdb_write(&t->run, insert, pairs ? 10 : 9, values, NULL);
	}
}

static void finish_thread(struct transfers *t)
{
	gaspdb_fine_grained_end(&t->fine);
	if (!t->owner_sums.n)
		return;
	write_durations(t, &t->by_owner, &t->owner_sums, t->insert_pair, true);
	gaspdb_durations_clear(&t->by_owner);
	gaspdb_groups_clear(&t->owner_sums);
}

static void read_event(struct transfers *t, sqlite3_stmt *stmt)
{
	struct gaspdb_access a = { .source = sqlite3_column_int64(stmt, 1),
				   .thread = sqlite3_column_int64(stmt, 2) };
	const struct gaspdb_run_source *source =
		gaspdb_run_source(&t->run, a.source);
	enum direction direction;
	bool blocking;

	if (a.thread != t->thread) {
		finish_thread(t);
		t->thread = a.thread;
		t->process = gaspdb_run_process(&t->run, a.thread);
	}
	if (!source)
		return;
	if (separates(source)) {
		gaspdb_fine_grained_end(&t->fine);
		return;
	}
	if (!is_transfer(source->type, &direction, &blocking))
		return;
	a.event = sqlite3_column_int64(stmt, 0);
	a.duration_ns = sqlite3_column_int64(stmt, 3);
	a.bytes = sqlite3_column_int64(stmt, 4);
	a.peer = gaspdb_column(stmt, 5);
	a.object = gaspdb_column(stmt, 6);
	add_size(t, direction, a.bytes);
	if (blocking && a.peer != GASPDB_NONE)
		add_access(t, &a, direction);
}

static void write_sizes(struct transfers *t)
{
	static const char *const names[] = { "get", "put", "atomic" };
	sqlite3_stmt *stmt = gaspdb_prepare(
		&t->run, "INSERT INTO size_total(thread_id, from_bytes, "
			 "operations, bytes, direction) "
			 "VALUES(?, ?, ?, ?, ?)");

	gaspdb_groups_sort(&t->sizes);
	for (size_t i = 0; i < t->sizes.n; i++) {
		const int64_t *row = gaspdb_groups_row(&t->sizes, i);

		gaspdb_write(&t->run, stmt, 4,
			     (int64_t[]){ row[0], row[2], row[3], row[4] },
			     names[row[1]]);
	}
	sqlite3_finalize(stmt);
}

static void walk(struct transfers *t)
{
	sqlite3_stmt *stmt = gaspdb_prepare(
		&t->run, "SELECT id, source_id, thread_id, duration_ns, bytes, "
			 "peer, object FROM event WHERE nested = 0 "
			 "ORDER BY id");

	while (gaspdb_row(&t->run, stmt))
		read_event(t, stmt);
	finish_thread(t);
	write_durations(t, &t->by_line, &t->line_sums, t->insert_line, false);
	write_sizes(t);
	sqlite3_finalize(stmt);
}

static void prepare(struct transfers *t)
{
	t->insert_pair = gaspdb_prepare(
		&t->run, "INSERT INTO access_pair(source_id, peer, calls, "
			 "bytes, time_ns, min_ns, median_ns, p95_ns, max_ns, "
			 "thread_id) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
	t->insert_line = gaspdb_prepare(
		&t->run, "INSERT INTO access_line(source_id, remote, calls, "
			 "bytes, time_ns, min_ns, median_ns, p95_ns, max_ns) "
			 "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)");
}

static void analyse(struct transfers *t)
{
	gaspdb_fine_grained_open(&t->fine, &t->run);
	gaspdb_durations_init(&t->by_line);
	gaspdb_durations_init(&t->by_owner);
	gaspdb_groups_init(&t->line_sums, 2, N_SUMS);
	gaspdb_groups_init(&t->owner_sums, 2, N_SUMS);
	gaspdb_groups_init(&t->sizes, 3, 2);
	prepare(t);
	walk(t);
	gaspdb_fine_grained_close(&t->fine);
	gaspdb_durations_fini(&t->by_line);
	gaspdb_durations_fini(&t->by_owner);
	gaspdb_groups_fini(&t->line_sums);
	gaspdb_groups_fini(&t->owner_sums);
	gaspdb_groups_fini(&t->sizes);
	sqlite3_finalize(t->insert_pair);
	sqlite3_finalize(t->insert_line);
}

enum gaspdb_status gaspdb_pass_transfers(sqlite3 *db, struct gaspdb_error *err)
{
	static const enum gaspdb_type types[] = {
		GASPDB_TYPE_get,    GASPDB_TYPE_get_nb, GASPDB_TYPE_put,
		GASPDB_TYPE_put_nb, GASPDB_TYPE_atomic, GASPDB_TYPE_atomic_fetch
	};
	struct transfers t = { .thread = GASPDB_NONE };

	gaspdb_run_open(&t.run, db, err);
	if (gaspdb_run_has(&t.run, types, sizeof(types) / sizeof(*types)))
		analyse(&t);
	return gaspdb_run_close(&t.run);
}
