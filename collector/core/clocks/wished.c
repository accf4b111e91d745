/* SPDX-License-Identifier: BSD-2-Clause */
/* The option for readings of the hosts' clocks. */
#include <string.h>

#include "collector/base/environment.h"
#include "collector/core/clocks/period.h"
#include "collector/core/clocks/sampler.h"
#include "collector/core/profile/profile.h"

GASPDB_EXPORT bool gaspdb_sampling_is_wished(int64_t *period_ns, bool *is_set)
{
	const char *text = gaspdb_getenv("GASPDB_CLOCK_SAMPLING");
	uint64_t ns = GASPDB_CLOCK_PERIOD_NS;

	*is_set = text && *text;
	if (*is_set && !gaspdb_clock_period_parse(text, &ns)) {
		gaspdb_complain("GASPDB_CLOCK_SAMPLING=%.100s is ignored: it "
				"is not a duration from 1ms on, or off",
				text);
		*is_set = false;
		ns = GASPDB_CLOCK_PERIOD_NS;
	}
	*period_ns = (int64_t)ns;
	/* A profile has no waits between hosts. */
	return ns > 0 && gaspdb_mode != GASPDB_MODE_PROFILE;
}
