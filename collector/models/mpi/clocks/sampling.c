/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * When the hosts' clocks are sampled: after MPI_Init, after collectives of
 * MPI_COMM_WORLD, and in MPI_Finalize.
 */
#include <errno.h>
#include <stdlib.h>

#include "collector/base/environment.h"
#include "collector/log/log_format.h"
#include "collector/models/mpi/clocks/clocks.h"
#include "collector/process/clock_mark.h"
#include "collector/process/worlds.h"

#define END_SECONDS 600 /* how long leaders are waited for in MPI_Finalize */

static struct gaspdb_mpi_leaders leaders = { .comm = MPI_COMM_NULL };

struct gaspdb_sampler gaspdb_mpi_sampler = GASPDB_SAMPLER_NONE;

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

void gaspdb_mpi_clocks_starting(void)
{
	int64_t period_ns;
	bool forced;

	if (gaspdb_sampling_is_wished(&period_ns, &forced) && !is_one_host())
		gaspdb_clock_mark_make();
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

void gaspdb_mpi_clocks_begin(struct gaspdb_context *c)
{
	const int error = errno;
	struct gaspdb_sampler *s = &gaspdb_mpi_sampler;
	bool forced;
	uint64_t start;
	int n;

	PMPI_Comm_size(MPI_COMM_WORLD, &n);
	if (n == 1 || !gaspdb_sampling_is_wished(&s->period_ns, &forced) ||
	    is_one_host() || gaspdb_world_is_spawned())
		return;
	start = gaspdb_ticks();
	if (meet(c, forced)) {
		s->leaders = &leaders.l;
		gaspdb_sampler_emit_facts(s);
		gaspdb_sampler_take(s, c, GASPDB_SAMPLE_AT_START,
				    GASPDB_SAMPLE_SECONDS);
	} else if (c) {
		gaspdb_record(c, GASPDB_RECORD_TOOL, "uu", start,
			      gaspdb_ticks());
	}
	errno = error;
}

void gaspdb_mpi_clocks_end(struct gaspdb_context *c)
{
	const int error = errno;
	struct gaspdb_sampler *s = &gaspdb_mpi_sampler;

	if (leaders.comm == MPI_COMM_NULL)
		return;
	if (!c && !s->stopped)
		gaspdb_sampler_stop(s, NULL);
	if (!s->stopped)
		gaspdb_sampler_take(s, c, GASPDB_SAMPLE_AT_END, END_SECONDS);
	atomic_store(&s->due, UINT64_MAX);
	gaspdb_mpi_leaders_free(&leaders);
	errno = error;
}
