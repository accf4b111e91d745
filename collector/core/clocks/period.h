/* SPDX-License-Identifier: BSD-2-Clause */
/* The time between samples of the hosts' clocks, as text: a duration, 0 or
   off. */
#ifndef GASPDB_COLLECTOR_CORE_CLOCKS_PERIOD_H
#define GASPDB_COLLECTOR_CORE_CLOCKS_PERIOD_H

#include "collector/core/selection/throttle_limit.h"

#define GASPDB_CLOCK_PERIOD_NS	    UINT64_C(5000000000)
#define GASPDB_CLOCK_PERIOD_LEAST_NS UINT64_C(1000000)

/* *ns: 0 for off.  false: the text is none, or less than a ms. */
static inline bool gaspdb_clock_period_parse(const char *text, uint64_t *ns)
{
	*ns = 0;
	if (!strcmp(text, "off") || !strcmp(text, "0"))
		return true;
	return gaspdb_throttle_duration(text, ns) &&
	       *ns >= GASPDB_CLOCK_PERIOD_LEAST_NS;
}

#endif
