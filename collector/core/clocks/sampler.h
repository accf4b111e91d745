/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * When and how leaders compare their hosts' clocks.  Leaders count the same
 * collectives alike, so that all know a sample's moment without a message
 * before.  At a sample they gather at the root of the tree, which decides
 * whether it is time to measure, and when the next sample is due.
 */
#ifndef GASPDB_COLLECTOR_CORE_CLOCKS_SAMPLER_H
#define GASPDB_COLLECTOR_CORE_CLOCKS_SAMPLER_H

#include <stdatomic.h>

#include "collector/core/clocks/leaders.h"
#include "collector/core/collector.h"

/* Numbers of the samples that are after no collective */
#define GASPDB_SAMPLE_AT_START UINT64_MAX
#define GASPDB_SAMPLE_AT_END   (UINT64_MAX - 1)

/* How long leaders are waited for after a collective: they are near. */
#define GASPDB_SAMPLE_SECONDS 10

struct gaspdb_sampler {
	const struct gaspdb_leaders *leaders;
	/* Number of the collective from which on a sample is due; UINT64_MAX:
	   none */
	atomic_uint_least64_t due;
	bool stopped;
	int64_t period_ns;
	/* The root's plan */
	int64_t measured_ns; /* when, last */
	int64_t planned_ns;
	uint64_t planned; /* number of the collective, at planned_ns */
};

#define GASPDB_SAMPLER_NONE { .due = UINT64_MAX }

/* Reads the option (record --clock-sampling): *period_ns, and whether it is
   set.  false: no sampling is wished. */
bool gaspdb_sampling_is_wished(int64_t *period_ns, bool *is_set);

/* Notes in the calling leader's log how many there are, and whom it asks. */
void gaspdb_sampler_emit_facts(const struct gaspdb_sampler *s);

/*
 * One sample, by all leaders: the number of the collective, or one of those
 * above.  Waits at most so long for others; if one does not come, sampling ends.
 */
void gaspdb_sampler_take(struct gaspdb_sampler *s, struct gaspdb_context *c,
			 uint64_t number, unsigned seconds);

/* Ends sampling, here and at the neighbours. why: for META; NULL: no fault. */
void gaspdb_sampler_stop(struct gaspdb_sampler *s, const char *why);

/* Whether a sample is due after the collective of this number. */
static inline bool gaspdb_sampler_is_due(const struct gaspdb_sampler *s,
					 uint64_t number)
{
	return number >= atomic_load_explicit(&s->due, memory_order_relaxed);
}

/* --- readings.c ----------------------------------------------------------- */

/* The ping-pongs of one sample, by all leaders; false: not complete. */
bool gaspdb_leaders_measure(const struct gaspdb_leaders *l,
			    struct gaspdb_context *c, uint64_t number);

#endif
