/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sums of private memory from its counters. A sample has all that a line, or a
 * process, has counted so far: the last one has the totals. Levels between
 * samples are not known, but for the peak, which counts at the first sample
 * that has it. Memory counts on the first thread of its process.
 */
#include "analysis/access/heap.h"

#include <stdlib.h>

#include "analysis/engine/quality.h"
#include "analysis/rows/groups.h"
#include "common/sum.h"
#include "sql/passes/memory.h"

/* Columns of a sample. */
enum {
	PROCESS,
	SOURCE,
	NS,
	BLOCKS,
	BYTES,
	FREES,
	LIVE,
	PEAK,
	LARGEST,
	FAILED,
	UNCOUNTED,
	N_COLUMNS
};

/* Values of a line and process: the last sample's, the first sample's time, and
   the level at the end of the first three quarters of the time from then on. */
enum { FIRST = N_COLUMNS, QUARTER, N_VALUES = QUARTER + 3 };

struct level {
	int64_t now, peak, peak_ns;
};

/* The time between a process's start and end of the runtime; without one all
   of its time. */
struct window {
	int64_t from_ns, to_ns;
};

struct heap {
	struct gaspdb_run *run;
	struct window *windows;	    /* by process */
	struct gaspdb_groups lines; /* source, process */
	struct level all, *processes, *sources;
	int64_t *uncounted; /* by process */
	sqlite3_stmt *line, *peak;
};

/* --- samples -------------------------------------------------------------- */

static void note(struct level *l, int64_t bytes, int64_t ns)
{
	if (bytes > l->peak) {
		l->peak = bytes;
		l->peak_ns = ns;
	}
}

/* Changes a level from before to now, with a peak in between. */
static void change(struct level *l, int64_t before, int64_t now, int64_t peak,
		   int64_t ns)
{
	note(l, l->now - before + peak, ns);
	l->now += now - before;
	note(l, l->now, ns);
}

static bool read_windows(struct heap *h)
{
	sqlite3_stmt *times = gaspdb_prepare(h->run, gaspdb_sql_runtime_times);
	int64_t id, from, to;

	h->windows = gaspdb_zeroed(h->run, (size_t)h->run->n_threads,
				   sizeof *h->windows);
	for (int64_t t = 0; h->windows && t < h->run->n_threads; t++)
		h->windows[t] = (struct window){ h->run->threads[t].first_ns,
						 h->run->threads[t].last_ns };
	while (h->windows && gaspdb_row(h->run, times)) {
		id = gaspdb_column(times, 0);
		from = gaspdb_column(times, 1);
		to = gaspdb_column(times, 2);
		if (!gaspdb_run_thread(h->run, id))
			continue;
		if (from != GASPDB_NONE && from > h->windows[id].from_ns)
			h->windows[id].from_ns = from;
		if (to != GASPDB_NONE && to < h->windows[id].to_ns)
			h->windows[id].to_ns = to;
	}
	sqlite3_finalize(times);
	return h->windows != NULL;
}

/* The end of a quarter (0, 1, 2) of the window, from a line's first sample
   on. */
static int64_t end_of_quarter(const struct window *w, int64_t first_ns,
			      int quarter)
{
	if (first_ns < w->from_ns)
		first_ns = w->from_ns;
	return first_ns + (w->to_ns - first_ns) / 4 * (quarter + 1);
}

static void take_line(struct heap *h, const int64_t *sample)
{
	const struct window *window = &h->windows[sample[PROCESS]];
	int64_t *last =
		gaspdb_group(h->run, &h->lines,
			     (int64_t[]){ sample[SOURCE], sample[PROCESS] });
	int64_t peak;

	/* Logs of several threads can have the same moment. */
	if (!last || sample[BLOCKS] + sample[FREES] + sample[FAILED] <
			     last[BLOCKS] + last[FREES] + last[FAILED])
		return;
	if (!last[BLOCKS] && !last[FAILED])
		last[FIRST] = sample[NS];
	peak = sample[PEAK] > last[PEAK] ? sample[PEAK] : sample[LIVE];
	change(&h->sources[sample[SOURCE]], last[LIVE], sample[LIVE], peak,
	       sample[NS]);
	for (int i = BLOCKS; i < N_COLUMNS; i++)
		last[i] = sample[i];
	for (int q = 0; q < 3; q++)
		if (sample[NS] <= end_of_quarter(window, last[FIRST], q))
			last[QUARTER + q] = sample[LIVE];
}

static void take_process(struct heap *h, const int64_t *sample)
{
	struct level *l = &h->processes[sample[PROCESS]];
	const int64_t peak =
		sample[PEAK] > l->peak ? sample[PEAK] : sample[LIVE];

	change(&h->all, l->now, sample[LIVE], peak, sample[NS]);
	change(l, l->now, sample[LIVE], peak, sample[NS]);
	h->uncounted[sample[PROCESS]] = sample[UNCOUNTED];
}

static bool take_samples(struct heap *h)
{
	sqlite3_stmt *samples =
		gaspdb_prepare(h->run, gaspdb_sql_memory_samples);
	int64_t sample[N_COLUMNS];
	bool any = false;

	while (gaspdb_row(h->run, samples)) {
		any = true;
		for (int i = 0; i < N_COLUMNS; i++)
			sample[i] = gaspdb_column(samples, i);
		if (!gaspdb_run_thread(h->run, sample[PROCESS]))
			continue;
		if (sample[SOURCE] == GASPDB_NONE)
			take_process(h, sample);
		else if (gaspdb_run_source(h->run, sample[SOURCE]))
			take_line(h, sample);
	}
	sqlite3_finalize(samples);
	return any;
}

/* --- tables --------------------------------------------------------------- */

/* Was more live at the end of each quarter than before? The quarters make up
   half of the window or more. */
static bool grows(const struct window *w, const int64_t *line)
{
	return line[FIRST] - w->from_ns <= w->to_ns - line[FIRST] &&
	       line[QUARTER] > 0 && line[QUARTER + 1] > line[QUARTER] &&
	       line[QUARTER + 2] > line[QUARTER + 1] &&
	       line[LIVE] > line[QUARTER + 2];
}

/* Writes the lines, and counts what is left. */
static void write_lines(struct heap *h, int64_t *left, int64_t *left_of)
{
	gaspdb_groups_sort(&h->lines);
	for (size_t i = 0; i < h->lines.n; i++) {
		const int64_t *row = gaspdb_groups_row(&h->lines, i),
			      *line = row + 2;

		gaspdb_add_to(left, line[LIVE]);
		gaspdb_add_to(&left_of[row[1]], line[LIVE]);
		gaspdb_write(h->run, h->line, 16,
			     (int64_t[]){ row[0], row[1], 0, line[BLOCKS],
					  line[BYTES], line[LARGEST],
					  line[PEAK], line[FAILED], 0,
					  line[BLOCKS] - line[FREES],
					  line[LIVE], GASPDB_NONE, line[FREES],
					  0, GASPDB_NONE,
					  grows(&h->windows[row[1]], line) },
			     NULL);
	}
}

static void write_peak(struct heap *h, int64_t thread, int64_t source,
		       struct level *l, int64_t left)
{
	if (l->peak < left)
		l->peak = left;
	if (l->peak > 0)
		gaspdb_write(h->run, h->peak, 6,
			     (int64_t[]){ thread, source, 0, l->peak,
					  l->peak_ns, left },
			     NULL);
}

static void write_uncounted(struct heap *h, int64_t process)
{
	if (h->uncounted[process])
		gaspdb_quality_add(
			h->run,
			&(struct gaspdb_quality_row){
				.kind = GASPDB_QUALITY_UNCOUNTED_MEMORY,
				.thread = process,
				.event = GASPDB_NONE,
				.count = h->uncounted[process],
				.bytes = GASPDB_NONE,
				.time_ns = GASPDB_NONE },
			NULL);
}

static void write_tables(struct heap *h)
{
	int64_t left = 0,
		*left_of = gaspdb_zeroed(h->run, (size_t)h->run->n_threads,
					 sizeof *left_of);

	if (!left_of)
		return;
	write_lines(h, &left, left_of);
	write_peak(h, GASPDB_NONE, GASPDB_NONE, &h->all, left);
	for (int64_t t = 0; t < h->run->n_threads; t++) {
		write_peak(h, t, GASPDB_NONE, &h->processes[t], left_of[t]);
		write_uncounted(h, t);
	}
	for (int64_t s = 0; s < h->run->n_sources; s++)
		write_peak(h, GASPDB_NONE, s, &h->sources[s],
			   h->sources[s].now);
	free(left_of);
}

bool gaspdb_heap_read(struct gaspdb_run *run)
{
	struct heap h = { .run = run };
	bool any = false;

	gaspdb_groups_init(&h.lines, 2, N_VALUES);
	h.line = gaspdb_prepare(run, gaspdb_sql_memory_line_add);
	h.peak = gaspdb_prepare(run, gaspdb_sql_memory_peak_add);
	h.processes =
		gaspdb_zeroed(run, (size_t)run->n_threads, sizeof *h.processes);
	h.uncounted =
		gaspdb_zeroed(run, (size_t)run->n_threads, sizeof *h.uncounted);
	h.sources =
		gaspdb_zeroed(run, (size_t)run->n_sources, sizeof *h.sources);
	if (read_windows(&h) && run->status == GASPDB_OK && take_samples(&h)) {
		any = true;
		write_tables(&h);
	}
	gaspdb_groups_fini(&h.lines);
	sqlite3_finalize(h.line);
	sqlite3_finalize(h.peak);
	free(h.windows);
	free(h.processes);
	free(h.uncounted);
	free(h.sources);
	return any;
}
