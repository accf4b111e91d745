/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selection of logs: one run, one copy of each log, one job. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/map.h"
#include "common/memory.h"
#include "importer/run/source_parts.h"

/* --- votes ---------------------------------------------------------------- */

/* Votes: logs counted by a key, the run or the job. */
struct votes {
	struct gaspdb_names keys;
	struct vote {
		uint64_t key, bytes;
		size_t n;
		int64_t start;
	} * vote;
	size_t capacity;
};

static void add_vote(struct votes *v, uint64_t key,
		     const struct gaspdb_log_file *log)
{
	uint32_t i = gaspdb_names_add(&v->keys, &key, sizeof key, NULL);
	struct vote *vote;

	v->vote =
		gaspdb_mem_grow(v->vote, &v->capacity, i + 1, sizeof *v->vote);
	vote = &v->vote[i];
	if (!vote->n || log->header.start_real_ns < vote->start)
		vote->start = log->header.start_real_ns;
	vote->key = key;
	vote->bytes += log->size;
	vote->n++;
}

/* The key of most logs; ties are decided by bytes, or by the earliest start. */
static uint64_t winner(struct votes *v, bool by_bytes)
{
	const struct vote *best = NULL;
	uint64_t key;

	for (uint32_t i = 0; i < v->keys.n; i++) {
		const struct vote *x = &v->vote[i];

		if (!best || x->n > best->n ||
		    (x->n == best->n && (by_bytes ? x->bytes > best->bytes
						  : x->start < best->start)))
			best = x;
	}
	key = best ? best->key : 0;
	gaspdb_names_free(&v->keys);
	free(v->vote);
	return key;
}

/* --- runs ----------------------------------------------------------------- */

static uint64_t main_run(const struct gaspdb_source *s)
{
	struct votes v = { 0 };

	for (size_t i = 0; i < s->n_logs; i++)
		if (gaspdb_header_known(&s->logs[i].header))
			add_vote(&v, s->logs[i].header.run, &s->logs[i]);
	return winner(&v, true);
}

uint64_t gaspdb_source_one_run(struct gaspdb_source *s,
			       struct gaspdb_defects *quality)
{
	const uint64_t run = main_run(s);
	size_t kept = 0;

	for (size_t i = 0; i < s->n_logs; i++) {
		struct gaspdb_log_file *log = &s->logs[i];
		struct gaspdb_defect d = { .file = log->name,
					   .offset = GASPDB_LH_RUN,
					   .bytes = log->size };

		if (gaspdb_header_known(&log->header) &&
		    log->header.run != run) {
			gaspdb_defect_add(quality, GASPDB_QUALITY_OTHER_RUN,
					  &d);
			continue;
		}
		s->logs[kept++] = *log;
	}
	s->n_logs = kept;
	return run;
}

/* --- copies --------------------------------------------------------------- */

static int by_identity(const void *a, const void *b)
{
	const struct gaspdb_log_file *x = a, *y = b;
	int c = gaspdb_compare(x->header.pid, y->header.pid);

	if (!c)
		c = gaspdb_compare(x->header.ordinal, y->header.ordinal);
	if (!c)
		c = gaspdb_compare(x->header.start_real_ns,
				   y->header.start_real_ns);
	return c ? c : strcmp(x->name, y->name);
}

/* Are they copies of one file? Process numbers recur, on other hosts too, so
   that host, first block and start must match as well. */
static bool is_copy(const struct gaspdb_log_file *a,
		    const struct gaspdb_log_file *b)
{
	const struct gaspdb_log_header *x = &a->header, *y = &b->header;

	if (x->pid != y->pid || x->ordinal != y->ordinal ||
	    (a->host_known && b->host_known && a->host != b->host))
		return false;
	if (a->has_block && b->has_block &&
	    a->first_block.number == b->first_block.number &&
	    (a->first_block.ticks != b->first_block.ticks ||
	     a->first_block.monotonic_ns != b->first_block.monotonic_ns))
		return false;
	if (!gaspdb_header_known(x) || !gaspdb_header_known(y))
		return a->has_block && b->has_block &&
		       a->first_block.number == b->first_block.number;
	return x->tid == y->tid && x->start_real_ns == y->start_real_ns;
}

/* Number of readable bytes of records. */
static uint64_t good_bytes(const struct gaspdb_source *s,
			   const struct gaspdb_log_file *log,
			   struct gaspdb_reader *rd)
{
	struct gaspdb_error ignored;
	enum gaspdb_status status;
	uint64_t n = 0;

	if (gaspdb_source_read(s, log, rd, NULL, &ignored))
		return 0;
	while ((status = gaspdb_reader_block(rd, &ignored)) == GASPDB_OK ||
	       status == GASPDB_DAMAGED)
		n += status ? 0 : gaspdb_bytes_left(&rd->payload);
	n += rd->whole + gaspdb_header_known(&rd->header);
	gaspdb_reader_close(rd);
	return n;
}

/* Stores the better of two copies in *a, and reports the other. */
static void keep_better(struct gaspdb_source *s, struct gaspdb_log_file *a,
			const struct gaspdb_log_file *b,
			struct gaspdb_reader *rd,
			struct gaspdb_defects *quality)
{
	const uint64_t of_a = good_bytes(s, a, rd), of_b = good_bytes(s, b, rd);
	const char *folder = s->input->folders.names[s->input->folder].bytes;
	struct gaspdb_log_file left_out = *b;
	char detail[400];

	/* A copy's name is often the original's with an addition. */
	if (of_b > of_a ||
	    (of_b == of_a && strlen(b->name) < strlen(a->name))) {
		left_out = *a;
		*a = *b;
	}
	snprintf(detail, sizeof detail,
		 "a copy of '%.200s%s%.150s', which was read",
		 *folder ? folder : "", *folder ? "/" : "", a->name);
	gaspdb_defect_add(quality, GASPDB_QUALITY_DUPLICATE_LOG,
			  &(struct gaspdb_defect){ .file = left_out.name,
						   .bytes = left_out.size,
						   .detail = detail });
}

void gaspdb_source_one_copy(struct gaspdb_source *s, struct gaspdb_reader *rd,
			    struct gaspdb_defects *quality)
{
	enum {
		RECENT = 16
	}; /* more logs with one process and number are unrealistic */
	size_t kept = 0;

	if (s->n_logs == 0)
		return;
	qsort(s->logs, s->n_logs, sizeof *s->logs, by_identity);
	for (size_t i = 0; i < s->n_logs; i++) {
		size_t k = kept, last = kept > RECENT ? kept - RECENT : 0;

		while (k > last && !is_copy(&s->logs[k - 1], &s->logs[i]))
			k--;
		if (k > last)
			keep_better(s, &s->logs[k - 1], &s->logs[i], rd,
				    quality);
		else
			s->logs[kept++] = s->logs[i];
	}
	s->n_logs = kept;
}

/* --- jobs ----------------------------------------------------------------- */

/* Are there two processes with one rank in different jobs? */
static bool has_several_jobs(const struct gaspdb_source *s)
{
	for (size_t i = 1; i < s->n_logs; i++)
		if (s->logs[i].rank != GASPDB_NULL &&
		    s->logs[i].rank == s->logs[i - 1].rank &&
		    s->logs[i].job != s->logs[i - 1].job)
			return true;
	return false;
}

static uint32_t main_job(const struct gaspdb_source *s)
{
	struct votes v = { 0 };

	for (size_t i = 0; i < s->n_logs; i++)
		add_vote(&v, s->logs[i].job, &s->logs[i]);
	return (uint32_t)winner(&v, false);
}

/* Different jobs share no ranks, messages or barriers. */
void gaspdb_source_one_job(struct gaspdb_source *s,
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
