/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two ranks that give numbers with user events (pupc.h): residuals that halve,
 * (rank + 1) / 2^i in iteration i, 0.1 s apart; values at the start and the end
 * of an event; formats of many kinds.
 */
#include <math.h>
#include <mpi.h>
#include <pupc.h>
#include <stddef.h>
#include <time.h>
#include <wchar.h>

enum { ITERATIONS = 4 };

static void solve(int rank)
{
	unsigned solver =
		pupc_create_event("solver", "residual %g, iteration %d");
	double residual = rank + 1, all;

	for (int i = 0; i < ITERATIONS; i++, residual /= 2) {
		MPI_Allreduce(&residual, &all, 1, MPI_DOUBLE, MPI_SUM,
			      MPI_COMM_WORLD);
		pupc_event_atomic(solver, residual, i);
		nanosleep(&(struct timespec){ 0, 100000000 }, NULL);
	}
	if (rank == 0) {
		pupc_event_atomic(solver, (double)NAN, 10);
		pupc_event_atomic(solver, (double)INFINITY, 10);
		pupc_event_atomic(solver, -(double)INFINITY, 10);
	}
}

/* Values at the start and at the end of an event. */
static void queue(int rank)
{
	unsigned event = pupc_create_event("queue", "length=%zu");

	pupc_event_start(event, (size_t)(10 + rank));
	pupc_event_end(event, (size_t)(20 + 3 * rank));
}

static void formats(void)
{
	unsigned positions =
		pupc_create_event("positions", "%2$s at %1$d of %3$ld");
	unsigned sizes = pupc_create_event(
		"sizes", "%hhd %hd %hhu %hu %ld %lld %jd %zu %td %qd %Lg");
	unsigned texts = pupc_create_event("texts", "%ls %.3ls %.*s %.2s %s");
	unsigned skipped = pupc_create_event("skipped", "%m %% %d %n %*d %lc");
	unsigned cut = pupc_create_event("cut", "%d %y %d");
	char unended[3] = { 'a', 'b', 'c' };
	int written;

	pupc_event_atomic(positions, 7, "place", 9L);
	pupc_event_atomic(sizes, 257 + 128, 65536 + 32768, -1, -1, -5L, -6LL,
			  (intmax_t)-7, (size_t)8, (ptrdiff_t)-9, -10LL, 0.5L);
	pupc_event_atomic(texts, L"gr\u00f6\u00dfe \U0001f600", L"\u00f6\u00df",
			  3, unended, unended, "end");
	pupc_event_atomic(skipped, 1, &written, 5, 2, (wint_t)L'\u00f6');
	pupc_event_atomic(cut, 3, 4, 5);
}

int main(int argc, char **argv)
{
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	solve(rank);
	queue(rank);
	if (rank == 0)
		formats();
	MPI_Finalize();
	return 0;
}
