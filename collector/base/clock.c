/* SPDX-License-Identifier: BSD-2-Clause */
/* Choice of the clock, and readings together with the system's clocks. */
#include "collector/base/clock.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "collector/base/environment.h"

enum gaspdb_clock gaspdb_clock_kind = GASPDB_CLOCK_MONOTONIC;

static struct gaspdb_clock_sample first;

static int kernel_trusts_tsc(void)
{
	char text[16];
	ssize_t n;
	int fd = open("/sys/devices/system/clocksource/clocksource0/"
		      "current_clocksource",
		      O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return 0;
	n = read(fd, text, sizeof text);
	close(fd);
	return n >= 4 && !memcmp(text, "tsc\n", 4);
}

void gaspdb_clock_init(void)
{
#if defined(__x86_64__)
	const char *wished = gaspdb_getenv("GASPDB_CLOCK");

	if ((!wished || strcmp(wished, "monotonic") != 0) &&
	    kernel_trusts_tsc())
		gaspdb_clock_kind = GASPDB_CLOCK_TSC;
#else
	(void)kernel_trusts_tsc;
#endif
	first = gaspdb_clock_sample();
}

/* The tightest of a few readings: one can be hit by an interrupt. */
struct gaspdb_clock_sample gaspdb_clock_sample(void)
{
	struct gaspdb_clock_sample best = { .uncertainty_ns = UINT32_MAX };

	for (int i = 0; i < 3; i++) {
		int64_t before = gaspdb_clock_ns(CLOCK_MONOTONIC);
		uint64_t ticks = gaspdb_clock_ticks();
		int64_t real = gaspdb_clock_ns(CLOCK_REALTIME);
		int64_t after = gaspdb_clock_ns(CLOCK_MONOTONIC);

		if (after - before >= best.uncertainty_ns)
			continue;
		best.uncertainty_ns = (uint32_t)(after - before);
		best.monotonic_ns = before + (after - before) / 2;
		best.realtime_ns = real;
		best.ticks = ticks;
	}
	if (gaspdb_clock_kind == GASPDB_CLOCK_MONOTONIC)
		best.monotonic_ns = (int64_t)best.ticks;
	return best;
}

uint64_t gaspdb_clock_hz(void)
{
	struct gaspdb_clock_sample now;
	double ns;

	if (gaspdb_clock_kind == GASPDB_CLOCK_MONOTONIC)
		return 1000000000;
	do
		now = gaspdb_clock_sample();
	while (now.monotonic_ns - first.monotonic_ns < 1000000);
	ns = (double)(now.monotonic_ns - first.monotonic_ns);
	return (uint64_t)((double)(now.ticks - first.ticks) * 1e9 / ns);
}

const struct gaspdb_clock_sample *gaspdb_clock_first(void)
{
	return &first;
}
