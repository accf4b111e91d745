/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes tests/fuzz/corpus from constructed logs: make fuzz-corpus. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/order/swap.h"
#include "tests/unit/util_archive.h"
#include "tests/unit/util_damage.h"
#include "tests/unit/util_log.h"

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
					    cmocka_unit_test(archives) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
