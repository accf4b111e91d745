/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * When the hosts' clocks are sampled.  Leaders count collectives of
 * MPI_COMM_WORLD alike, so that all know a sample's moment without a message
 * before.  At a sample they gather at the root of the tree, which decides
 * whether it is time to measure, and when the next sample is due.
 */
#include <errno.h>
#include <stdlib.h>

#include "collector/base/clock.h"
#include "collector/base/environment.h"
#include "collector/log/log_format.h"
#include "collector/models/mpi/clocks/clocks.h"
#include "collector/models/mpi/clocks/period.h"
#include "collector/process/clock_mark.h"
#include "collector/process/worlds.h"

atomic_uint_least64_t gaspdb_mpi_clocks_due = UINT64_MAX;

/* Numbers of the samples that are after no collective */
#define AT_START UINT64_MAX
#define AT_END	 (UINT64_MAX - 1)

/* How long leaders are waited for: after a collective they are near. */
#define SAMPLE_SECONDS 10
#define END_SECONDS    600

static struct gaspdb_mpi_leaders leaders = { .comm = MPI_COMM_NULL };
static bool stopped;
static uint64_t period_ns = GASPDB_CLOCK_PERIOD_NS;

/* The root's plan. */
static struct {
	int64_t measured_ns; /* when, last */
	int64_t planned_ns;
	uint64_t number; /* of the collective, at planned_ns */
} plan;

/* --- whether -------------------------------------------------------------- */

/* Whether all processes of the world are on one host, as the launcher says: of
   its numbers of processes that of the host is that of the world. */
static bool is_one_host(void)
{
	static const struct {
		const char *host, *world;
	} sizes[] = {
		{ "OMPI_COMM_WORLD_LOCAL_SIZE", "OMPI_COMM_WORLD_SIZE" },
		{ "MPI_LOCALNRANKS", "PMI_SIZE" },
		{ "MV2_COMM_WORLD_LOCAL_SIZE", "MV2_COMM_WORLD_SIZE" },
		{ "SLURM_STEP_TASKS_PER_NODE", "SLURM_STEP_NUM_TASKS" },
	};

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		const char *host = gaspdb_getenv(sizes[i].host);
		const char *world = gaspdb_getenv(sizes[i].world);

		if (host && world)
			return atoi(host) == atoi(world);
	}
	return false;
}

/* Reads the option; *forced: it is set.  false: no sampling is wished. */
static bool is_wished(bool *forced)
{
	const char *text = gaspdb_getenv("GASPDB_CLOCK_SAMPLING");

	*forced = text && *text;
	if (*forced && !gaspdb_clock_period_parse(text, &period_ns)) {
		gaspdb_complain("GASPDB_CLOCK_SAMPLING=%.100s is ignored: it "
				"is not a duration from 1ms on, or off",
				text);
		*forced = false;
		period_ns = GASPDB_CLOCK_PERIOD_NS;
	}
	return period_ns > 0;
}

void gaspdb_mpi_clocks_starting(void)
{
	bool forced;

	if (is_wished(&forced) && !is_one_host())
		gaspdb_clock_mark_make();
}

/* --- one sample ----------------------------------------------------------- */

static void stop(const char *why)
{
	stopped = true;
	atomic_store(&gaspdb_mpi_clocks_due, UINT64_MAX);
	if (leaders.comm != MPI_COMM_NULL)
		gaspdb_mpi_clock_stop(&leaders);
	if (why)
		gaspdb_meta("clock_sampling_failed", why);
}

/* Waits for all leaders below, and tells the parent. */
static bool gather(uint64_t number, int64_t deadline)
{
	struct gaspdb_mpi_clock_message m;
	const int parent = gaspdb_mpi_clock_parent(&leaders);
	int child;

	for (int i = 0; (child = gaspdb_mpi_clock_child(&leaders, i)) >= 0; i++)
		if (!gaspdb_mpi_clock_receive(&leaders, child,
					      GASPDB_MPI_CLOCK_READY, number,
					      &m, deadline))
			return false;
	m = (struct gaspdb_mpi_clock_message){ .word = GASPDB_MPI_CLOCK_READY,
					       .number = number };
	return parent < 0 ||
	       gaspdb_mpi_clock_send(&leaders, parent, &m, deadline);
}

/* The number of collectives until the next sample: what the time until then
   allows at the rate since the last one, and not many times as many. */
static uint64_t count_until(int64_t ns, uint64_t number, int64_t now)
{
	const uint64_t n = number - plan.number;
	const double rate = (double)n / (double)(now - plan.planned_ns + 1);
	const double most = 4.0 * (double)n + 4, wish = rate * (double)ns;

	return wish < 1 ? 1 : (uint64_t)(wish < most ? wish : most);
}

/* The root's decision; values as in PLAN. */
static void decide(uint64_t number, struct gaspdb_mpi_clock_message *m)
{
	const int64_t now = gaspdb_clock_ns(CLOCK_MONOTONIC);
	const int64_t period = (int64_t)period_ns;
	const bool ends = number == AT_START || number == AT_END;
	int64_t left = plan.measured_ns + period - now;

	m->value[0] = ends || left < period / 8;
	if (m->value[0]) {
		plan.measured_ns = now;
		left = period;
	}
	m->value[1] = ends ? 1 : number + count_until(left, number, now);
	plan.planned_ns = now;
	plan.number = ends ? 0 : number;
}

/* Passes the root's plan on to the leaders below. */
static bool spread(uint64_t number, struct gaspdb_mpi_clock_message *m,
		   int64_t deadline)
{
	const int parent = gaspdb_mpi_clock_parent(&leaders);
	int child;

	m->word = GASPDB_MPI_CLOCK_PLAN;
	m->number = number;
	if (parent < 0)
		decide(number, m);
	else if (!gaspdb_mpi_clock_receive(&leaders, parent,
					   GASPDB_MPI_CLOCK_PLAN, number, m,
					   deadline))
		return false;
	for (int i = 0; (child = gaspdb_mpi_clock_child(&leaders, i)) >= 0; i++)
		if (!gaspdb_mpi_clock_send(&leaders, child, m, deadline))
			return false;
	return true;
}

/* At the end of MPI the wait for other leaders is that of MPI_Finalize: *start
   is set when all have come. */
static bool sample(struct gaspdb_context *c, uint64_t number, unsigned seconds,
		   uint64_t *start)
{
	const int64_t deadline = gaspdb_mpi_clock_deadline(seconds);
	struct gaspdb_mpi_clock_message m;

	if (!gather(number, deadline) || !spread(number, &m, deadline))
		return false;
	if (number == AT_END)
		*start = gaspdb_ticks();
	atomic_store(&gaspdb_mpi_clocks_due, m.value[1]);
	return !m.value[0] || gaspdb_mpi_clock_measure(&leaders, c, number);
}

static void take(struct gaspdb_context *c, uint64_t number, unsigned seconds)
{
	const int error = errno;
	uint64_t start = gaspdb_ticks();

	if (!sample(c, number, seconds, &start))
		stop("another host's first process did not come to a sample, "
		     "or has stopped sampling");
	gaspdb_record(c, GASPDB_RECORD_TOOL, "uu", start, gaspdb_ticks());
	errno = error;
}

void gaspdb_mpi_clocks_sample(struct gaspdb_context *c, uint64_t number)
{
	take(c, number, SAMPLE_SECONDS);
}

/* --- start and end -------------------------------------------------------- */

/* Finds the leaders; false: this process is none. */
static bool meet(struct gaspdb_context *c, bool forced)
{
	const char *why;

	why = forced || gaspdb_clock_mark_found()
		      ? gaspdb_mpi_leaders_find(&leaders, c)
		      : "the run directory does not show that rank 0 is "
			"recorded; --clock-sampling asserts it";
	if (why && c)
		gaspdb_meta("clock_sampling_failed", why);
	return leaders.comm != MPI_COMM_NULL;
}

static void emit_facts(void)
{
	const int parent = gaspdb_mpi_clock_parent(&leaders);

	gaspdb_metaf("clock_sampling", "%d hosts, asks rank %d, every %llu ms",
		     leaders.n, parent < 0 ? -1 : leaders.ranks[parent],
		     (unsigned long long)(period_ns / 1000000));
}

void gaspdb_mpi_clocks_begin(struct gaspdb_context *c)
{
	const int error = errno;
	bool forced;
	uint64_t start;
	int n;

	PMPI_Comm_size(MPI_COMM_WORLD, &n);
	if (n == 1 || !is_wished(&forced) || is_one_host() ||
	    gaspdb_world_is_spawned())
		return;
	start = gaspdb_ticks();
	if (meet(c, forced)) {
		emit_facts();
		take(c, AT_START, SAMPLE_SECONDS);
	} else if (c) {
		gaspdb_record(c, GASPDB_RECORD_TOOL, "uu", start,
			      gaspdb_ticks());
	}
	errno = error;
}

void gaspdb_mpi_clocks_end(struct gaspdb_context *c)
{
	const int error = errno;

	if (leaders.comm == MPI_COMM_NULL)
		return;
	if (!c && !stopped)
		stop(NULL);
	if (!stopped)
		take(c, AT_END, END_SECONDS);
	atomic_store(&gaspdb_mpi_clocks_due, UINT64_MAX);
	gaspdb_mpi_leaders_free(&leaders);
	errno = error;
}
