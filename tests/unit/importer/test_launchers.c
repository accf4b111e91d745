/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranks of processes that were killed before they learnt theirs, by what their
   launchers say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collector/log/log_format.h"
#include "tests/unit/util_db.h"
#include "tests/unit/util_log.h"

/* Two of four ranks were killed before they learnt their ranks: what the
   launcher says of them holds, unless it says the same of both, or is wrong of
   another process. */
static void by_launcher(void **state)
{
	static const struct {
		const char *said[4], *pids;
	} cases[] = {
		{ { "0", "1", "3", "2" }, "0|100\n1|101\n2|103\n3|102\n" },
		{ { NULL, NULL, "3", NULL }, "0|100\n1|101\n2|103\n3|102\n" },
		{ { "0", "1", "0", "0" }, "0|100\n1|101\n2|102\n3|103\n" },
		{ { "0", "0", "3", "2" }, "0|100\n1|101\n2|102\n3|103\n" },
		{ { "0", "1", "3", "3" }, "0|100\n1|101\n2|102\n3|103\n" },
		{ { "0", "1", "99", "2" }, "0|100\n1|101\n2|103\n3|102\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *run = run_new();
		sqlite3 *db;

		for (unsigned k = 0; k < 4; k++) {
			struct log *l = log_new("node", 100 + k, 0);

			if (cases[i].said[k])
				log_meta(l, "launcher_rank", cases[i].said[k]);
			log_meta(l, "job", "a");
			if (k < 2) {
				log_meta(l, "rank", k ? "1" : "0");
				log_meta(l, "ranks", "4");
			}
			log_call(l, 10, 20,
				 log_plain(l, "f", "function", "computation",
					   1));
			log_close(l);
			run_add(run, l);
		}
		db = run_open(run);
		assert_string_equal(db_rows(db, "SELECT rank, pid FROM thread"),
				    cases[i].pids);
		db_close(db);
		run_remove(run);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_launcher),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
