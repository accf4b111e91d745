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

#define END_SECONDS 600 /* how long leaders are waited for in MPI_Finalize */

/* A communicator may be freed locally, before other processes come. */
#define FREE_SECONDS GASPDB_SAMPLE_SECONDS

static struct gaspdb_mpi_leaders leaders = GASPDB_MPI_NO_LEADERS;
static bool failed; /* a meeting; another one would, too */

struct gaspdb_sampler gaspdb_mpi_sampler = GASPDB_SAMPLER_NONE;
MPI_Comm gaspdb_mpi_sampled = MPI_COMM_NULL;

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

void gaspdb_mpi_clocks_starting(int number, bool apart)
{
	int64_t period_ns;
	bool forced;

	if (number >= 0 && gaspdb_sampling_is_wished(&period_ns, &forced) &&
	    (apart || !is_one_host()))
		gaspdb_clock_mark_make(number);
}

bool gaspdb_mpi_clocks_are_linked(void)
{
	int64_t period_ns;
	bool forced;

	return gaspdb_sampling_is_wished(&period_ns, &forced);
}

/* --- start and end -------------------------------------------------------- */

/* Finds the leaders; false: this process is none. */
static bool meet(struct gaspdb_context *c,
		 const struct gaspdb_mpi_clock_world *world, bool forced)
{
	const char *why;
	char host[GASPDB_HOST_BYTES];

	why = forced || gaspdb_clock_mark_read(world->number, host)
		      ? gaspdb_mpi_leaders_find(
				&leaders, world,
				c && !gaspdb_mpi_sampler.stopped)
		      : "the run directory does not show that rank 0 is "
			"recorded; --clock-sampling asserts it";
	if (why && c)
		gaspdb_meta("clock_sampling_failed", why);
	failed = why != NULL;
	return leaders.comm != MPI_COMM_NULL;
}

/* Whether a meeting of the world makes sense: of more than one host, with known
   ranks in the run. */
static bool can_meet(const struct gaspdb_mpi_clock_world *world, bool *forced)
{
	int n;

	if (failed || world->first < 0 || leaders.comm != MPI_COMM_NULL)
		return false;
	PMPI_Comm_size(world->comm, &n);
	return n > 1 &&
	       gaspdb_sampling_is_wished(&gaspdb_mpi_sampler.period_ns,
					 forced) &&
	       !is_one_host();
}

void gaspdb_mpi_clocks_begin(struct gaspdb_context *c,
			     struct gaspdb_mpi_clock_world world)
{
	const int error = errno;
	struct gaspdb_sampler *s = &gaspdb_mpi_sampler;
	bool forced;
	uint64_t start;

	if (!can_meet(&world, &forced))
		return;
	start = gaspdb_ticks();
	if (meet(c, &world, forced)) {
		s->leaders = &leaders.l;
		gaspdb_mpi_sampled = world.comm;
		gaspdb_sampler_emit_facts(s);
		gaspdb_sampler_take(s, c, GASPDB_SAMPLE_AT_START,
				    GASPDB_SAMPLE_SECONDS);
	} else if (c) {
		gaspdb_record(c, GASPDB_RECORD_TOOL, "uu", start,
			      gaspdb_ticks());
	}
	errno = error;
}

static void end(struct gaspdb_context *c, unsigned seconds)
{
	const int error = errno;
	struct gaspdb_sampler *s = &gaspdb_mpi_sampler;

	if (leaders.comm == MPI_COMM_NULL)
		return;
	if (!c && !s->stopped)
		gaspdb_sampler_stop(s, NULL);
	if (!s->stopped)
		gaspdb_sampler_take(s, c, GASPDB_SAMPLE_AT_END, seconds);
	atomic_store(&s->due, UINT64_MAX);
	gaspdb_mpi_sampled = MPI_COMM_NULL;
	gaspdb_mpi_leaders_free(&leaders);
	errno = error;
}

void gaspdb_mpi_clocks_end(struct gaspdb_context *c)
{
	end(c, END_SECONDS);
}

void gaspdb_mpi_clocks_free(struct gaspdb_context *c, MPI_Comm comm)
{
	if (comm == gaspdb_mpi_sampled)
		end(c, FREE_SECONDS);
}
