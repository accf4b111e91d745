/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Logs of one run, and the threads that it had. */
#include "source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interrupt.h"
#include "memory.h"
#include "prescan.h"

/* --- logs of one run ------------------------------------------------------ */

static void unreadable(struct gaspdb_defects *q, const char *name,
		       const struct gaspdb_error *err)
{
	gaspdb_defect_add(q, GASPDB_QUALITY_LOG_UNREADABLE,
			  &(struct gaspdb_defect){ .file = name,
						   .offset = err->offset,
						   .detail = err->msg });
}

static void add_log(struct gaspdb_source *s, struct gaspdb_reader *rd,
		    const struct gaspdb_input_file *file,
		    struct gaspdb_defects *quality)
{
	struct gaspdb_log_file *log;
	struct gaspdb_error err;

	s->logs = gaspdb_mem_grow(s->logs, &s->log_capacity, s->n_logs + 1,
				  sizeof *s->logs);
	log = &s->logs[s->n_logs];
	memset(log, 0, sizeof *log);
	log->file = file;
	log->name = file->name;
	log->rank = log->number = log->ranks = GASPDB_NULL;
	s->n_files++;
	if (gaspdb_prescan_header(log, rd, s->input, &err))
		unreadable(quality, log->name, &err);
	else
		s->n_logs++;
}

/* The run of most logs; if equal, of most bytes. */
static uint64_t main_run(const struct gaspdb_source *s)
{
	uint64_t best = 0, best_bytes = 0;
	size_t best_n = 0;

	for (size_t i = 0; i < s->n_logs; i++) {
		uint64_t run = s->logs[i].header.run, bytes = 0;
		size_t n = 0;

		if (s->logs[i].header.damaged || (best_n && run == best))
			continue;
		for (size_t k = i; k < s->n_logs; k++)
			if (s->logs[k].header.run == run) {
				n++;
				bytes += s->logs[k].size;
			}
		if (n > best_n || (n == best_n && bytes > best_bytes)) {
			best = run;
			best_n = n;
			best_bytes = bytes;
		}
	}
	return best;
}

static void leave_out_others(struct gaspdb_source *s,
			     struct gaspdb_defects *quality)
{
	const uint64_t run = main_run(s);
	size_t kept = 0;

	for (size_t i = 0; i < s->n_logs; i++) {
		struct gaspdb_log_file *log = &s->logs[i];
		struct gaspdb_defect d = { .file = log->name,
					   .offset = GASPDB_LH_RUN,
					   .bytes = log->size };

		if (log->header.damaged) {
			d.offset = GASPDB_LH_CRC;
			d.bytes = 0;
			d.detail = "its header has a wrong checksum";
			gaspdb_defect_add(quality, GASPDB_QUALITY_BLOCK_DAMAGED,
					  &d);
		} else if (log->header.run != run) {
			gaspdb_defect_add(quality, GASPDB_QUALITY_OTHER_RUN,
					  &d);
			continue;
		}
		s->logs[kept++] = *log;
	}
	s->n_logs = kept;
}

/* A look into each log; one that can no longer be read is left out. */
static void look_into(struct gaspdb_source *s, struct gaspdb_reader *rd,
		      struct gaspdb_registry *registry,
		      struct gaspdb_defects *quality)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->n_logs; i++) {
		struct gaspdb_log_file *log = &s->logs[i];
		struct gaspdb_error err;

		if (gaspdb_prescan(log, rd, s->input, &s->hosts, registry,
				   &err)) {
			unreadable(quality, log->name, &err);
		} else {
			s->log_bytes += log->size;
			s->logs[kept++] = *log;
		}
	}
	s->n_logs = kept;
}

/* --- threads -------------------------------------------------------------- */

static int compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static bool same_process(const struct gaspdb_log_file *a,
			 const struct gaspdb_log_file *b)
{
	return a->host == b->host && a->header.pid == b->header.pid;
}

static int by_process(const void *a, const void *b)
{
	const struct gaspdb_log_file *p = a, *q = b;

	if (p->host != q->host)
		return compare(p->host, q->host);
	return compare(p->header.pid, q->header.pid);
}

/*
 * What one log of a process knows, all of them do: a helper thread belongs to
 * the rank; but where threads have ranks of their own, to none.
 */
static void share_ranks(struct gaspdb_source *s)
{
	size_t first = 0;

	qsort(s->logs, s->n_logs, sizeof *s->logs, by_process);
	for (size_t i = 1; i <= s->n_logs; i++) {
		int64_t rank = GASPDB_NULL;
		bool several = false;

		if (i < s->n_logs && same_process(&s->logs[first], &s->logs[i]))
			continue;
		for (size_t k = first; k < i; k++) {
			if (s->logs[k].rank == GASPDB_NULL)
				continue;
			several |=
				rank != GASPDB_NULL && rank != s->logs[k].rank;
			rank = s->logs[k].rank;
		}
		for (size_t k = first; k < i && !several; k++)
			if (s->logs[k].rank == GASPDB_NULL)
				s->logs[k].rank = rank;
		first = i;
	}
}

/* Two processes of one rank are of two jobs.  Logs are in order of threads. */
static bool has_several_jobs(const struct gaspdb_source *s)
{
	for (size_t i = 1; i < s->n_logs; i++)
		if (s->logs[i].rank != GASPDB_NULL &&
		    s->logs[i].rank == s->logs[i - 1].rank &&
		    s->logs[i].job != s->logs[i - 1].job)
			return true;
	return false;
}

/* The job of most logs, of several the one that began first. */
static uint32_t main_job(const struct gaspdb_source *s)
{
	size_t most = 0;
	int64_t earliest = INT64_MAX;
	uint32_t best = 0;

	for (size_t i = 0; i < s->n_logs; i++) {
		int64_t start = INT64_MAX;
		size_t n = 0;

		for (size_t k = 0; k < s->n_logs; k++) {
			if (s->logs[k].job != s->logs[i].job)
				continue;
			n++;
			if (s->logs[k].header.start_real_ns < start)
				start = s->logs[k].header.start_real_ns;
		}
		if (n > most || (n == most && start < earliest)) {
			most = n;
			earliest = start;
			best = s->logs[i].job;
		}
	}
	return best;
}

/* Ranks, messages and barriers of different jobs have nothing in common. */
static void keep_one_job(struct gaspdb_source *s,
			 struct gaspdb_defects *quality)
{
	size_t kept = 0;
	uint32_t job;

	if (!has_several_jobs(s))
		return;
	job = main_job(s);
	for (size_t i = 0; i < s->n_logs; i++) {
		struct gaspdb_log_file *log = &s->logs[i];

		if (log->job == job) {
			s->logs[kept++] = *log;
			continue;
		}
		gaspdb_defect_add(
			quality, GASPDB_QUALITY_OTHER_JOB,
			&(struct gaspdb_defect){ .file = log->name,
						 .bytes = log->size });
	}
	s->n_logs = kept;
}

/* By rank, unknown ones last; processes of one rank apart; then by number. */
static int by_thread(const void *a, const void *b)
{
	const struct gaspdb_log_file *p = a, *q = b;
	int c;

	if (p->rank != q->rank)
		return p->rank == GASPDB_NULL	? 1
		       : q->rank == GASPDB_NULL ? -1
						: compare(p->rank, q->rank);
	c = by_process(a, b);
	if (!c)
		c = compare(p->number, q->number);
	if (!c)
		c = compare(p->header.ordinal, q->header.ordinal);
	return c ? c : strcmp(p->name, q->name);
}

static void add_thread(struct gaspdb_source *s, struct gaspdb_log_file *log,
		       int64_t rank)
{
	struct gaspdb_run_thread *t;

	s->threads = gaspdb_mem_grow(s->threads, &s->thread_capacity,
				     s->n_threads + 1, sizeof *s->threads);
	t = &s->threads[s->n_threads++];
	t->rank = rank;
	t->number = log ? log->number : 0;
	t->log = log;
	t->new_process = !log || s->n_threads == 1 || !t[-1].log ||
			 !same_process(log, t[-1].log);
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

/* Every rank has a thread; logs are in the order of threads. */
static void make_threads(struct gaspdb_source *s)
{
	size_t next = 0;

	count_ranks(s);
	s->first_thread =
		gaspdb_mem_alloc((size_t)s->n_ranks * sizeof *s->first_thread);
	for (int64_t rank = 0; rank < s->n_ranks; rank++) {
		s->first_thread[rank] = (int64_t)s->n_threads;
		if (next == s->n_logs || s->logs[next].rank != rank)
			add_thread(s, NULL, rank);
		for (; next < s->n_logs && s->logs[next].rank == rank; next++)
			add_thread(s, &s->logs[next], rank);
	}
	for (; next < s->n_logs; next++)
		add_thread(s, &s->logs[next], GASPDB_NULL);
}

/* --- time ----------------------------------------------------------------- */

/* The nominal frequency of each host: headers may be damaged. */
static void set_clocks(struct gaspdb_source *s)
{
	uint8_t clock = GASPDB_CLOCK_MONOTONIC;

	for (size_t i = 0; i < s->n_logs; i++) {
		struct gaspdb_log_file *log = &s->logs[i];
		struct gaspdb_host *host =
			gaspdb_hosts_get(&s->hosts, log->host);

		if (log->header.damaged)
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
			log->header.damaged ? clock : log->header.clock);
	}
}

/* The run begins with the first record of any thread. */
static void set_zero(struct gaspdb_source *s)
{
	bool any = false;

	for (size_t i = 0; i < s->n_logs; i++) {
		const struct gaspdb_log_file *log = &s->logs[i];
		/* Against a point near it: the range is limited. */
		int64_t start = log->time.ns0, ns;

		if (!log->has_first)
			continue;
		ns = start +
		     gaspdb_timeline_ns(&log->time, log->first_ticks, start);
		if (!any || ns < s->zero_ns)
			s->zero_ns = ns;
		any = true;
	}
}

static void note_hosts(struct gaspdb_source *s, struct gaspdb_defects *quality)
{
	char detail[64];

	if (s->hosts.n < 2)
		return;
	snprintf(detail, sizeof detail, "%zu hosts", s->hosts.n);
	gaspdb_defect_add(quality, GASPDB_QUALITY_HOSTS,
			  &(struct gaspdb_defect){ .detail = detail });
}

enum gaspdb_status gaspdb_source_open(struct gaspdb_source *s,
				      const struct gaspdb_input *input,
				      struct gaspdb_registry *registry,
				      struct gaspdb_defects *quality,
				      struct gaspdb_error *err)
{
	struct gaspdb_reader *rd;

	memset(s, 0, sizeof *s);
	s->input = input;
	rd = gaspdb_mem_alloc(sizeof *rd);
	for (size_t i = 0; i < input->n && !gaspdb_interrupted; i++)
		add_log(s, rd, &input->logs.file[input->first + i], quality);
	leave_out_others(s, quality);
	look_into(s, rd, registry, quality);
	free(rd);
	if (s->n_logs == 0)
		return gaspdb_fail(err, GASPDB_FAILED,
				   "no log of '%s' can be read", input->where);
	share_ranks(s);
	qsort(s->logs, s->n_logs, sizeof *s->logs, by_thread);
	keep_one_job(s, quality);
	make_threads(s);
	set_clocks(s);
	set_zero(s);
	note_hosts(s, quality);
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
