/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The profile of the rest of a trace, by hand: calls that the trace began. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "collector/core/event.h"

enum { MAIN, WORK, PUT, PHASE, RECEIVE, N_OPS };
#define FROM 1000 /* the trace's end */

static struct gaspdb_context *c;
static struct gaspdb_op_state op[N_OPS];
static struct gaspdb_site site[N_OPS];

static void make(unsigned i, bool runtime, bool overlay)
{
	op[i] = (struct gaspdb_op_state){ .id = i + 1,
					  .runtime = runtime,
					  .overlay = overlay };
	site[i] = (struct gaspdb_site){ .op = &op[i], .id = i + 1 };
}

static int begin(void **state)
{
	(void)state;
	make(MAIN, false, false);
	make(WORK, false, false);
	make(PUT, true, false);
	make(PHASE, false, true);
	make(RECEIVE, true, false);
	gaspdb_moves_read(&op[RECEIVE].moves, "receive", "posted_peer:i",
			  "peer:i tag:i bytes:z");
	for (uint8_t k = 0; k < 3; k++)
		op[RECEIVE].plan[GASPDB_PHASE_END].step[k].from = k;
	c = calloc(1, sizeof *c);
	c->live = c->on = c->profile_only = true;
	gaspdb_sites_init(c);
	if (!gaspdb_profile_begin_apart(c))
		return -1;
	c->profile->from = FROM;
	return 0;
}

static int end(void **state)
{
	(void)state;
	gaspdb_profile_free(c);
	free(c);
	return 0;
}

static void start(unsigned i, uint64_t ticks)
{
	gaspdb_profile_event(c, GASPDB_PHASE_START, &site[i], ticks, 0, NULL);
}

static void stop(unsigned i, uint64_t ticks)
{
	gaspdb_profile_event(c, GASPDB_PHASE_END, &site[i], ticks, 0, NULL);
}

/* The node of a number, which is an operation's below a parent (0: none). */
static const struct gaspdb_node_cell *node(uint32_t number, unsigned i,
					   uint32_t parent)
{
	const struct gaspdb_node_cell *n = gaspdb_cell_of(c->profile, number);

	assert_int_equal(n->kind, GASPDB_CELL_NODE);
	assert_int_equal(n->site, i + 1);
	assert_int_equal(n->parent, parent);
	assert_int_equal(n->sequence & 1, 0);
	return n;
}

static void assert_sums(const struct gaspdb_node_cell *n, uint64_t count,
			uint64_t carried, uint64_t total, uint64_t child)
{
	assert_int_equal(n->count, count);
	assert_int_equal(n->carried, carried);
	assert_int_equal(n->total, total);
	assert_int_equal(n->child, child);
	if (!count)
		assert_true(n->least == UINT64_MAX && !n->most &&
			    n->squares == 0);
}

/* main and work are open; work ends at 1100, and is called again 1200..1250. */
static void functions(void **state)
{
	(void)state;
	gaspdb_profile_carry(c, &site[MAIN]);
	gaspdb_profile_carry(c, &site[WORK]);
	assert_int_equal(node(1, MAIN, 0)->open, FROM);
	start(PUT, 1010);
	stop(PUT, 1030);
	stop(WORK, 1100);
	start(WORK, 1200);
	stop(WORK, 1250);
	stop(MAIN, 1300);
	assert_sums(node(1, MAIN, 0), 0, 1, 300, 150);
	assert_sums(node(2, WORK, 1), 1, 1, 150, 20);
	assert_int_equal(node(2, WORK, 1)->carried_ticks, 100);
	assert_int_equal(node(2, WORK, 1)->least, 50);
	assert_sums(node(3, PUT, 2), 1, 0, 20, 0);
	assert_int_equal(c->profile->head->lost, 0);
}

/* A put and, around it, a phase in main end without nodes: what came since in
   main is the put's, and the phase's too, but main's child time is once. */
static void without_nodes(void **state)
{
	(void)state;
	gaspdb_profile_carry(c, &site[MAIN]);
	start(WORK, 1010);
	stop(WORK, 1040);
	stop(PUT, 1100);
	start(WORK, 1110);
	stop(WORK, 1120);
	stop(PHASE, 1200);
	stop(MAIN, 1300);
	assert_sums(node(3, PUT, 1), 0, 1, 100, 30);
	assert_sums(node(4, PHASE, 1), 0, 1, 200, 110);
	assert_sums(node(1, MAIN, 0), 0, 1, 300, 110);
	assert_sums(node(2, WORK, 1), 2, 0, 40, 0);
}

/* A put ends within work, which began after it: of work's 50 ticks, 20 are the
   put's, and all are below main. */
static void crossing(void **state)
{
	(void)state;
	gaspdb_profile_carry(c, &site[MAIN]);
	start(WORK, 1030);
	stop(PUT, 1050);
	stop(WORK, 1080);
	stop(MAIN, 1100);
	assert_sums(node(3, PUT, 1), 0, 1, 50, 20);
	assert_sums(node(1, MAIN, 0), 0, 1, 100, 80);
}

/* Two calls of an operation, one begun before, one after: the innermost ends
   first. */
static void recursion(void **state)
{
	(void)state;
	start(PUT, 1010);
	stop(PUT, 1020);
	stop(PUT, 1100);
	stop(PUT, 1200);
	assert_sums(node(1, PUT, 0), 1, 2, 10 + 100 + 200, 10 + 100);
	assert_int_equal(c->profile->head->events, 4);
}

/* A blocking receive's END has what it got. */
static void received(void **state)
{
	static const uint64_t values[] = { 3, 7, 800 };

	(void)state;
	assert_false(gaspdb_profile_has_node(c->profile, &op[RECEIVE]));
	gaspdb_profile_event(c, GASPDB_PHASE_END, &site[RECEIVE], 1100, 3,
			     values);
	assert_sums(node(1, RECEIVE, 0), 0, 1, 100, 0);
	assert_int_equal(node(1, RECEIVE, 0)->bytes, 800);
	start(RECEIVE, 1200);
	assert_true(gaspdb_profile_has_node(c->profile, &op[RECEIVE]));
}

/* Functions beyond the cells: their time since is the one node's. */
static void overflow(void **state)
{
	const struct gaspdb_node_cell *kept;

	(void)state;
	c->full = true; /* no further block */
	for (int i = 0; i < 520; i++)
		gaspdb_profile_carry(c, &site[i % 2 ? WORK : MAIN]);
	assert_int_equal(c->profile->over, 10);
	start(PUT, 1010);
	stop(PUT, 1020);
	for (int i = 0; i < 10; i++)
		stop(WORK, 1100 + (uint64_t)i);
	kept = gaspdb_cell_of(c->profile, GASPDB_CELL_KEPT);
	assert_sums(kept, 1, 10, 109, 0);
	assert_int_equal(kept->open, 0);
	start(PUT, 1200);
	stop(PUT, 1203);
	assert_int_equal(kept->count, 2);
	assert_int_equal(c->profile->over, 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(functions), TEST(without_nodes), TEST(crossing),
		TEST(recursion), TEST(received),      TEST(overflow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
