/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums by key: found again, and brought into the order of their keys. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/rows/groups.h"

enum { KEYS = 3, VALUES = 2 };

static int64_t random_key(int64_t below, int special)
{
	static const int64_t specials[] = { GASPDB_NONE, INT64_MAX, -INT64_MAX,
					    -1 };

	if (special && random() % 8 == 0)
		return specials[random() % special];
	return random() % below;
}

/* So many keys; special: how many of the special ones may be among them. */
static void check(size_t n, int64_t below, int special)
{
	struct gaspdb_run run = { 0 };
	struct gaspdb_groups g;

	gaspdb_groups_init(&g, KEYS, VALUES);
	for (size_t i = 0; i < n; i++) {
		const int64_t keys[KEYS] = { random_key(below, special),
					     random_key(2, special),
					     random_key(below, special) };
		int64_t *values = gaspdb_group(&run, &g, keys);

		assert_non_null(values);
		values[0]++;
		values[1] = keys[0] ^ keys[1] ^ keys[2];
	}
	gaspdb_groups_sort(&g);
	for (size_t i = 0; i < g.n; i++) {
		const int64_t *row = gaspdb_groups_row(&g, i);
		const int64_t *before = gaspdb_groups_row(&g, i ? i - 1 : 0);
		size_t k = 0;

		n -= (size_t)row[KEYS];
		assert_true(row[KEYS + 1] == (row[0] ^ row[1] ^ row[2]));
		while (i && before[k] == row[k])
			assert_true(++k < KEYS);
		assert_true(!i || before[k] < row[k]);
	}
	assert_int_equal(n, 0);
	gaspdb_groups_fini(&g);
}

static void test_order(void **state)
{
	static const size_t sizes[] = { 0, 1, 2, 10, 100, 10000 };

	(void)state;
	srandom(20063);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		check(sizes[i], 1, 0);
		check(sizes[i], 1000, 0);
		check(sizes[i], 1000, 1);
		check(sizes[i], 1000, 4);
		check(sizes[i], INT64_C(1) << 31, 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
