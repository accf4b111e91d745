/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranks of logs without a rank: a process may be killed before it learns its
 * rank, or while its log is being created. Each rank of the run without a log
 * is then one process that has a log without a rank, or none.  What a launcher
 * says of a rank holds if it is right of all processes with a rank, and says it
 * of one process: an inner launcher's processes inherit variables of an outer.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/map.h"
#include "common/memory.h"
#include "importer/run/source_parts.h"

/* Takes the rank of a damaged log from its TEAM records, unless another log has
   it: spawned processes have a world of their own with equal ranks. */
void gaspdb_source_team_ranks(struct gaspdb_source *s)
{
	struct gaspdb_map taken = { 0 };

	for (size_t i = 0; i < s->n_logs; i++)
		if (s->logs[i].rank != GASPDB_NULL)
			gaspdb_map_put(&taken, (uint64_t)s->logs[i].rank, 1);
	for (size_t i = 0; i < s->n_logs; i++) {
		struct gaspdb_log_file *log = &s->logs[i];

		if (log->rank == GASPDB_NULL && log->team_rank != GASPDB_NULL &&
		    gaspdb_map_get(&taken, (uint64_t)log->team_rank) ==
			    GASPDB_ABSENT)
			log->rank = log->team_rank;
	}
	gaspdb_map_free(&taken);
}

/* Gives all logs of a process its rank, as for helper threads. Where threads
   have different ranks, logs without one keep none. */
void gaspdb_source_share_ranks(struct gaspdb_source *s)
{
	size_t first = 0;

	for (size_t i = 1; i <= s->n_logs; i++) {
		int64_t rank = GASPDB_NULL;
		bool several = false;

		if (i < s->n_logs &&
		    gaspdb_same_process(&s->logs[first], &s->logs[i]))
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

/* --- by elimination ------------------------------------------------------- */

/* State of the inference: jobs, programs and processes of logs with a rank. */
struct inference {
	struct gaspdb_source *s;
	struct gaspdb_defects *quality;
	struct gaspdb_map jobs, programs, processes; /* texts; host and pid */
	struct gaspdb_map ranks;		     /* ranks with a log */
	struct gaspdb_map said;	  /* ranks by launchers, times processes */
	bool launcher_wrong;	  /* of a process with a rank */
	size_t first;		  /* first log without a rank; these are last */
	int64_t next;		  /* all ranks below have a log */
	size_t n_missing, n_logs; /* ranks without log; candidates */
};

static uint64_t process_key(const struct gaspdb_log_file *log)
{
	return (uint64_t)log->host << 32 | log->header.pid;
}

static bool has(const struct gaspdb_map *m, uint64_t key)
{
	return gaspdb_map_get(m, key) != GASPDB_ABSENT;
}

static void take_ranked(struct inference *in)
{
	const struct gaspdb_source *s = in->s;
	size_t i = 0;

	for (; i < s->n_logs && s->logs[i].rank != GASPDB_NULL; i++) {
		const struct gaspdb_log_file *log = &s->logs[i];

		gaspdb_map_put(&in->jobs, log->job, 1);
		gaspdb_map_put(&in->programs, log->program_text, 1);
		gaspdb_map_put(&in->processes, process_key(log), 1);
		gaspdb_map_put(&in->ranks, (uint64_t)log->rank, 1);
		in->launcher_wrong |= log->launcher_rank != GASPDB_NULL &&
				      log->launcher_rank != log->rank;
	}
	in->first = i;
}

/* Is it a log without any time, whose process was killed while creating it? */
static bool is_half_made(const struct gaspdb_log_file *log)
{
	return !log->has_first && !log->header.damaged && !log->lost;
}

/* May the log belong to a rank? Not if its process was forked, executed or
   spawned by another, is of another job or program, or its log is damaged. */
static bool may_have_rank(const struct inference *in,
			  const struct gaspdb_log_file *log)
{
	if (log->header.damaged || log->lost || log->forked || log->spawned ||
	    log->replaced || log->program > 0 ||
	    has(&in->processes, process_key(log)))
		return false;
	if (log->program_text && !has(&in->programs, log->program_text))
		return false;
	return log->job ? has(&in->jobs, log->job) : is_half_made(log);
}

/* Index after the last log of the process. */
static size_t end_of_process(const struct inference *in, size_t i)
{
	const struct gaspdb_source *s = in->s;
	size_t end = i + 1;

	while (end < s->n_logs &&
	       gaspdb_same_process(&s->logs[i], &s->logs[end]))
		end++;
	return end;
}

static bool process_may_have_rank(const struct inference *in, size_t i,
				  size_t end)
{
	for (; i < end; i++)
		if (!may_have_rank(in, &in->s->logs[i]))
			return false;
	return true;
}

static int64_t next_missing(struct inference *in)
{
	while (in->next < in->s->n_ranks && has(&in->ranks, (uint64_t)in->next))
		in->next++;
	return in->next;
}

static void count(struct inference *in)
{
	const struct gaspdb_source *s = in->s;

	in->n_missing = (size_t)s->n_ranks - in->ranks.n;
	for (size_t i = in->first, end; i < s->n_logs; i = end) {
		end = end_of_process(in, i);
		in->n_logs += process_may_have_rank(in, i, end);
	}
}

static void report_rank(struct inference *in, const struct gaspdb_log_file *log,
			bool by_launcher)
{
	char detail[160];

	if (by_launcher)
		snprintf(detail, sizeof detail,
			 "rank %" PRId64 ", as its launcher says", log->rank);
	else if (in->n_missing == 1 && in->n_logs == 1)
		snprintf(detail, sizeof detail,
			 "rank %" PRId64 ", the only one without a log",
			 log->rank);
	else
		snprintf(detail, sizeof detail,
			 "rank %" PRId64 "; %zu ranks and %zu such logs may "
			 "belong together otherwise",
			 log->rank, in->n_missing, in->n_logs);
	gaspdb_defect_add(
		in->quality, GASPDB_QUALITY_RANK_INFERRED,
		&(struct gaspdb_defect){ .file = log->name, .detail = detail });
}

static void give_rank(struct inference *in, size_t i, size_t end, int64_t rank,
		      bool by_launcher)
{
	for (size_t k = i; k < end; k++)
		in->s->logs[k].rank = rank;
	gaspdb_map_put(&in->ranks, (uint64_t)rank, 1);
	report_rank(in, &in->s->logs[i], by_launcher);
}

/* The rank without a log that a launcher says of this process alone;
   GASPDB_NULL: none. */
static int64_t said_rank(const struct inference *in,
			 const struct gaspdb_log_file *log)
{
	const int64_t rank = log->launcher_rank;

	return rank != GASPDB_NULL && rank < in->s->n_ranks &&
			       !has(&in->ranks, (uint64_t)rank) &&
			       gaspdb_map_get(&in->said, (uint64_t)rank) == 1
		       ? rank
		       : GASPDB_NULL;
}

static void count_said(struct inference *in)
{
	const struct gaspdb_source *s = in->s;

	for (size_t i = in->first, end; i < s->n_logs; i = end) {
		const uint64_t rank = (uint64_t)s->logs[i].launcher_rank;

		end = end_of_process(in, i);
		if (s->logs[i].launcher_rank != GASPDB_NULL &&
		    process_may_have_rank(in, i, end))
			gaspdb_map_put(&in->said, rank,
				       has(&in->said, rank) ? 2 : 1);
	}
}

/* Assigns ranks without a log by what launchers say. */
static void give_said_ranks(struct inference *in)
{
	struct gaspdb_source *s = in->s;

	count_said(in);
	for (size_t i = in->first, end; i < s->n_logs; i = end) {
		const int64_t rank = said_rank(in, &s->logs[i]);

		end = end_of_process(in, i);
		if (rank != GASPDB_NULL && process_may_have_rank(in, i, end))
			give_rank(in, i, end, rank, true);
	}
}

/* Assigns ranks without a log to processes, in order. */
static void give_ranks(struct inference *in)
{
	struct gaspdb_source *s = in->s;

	for (size_t i = in->first, end; i < s->n_logs; i = end) {
		end = end_of_process(in, i);
		if (s->logs[i].rank == GASPDB_NULL &&
		    process_may_have_rank(in, i, end) &&
		    next_missing(in) < s->n_ranks)
			give_rank(in, i, end, in->next, false);
	}
}

/*
 * Removes incomplete, empty logs that got no rank; mostly of forked children.
 */
static void leave_out_half_made(struct inference *in)
{
	struct gaspdb_source *s = in->s;
	size_t kept = in->first;

	for (size_t i = in->first; i < s->n_logs; i++) {
		const struct gaspdb_log_file *log = &s->logs[i];

		if (log->rank != GASPDB_NULL || !is_half_made(log) ||
		    log->forked || log->spawned) {
			s->logs[kept++] = *log;
			continue;
		}
		gaspdb_defect_add(
			in->quality, GASPDB_QUALITY_LOG_UNFINISHED,
			&(struct gaspdb_defect){
				.file = log->name,
				.bytes = log->size,
				.detail = "its process was killed while the "
					  "log was being made; it is of no "
					  "rank" });
	}
	s->n_logs = kept;
}

void gaspdb_source_infer_ranks(struct gaspdb_source *s,
			       struct gaspdb_defects *quality)
{
	struct inference in = { .s = s, .quality = quality };

	take_ranked(&in);
	if (in.first > 0 && in.first < s->n_logs) {
		count(&in);
		if (in.n_missing && in.n_logs && !in.launcher_wrong)
			give_said_ranks(&in);
		if (in.n_missing && in.n_logs)
			give_ranks(&in);
		leave_out_half_made(&in);
	}
	gaspdb_map_free(&in.jobs);
	gaspdb_map_free(&in.programs);
	gaspdb_map_free(&in.processes);
	gaspdb_map_free(&in.ranks);
	gaspdb_map_free(&in.said);
}
