/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The clock of the host together with the time stamp counter, which is the true
 * time where all "hosts" are one machine.  DIRECTORY/RANK.truth has a line a
 * reading: counter, CLOCK_MONOTONIC in ns, counter.
 */
#ifndef TEST_TRUTH_H
#define TEST_TRUTH_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct truth_reading {
	uint64_t before, after;
	int64_t ns;
};

struct truth {
	struct truth_reading *of;
	size_t n, room;
};

static inline uint64_t truth_counter(void)
{
#ifdef __x86_64__
	return __builtin_ia32_rdtsc();
#else
	return 0;
#endif
}

/* The tightest of a few: one can be interrupted. */
static inline void truth_note(struct truth *t)
{
	struct truth_reading *r = &t->of[t->n];
	struct timespec time;

	if (t->n >= t->room)
		abort();
	t->n++;
	r->before = 0;
	r->after = UINT64_MAX;
	for (int i = 0; i < 4; i++) {
		const uint64_t before = truth_counter();
		clock_gettime(CLOCK_MONOTONIC, &time);
		const uint64_t after = truth_counter();

		if (i > 0 && after - before >= r->after - r->before)
			continue;
		*r = (struct truth_reading){
			before, after,
			(int64_t)time.tv_sec * 1000000000 + time.tv_nsec
		};
	}
}

static inline int truth_write(const struct truth *t, const char *directory,
			      int rank)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof path, "%s/%d.truth", directory, rank);
	f = fopen(path, "w");
	if (!f)
		return 1;
	for (size_t i = 0; i < t->n; i++)
		fprintf(f, "%" PRIu64 " %" PRId64 " %" PRIu64 "\n",
			t->of[i].before, t->of[i].ns, t->of[i].after);
	return fclose(f) != 0;
}

#endif
