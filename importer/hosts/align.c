/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Alignment of a run's hosts. */
#include "importer/hosts/align.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/interrupt.h"
#include "common/memory.h"
#include "common/sum.h"
#include "importer/hosts/first_read.h"

/* Clocks are aligned until some time after the last block begins. */
#define LAST_BLOCK_NS INT64_C(1000000000)

void gaspdb_alignment_free(struct gaspdb_alignment *a)
{
	gaspdb_map_free(&a->index);
	gaspdb_readings_free(&a->readings);
	gaspdb_matches_free(&a->matches);
	gaspdb_ends_free(&a->ends);
	gaspdb_clock_system_free(&a->system);
	gaspdb_pair_errors_free(&a->pairs);
	gaspdb_clock_pieces_free(&a->pieces);
	free(a->host_of_rank);
	free(a->reader);
	free(a->host_of_log);
	free(a->names);
	free(a->n_readings);
	memset(a, 0, sizeof *a);
}

/* --- hosts ---------------------------------------------------------------- */

/* Numbers the hosts in the order of threads: the first rank's is the reference.
 */
static void number_hosts(struct gaspdb_alignment *a)
{
	const struct gaspdb_source *s = a->source;
	uint32_t n = 0;

	a->host_of_log =
		gaspdb_mem_alloc((s->n_logs + 1) * sizeof *a->host_of_log);
	a->names = gaspdb_mem_alloc((s->hosts.n + 1) * sizeof *a->names);
	a->n_readings =
		gaspdb_mem_alloc((s->hosts.n + 1) * sizeof *a->n_readings);
	for (size_t i = 0; i < s->n_logs; i++) {
		uint32_t *place = gaspdb_map_place(&a->index, s->logs[i].host);

		if (*place == GASPDB_ABSENT) {
			a->names[n] = s->logs[i].host;
			*place = n++;
		}
		a->host_of_log[i] = *place;
	}
	gaspdb_clock_system_init(&a->system, n);
}

uint32_t gaspdb_first_read_host(const struct gaspdb_alignment *a,
				const struct gaspdb_log_file *log)
{
	return a->host_of_log[log - a->source->logs];
}

int64_t gaspdb_first_read_ns(const struct gaspdb_alignment *a,
			     const struct gaspdb_log_file *log, uint64_t ticks)
{
	return gaspdb_timeline_ns(&log->time, ticks, a->zero_ns);
}

void gaspdb_first_read_reached(struct gaspdb_alignment *a,
			       const struct gaspdb_log_file *log,
			       uint64_t ticks)
{
	struct gaspdb_clock_host *h =
		&a->system.hosts[gaspdb_first_read_host(a, log)];
	const int64_t ns = gaspdb_first_read_ns(a, log, ticks);

	if (ns <= -GASPDB_TIME_MAX / 2 || ns >= GASPDB_TIME_MAX / 2)
		return;
	h->first_ns = gaspdb_min(h->first_ns, ns);
	h->last_ns = gaspdb_max(h->last_ns, ns);
}

/* peer sent received replied returned */
void gaspdb_first_read_reading(struct gaspdb_alignment *a,
			       const struct gaspdb_log_file *log,
			       const struct gaspdb_field *f)
{
	const struct gaspdb_source *s = a->source;
	const int64_t thread =
		f[0].u < GASPDB_RANKS_MAX
			? gaspdb_thread_of_rank(s, (int64_t)f[0].u)
			: GASPDB_NULL;
	const struct gaspdb_log_file *peer =
		thread == GASPDB_NULL ? NULL : s->threads[thread].log;
	struct gaspdb_ping_pong p;

	if (!peer) {
		a->readings.n_unusable++;
		return;
	}
	p = (struct gaspdb_ping_pong){
		.asker = gaspdb_first_read_host(a, log),
		.peer = gaspdb_first_read_host(a, peer),
		.sent_ns = gaspdb_first_read_ns(a, log, f[1].u),
		.received_ns = gaspdb_first_read_ns(a, peer, f[2].u),
		.replied_ns = gaspdb_first_read_ns(a, peer, f[3].u),
		.returned_ns = gaspdb_first_read_ns(a, log, f[4].u),
	};
	gaspdb_readings_add(&a->readings, &p);
	a->n_readings[p.asker]++;
	a->n_readings[p.peer]++;
}

/* --- the run's start ------------------------------------------------------ */

static const struct gaspdb_clock_host *
clock_of(const struct gaspdb_alignment *a, const struct gaspdb_log_file *log)
{
	const struct gaspdb_clock_host *h;

	if (!a->done)
		return NULL;
	h = &a->system.hosts[gaspdb_first_read_host(a, log)];
	return h->n_knots ? h : NULL;
}

/* Common time, before the run's start is moved. */
static int64_t common_ns(struct gaspdb_alignment *a,
			 const struct gaspdb_log_file *log, uint64_t ticks)
{
	const struct gaspdb_clock_host *h = clock_of(a, log);
	struct gaspdb_clock_line line;

	a->pieces.n = 0;
	if (h)
		gaspdb_clock_pieces_make(&a->pieces, &log->time, a->zero_ns, h,
					 0);
	if (!a->pieces.n)
		return gaspdb_first_read_ns(a, log, ticks);
	gaspdb_clock_pieces_select(&a->pieces, ticks, &line);
	return gaspdb_clock_line_ns(&line, ticks);
}

/* The run starts with the earliest first record. */
static void move_start(struct gaspdb_alignment *a)
{
	struct gaspdb_source *s = a->source;
	int64_t first = INT64_MAX;

	for (size_t i = 0; i < s->n_logs; i++)
		if (s->logs[i].has_first)
			first = gaspdb_min(first,
					   common_ns(a, &s->logs[i],
						     s->logs[i].first_ticks));
	if (first == INT64_MAX)
		return;
	a->moved_ns = -first;
	s->zero_ns = gaspdb_plus(s->zero_ns, first);
}

int64_t gaspdb_alignment_ns(struct gaspdb_alignment *a,
			    const struct gaspdb_log_file *log, uint64_t ticks)
{
	return a->done ? gaspdb_plus(common_ns(a, log, ticks), a->moved_ns)
		       : gaspdb_timeline_ns(&log->time, ticks,
					    a->source->zero_ns);
}

struct gaspdb_clock_line
gaspdb_alignment_clock(const struct gaspdb_alignment *a,
		       const struct gaspdb_log_file *log,
		       struct gaspdb_clock_pieces *p)
{
	const struct gaspdb_clock_host *h = clock_of(a, log);

	p->n = 0;
	if (h)
		gaspdb_clock_pieces_make(p, &log->time, a->zero_ns, h,
					 a->moved_ns);
	return p->n ? p->line[0]
		    : gaspdb_timeline_from(&log->time, a->source->zero_ns);
}

/* --- what is said about it ------------------------------------------------ */

static void note(struct gaspdb_defects *quality, enum gaspdb_quality_kind kind,
		 uint64_t count, const char *detail)
{
	if (count)
		gaspdb_defect_add(quality, kind,
				  &(struct gaspdb_defect){ .count = count,
							   .detail = detail });
}

static void note_drifts(const struct gaspdb_alignment *a,
			const struct gaspdb_registry *r,
			struct gaspdb_defects *quality)
{
	const double limit = GASPDB_DRIFT * 1.01;
	char detail[400];

	for (size_t i = 1; i < a->system.n_hosts; i++) {
		const struct gaspdb_clock_host *h = &a->system.hosts[i];

		if (!h->n_knots || h->drift <= limit)
			continue;
		snprintf(detail, sizeof detail,
			 "host %.300s: drift may change by %.1f ppm",
			 gaspdb_text_get(r, a->names[i]), h->drift * 1e6);
		note(quality, GASPDB_QUALITY_CLOCK_DRIFT, 1, detail);
	}
}

static void note_wall_clocks(const struct gaspdb_alignment *a,
			     const struct gaspdb_registry *r,
			     struct gaspdb_defects *quality)
{
	char detail[400];

	for (size_t i = 1; a->done && i < a->system.n_hosts; i++) {
		const struct gaspdb_clock_host *h = &a->system.hosts[i];

		snprintf(detail, sizeof detail,
			 "host %.300s: off by %" PRId64 " ns at least",
			 gaspdb_text_get(r, a->names[i]), h->wall_error_ns);
		note(quality, GASPDB_QUALITY_WALL_CLOCK,
		     h->n_knots && h->wall_error_ns > 0, detail);
	}
}

static void report(const struct gaspdb_alignment *a,
		   const struct gaspdb_registry *r,
		   struct gaspdb_defects *quality)
{
	const uint64_t *dropped = a->system.n_dropped;

	note(quality, GASPDB_QUALITY_CLOCK_READING, a->readings.n_unusable,
	     "impossible, or contradicted by the others of its time");
	note(quality, GASPDB_QUALITY_CLOCK_READING, a->readings.n_left_out,
	     "beyond the 1048576th");
	note(quality, GASPDB_QUALITY_CLOCK_DRIFT, dropped[GASPDB_ORDER_READING],
	     "readings left out");
	note(quality, GASPDB_QUALITY_CLOCK_DRIFT, dropped[GASPDB_ORDER_MESSAGE],
	     "messages left out");
	note(quality, GASPDB_QUALITY_CLOCK_DRIFT, dropped[GASPDB_ORDER_BARRIER],
	     "collectives left out");
	note_drifts(a, r, quality);
	note_wall_clocks(a, r, quality);
}

static void note_hosts(const struct gaspdb_alignment *a,
		       struct gaspdb_defects *quality)
{
	size_t n = 0;
	char detail[64];

	for (size_t i = 0; i < a->system.n_hosts; i++)
		n += !a->system.hosts[i].read;
	if (!n)
		return;
	snprintf(detail, sizeof detail, "%zu of %zu hosts", n,
		 a->system.n_hosts);
	if (n == a->system.n_hosts)
		snprintf(detail, sizeof detail, "%zu hosts", n);
	note(quality, GASPDB_QUALITY_HOSTS, 1, detail);
}

/* --- alignment ------------------------------------------------------------ */

static void find_hosts_of_ranks(struct gaspdb_alignment *a)
{
	const struct gaspdb_source *s = a->source;

	a->host_of_rank = gaspdb_mem_alloc(((size_t)s->n_ranks + 1) *
					   sizeof *a->host_of_rank);
	for (int64_t rank = 0; rank < s->n_ranks; rank++) {
		const int64_t thread = gaspdb_thread_of_rank(s, rank);
		const struct gaspdb_log_file *log =
			thread == GASPDB_NULL ? NULL : s->threads[thread].log;

		a->host_of_rank[rank] =
			log ? gaspdb_first_read_host(a, log) : UINT32_MAX;
	}
}

/* Reads messages and barriers; false: interrupted. */
static bool match(struct gaspdb_alignment *a, const char *path)
{
	find_hosts_of_ranks(a);
	gaspdb_ends_init(&a->ends);
	a->ends.host_of_rank = a->host_of_rank;
	a->ends.n_ranks = a->source->n_ranks;
	gaspdb_matches_init(&a->matches, &a->system, path);
	if (!gaspdb_first_read_ends(a))
		return false;
	gaspdb_matches_finish(&a->matches);
	return true;
}

/* Solutions until no message comes before it was sent. */
#define SOLUTIONS 10

static bool solve(struct gaspdb_alignment *a, const char *path)
{
	struct gaspdb_clock_system *s = &a->system;

	gaspdb_readings_batch(&a->readings, s);
	gaspdb_clock_lines(s);
	for (size_t i = 0; i < s->n_hosts; i++)
		if (s->hosts[i].last_ns >= s->hosts[i].first_ns)
			s->hosts[i].last_ns += LAST_BLOCK_NS;
	if (!match(a, path))
		return false;
	for (int i = 0; i < SOLUTIONS; i++) {
		if (!gaspdb_clock_solve(s))
			return false;
		if (!gaspdb_matches_violated(&a->matches))
			break;
	}
	gaspdb_pair_errors_find(&a->pairs, s);
	for (size_t i = 1; i < s->n_hosts; i++)
		a->done |= s->hosts[i].n_knots > 0;
	gaspdb_matches_free(&a->matches);
	gaspdb_ends_free(&a->ends);
	return !gaspdb_interrupted;
}

enum gaspdb_status gaspdb_align(struct gaspdb_alignment *a,
				struct gaspdb_source *s, const char *path,
				struct gaspdb_registry *r,
				struct gaspdb_defects *quality,
				struct gaspdb_error *err)
{
	a->source = s;
	a->zero_ns = s->zero_ns;
	number_hosts(a);
	if (a->system.n_hosts < 2)
		return GASPDB_OK;
	if (!gaspdb_first_read(a) || !solve(a, path))
		return gaspdb_fail(err, GASPDB_FAILED, "interrupted");
	if (a->done)
		move_start(a);
	note_hosts(a, quality);
	report(a, r, quality);
	return GASPDB_OK;
}
