/* SPDX-License-Identifier: BSD-2-Clause */
#include "collector/core/clocks/sampler.h"

#include <errno.h>

#include "collector/log/log_format.h"

GASPDB_EXPORT void gaspdb_sampler_stop(struct gaspdb_sampler *s,
				       const char *why)
{
	const struct gaspdb_leaders *l = s->leaders;
	const int parent = gaspdb_leaders_parent(l);
	int child;

	s->stopped = true;
	atomic_store(&s->due, UINT64_MAX);
	if (parent >= 0)
		l->by->stop(l, parent);
	for (int i = 0; (child = gaspdb_leaders_child(l, i)) >= 0; i++)
		l->by->stop(l, child);
	if (why)
		gaspdb_meta("clock_sampling_failed", why);
}

/* --- one sample ----------------------------------------------------------- */

/* Receives READY of each child, and sends it to the parent. */
static bool gather(const struct gaspdb_leaders *l, uint64_t number,
		   int64_t deadline)
{
	struct gaspdb_leaders_message m = { .word = GASPDB_LEADERS_READY,
					    .number = number };
	const int parent = gaspdb_leaders_parent(l);
	int child;

	for (int i = 0; (child = gaspdb_leaders_child(l, i)) >= 0; i++)
		if (!l->by->receive(l, child, &m, deadline))
			return false;
	return parent < 0 || l->by->send(l, parent, &m, deadline);
}

/* The number of collectives until the next sample: what the time until then
   allows at the rate since the last one, and not many times as many. */
static uint64_t count_until(const struct gaspdb_sampler *s, int64_t ns,
			    uint64_t number, int64_t now)
{
	const uint64_t n = number - s->planned;
	const double rate = (double)n / (double)(now - s->planned_ns + 1);
	const double most = 4.0 * (double)n + 4, wish = rate * (double)ns;

	return wish < 1 ? 1 : (uint64_t)(wish < most ? wish : most);
}

/* The root's decision; values as in PLAN. */
static void decide(struct gaspdb_sampler *s, uint64_t number,
		   struct gaspdb_leaders_message *m)
{
	const int64_t now = gaspdb_clock_ns(CLOCK_MONOTONIC);
	const bool ends = number == GASPDB_SAMPLE_AT_START ||
			  number == GASPDB_SAMPLE_AT_END;
	int64_t left = s->measured_ns + s->period_ns - now;

	m->value[0] = ends || left < s->period_ns / 8;
	if (m->value[0]) {
		s->measured_ns = now;
		left = s->period_ns;
	}
	m->value[1] = ends ? 1 : number + count_until(s, left, number, now);
	s->planned_ns = now;
	s->planned = ends ? 0 : number;
}

/* Passes the root's plan on to the leaders below. */
static bool spread(struct gaspdb_sampler *s, uint64_t number,
		   struct gaspdb_leaders_message *m, int64_t deadline)
{
	const struct gaspdb_leaders *l = s->leaders;
	const int parent = gaspdb_leaders_parent(l);
	int child;

	*m = (struct gaspdb_leaders_message){ .word = GASPDB_LEADERS_PLAN,
					      .number = number };
	if (parent < 0)
		decide(s, number, m);
	else if (!l->by->receive(l, parent, m, deadline))
		return false;
	for (int i = 0; (child = gaspdb_leaders_child(l, i)) >= 0; i++)
		if (!l->by->send(l, child, m, deadline))
			return false;
	return true;
}

/* At the program's end the wait for other leaders is that of the call:
 *start is set when all have come. */
static bool sample(struct gaspdb_sampler *s, struct gaspdb_context *c,
		   uint64_t number, unsigned seconds, uint64_t *start)
{
	const int64_t deadline = gaspdb_leaders_deadline(seconds);
	struct gaspdb_leaders_message m;

	if (!gather(s->leaders, number, deadline) ||
	    !spread(s, number, &m, deadline))
		return false;
	if (number == GASPDB_SAMPLE_AT_END)
		*start = gaspdb_ticks();
	atomic_store(&s->due, m.value[1]);
	return !m.value[0] || gaspdb_leaders_measure(s->leaders, c, number);
}

GASPDB_EXPORT void gaspdb_sampler_take(struct gaspdb_sampler *s,
				       struct gaspdb_context *c,
				       uint64_t number, unsigned seconds)
{
	const int error = errno;
	uint64_t start = gaspdb_ticks();

	if (!sample(s, c, number, seconds, &start))
		gaspdb_sampler_stop(s, "another host's leader did not come to "
				       "a sample, or has stopped sampling");
	gaspdb_record(c, GASPDB_RECORD_TOOL, "uu", start, gaspdb_ticks());
	errno = error;
}

GASPDB_EXPORT void gaspdb_sampler_emit_facts(const struct gaspdb_sampler *s)
{
	const struct gaspdb_leaders *l = s->leaders;
	const int parent = gaspdb_leaders_parent(l);

	gaspdb_metaf("clock_sampling", "%d hosts, asks rank %d, every %llu ms",
		     l->n, parent < 0 ? -1 : l->ranks[parent],
		     (unsigned long long)s->period_ns / 1000000);
}
