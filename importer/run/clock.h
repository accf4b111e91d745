/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Clocks: from a log's ticks to nanoseconds common to all threads. Threads of a
 * host share its clocks: one line is fitted through all their readings of
 * (ticks, CLOCK_MONOTONIC). Hosts are aligned by CLOCK_REALTIME; by more, in
 * importer/hosts/.
 */
#ifndef GASPDB_IMPORTER_RUN_CLOCK_H
#define GASPDB_IMPORTER_RUN_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/limits.h"

struct gaspdb_clock_pair {
	uint64_t ticks;
	int64_t ns;
	uint32_t uncertain_ns;
};

/* ns = ns0 + (ticks - ticks0) * rate / 2^48 */
#define GASPDB_RATE_SHIFT 48
struct gaspdb_timeline {
	uint64_t ticks0;
	int64_t ns0, rate;
};

#define GASPDB_REAL_ROUGH UINT32_MAX

struct gaspdb_host {
	uint32_t name;	   /* text */
	uint64_t ticks_hz; /* nominal */
	struct gaspdb_clock_pair *pairs;
	size_t n_pairs, pair_capacity;
	uint64_t seen, stride; /* every stride-th reading is used */
	bool has_real;
	int64_t real_ns;	    /* CLOCK_REALTIME minus CLOCK_MONOTONIC */
	uint64_t first_monotonic;   /* least CLOCK_MONOTONIC with such a reading */
	uint64_t real_uncertain_ns; /* of real_ns; GASPDB_REAL_ROUGH: unknown */
	struct gaspdb_timeline tsc;
};

struct gaspdb_hosts {
	struct gaspdb_host *host;
	size_t n, capacity;
};

struct gaspdb_host *gaspdb_hosts_get(struct gaspdb_hosts *h, uint32_t name);
void gaspdb_hosts_free(struct gaspdb_hosts *h);

/* Adds a reading of the time stamp counter and CLOCK_MONOTONIC. */
void gaspdb_host_pair(struct gaspdb_host *h, struct gaspdb_clock_pair pair);
/* Adds a reading of CLOCK_REALTIME and CLOCK_MONOTONIC. */
void gaspdb_host_real(struct gaspdb_host *h, int64_t monotonic_ns,
		      int64_t real_ns, uint64_t uncertain_ns);

/* Fits the line of each host, after all readings. */
void gaspdb_hosts_fit(struct gaspdb_hosts *h);

/*
 * Conversion to CLOCK_REALTIME for a log of the host; clock: enum gaspdb_clock.
 */
struct gaspdb_timeline gaspdb_host_timeline(const struct gaspdb_host *h,
					    uint8_t clock);

/*
 * A timeline relative to an origin, in 2^-48 ns, with half a ns for rounding.
 */
__extension__ typedef __int128 gaspdb_fine_ns;
struct gaspdb_clock_line {
	gaspdb_fine_ns at0; /* at ticks0 */
	uint64_t ticks0;
	int64_t rate;
	uint64_t span; /* ticks from ticks0 on, for which it holds */
};

static inline struct gaspdb_clock_line
gaspdb_timeline_from(const struct gaspdb_timeline *t, int64_t zero_ns)
{
	const gaspdb_fine_ns ns = (gaspdb_fine_ns)1 << GASPDB_RATE_SHIFT;

	return (struct gaspdb_clock_line){
		.at0 = ((gaspdb_fine_ns)t->ns0 - zero_ns) * ns + ns / 2,
		.ticks0 = t->ticks0,
		.rate = t->rate,
		.span = UINT64_MAX,
	};
}

/* Converts ticks to ns, clamped to the range of limits.h by a test of the upper
   half. Called for each event. */
static inline int64_t gaspdb_clock_line_ns(const struct gaspdb_clock_line *l,
					   uint64_t ticks)
{
	const int64_t limit = GASPDB_TIME_MAX >> (64 - GASPDB_RATE_SHIFT);
	const gaspdb_fine_ns fine =
		(gaspdb_fine_ns)(int64_t)(ticks - l->ticks0) * l->rate + l->at0;
	const int64_t upper = (int64_t)(fine >> 64);

	if (upper >= limit)
		return GASPDB_TIME_MAX;
	if (upper < -limit)
		return -GASPDB_TIME_MAX;
	return (int64_t)(fine >> GASPDB_RATE_SHIFT);
}

/* The same for single times. */
static inline int64_t gaspdb_timeline_ns(const struct gaspdb_timeline *t,
					 uint64_t ticks, int64_t zero_ns)
{
	const struct gaspdb_clock_line line = gaspdb_timeline_from(t, zero_ns);

	return gaspdb_clock_line_ns(&line, ticks);
}

/* Converts a length in ticks to ns. */
double gaspdb_timeline_length(const struct gaspdb_timeline *t, double ticks);

#endif
