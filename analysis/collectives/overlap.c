/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The overlap test in linear time: the last enter is compared with the first
 * leave, on each host without errors, and on all hosts with the errors of the
 * clocks. Members of one host that pass the first test pass the second, so it
 * need not distinguish hosts.
 */
#include "analysis/collectives/overlap.h"

#include <stdlib.h>

#include "common/sum.h"

struct gaspdb_host_span {
	int64_t enter_ns, leave_ns; /* last enter, first leave */
};

void gaspdb_overlap_test_open(struct gaspdb_overlap_test *test,
			      struct gaspdb_run *run)
{
	*test = (struct gaspdb_overlap_test){ 0 };
	gaspdb_clock_errors_load(&test->clocks, run);
	for (int64_t i = 0; test->clocks.threads && i < test->clocks.n; i++)
		if ((size_t)test->clocks.threads[i].host >= test->n_hosts)
			test->n_hosts =
				(size_t)test->clocks.threads[i].host + 1;
	test->hosts = gaspdb_zeroed(run, test->n_hosts, sizeof *test->hosts);
}

/* Add a member to a span; unknown times have no effect. */
static void extend(struct gaspdb_host_span *span, const struct gaspdb_member *m,
		   int64_t error_ns)
{
	if (m->enter_ns != GASPDB_NONE)
		span->enter_ns = gaspdb_max(
			span->enter_ns, gaspdb_plus(m->enter_ns, -error_ns));
	if (m->leave_ns != GASPDB_NONE)
		span->leave_ns = gaspdb_min(span->leave_ns,
					    gaspdb_plus(m->leave_ns, error_ns));
}

bool gaspdb_overlap_possible(struct gaspdb_overlap_test *test,
			     const struct gaspdb_member *members, size_t n)
{
	const struct gaspdb_host_span none = { INT64_MIN, INT64_MAX };
	struct gaspdb_host_span all = none;

	if (!test->clocks.threads || !test->hosts)
		return false;
	for (size_t i = 0; i < test->n_hosts; i++)
		test->hosts[i] = none;
	for (size_t i = 0; i < n; i++) {
		const struct gaspdb_member *m = &members[i];
		const struct gaspdb_thread_clock *clock =
			&test->clocks.threads[m->thread];

		const int64_t error_ns = gaspdb_clock_errors_of(
			&test->clocks, m->thread,
			m->enter_ns != GASPDB_NONE ? m->enter_ns : m->leave_ns);

		if (!clock->host || error_ns == GASPDB_NONE)
			return false;
		extend(&test->hosts[clock->host], m, 0);
		extend(&all, m, error_ns);
	}
	for (size_t i = 0; i < test->n_hosts; i++)
		if (test->hosts[i].enter_ns > test->hosts[i].leave_ns)
			return false;
	return all.enter_ns <= all.leave_ns;
}

void gaspdb_overlap_test_close(struct gaspdb_overlap_test *test)
{
	gaspdb_clock_errors_free(&test->clocks);
	free(test->hosts);
}
