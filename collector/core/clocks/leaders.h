/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Leaders: one thread or process of each host, which compares its host's clock
 * with others'.  They form a binomial tree, by their numbers.  How they send
 * words to each other is the adapter's.
 */
#ifndef GASPDB_COLLECTOR_CORE_CLOCKS_LEADERS_H
#define GASPDB_COLLECTOR_CORE_CLOCKS_LEADERS_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "collector/base/clock.h"

struct gaspdb_transport;

struct gaspdb_leaders {
	int me, n;
	const int *ranks; /* by number, ascending */
	const struct gaspdb_transport *by;
};

enum gaspdb_leaders_word {
	GASPDB_LEADERS_READY = 1, /* below me all have come to number */
	GASPDB_LEADERS_PLAN	  /* values: whether to measure; next number */
};

struct gaspdb_leaders_message {
	uint64_t word, number, value[2];
};

/* A ping's answer, in the ticks of the host that was asked. */
struct gaspdb_answer {
	uint64_t received, replied;
};

/*
 * How a leader reaches its neighbours in the tree.  Two neighbours send in turn:
 * each has received the other's message before it sends its next one.  All but
 * stop return false on an error, after the deadline (CLOCK_MONOTONIC), and if
 * the neighbour has stopped or is elsewhere in its samples.
 */
struct gaspdb_transport {
	bool (*send)(const struct gaspdb_leaders *l, int to,
		     const struct gaspdb_leaders_message *m, int64_t deadline);
	/* m: the word and the number that are expected; gets the values. */
	bool (*receive)(const struct gaspdb_leaders *l, int from,
			struct gaspdb_leaders_message *m, int64_t deadline);
	/* A ping to `of`, and its answer; and the other side. */
	bool (*ask)(const struct gaspdb_leaders *l, int of, uint64_t number,
		    struct gaspdb_answer *a, int64_t deadline);
	bool (*answer)(const struct gaspdb_leaders *l, int to, uint64_t number,
		       int64_t deadline);
	/* Sends a neighbour the end of sampling, without a wait. */
	void (*stop)(const struct gaspdb_leaders *l, int to);
};

/* A leader's parent (-1: the root), and its children, the i-th at me + 2^i (-1:
   no more). */
static inline int gaspdb_leaders_parent(const struct gaspdb_leaders *l)
{
	return l->me ? l->me & (l->me - 1) : -1;
}

static inline int gaspdb_leaders_child(const struct gaspdb_leaders *l, int i)
{
	const int bit = i < 30 ? 1 << i : 0;

	return bit && !(l->me & ((bit << 1) - 1)) && l->n - l->me > bit
		       ? l->me + bit
		       : -1;
}

/* A deadline from now on. */
static inline int64_t gaspdb_leaders_deadline(unsigned seconds)
{
	return gaspdb_clock_ns(CLOCK_MONOTONIC) + (int64_t)seconds * 1000000000;
}

/* Between two tests of a wait; *tests: 0 at first.  false: it is too late.  Now
   and then another process gets the processor. */
static inline bool gaspdb_leaders_may_wait(unsigned *tests, int64_t deadline)
{
	if (++*tests % 64)
		return true;
	if (gaspdb_clock_ns(CLOCK_MONOTONIC) > deadline)
		return false;
	sched_yield();
	return true;
}

#endif
