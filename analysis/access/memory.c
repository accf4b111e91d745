/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replay of allocations and frees of all threads in the order of time. A block
 * is live from the end of its allocating call to the start of its freeing call:
 * no other block has its address in that time.
 *
 * Addresses are local to a process; a UPC pointer-to-shared is equal on all
 * threads. Memory use is proportional to the blocks that are live at one time.
 * The match of a free depends on all earlier calls, so it is not SQL.
 */
#include "analysis/access/memory.h"

#include <stdlib.h>

#include "analysis/access/heap.h"
#include "analysis/rows/groups.h"
#include "analysis/access/live_blocks.h"
#include "analysis/engine/quality.h"
#include "analysis/engine/scan.h"
#include "analysis/rows/sorter.h"
#include "sql/sql.h"
#include "common/sum.h"
#include "sql/passes/memory.h"

/* Actions on a block, in the order of one event. */
enum action { FREE, ALLOCATE, N_ACTIONS };

/* A row of the sorter. */
enum { AT, EVENT, ACTION, THREAD, SOURCE, KEY, SIZE, N_COLUMNS };
enum { N_KEYS = 3 };

/* Sums of a line and thread: those of memory_line, and NOW. */
enum sum {
	SHARED,
	BLOCKS,
	BYTES,
	LARGEST,
	PEAK,
	FAILED,
	UNSEEN,
	LEAKED,
	LEAKED_BYTES,
	LEAKED_EVENT,
	FREES,
	UNKNOWN,
	UNKNOWN_EVENT,
	NOW,
	N_SUMS
};

struct use {
	int64_t now, peak, peak_ns;
};

struct memory {
	struct gaspdb_run *run;
	struct gaspdb_sorter sorter;
	struct gaspdb_live_blocks live;
	struct gaspdb_groups lines;  /* source, thread: sums */
	bool *has_address, *has_old; /* by source: it has that argument */
	struct use all[2], *threads[2], *sources;
	int64_t n_processes;
	bool private_counted; /* heap.h: private memory is none of this */
	int64_t *reports;     /* by thread: collective allocations so far */
	int64_t most_reports; /* maximum over threads */
	struct unknown {
		int64_t count, event;
	} * unknown; /* by thread: frees of unknown blocks, the first */
	sqlite3_stmt *old, *parts, *line, *peak;
};

static bool is_shared(enum gaspdb_type type)
{
	return type == GASPDB_TYPE_shared_alloc ||
	       type == GASPDB_TYPE_shared_alloc_all ||
	       type == GASPDB_TYPE_shared_free;
}

static enum gaspdb_type type_of(const struct memory *m, int64_t source)
{
	return gaspdb_run_source(m->run, source)->type;
}

static int64_t *sums_of(struct memory *m, int64_t source, int64_t thread)
{
	int64_t *sums =
		gaspdb_group(m->run, &m->lines, (int64_t[]){ source, thread });

	if (sums)
		sums[SHARED] = is_shared(type_of(m, source));
	return sums;
}

/* --- calls ---------------------------------------------------------------- */

static void add_action(struct memory *m, const struct gaspdb_event *e,
		       enum action action, int64_t key)
{
	const int64_t at =
		e->start_ns + (action == ALLOCATE ? e->duration_ns : 0);

	gaspdb_sorter_add(
		&m->sorter,
		(int64_t[]){ at, e->id, action, e->thread, e->source, key,
			     e->bytes == GASPDB_NONE ? 0 : e->bytes });
}

/* The block given to a reallocation; NONE: none. */
static int64_t old_block(struct memory *m, const struct gaspdb_event *e)
{
	int64_t address = 0;

	gaspdb_bind(m->run, m->old, 1, &e->id);
	if (gaspdb_row(m->run, m->old))
		address = sqlite3_column_int64(m->old, 0);
	return address ? GASPDB_OBJECT_PRIVATE |
				 (address & (GASPDB_OBJECT_PRIVATE - 1))
		       : GASPDB_NONE;
}

/* A failed reallocation leaves the old block; one to 0 bytes frees it. */
static void add_allocation(struct memory *m, const struct gaspdb_event *e)
{
	const bool failed = e->object == GASPDB_NONE && e->bytes != 0;
	int64_t *sums, old;

	if (m->has_old[e->source] && !failed) {
		old = old_block(m, e);
		if (old != GASPDB_NONE)
			add_action(m, e, FREE, old);
	}
	if (e->object != GASPDB_NONE || !m->has_address[e->source]) {
		add_action(m, e, ALLOCATE, e->object);
	} else if (failed) {
		sums = sums_of(m, e->source, e->thread);
		if (sums)
			sums[FAILED]++;
	}
}

static void process_event(void *user, const struct gaspdb_event *e)
{
	struct memory *m = user;
	const struct gaspdb_run_source *source =
		gaspdb_run_source(m->run, e->source);

	if (!source || !gaspdb_run_thread(m->run, e->thread))
		return;
	switch (source->type) {
	case GASPDB_TYPE_alloc:
	case GASPDB_TYPE_realloc:
		if (m->private_counted)
			break;
		/* fall through */
	case GASPDB_TYPE_shared_alloc:
	case GASPDB_TYPE_shared_alloc_all:
		if (!e->open)
			add_allocation(m, e);
		break;
	case GASPDB_TYPE_free:
		if (m->private_counted)
			break;
		/* fall through */
	case GASPDB_TYPE_shared_free:
		if (e->object != GASPDB_NONE)
			add_action(m, e, FREE, e->object);
		break;
	default:
		break;
	}
}

/* --- current use ---------------------------------------------------------- */

static void update_use(struct use *u, int64_t bytes, int64_t at)
{
	gaspdb_add_to(&u->now, bytes);
	if (u->now > u->peak) {
		u->peak = u->now;
		u->peak_ns = at;
	}
}

/* Update the use of each thread with the parts of a UPC block, which are
   distributed cyclically from the first thread on. */
static void use_parts(struct memory *m, const struct gaspdb_block *b, int sign,
		      int64_t at)
{
	const int64_t n = m->n_processes;
	int64_t rank = 0;

	for (int64_t t = 0; t < m->run->n_threads && rank < b->n_parts; t++) {
		if (gaspdb_run_process(m->run, t) != t)
			continue;
		update_use(&m->threads[1][t],
			   sign * b->part_bytes *
				   ((b->n_parts - rank + n - 1) / n),
			   at);
		rank++;
	}
}

/* Count a block that is allocated (sign 1) or freed (-1). */
static void count_block(struct memory *m, const struct gaspdb_block *b,
			int sign, int64_t at)
{
	const bool shared = is_shared(type_of(m, b->source));
	int64_t *sums = sums_of(m, b->source, b->thread);

	update_use(&m->all[shared], sign * b->bytes, at);
	update_use(&m->sources[b->source], sign * b->bytes, at);
	if (b->n_parts)
		use_parts(m, b, sign, at);
	else
		update_use(&m->threads[shared][b->thread], sign * b->bytes, at);
	if (!sums)
		return;
	gaspdb_add_to(&sums[NOW], sign * b->bytes);
	if (sums[NOW] > sums[PEAK])
		sums[PEAK] = sums[NOW];
}

/* --- replay --------------------------------------------------------------- */

static int64_t domain_of(const struct memory *m, const int64_t *row)
{
	return row[KEY] >= GASPDB_OBJECT_PRIVATE
		       ? gaspdb_run_process(m->run, row[THREAD])
		       : -1;
}

/*
 * Is it another thread's event of a collective allocation that was counted
 * already? The n-th of each thread is the same one, which may be freed by now.
 */
static bool is_reported(struct memory *m, const int64_t *row)
{
	if (type_of(m, row[SOURCE]) != GASPDB_TYPE_shared_alloc_all)
		return false;
	if (++m->reports[row[THREAD]] <= m->most_reports)
		return true;
	m->most_reports = m->reports[row[THREAD]];
	return false;
}

/* Read the parts of a block of shared memory that has some. */
static void find_parts(struct memory *m, struct gaspdb_block *b)
{
	if (b->domain >= 0)
		return;
	gaspdb_bind(m->run, m->parts, 1, &b->event);
	if (!gaspdb_row(m->run, m->parts) ||
	    sqlite3_column_type(m->parts, 0) == SQLITE_NULL ||
	    sqlite3_column_type(m->parts, 1) == SQLITE_NULL)
		return;
	b->n_parts = sqlite3_column_int64(m->parts, 0);
	b->part_bytes = sqlite3_column_int64(m->parts, 1);
	/* Ignore parts that contradict the block's size. */
	if (b->n_parts < 0 || b->part_bytes <= 0 ||
	    b->bytes / b->part_bytes != b->n_parts)
		b->n_parts = 0;
}

static void allocate(struct memory *m, const int64_t *row)
{
	const int64_t domain = domain_of(m, row);
	struct gaspdb_block block = { .domain = domain,
				      .key = row[KEY],
				      .thread = row[THREAD],
				      .source = row[SOURCE],
				      .event = row[EVENT],
				      .bytes = row[SIZE] };
	struct gaspdb_block *there;
	int64_t *sums;

	if (is_reported(m, row))
		return;
	there = gaspdb_blocks_find(&m->live, domain, row[KEY]);
	if (there && row[KEY] != GASPDB_NONE) {
		count_block(m, there, -1, row[AT]);
		sums = sums_of(m, there->source, there->thread);
		if (sums)
			sums[UNSEEN]++;
		gaspdb_blocks_remove(&m->live, there);
	}
	sums = sums_of(m, row[SOURCE], row[THREAD]);
	if (!sums)
		return;
	sums[BLOCKS]++;
	gaspdb_add_to(&sums[BYTES], row[SIZE]);
	if (row[SIZE] > sums[LARGEST])
		sums[LARGEST] = row[SIZE];
	if (row[KEY] == GASPDB_NONE)
		return; /* unknown address: its free cannot be matched */
	find_parts(m, &block);
	gaspdb_blocks_add(m->run, &m->live, &block);
	count_block(m, &block, 1, row[AT]);
}

static void release(struct memory *m, const int64_t *row)
{
	struct gaspdb_block *there =
		gaspdb_blocks_find(&m->live, domain_of(m, row), row[KEY]);
	int64_t *sums = sums_of(m, row[SOURCE], row[THREAD]);

	if (!sums)
		return;
	sums[FREES]++;
	if (there) {
		count_block(m, there, -1, row[AT]);
		gaspdb_blocks_remove(&m->live, there);
		return;
	}
	if (!sums[UNKNOWN]++)
		sums[UNKNOWN_EVENT] = row[EVENT];
	if (!m->unknown[row[THREAD]].count++)
		m->unknown[row[THREAD]].event = row[EVENT];
}

static void replay(struct memory *m)
{
	const int64_t *row;

	while ((row = gaspdb_sorter_next(&m->sorter))) {
		if (row[ACTION] == ALLOCATE)
			allocate(m, row);
		else
			release(m, row);
	}
	for (size_t i = 0; i < m->live.n; i++) {
		const struct gaspdb_block *b = &m->live.blocks[i];
		int64_t *sums =
			b->live ? sums_of(m, b->source, b->thread) : NULL;

		if (!sums)
			continue;
		if (!sums[LEAKED]++ || b->event < sums[LEAKED_EVENT])
			sums[LEAKED_EVENT] = b->event;
		gaspdb_add_to(&sums[LEAKED_BYTES], b->bytes);
	}
}

/* --- tables --------------------------------------------------------------- */

static void write_lines(struct memory *m)
{
	gaspdb_groups_sort(&m->lines);
	for (size_t i = 0; i < m->lines.n; i++) {
		int64_t *row = gaspdb_groups_row(&m->lines, i), *sums = row + 2;

		if (!sums[LEAKED])
			sums[LEAKED_EVENT] = GASPDB_NONE;
		if (!sums[UNKNOWN])
			sums[UNKNOWN_EVENT] = GASPDB_NONE;
		sums[NOW] = GASPDB_NONE; /* grows: not known */
		gaspdb_write(m->run, m->line, 3 + NOW, row, NULL);
	}
}

static void write_peak(struct memory *m, int64_t thread, int64_t source,
		       bool shared, const struct use *u)
{
	if (u->peak > 0)
		gaspdb_write(m->run, m->peak, 6,
			     (int64_t[]){ thread, source, shared, u->peak,
					  u->peak_ns, u->now },
			     NULL);
}

static void write_peaks(struct memory *m)
{
	for (int shared = 0; shared < 2; shared++)
		write_peak(m, GASPDB_NONE, GASPDB_NONE, shared,
			   &m->all[shared]);
	for (int64_t t = 0; t < m->run->n_threads; t++)
		for (int shared = 0; shared < 2; shared++)
			if (m->run->threads[t].first_ns != GASPDB_NONE)
				write_peak(m, t, GASPDB_NONE, shared,
					   &m->threads[shared][t]);
	for (int64_t s = 0; s < m->run->n_sources; s++)
		if (gaspdb_run_source(m->run, s))
			write_peak(m, GASPDB_NONE, s, is_shared(type_of(m, s)),
				   &m->sources[s]);
}

static void write_quality(struct memory *m)
{
	for (int64_t t = 0; t < m->run->n_threads; t++)
		if (m->unknown[t].count)
			gaspdb_quality_add(
				m->run,
				&(struct gaspdb_quality_row){
					.kind = GASPDB_QUALITY_UNKNOWN_FREE,
					.thread = t,
					.event = m->unknown[t].event,
					.count = m->unknown[t].count,
					.bytes = GASPDB_NONE,
					.time_ns = GASPDB_NONE },
				"the first of them");
}

/* --- the pass ------------------------------------------------------------- */

static void prepare(struct memory *m)
{
	m->old = gaspdb_prepare(m->run, gaspdb_sql_old_address);
	m->parts = gaspdb_prepare(m->run, gaspdb_sql_block_parts);
	m->line = gaspdb_prepare(m->run, gaspdb_sql_memory_line_add);
	m->peak = gaspdb_prepare(m->run, gaspdb_sql_memory_peak_add);
}

static bool make_room(struct memory *m)
{
	struct gaspdb_run *run = m->run;
	const size_t threads = (size_t)run->n_threads;

	m->has_address = gaspdb_sources_with(run, "address");
	m->has_old = gaspdb_sources_with(run, "old_address");
	m->threads[0] = gaspdb_zeroed(run, threads, sizeof(struct use));
	m->threads[1] = gaspdb_zeroed(run, threads, sizeof(struct use));
	m->sources =
		gaspdb_zeroed(run, (size_t)run->n_sources, sizeof *m->sources);
	m->reports = gaspdb_zeroed(run, threads, sizeof *m->reports);
	m->unknown = gaspdb_zeroed(run, threads, sizeof *m->unknown);
	m->n_processes = gaspdb_run_processes(run);
	return run->status == GASPDB_OK;
}

static void analyse(struct memory *m)
{
	gaspdb_sorter_init(&m->sorter, m->run, N_COLUMNS, N_KEYS);
	gaspdb_groups_init(&m->lines, 2, N_SUMS);
	prepare(m);
	if (make_room(m)) {
		gaspdb_scan_events(m->run, process_event, m);
		replay(m);
		write_lines(m);
		write_peaks(m);
		write_quality(m);
	}
	gaspdb_sorter_fini(&m->sorter);
	gaspdb_groups_fini(&m->lines);
	gaspdb_blocks_fini(&m->live);
	sqlite3_finalize(m->old);
	sqlite3_finalize(m->parts);
	sqlite3_finalize(m->line);
	sqlite3_finalize(m->peak);
	free(m->has_address);
	free(m->has_old);
	free(m->threads[0]);
	free(m->threads[1]);
	free(m->sources);
	free(m->reports);
	free(m->unknown);
}

enum gaspdb_status gaspdb_pass_memory(struct gaspdb_run *run)
{
	static const enum gaspdb_type types[] = { GASPDB_TYPE_alloc,
						  GASPDB_TYPE_realloc,
						  GASPDB_TYPE_free,
						  GASPDB_TYPE_shared_alloc,
						  GASPDB_TYPE_shared_alloc_all,
						  GASPDB_TYPE_shared_free };
	struct memory m = { .run = run,
			    .private_counted = gaspdb_heap_read(run) };

	if (gaspdb_run_has(run, types, sizeof types / sizeof *types))
		analyse(&m);
	return run->status;
}
