/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tasks in the style of Uintah (Shende 2001, 4.6): a scheduler runs work
 *packets of a few tasks, and asks each packet only for its task's name.  The
 *address of that static text is the key of an external association with the
 *task's entity, made once.  A task has attributes; one exchanges data with the
 *next rank.  The program counts and reads the clock itself, inside and outside
 *of what gaspdb measures, and prints both for each rank.
 *
 *	gaspdb record -o run -- mpirun -np 2 mpi_tasks
 */
#include <mpi.h>
#include <stdio.h>

#include "gaspdb.h"

enum { TASKS = 4, STEPS = 5, PACKETS = 10, BYTES = 1000 };

static const struct task {
	const char *name, *component;
	int rounds;
	int exchanges;
} tasks[TASKS] = {
	{ "SerialMPM::interpolateParticlesToGrid", "MPM", 9000, 0 },
	{ "SerialMPM::computeStressTensor", "MPM", 6000, 0 },
	{ "SerialMPM::exchangeMomentum", "MPM", 500, 1 },
	{ "ICE::advectAndAdvanceInTime", "ICE", 3000, 0 },
};

static struct counter {
	long packets, messages;
	double inner, outer; /* seconds */
} counted[TASKS];

static const char task_names; /* names the set of keys */
static volatile double result;

static void compute(int n)
{
	double x = n;

	for (int i = 0; i < n; i++)
		x = x * 0.999999 + 0.5 / (x + 1);
	result = x;
}

static void exchange(int rank, int ranks)
{
	static char out[BYTES], in[BYTES];

	MPI_Sendrecv(out, BYTES, MPI_CHAR, (rank + 1) % ranks, 0, in, BYTES,
		     MPI_CHAR, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD,
		     MPI_STATUS_IGNORE);
}

static void run_packet(const struct task *t, int rank, int ranks)
{
	struct counter *c = &counted[t - tasks];
	const gaspdb_entity_t entity =
		gaspdb_associated(&task_names, (uintptr_t)t->name);
	const double outer = MPI_Wtime();
	double inner;

	gaspdb_entity_begin(entity);
	inner = MPI_Wtime();
	compute(t->rounds * (rank + 1));
	if (t->exchanges) {
		exchange(rank, ranks);
		c->messages++;
	}
	c->inner += MPI_Wtime() - inner;
	gaspdb_entity_end(entity);
	c->outer += MPI_Wtime() - outer;
	c->packets++;
}

static void make_entities(void)
{
	for (int i = 0; i < TASKS; i++) {
		const gaspdb_entity_t e =
			gaspdb_entity_create("task", tasks[i].name, 0);

		gaspdb_entity_text(e, "component", tasks[i].component);
		gaspdb_entity_int(e, "rounds", tasks[i].rounds);
		gaspdb_entity_real(e, "exchanges", tasks[i].exchanges / 2.0);
		gaspdb_associate(&task_names, (uintptr_t)tasks[i].name, e);
	}
}

int main(int argc, char **argv)
{
	int rank, ranks;

	make_entities(); /* before MPI_Init, too */
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	for (int step = 0; step < STEPS; step++) {
		/* The packets of all tasks in turn. */
		for (int i = 0; i < PACKETS * TASKS; i++)
			run_packet(&tasks[i % TASKS], rank, ranks);
		MPI_Barrier(MPI_COMM_WORLD);
	}
	for (int i = 0; i < TASKS; i++)
		printf("rank %d task %d packets %ld messages %ld inner_ns %.0f "
		       "outer_ns %.0f\n",
		       rank, i, counted[i].packets, counted[i].messages,
		       counted[i].inner * 1e9, counted[i].outer * 1e9);
	MPI_Finalize();
	return 0;
}
