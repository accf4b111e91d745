/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Logs of a directory, and the threads that the run had. */
#include "source.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "prescan.h"

/* --- the directory -------------------------------------------------------- */

char *gaspdb_source_path(const char *directory, const char *name)
{
	size_t size = strlen(directory) + strlen(name) + 2;
	char *path = gaspdb_mem_alloc(size);

	snprintf(path, size, "%s/%s", directory, name);
	return path;
}

static bool is_log(const char *name)
{
	size_t n = strlen(name), suffix = strlen(GASPDB_LOG_SUFFIX);

	return n > suffix && !strcmp(name + n - suffix, GASPDB_LOG_SUFFIX);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

enum gaspdb_status gaspdb_source_list(const char *path, char ***names,
				      size_t *n, struct gaspdb_error *err)
{
	size_t capacity = 0;
	struct dirent *entry;
	DIR *dir = opendir(path);

	*names = NULL;
	*n = 0;
	if (!dir)
		return gaspdb_fail_errno(err, "cannot open '%s'", path);
	while ((entry = readdir(dir))) {
		if (!is_log(entry->d_name))
			continue;
		*names = gaspdb_mem_grow(*names, &capacity, *n + 1,
					 sizeof **names);
		(*names)[*n] = gaspdb_mem_alloc(strlen(entry->d_name) + 1);
		strcpy((*names)[(*n)++], entry->d_name);
	}
	closedir(dir);
	if (*n == 0)
		return gaspdb_fail(err, GASPDB_FAILED,
				   "'%s' holds no logs (*%s)", path,
				   GASPDB_LOG_SUFFIX);
	qsort(*names, *n, sizeof **names, by_name);
	return GASPDB_OK;
}

/* --- logs of one run ------------------------------------------------------ */

static void unreadable(struct gaspdb_defects *q, const char *name,
		       const struct gaspdb_error *err)
{
	gaspdb_defect_add(q, GASPDB_QUALITY_LOG_UNREADABLE,
			  &(struct gaspdb_defect){ .file = name,
						   .offset = err->offset,
						   .detail = err->msg });
}

/* Takes name. */
static void add_log(struct gaspdb_source *s, struct gaspdb_reader *rd,
		    char *name, struct gaspdb_defects *quality)
{
	char *path = gaspdb_source_path(s->path, name);
	struct gaspdb_log_file *log;
	struct gaspdb_error err;

	s->logs = gaspdb_mem_grow(s->logs, &s->log_capacity, s->n_logs + 1,
				  sizeof *s->logs);
	log = &s->logs[s->n_logs];
	memset(log, 0, sizeof *log);
	log->name = name;
	log->rank = log->number = log->ranks = GASPDB_NULL;
	s->n_files++;
	if (gaspdb_prescan_header(log, rd, path, &err)) {
		unreadable(quality, name, &err);
		free(name);
	} else {
		s->n_logs++;
	}
	free(path);
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
			free(log->name);
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
		char *path = gaspdb_source_path(s->path, log->name);
		struct gaspdb_error err;

		if (gaspdb_prescan(log, rd, path, &s->hosts, registry, &err)) {
			unreadable(quality, log->name, &err);
			free(log->name);
		} else {
			s->log_bytes += log->size;
			s->logs[kept++] = *log;
		}
		free(path);
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
		free(log->name);
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

enum gaspdb_status gaspdb_source_open(struct gaspdb_source *s, const char *path,
				      struct gaspdb_registry *registry,
				      struct gaspdb_defects *quality,
				      struct gaspdb_error *err)
{
	struct gaspdb_reader *rd;
	char **names;
	size_t n;

	memset(s, 0, sizeof *s);
	s->path = gaspdb_mem_alloc(strlen(path) + 1);
	strcpy(s->path, path);
	if (gaspdb_source_list(path, &names, &n, err))
		return GASPDB_FAILED;
	rd = gaspdb_mem_alloc(sizeof *rd);
	for (size_t i = 0; i < n; i++)
		add_log(s, rd, names[i], quality);
	free(names);
	leave_out_others(s, quality);
	look_into(s, rd, registry, quality);
	free(rd);
	if (s->n_logs == 0)
		return gaspdb_fail(err, GASPDB_FAILED,
				   "no log of '%s' can be read", path);
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
	for (size_t i = 0; i < s->n_logs; i++)
		free(s->logs[i].name);
	free(s->logs);
	free(s->threads);
	free(s->first_thread);
	free(s->path);
	gaspdb_hosts_free(&s->hosts);
	memset(s, 0, sizeof *s);
}
