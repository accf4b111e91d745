/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes tests/fuzz/corpus from constructed logs: make fuzz-corpus. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/order/swap.h"
#include "tests/unit/util_archive.h"
#include "tests/unit/util_damage.h"
#include "tests/unit/util_log.h"
#include "tests/unit/util_profile.h"

static void logs(void **state)
{
	struct log *killed = log_rank(0, 1), *big = damage_rich_log(0);
	unsigned put = log_plain(killed, "put", "put", "communication", 1);

	(void)state;
	for (int rank = 0; rank < 2; rank++) {
		struct log *l = damage_rich_log(rank);

		run_add_bytes("tests/fuzz/corpus/log", rank ? "b" : "a",
			      l->bytes, l->n);
	}
	log_start(killed, 1, put, NONE);
	log_kill(killed, 64);
	run_add_bytes("tests/fuzz/corpus/log", "killed", killed->bytes,
		      killed->n);
	assert_true(swap_log(killed->bytes, killed->n));
	run_add_bytes("tests/fuzz/corpus/log", "big_endian_killed",
		      killed->bytes, killed->n);
	assert_true(swap_log(big->bytes, big->n));
	run_add_bytes("tests/fuzz/corpus/log", "big_endian", big->bytes,
		      big->n);
}

enum { HEAD = 80, CELL = 128, CELLS = 7 };

/* A profile of calls in calls, with traffic, a phase and an open call. */
static struct profile *profile_of(struct log *l)
{
	struct profile *p = profile_new(NULL);
	unsigned f = log_plain(l, "f", "function", "computation", 1);
	unsigned barrier =
		log_plain(l, "MPI_Barrier", "barrier", "synchronization", 2);
	unsigned send = log_site(l,
				 log_op(l, "MPI_Send", "send", "communication",
					"peer:i bytes:z", ""),
				 "a.c", 3);
	unsigned step = log_plain(l, "step", "user", "none", 4);

	p->is_overlay[step] = true;
	profile_start(p, 10, f, NONE);
	profile_start(p, 20, step, NONE);
	profile_call(p, 30, 60, barrier);
	profile_moves(p, 70, 90, send, 0, 1, 100);
	profile_end(p, 95, step, NONE);
	profile_call(p, 100, 110, barrier);
	profile_start(p, 120, barrier, NONE);
	return p;
}

/* Its cells in use alone: a whole block is beyond what is fuzzed. */
static void profiles(void **state)
{
	static const char *const names[] = { "profile", "big_endian_profile",
					     "profile_killed" };

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct log *l = log_rank(0, 3);
		struct profile *p = profile_of(l);
		unsigned char *payload;
		size_t n;

		log_meta(l, "mode", "profile");
		payload = profile_payload(p, l, &n);
		assert_true(n > HEAD + CELLS * CELL);
		log_cells(l, 130, payload, HEAD + CELLS * CELL, i < 2);
		if (i < 2)
			log_close(l);
		else
			log_kill(l, 64);
		assert_true(i != 1 || swap_log(l->bytes, l->n));
		run_add_bytes("tests/fuzz/corpus/log", names[i], l->bytes,
			      l->n);
		log_free(l);
		profile_free(p);
		free(payload);
	}
}

/* A log of another host: readings of the clocks of both, and a message. */
static void clock_log(const char *folder, const char *name, int rank)
{
	struct log *l = rank ? log_new("other", 102, 0) : log_rank(0, 3);
	const unsigned op =
		log_op(l, rank ? "MPI_Recv" : "MPI_Send",
		       rank ? "receive" : "send", "communication",
		       rank ? "posted_peer:i posted_tag:i team:u"
			    : "peer:i tag:i team:u",
		       "");
	const unsigned site = log_site(l, op, "a.c", 1);

	if (rank) {
		log_meta(l, "rank", "2");
		log_meta(l, "ranks", "3");
		log_meta(l, "model", "MPI");
	}
	log_meta(l, "host", rank ? "other" : "node");
	log_team(l, 1, 0, 0, rank, 3, "world", "WORLD", 0);
	for (uint64_t t = 0; t < 3000; t += 1000) {
		log_tool(l, t, t + 100);
		for (uint64_t i = 0; i < 3; i++)
			log_numbers(l, 49, 5,
				    (uint64_t[]){ rank ? 0 : 2,
						  LOG_BASE + t + 10 * i,
						  LOG_BASE + t + 10 * i + 7,
						  LOG_BASE + t + 10 * i + 8,
						  LOG_BASE + t + 10 * i + 9 });
		log_start(l, t + 200, site, ARGS(rank ? 0 : 2, 5, 1));
		log_end(l, t + 300, site, NONE);
		log_block(l, t + 400);
	}
	log_close(l);
	run_add_bytes(folder, name, l->bytes, l->n);
	log_free(l);
}

static void clocks(void **state)
{
	(void)state;
	clock_log("tests/fuzz/corpus/log", "clocks", 0);
	clock_log("tests/fuzz/corpus/beside", "other-102-0.gasplog", 2);
}

static void archives(void **state)
{
	static const char *const names[] = {
		"a.tar",     "a.tar.gz", "a.tar.xz",   "a.tar.zst",
		"a.tar.bz2", "a.zip",	 "stored.zip", "a.tar.lzma",
		"a.tar.lz",  "a.7z",	 "a.cpio"
	};
	struct log *l = log_rank(0, 1);
	char path[100];

	(void)state;
	log_call(l, 1, 2, log_plain(l, "f", "function", "computation", 1));
	log_close(l);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct archive_file *a;

		snprintf(path, sizeof path, "tests/fuzz/corpus/archive/%s",
			 names[i]);
		a = archive_begin(path);
		archive_add(a, "r/node-1-0.gasplog", l->bytes, l->n);
		archive_add(a, "r/lines.tsv", "a\tb\n", 4);
		if (i == 0)
			archive_add_link(a, "r/l.gasplog", AE_IFLNK, "x");
		archive_end();
	}
	archive_pack("tests/fuzz/corpus/archive/a.gasplog.gz", l->bytes, l->n);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(logs),
					    cmocka_unit_test(profiles),
					    cmocka_unit_test(clocks),
					    cmocka_unit_test(archives) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
