/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Logs of one run, and its threads. */
#include "importer/run/source_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/interrupt.h"
#include "common/memory.h"
#include "common/sum.h"
#include "importer/run/prescan.h"

/* --- logs of one run ------------------------------------------------------ */

static void unreadable(struct gaspdb_source *s, struct gaspdb_defects *q,
		       const char *name, const struct gaspdb_error *err)
{
	if (!*s->why_unreadable)
		snprintf(s->why_unreadable, sizeof s->why_unreadable,
			 "%.80s: %.100s", name, err->msg);
	gaspdb_defect_add(q, GASPDB_QUALITY_LOG_UNREADABLE,
			  &(struct gaspdb_defect){ .file = name,
						   .offset = err->offset,
						   .detail = err->msg });
}

/* Prescans a log; false: unreadable. */
static bool look_into(struct gaspdb_source *s, struct gaspdb_log_file *log,
		      const struct gaspdb_input_file *file,
		      struct gaspdb_scanner *scanner,
		      struct gaspdb_defects *quality)
{
	struct gaspdb_error err;

	memset(log, 0, sizeof *log);
	log->file = file;
	log->name = file->name;
	log->rank = log->number = log->ranks = log->team_rank = GASPDB_NULL;
	log->launcher_rank = GASPDB_NULL;
	log->process_start = GASPDB_NULL;
	if (!gaspdb_prescan(log, scanner, &s->hosts, &err))
		return true;
	unreadable(s, quality, log->name, &err);
	return false;
}

static void add_log(struct gaspdb_source *s, struct gaspdb_scanner *scanner,
		    const struct gaspdb_input_file *file,
		    struct gaspdb_defects *quality)
{
	s->logs = gaspdb_mem_grow(s->logs, &s->log_capacity, s->n_logs + 1,
				  sizeof *s->logs);
	s->n_files++;
	s->n_logs += look_into(s, &s->logs[s->n_logs], file, scanner, quality);
}

/* Repeats the prescans for another run than the first log's, and forgets the
   first results. Rare: nearly always the run is the first log's. */
static void look_again(struct gaspdb_source *s, struct gaspdb_scanner *scanner,
		       uint64_t run, struct gaspdb_defects *quality)
{
	size_t kept = 0;

	gaspdb_hosts_free(&s->hosts);
	scanner->run = run;
	for (size_t i = 0; i < s->n_logs; i++)
		kept += look_into(s, &s->logs[kept], s->logs[i].file, scanner,
				  quality);
	s->n_logs = kept;
}

/* Finds the logs of one run, and prescans each. */
static void find_logs(struct gaspdb_source *s, struct gaspdb_registry *registry,
		      struct gaspdb_defects *quality)
{
	struct gaspdb_scanner *scanner = gaspdb_mem_alloc(sizeof *scanner);
	const struct gaspdb_input *input = s->input;
	uint64_t run;

	scanner->input = input;
	scanner->registry = registry;
	for (size_t i = 0; i < input->n && !gaspdb_interrupted; i++)
		add_log(s, scanner, &input->logs.file[input->first + i],
			quality);
	run = gaspdb_source_one_run(s, quality);
	if (scanner->has_run && run != scanner->run)
		look_again(s, scanner, run, quality);
	for (size_t i = 0; i < s->n_logs; i++)
		s->log_bytes += s->logs[i].size;
	gaspdb_source_one_copy(s, &scanner->reader, quality);
	free(scanner);
}

/* --- threads -------------------------------------------------------------- */

static int by_process(const void *a, const void *b)
{
	const struct gaspdb_log_file *p = a, *q = b;

	if (p->host != q->host)
		return gaspdb_compare(p->host, q->host);
	if (p->header.pid != q->header.pid)
		return gaspdb_compare(p->header.pid, q->header.pid);
	return gaspdb_compare(p->program, q->program);
}

static int by_ordinal(const void *a, const void *b)
{
	const struct gaspdb_log_file *p = a, *q = b;
	int c = by_process(a, b);

	return c ? c : gaspdb_compare(p->header.ordinal, q->header.ordinal);
}

/* Marks the logs of processes that executed another program: these logs have no
   end. Logs are sorted by process; all logs of a process are marked. */
static void find_replaced(struct gaspdb_source *s)
{
	for (size_t i = s->n_logs; i-- > 1;) {
		const struct gaspdb_log_file *next = &s->logs[i];
		struct gaspdb_log_file *log = &s->logs[i - 1];

		log->replaced =
			gaspdb_same_process(log, next)
				? next->replaced
				: log->host == next->host &&
					  log->header.pid == next->header.pid &&
					  log->process_start != GASPDB_NULL &&
					  log->process_start ==
						  next->process_start;
	}
}

/* By rank, unknown ones last; then by process; then by number. */
static int by_thread(const void *a, const void *b)
{
	const struct gaspdb_log_file *p = a, *q = b;
	int c;

	if (p->rank != q->rank)
		return p->rank == GASPDB_NULL ? 1
		       : q->rank == GASPDB_NULL
			       ? -1
			       : gaspdb_compare(p->rank, q->rank);
	c = by_process(a, b);
	if (!c)
		c = gaspdb_compare(p->number, q->number);
	if (!c)
		c = gaspdb_compare(p->header.ordinal, q->header.ordinal);
	return c ? c : strcmp(p->name, q->name);
}

static void add_thread(struct gaspdb_source *s, struct gaspdb_log_file *log,
		       int64_t rank)
{
	struct gaspdb_source_thread *t;

	s->threads = gaspdb_mem_grow(s->threads, &s->thread_capacity,
				     s->n_threads + 1, sizeof *s->threads);
	t = &s->threads[s->n_threads++];
	t->rank = rank;
	t->number = log ? log->number : 0;
	t->log = log;
	t->new_process = !log || s->n_threads == 1 || !t[-1].log ||
			 !gaspdb_same_process(log, t[-1].log);
}

static void count_ranks(struct gaspdb_source *s)
{
	for (size_t i = 0; i < s->n_logs; i++) {
		const struct gaspdb_log_file *log = &s->logs[i];

		if (log->ranks > s->n_ranks)
			s->n_ranks = log->ranks;
		if (log->rank >= s->n_ranks)
			s->n_ranks = log->rank + 1;
	}
}

/* Adds a rank without a log. */
static void miss_rank(struct gaspdb_source *s, int64_t rank)
{
	if (s->n_missing++ < GASPDB_MISSING_MAX)
		add_thread(s, NULL, rank);
	else
		s->first_thread[rank] = GASPDB_NULL;
}

/*
 * Makes the threads: at least one per rank, but a limited number of ranks
 * without a log, because the number of ranks comes from a log. Logs are in the
 * order of threads.
 */
static void make_threads(struct gaspdb_source *s)
{
	size_t next = 0;

	s->first_thread =
		gaspdb_mem_alloc((size_t)s->n_ranks * sizeof *s->first_thread);
	for (int64_t rank = 0; rank < s->n_ranks; rank++) {
		s->first_thread[rank] = (int64_t)s->n_threads;
		if (next == s->n_logs || s->logs[next].rank != rank)
			miss_rank(s, rank);
		for (; next < s->n_logs && s->logs[next].rank == rank; next++)
			add_thread(s, &s->logs[next], rank);
	}
	for (; next < s->n_logs; next++)
		add_thread(s, &s->logs[next], GASPDB_NULL);
}

/* Reports processes with the same rank. */
static void note_same_ranks(const struct gaspdb_source *s,
			    struct gaspdb_defects *quality)
{
	for (size_t i = 1; i < s->n_threads; i++) {
		const struct gaspdb_log_file *log = s->threads[i].log;
		const struct gaspdb_log_file *other = s->threads[i - 1].log;
		char detail[400];

		if (!log || !other || log->rank == GASPDB_NULL ||
		    log->rank != other->rank ||
		    (log->host == other->host &&
		     log->header.pid == other->header.pid))
			continue;
		snprintf(detail, sizeof detail,
			 "rank %" PRId64 " is that of '%.300s', too", log->rank,
			 other->name);
		gaspdb_defect_add(quality, GASPDB_QUALITY_RANK_AGAIN,
				  &(struct gaspdb_defect){ .file = log->name,
							   .detail = detail });
	}
}

int64_t gaspdb_source_next_rank(const struct gaspdb_source *s, int64_t rank)
{
	size_t from = 0, to = s->n_threads;

	if (gaspdb_thread_of_rank(s, rank) != GASPDB_NULL)
		return rank;
	while (from < to) { /* threads without a rank come last */
		const size_t middle = from + (to - from) / 2;
		const int64_t there = s->threads[middle].rank;

		if (there != GASPDB_NULL && there < rank)
			from = middle + 1;
		else
			to = middle;
	}
	return from < s->n_threads && s->threads[from].rank != GASPDB_NULL
		       ? s->threads[from].rank
		       : s->n_ranks;
}

/* --- missing logs --------------------------------------------------------- */

/* The only log without a rank; NULL: none or several. */
static const char *only_unranked(const struct gaspdb_source *s)
{
	size_t n = s->n_logs;

	return n && s->logs[n - 1].rank == GASPDB_NULL &&
			       (n == 1 || s->logs[n - 2].rank != GASPDB_NULL)
		       ? s->logs[n - 1].name
		       : NULL;
}

void gaspdb_source_note_missing(const struct gaspdb_source *s, int64_t thread,
				struct gaspdb_defects *quality)
{
	const char *other = s->n_missing == 1 ? only_unranked(s) : NULL;
	char detail[400];

	snprintf(detail, sizeof detail,
		 other ? "rank %" PRId64 "; perhaps '%.300s' is its, which "
			 "lost its rank"
		       : "rank %" PRId64,
		 s->threads[thread].rank, other);
	gaspdb_defects_thread(quality, thread);
	gaspdb_defect_add(quality, GASPDB_QUALITY_LOG_MISSING,
			  &(struct gaspdb_defect){ .detail = detail });
}

/* Reports the missing ranks that have no thread. */
static void note_missing_rest(const struct gaspdb_source *s,
			      struct gaspdb_defects *quality)
{
	if (s->n_missing > GASPDB_MISSING_MAX)
		gaspdb_defect_add(
			quality, GASPDB_QUALITY_LOG_MISSING,
			&(struct gaspdb_defect){
				.count = s->n_missing - GASPDB_MISSING_MAX,
				.detail = "of ranks that only a log's word "
					  "for their number tells of" });
}

/* Reports logs that could not be created, by their .failed files. */
static void note_not_made(const struct gaspdb_input *input,
			  struct gaspdb_defects *quality)
{
	for (size_t i = 0; i < input->others.n; i++) {
		const struct gaspdb_input_file *file = &input->others.file[i];
		int error = gaspdb_input_failed(input, file);

		if (error)
			gaspdb_defect_add(quality, GASPDB_QUALITY_LOG_NOT_MADE,
					  &(struct gaspdb_defect){
						  .file = file->name,
						  .detail = strerror(error) });
	}
}

/* --- reading -------------------------------------------------------------- */

enum gaspdb_status gaspdb_source_read(const struct gaspdb_source *s,
				      const struct gaspdb_log_file *log,
				      struct gaspdb_reader *rd, uint8_t *cache,
				      struct gaspdb_error *err)
{
	const struct gaspdb_log_header *now = &rd->header, *was = &log->header;
	enum gaspdb_status status =
		gaspdb_input_read(s->input, log->file, rd, cache, err);

	if (!status && was->unmade) { /* unchanged since the prescan */
		rd->over = true;
		return GASPDB_OK;
	}
	if (status || (now->run == was->run && now->tid == was->tid &&
		       now->start_real_ns == was->start_real_ns))
		return status;
	gaspdb_reader_close(rd);
	return gaspdb_fail(err, GASPDB_FAILED,
			   "another log was put in its place meanwhile");
}

/* --- time ----------------------------------------------------------------- */

/* Sets each host's nominal frequency, from an undamaged header, and each log's
   timeline. */
static void set_clocks(struct gaspdb_source *s)
{
	uint8_t clock = GASPDB_CLOCK_MONOTONIC;

	for (size_t i = 0; i < s->n_logs; i++) {
		struct gaspdb_log_file *log = &s->logs[i];
		struct gaspdb_host *host =
			gaspdb_hosts_get(&s->hosts, log->host);

		if (!gaspdb_header_known(&log->header))
			continue;
		clock = log->header.clock;
		if (!host->ticks_hz)
			host->ticks_hz = log->header.ticks_hz;
	}
	gaspdb_hosts_fit(&s->hosts);
	for (size_t i = 0; i < s->n_logs; i++) {
		struct gaspdb_log_file *log = &s->logs[i];

		log->time = gaspdb_host_timeline(
			gaspdb_hosts_get(&s->hosts, log->host),
			gaspdb_header_known(&log->header) ? log->header.clock
							  : clock);
	}
}

int64_t gaspdb_source_start(const struct gaspdb_log_file *log)
{
	/* Relative to a time close to it, because the range is limited. */
	const int64_t origin = log->time.ns0;

	return gaspdb_plus(
		origin,
		gaspdb_timeline_ns(&log->time, log->first_ticks, origin));
}

/* Sets the run's start: the first record of any thread. */
static void set_zero(struct gaspdb_source *s)
{
	bool any = false;

	for (size_t i = 0; i < s->n_logs; i++) {
		int64_t ns;

		if (!s->logs[i].has_first)
			continue;
		ns = gaspdb_source_start(&s->logs[i]);
		if (!any || ns < s->zero_ns)
			s->zero_ns = ns;
		any = true;
	}
}

enum gaspdb_status gaspdb_source_open(struct gaspdb_source *s,
				      const struct gaspdb_input *input,
				      struct gaspdb_registry *registry,
				      struct gaspdb_defects *quality,
				      struct gaspdb_error *err)
{
	memset(s, 0, sizeof *s);
	s->input = input;
	find_logs(s, registry, quality);
	if (s->n_logs == 0)
		return gaspdb_fail(err, GASPDB_FAILED,
				   "no log of '%s' can be read%s%s",
				   input->where, *s->why_unreadable ? ": " : "",
				   s->why_unreadable);
	gaspdb_source_team_ranks(s);
	qsort(s->logs, s->n_logs, sizeof *s->logs, by_ordinal);
	gaspdb_source_share_ranks(s);
	find_replaced(s);
	gaspdb_source_note_ordinals(s, quality);
	qsort(s->logs, s->n_logs, sizeof *s->logs, by_thread);
	gaspdb_source_one_job(s, quality);
	count_ranks(s);
	gaspdb_source_infer_ranks(s, quality);
	qsort(s->logs, s->n_logs, sizeof *s->logs, by_thread);
	make_threads(s);
	note_same_ranks(s, quality);
	set_clocks(s);
	gaspdb_source_align(s, registry, quality);
	set_zero(s);
	note_missing_rest(s, quality);
	note_not_made(input, quality);
	return GASPDB_OK;
}

void gaspdb_source_close(struct gaspdb_source *s)
{
	free(s->logs);
	free(s->threads);
	free(s->first_thread);
	gaspdb_hosts_free(&s->hosts);
	memset(s, 0, sizeof *s);
}
