/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mklogs DIRECTORY LOGS EVENTS [loops|messages|barriers|late]: a run of LOGS
 * ranks with EVENTS raw events in all, always the same.  Two of five calls
 * have three arguments, each at any of 1,022 lines at random, which no program
 * does; with loops: at 40 lines, round loops of ten; with messages: sends and
 * receives round a ring, completed by waits, and barriers; with barriers: one
 * of all ranks after nine of each rank alone; with late: 40 s of turns, each an
 * exchange with neighbours and a reduction of all, for which one rank is late;
 * on hosts of 64 ranks, one of them slow, and with ranks that write files.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/unit/util_log.h"

#define BLOCK 4000 /* events */

enum { LOOPS = 4, LOOP_LINES = 10, LOOP_TURNS = 5 };

static uint64_t seed = 1;

static uint64_t below(uint64_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (seed >> 11) % n;
}

/* The line of a call: turns of the first loop, of the second ..., and again. */
static unsigned line_in_loops(int64_t call)
{
	const int64_t turn = call / LOOP_LINES, loop = turn / LOOP_TURNS;

	return (unsigned)(loop % LOOPS * LOOP_LINES + call % LOOP_LINES);
}

static void calls(struct log *l, int64_t rank, int64_t ranks, int64_t events,
		  bool loops)
{
	unsigned get =
		log_op(l, "get", "get", "communication",
		       "bytes:z peer:i where:p", "bytes:z state:i where:p");
	unsigned fence = log_op(l, "fence", "fence", "synchronization", "", "");
	const unsigned n = loops ? LOOPS * LOOP_LINES : LOG_SITES - 2;
	unsigned sites[LOG_SITES - 2];
	uint64_t t = 0;

	for (unsigned i = 0; i < n; i++)
		sites[i] = log_site(l, i % 5 < 2 ? get : fence, "a.c", i + 1);
	for (int64_t i = 0; i < events; i += 2) {
		const unsigned at =
			loops ? line_in_loops(i / 2) : (unsigned)below(n);
		const unsigned site = sites[at];
		const int64_t bytes = (int64_t)below(1 << 16);
		const int64_t where = 0x700000 + (int64_t)below(1 << 20);

		t += below(300);
		if (at % 5 < 2) {
			log_start(l, t, site,
				  ARGS(bytes, (rank + 1) % ranks, where));
			t += below(300);
			log_end(l, t, site, ARGS(bytes, i, where));
		} else {
			log_call(l, t, t + 100, site);
			t += 100;
		}
		if (i % BLOCK == 0)
			log_block(l, t);
	}
}

/* Of each ten events: a receive and a send that are posted, and their waits;
   now and then a barrier. */
static void messages(struct log *l, int64_t rank, int64_t ranks, int64_t events)
{
	unsigned receive =
		log_site(l,
			 log_op(l, "MPI_Irecv", "receive_nb", "communication",
				"posted_peer:i posted_tag:i limit:z team:u",
				"request:u"),
			 "a.c", 1);
	unsigned send =
		log_site(l,
			 log_op(l, "MPI_Isend", "send_nb", "communication",
				"peer:i tag:i bytes:z team:u", "request:u"),
			 "a.c", 2);
	unsigned wait = log_site(
		l, log_op(l, "MPI_Wait", "wait", "synchronization", "", ""),
		"a.c", 3);
	unsigned barrier =
		log_site(l,
			 log_op(l, "MPI_Barrier", "barrier", "synchronization",
				"team:u sequence:u", ""),
			 "a.c", 4);
	const int64_t to = (rank + 1) % ranks,
		      from = (rank + ranks - 1) % ranks;
	uint64_t t = 0, request = 0, sequence = 0;

	log_team(l, 1, 0, 0, rank, (uint64_t)ranks, "world", "world", 0);
	if (rank == 0)
		log_members(l, 1, 0, 0, 1, (uint64_t)ranks);
	for (int64_t i = 0; i < events; i += 8) {
		const int64_t bytes = (int64_t)(i % 8192), tag = i / 8 % 7;
		const uint64_t turn = sequence * 200000 + i / 8 % 100 * 1900;

		if (i % BLOCK == 0)
			log_block(l, t);
		t = turn + below(600);
		log_start(l, t += 100, receive, ARGS(from, tag, 1 << 20, 1));
		log_end(l, t += 100, receive, ARGS((int64_t)request + 1));
		log_start(l, t += 100, send, ARGS(to, tag, bytes, 1));
		log_end(l, t += 100, send, ARGS((int64_t)request + 2));
		/* What is sent in a turn arrives in it. */
		for (int k = 0; k < 2; k++) {
			log_start(l, t += 100, wait, NONE);
			if (t < turn + 1000)
				t = turn + 1000;
			log_complete(l, ++request, 0, !k, k ? to : from, tag,
				     (uint64_t)bytes, 0);
			log_end(l, t += 100 + below(200), wait, NONE);
		}
		if (i / 8 % 100 < 99)
			continue;
		log_start(l, t += 100, barrier, ARGS(1, (int64_t)sequence++));
		t = sequence * 200000; /* all leave together */
		log_end(l, t, barrier, NONE);
	}
}

static void barriers(struct log *l, int64_t rank, int64_t ranks, int64_t events)
{
	unsigned barrier =
		log_site(l,
			 log_op(l, "MPI_Barrier", "barrier", "synchronization",
				"team:u sequence:u", ""),
			 "a.c", 1);
	uint64_t t = 0, all = 0, alone = 0;

	log_team(l, 1, 0, 0, rank, (uint64_t)ranks, "world", "world", 0);
	if (rank == 0)
		log_members(l, 1, 0, 0, 1, (uint64_t)ranks);
	log_team(l, 2, 1, 1, 0, 1, "self", "self", rank);
	log_members(l, 2, 0, rank, 1, 1);
	for (int64_t i = 0; i < events; i += 2) {
		if (i % BLOCK == 0)
			log_block(l, t);
		if (i % 20 == 18) {
			log_start(l, t += 100 + below(100), barrier,
				  ARGS(1, (int64_t)all++));
			t = all * 10000; /* all leave together */
		} else {
			log_start(l, t += 100 + below(100), barrier,
				  ARGS(2, (int64_t)alone++));
			t += below(100);
		}
		log_end(l, t, barrier, NONE);
	}
}

/* --- one rank is late ------------------------------------------------------
 */

enum { HOST_RANKS = 64, SLOW_HOST = 31, WRITERS = 79, WRITE_TURNS = 5 };

/* When a rank comes to the reduction of a turn, in thousandths of the turn. */
static uint64_t comes_at(int64_t rank, int64_t ranks, int64_t turn, bool writes)
{
	if (rank == ranks * 7213 / 10000 && turn % 36)
		return 880;
	if (ranks > HOST_RANKS * SLOW_HOST && rank / HOST_RANKS == SLOW_HOST)
		return 700 + below(100);
	if (writes)
		return 620 + below(80);
	if (rank < ranks / 50 || rank >= ranks - ranks / 50)
		return 550 + below(100);
	return 400 + below(200);
}

static void late(struct log *l, int64_t rank, int64_t ranks, int64_t events)
{
	unsigned exchange = log_site(
		l,
		log_op(l, "MPI_Sendrecv", "send_receive", "communication",
		       "peer:i tag:i bytes:z posted_peer:i posted_tag:i "
		       "limit:z team:u",
		       "receive_peer:i receive_tag:i bytes_received:z error:i"),
		"halo.c", 88);
	unsigned reduce = log_site(
		l,
		log_op(l, "MPI_Allreduce", "all_to_all", "communication",
		       "team:u sequence:u bytes:z bytes_received:z", ""),
		"solve.c", 412);
	unsigned file = log_site(l,
				 log_op(l, "MPI_File_write", "file_write", "io",
					"team:u bytes:z", ""),
				 "out.c", 51);
	const int64_t turns = events / 4;
	const uint64_t unit = UINT64_C(40000000) / (uint64_t)turns + 1;
	const int64_t to = (rank + 1) % ranks,
		      from = (rank + ranks - 1) % ranks;

	log_team(l, 1, 0, 0, rank, (uint64_t)ranks, "world", "world", 0);
	if (rank == 0)
		log_members(l, 1, 0, 0, 1, (uint64_t)ranks);
	for (int64_t turn = 0; turn < turns; turn++) {
		const uint64_t t = (uint64_t)turn * 1000 * unit;
		const bool writes = rank % WRITERS == 0 && ranks > WRITERS &&
				    turn % WRITE_TURNS == 0;

		if (turn % (BLOCK / 4) == 0)
			log_block(l, t);
		log_start(l, t + (180 + below(30)) * unit, exchange,
			  ARGS(to, 1, 8192, from, 1, 8192, 1));
		log_end(l, t + (215 + below(20)) * unit, exchange,
			ARGS(from, 1, 8192, 0));
		if (writes) {
			log_start(l, t + 450 * unit, file, ARGS(1, 1 << 20));
			log_end(l, t + 600 * unit, file, NONE);
		}
		log_start(l, t + comes_at(rank, ranks, turn, writes) * unit,
			  reduce, ARGS(1, turn, 8, 8));
		log_end(l, t + 910 * unit, reduce, NONE); /* all together */
	}
}

static struct log *new_log(int64_t rank, int64_t ranks)
{
	struct log *l = log_rank((int)rank, (int)ranks);

	if (ranks > HOST_RANKS)
		snprintf(l->host, sizeof l->host, "n%03d",
			 (int)(rank / HOST_RANKS));
	return l;
}

int main(int argc, char **argv)
{
	if (argc < 4) {
		fputs("usage: mklogs DIRECTORY LOGS EVENTS "
		      "[loops|messages|barriers|late]\n",
		      stderr);
		return 2;
	}
	const int64_t ranks = atoll(argv[2]);
	const int64_t events = atoll(argv[3]) / ranks;

	mkdir(argv[1], 0777);
	for (int64_t rank = 0; rank < ranks; rank++) {
		const char *kind = argc > 4 ? argv[4] : "";
		const bool is_late = !strcmp(kind, "late");
		struct log *l = is_late ? new_log(rank, ranks)
					: log_rank((int)rank, (int)ranks);

		if (!strcmp(kind, "barriers"))
			barriers(l, rank, ranks, events);
		else if (!strcmp(kind, "messages"))
			messages(l, rank, ranks, events);
		else if (is_late)
			late(l, rank, ranks, events);
		else
			calls(l, rank, ranks, events, !strcmp(kind, "loops"));
		log_close(l);
		run_add(argv[1], l);
	}
	return 0;
}
