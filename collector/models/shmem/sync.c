/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Syncs before collectives (GASPDB_SYNC_COLLECTIVES): the time of such a sync
 * is the waiting for the last PE, and the collective's own the rest.
 *
 * Of a team it is shmem_team_sync.  That of an active set needs a symmetric
 * array.  The program's own cannot be used: by the specification it is not free
 * again before all PEs have left the sync.  One of the tool's would have to be
 * allocated, which moves the program's own objects; static data of a library
 * that is preloaded are not symmetric.  So the PEs exchange messages of the MPI
 * that Open MPI's OpenSHMEM has below it, on a communicator of their own.
 * Elsewhere only sets of all PEs have a sync, shmem_sync_all.
 */
#include <stdatomic.h>

#include "collector/base/environment.h"
#include "collector/models/shmem/clocks.h"
#include "collector/models/shmem/sync.h"

/* shmem_sync_all is of 1.4. */
#if defined SHMEM_MAJOR_VERSION && \
	(SHMEM_MAJOR_VERSION > 1 || SHMEM_MINOR_VERSION >= 4)
#define HAVE_SYNC_ALL
#endif

bool gaspdb_shmem_syncs;
static bool may_sync_all; /* no other thread may be in one */
static int own_pe, n_pes;

static const struct gaspdb_operation op = { GASPDB_EVENT_SHMEM_SYNC,
					    "shmem_sync (sync)" };

__attribute__((constructor)) static void load(void)
{
	gaspdb_shmem_syncs = gaspdb_env_asks("GASPDB_SYNC_COLLECTIVES");
}

/* Whether a collective of the program may have a sync before it, also if it is
   not recorded here: another PE may record it. */
static bool is_programs(const struct gaspdb_context *c,
			const struct gaspdb_entry *e)
{
	return n_pes && (c || e->unlogged);
}

static void start(struct gaspdb_context *c, const struct gaspdb_entry *e,
		  const struct gaspdb_shmem_collective *team)
{
	if (c)
		gaspdb_start(c, &op, e->pc, 2,
			     (const uint64_t[]){ team->id, team->sequence });
}

static void end(struct gaspdb_context *c, const struct gaspdb_entry *e)
{
	if (c)
		gaspdb_end(c, &op, e->pc, 0, NULL);
}

/* --- by MPI --------------------------------------------------------------- */

#ifdef GASPDB_SHMEM_ON_MPI
static MPI_Comm comm = MPI_COMM_NULL;

/* Whether any thread that OpenSHMEM allows to communicate may do so by MPI. */
static bool has_threads(int level)
{
	int of_mpi = MPI_THREAD_SINGLE;

	PMPI_Query_thread(&of_mpi);
	return level != SHMEM_THREAD_MULTIPLE || of_mpi == MPI_THREAD_MULTIPLE;
}

/* A collective of all PEs, all of which are recorded: so it is asserted. */
static void set_up_mpi(int level)
{
	int usable = has_threads(level), n = 0;

	PMPI_Comm_size(MPI_COMM_WORLD, &n);
	usable = usable && n == n_pes;
	PMPI_Allreduce(MPI_IN_PLACE, &usable, 1, MPI_INT, MPI_MIN,
		       MPI_COMM_WORLD);
	if (usable)
		PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
}

static int member(const struct gaspdb_shmem_set *s, int64_t rank)
{
	return (int)(s->first + (rank % s->size << s->log_stride));
}

/* Dissemination barrier.  Messages between two PEs are in order, so that one
   tag serves all rounds; others are for threads with other sets. */
static bool sync_by_mpi(const struct gaspdb_shmem_set *s)
{
	const int64_t me = (own_pe - s->first) >> s->log_stride;
	const unsigned hash = (unsigned)s->first * 31 + (unsigned)s->size * 7 +
			      (unsigned)s->log_stride;
	const int tag = (int)(hash & 0x7fff);
	int ended = 0;

	if (comm == MPI_COMM_NULL || PMPI_Finalized(&ended) || ended)
		return false;
	for (int64_t far = 1; far < s->size; far <<= 1)
		PMPI_Sendrecv(NULL, 0, MPI_BYTE, member(s, me + far), tag, NULL,
			      0, MPI_BYTE, member(s, me + s->size - far), tag,
			      comm, MPI_STATUS_IGNORE);
	return true;
}

static bool has_mpi(void)
{
	return comm != MPI_COMM_NULL;
}
#else
static void set_up_mpi(int level)
{
	(void)level;
}

static bool sync_by_mpi(const struct gaspdb_shmem_set *s)
{
	(void)s;
	return false;
}

static bool has_mpi(void)
{
	return false;
}
#endif

void gaspdb_shmem_syncs_init(void)
{
	int level = SHMEM_THREAD_SINGLE;

	if (!gaspdb_shmem_syncs || n_pes)
		return;
	pshmem_query_thread(&level);
	own_pe = pshmem_my_pe();
	n_pes = pshmem_n_pes();
	may_sync_all = level != SHMEM_THREAD_MULTIPLE;
	set_up_mpi(level);
}

/* --- active sets ---------------------------------------------------------- */

static bool is_member(const struct gaspdb_shmem_set *s)
{
	int64_t last;

	if (s->first < 0 || s->size <= 0 || s->log_stride < 0 ||
	    s->log_stride > 30)
		return false;
	last = s->first + ((int64_t)(s->size - 1) << s->log_stride);
	return last < n_pes && own_pe >= s->first && own_pe <= last &&
	       !((own_pe - s->first) & ((1 << s->log_stride) - 1));
}

static bool can_sync(const struct gaspdb_shmem_set *s)
{
#ifdef HAVE_SYNC_ALL
	if (may_sync_all && s->size == n_pes)
		return true;
#endif
	return has_mpi();
}

static void sync_set(const struct gaspdb_shmem_set *s)
{
#ifdef HAVE_SYNC_ALL
	if (!sync_by_mpi(s) && may_sync_all && s->size == n_pes)
		pshmem_sync_all();
#else
	sync_by_mpi(s);
#endif
}

/* The database says it once a run. */
static GASPDB_COLD void note_left_out(void)
{
	static atomic_flag said = ATOMIC_FLAG_INIT;

	if (!atomic_flag_test_and_set(&said))
		gaspdb_meta("limits",
			    "--sync-collectives: collectives of some active "
			    "sets had no sync, for this OpenSHMEM has none "
			    "without an array of the program's");
}

GASPDB_COLD void gaspdb_shmem_time_sync_set(struct gaspdb_context *c,
					    const struct gaspdb_entry *e,
					    struct gaspdb_shmem_set s)
{
	struct gaspdb_shmem_collective team = GASPDB_SHMEM_NO_COLLECTIVE;

	if (!is_programs(c, e) || !is_member(&s))
		return;
	if (!can_sync(&s)) {
		note_left_out();
		return;
	}
	if (c)
		team = gaspdb_shmem_active_set(c, s.first, s.log_stride,
					       s.size);
	start(c, e, &team);
	sync_set(&s);
	end(c, e);
}

/* --- teams ---------------------------------------------------------------- */

#ifdef GASPDB_SHMEM_TEAMS
GASPDB_COLD void gaspdb_shmem_time_sync_team(struct gaspdb_context *c,
					     const struct gaspdb_entry *e,
					     shmem_team_t handle)
{
	struct gaspdb_shmem_collective team = GASPDB_SHMEM_NO_COLLECTIVE;

	if (!is_programs(c, e) || handle == SHMEM_TEAM_INVALID)
		return;
	if (c) {
		team = gaspdb_shmem_on_team(c, handle);
		if (!team.team)
			return;
	}
	start(c, e, &team);
	pshmem_team_sync(handle);
	end(c, e);
}
#endif
