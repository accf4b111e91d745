/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Worlds on several hosts besides that of MPI_Init.  A ring of messages and a
 * barrier a round, as in mpi_clocks.c; each call is enclosed by two readings of
 * the clock and of the true time (mpi_truth.h).
 *
 *     mpi_clock_worlds sessions DIRECTORY ROUNDS PAUSE_US
 *         no MPI_Init: a communicator of all processes, freed after half of the
 *         rounds, then another one
 *     mpi_clock_worlds spawn DIRECTORY ROUNDS PAUSE_US N HOST STARTER
 *         all spawn N children on HOST ("-": where MPI likes), by the script
 *         STARTER; the ring is that of the merged communicator
 *
 * Another MPI: exit status 77.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpi_truth.h"

static int rounds, pause_us;

static void play(MPI_Comm comm)
{
	exchange(comm);
	usleep((useconds_t)pause_us);
}

/* --- sessions ------------------------------------------------------------- */

#if MPI_VERSION >= 4
static int half(MPI_Session session, const char *name, int n)
{
	MPI_Group group;
	MPI_Comm comm;
	int rank;

	MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
	MPI_Comm_create_from_group(group, name, MPI_INFO_NULL,
				   MPI_ERRORS_ARE_FATAL, &comm);
	MPI_Group_free(&group);
	MPI_Comm_rank(comm, &rank);
	while (n-- > 0)
		play(comm);
	MPI_Comm_free(&comm);
	return rank;
}

static int sessions(char **argv)
{
	MPI_Session session;
	int rank;

	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
	half(session, "one", rounds / 2);
	rank = half(session, "two", rounds - rounds / 2);
	MPI_Session_finalize(&session);
	note();
	return truth_write(&truth, argv[2], rank);
}
#else
static int sessions(char **argv)
{
	(void)argv;
	return 77;
}
#endif

/* --- spawn ---------------------------------------------------------------- */

#ifdef OPEN_MPI
#define COMMAND "env"

/* "NAME=VALUE" of the environment. */
static char *setting(const char *name)
{
	const char *value = getenv(name);
	char *text = malloc(strlen(name) + strlen(value ? value : "") + 2);

	sprintf(text, "%s=%s", name, value ? value : "");
	return text;
}
#else
#define COMMAND argv[7]
#endif

static MPI_Comm spawn(char **argv)
{
	char first[16];
	char *arguments[] = {
#ifdef OPEN_MPI /* else the children have the environment */
		setting("LD_PRELOAD"),
		setting("GASPDB_DIR"),
		setting("GASPDB_RUN_ID"),
		setting("GASPDB_CLOCK_SAMPLING"),
		argv[7],
#endif
		argv[0],
		"child",
		argv[2],
		argv[3],
		argv[4],
		first,
		NULL
	};
	MPI_Comm children, all;
	MPI_Info info;
	int size;

	MPI_Comm_size(MPI_COMM_WORLD, &size);
	sprintf(first, "%d", size);
	MPI_Info_create(&info);
	if (strcmp(argv[6], "-"))
		MPI_Info_set(info, "host", argv[6]);
	MPI_Comm_spawn(COMMAND, arguments, atoi(argv[5]), info, 0,
		       MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
	MPI_Info_free(&info);
	MPI_Intercomm_merge(children, 0, &all);
	return all;
}

static MPI_Comm join(void)
{
	MPI_Comm parents, all;

	MPI_Comm_get_parent(&parents);
	MPI_Intercomm_merge(parents, 1, &all);
	return all;
}

static int worlds(char **argv, int first)
{
	int rank, sum = 1;
	MPI_Comm all;

	MPI_Init(NULL, NULL);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	all = first ? join() : spawn(argv);
	for (int i = 0; i < rounds; i++) {
		play(all);
		MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_MAX,
			      MPI_COMM_WORLD);
	}
	MPI_Comm_free(&all);
	MPI_Finalize();
	note();
	return truth_write(&truth, argv[2], first + rank);
}

int main(int argc, char **argv)
{
	if (argc < 5)
		return 2;
	rounds = atoi(argv[3]);
	pause_us = atoi(argv[4]);
	truth.room = (size_t)rounds * 8 + 2;
	truth.of = calloc(truth.room, sizeof *truth.of);
	if (!truth.of)
		return 1;
	note();
	if (!strcmp(argv[1], "sessions"))
		return sessions(argv);
	return worlds(argv, !strcmp(argv[1], "child") ? atoi(argv[5]) : 0);
}
