/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The collector's profile: nodes, traffic and cells by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/core/event.h"

enum { MAIN, WORK, PUT, PHASE, COPY, N_OPS };
#define SITES 3000

static struct gaspdb_context *c;
static struct gaspdb_op_state op[N_OPS];
static struct gaspdb_site site[SITES];

/* Arguments are at their index in the layout. */
static void make_op(unsigned i, const char *type, const char *layout)
{
	op[i] = (struct gaspdb_op_state){ .id = i + 1 };
	op[i].overlay = !strcmp(type, "user");
	op[i].runtime = strcmp(type, "user") && strcmp(type, "function");
	gaspdb_moves_read(&op[i].moves, type, layout, "");
	for (uint8_t k = 0; k < 8; k++)
		op[i].plan[GASPDB_PHASE_START].step[k].from = k;
}

static void make_site(unsigned i, unsigned operation)
{
	unsigned char id[GASPDB_VARINT_MAX] = { 0 };

	gaspdb_put_varint(id, i + 1);
	site[i] = (struct gaspdb_site){ .op = &op[operation] };
	site[i].id = (uint32_t)(id[0] | id[1] << 8 | id[2] << 16);
}

static int begin(void **state)
{
	(void)state;
	gaspdb_mode = GASPDB_MODE_PROFILE;
	make_op(MAIN, "function", "");
	make_op(WORK, "function", "");
	make_op(PUT, "put", "peer:i object:p bytes:z");
	make_op(PHASE, "user", "");
	make_op(COPY, "copy",
		"target:p target_thread:i source:p "
		"source_thread:i bytes:z");
	for (unsigned i = 0; i < SITES; i++)
		make_site(i, i < N_OPS ? i : WORK);
	c = calloc(1, sizeof *c);
	c->live = c->on = c->profile_only = true;
	gaspdb_sites_init(c);
	return gaspdb_profile_begin_apart(c) ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	gaspdb_profile_free(c);
	free(c);
	gaspdb_mode = GASPDB_MODE_TRACE;
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

/* The child of a node (0: of none) at a site; the test fails without one. */
static const struct gaspdb_node_cell *child_of(uint32_t parent, unsigned i,
					       uint32_t *number)
{
	const uint32_t used =
		GASPDB_CELLS_PER_BLOCK * (c->profile->n_blocks - 1) +
		((struct gaspdb_profile_head
			  *)(void *)(c->profile->block[c->profile->n_blocks - 1]
					     .map.at +
				     GASPDB_BH_BYTES))
			->used;

	for (uint32_t n = 1; n <= used; n++) {
		const struct gaspdb_node_cell *cell =
			gaspdb_cell_of(c->profile, n);

		if (cell->kind != GASPDB_CELL_NODE || cell->parent != parent ||
		    cell->site != i + 1)
			continue;
		*number = n;
		return cell;
	}
	fail_msg("no node below %u at site %u", parent, i);
	return NULL;
}

static void assert_node(const struct gaspdb_node_cell *n, uint64_t count,
			uint64_t total, uint64_t child)
{
	assert_int_equal(n->count, count);
	assert_int_equal(n->total, total);
	assert_int_equal(n->child, child);
	assert_int_equal(n->sequence & 1, 0);
}

/* main 100..200: work 110..120 and 130..160, in the latter main 140..150. */
static void tree(void **state)
{
	const struct gaspdb_node_cell *outer, *work, *inner;
	uint32_t at;

	(void)state;
	start(MAIN, 100);
	start(WORK, 110);
	stop(WORK, 120);
	start(WORK, 130);
	start(MAIN, 140);
	stop(MAIN, 150);
	stop(WORK, 160);
	outer = child_of(0, MAIN, &at);
	assert_int_equal(outer->open, 100);
	assert_int_equal(outer->least, UINT64_MAX);
	stop(MAIN, 200);
	assert_node(outer, 1, 100, 40);
	assert_int_equal(outer->open, 0);
	work = child_of(at, WORK, &at);
	assert_node(work, 2, 40, 10);
	assert_int_equal(work->least, 10);
	assert_int_equal(work->most, 30);
	assert_true(work->squares > 999.9 && work->squares < 1000.1);
	inner = child_of(at, MAIN, &at);
	assert_node(inner, 1, 10, 0);
	assert_int_equal(c->profile->head->events, 8);
	assert_int_equal(c->profile->head->first, 100);
	assert_int_equal(c->profile->head->last, 200);
}

/* main 0+10..50, work 20..70: 30 of work's 50 are main's. */
static void crossing(void **state)
{
	const struct gaspdb_node_cell *outer, *main_, *work, *put;
	uint32_t root, at;

	(void)state;
	start(PUT, 1);
	start(MAIN, 10);
	start(WORK, 20);
	stop(MAIN, 50);
	stop(WORK, 70);
	start(COPY, 80);
	stop(COPY, 90);
	stop(PUT, 100);
	outer = child_of(0, PUT, &root);
	main_ = child_of(root, MAIN, &at);
	work = child_of(at, WORK, &at);
	put = child_of(root, COPY, &at);
	assert_node(main_, 1, 40, 30);
	assert_node(work, 1, 50, 0);
	assert_node(put, 1, 10, 0);
	/* 10..70 and 80..90, each tick once */
	assert_node(outer, 1, 99, 70);
}

/* A phase takes no time from main, and the call in it counts for both. */
static void user_events(void **state)
{
	const struct gaspdb_node_cell *outer, *phase, *work;
	uint32_t at;

	(void)state;
	start(MAIN, 10);
	start(PHASE, 20);
	start(WORK, 30);
	stop(PHASE, 40);
	stop(WORK, 60);
	stop(MAIN, 100);
	outer = child_of(0, MAIN, &at);
	phase = child_of(at, PHASE, &at);
	work = child_of(at, WORK, &at);
	assert_node(phase, 1, 20, 10);
	assert_node(work, 1, 30, 0);
	assert_node(outer, 1, 90, 30);
}

static void lost_ends(void **state)
{
	uint32_t at;

	(void)state;
	stop(MAIN, 5);
	start(MAIN, 10);
	stop(WORK, 20);
	assert_int_equal(c->profile->head->lost, 2);
	start(PUT, 30);
	start(PHASE, 40);
	gaspdb_profile_left(c, 50);
	assert_node(child_of(0, MAIN, &at), 0, 0, 20);
	assert_node(child_of(at, PUT, &at), 1, 20, 0);
	assert_int_equal(child_of(at, PHASE, &at)->open, 40);
	assert_int_equal(c->profile->at->cell->open, 40);
}

/* Time off, and the collector's own, is the innermost call's least of all. */
static void away(void **state)
{
	uint32_t at;

	(void)state;
	start(MAIN, 10);
	gaspdb_profile_tool(c, 20, 50);
	stop(MAIN, 110);
	assert_node(child_of(0, MAIN, &at), 1, 100, 30);
	assert_int_equal(c->profile->head->tool, 30);
}

static void torn(void **state)
{
	struct gaspdb_node_cell *cell;
	uint32_t at;

	(void)state;
	start(MAIN, 10);
	stop(MAIN, 20);
	cell = (struct gaspdb_node_cell *)(uintptr_t)child_of(0, MAIN, &at);
	assert_int_equal(cell->sequence, 2);
	gaspdb_cell_begin(&cell->sequence); /* left by a longjmp */
	assert_int_equal(cell->sequence, 3);
	start(MAIN, 30);
	stop(MAIN, 40);
	assert_int_equal(cell->sequence, 4);
}

static void put_to(int64_t peer, uint64_t bytes, uint64_t ticks)
{
	gaspdb_profile_event(c, GASPDB_PHASE_START, &site[PUT], ticks, 3,
			     (uint64_t[]){ (uint64_t)peer, 0, bytes });
	stop(PUT, ticks + 5);
}

static void assert_entry(const struct gaspdb_traffic_entry *e, uint32_t peer,
			 uint32_t size, uint32_t way, uint64_t count,
			 uint64_t bytes, uint64_t ticks)
{
	assert_int_equal(e->peer, peer);
	assert_int_equal(e->size, size);
	assert_int_equal(e->way, way);
	assert_int_equal(e->count, count);
	assert_int_equal(e->bytes, bytes);
	assert_int_equal(e->ticks, ticks);
}

static void traffic(void **state)
{
	const struct gaspdb_traffic_cell *cell;
	uint32_t at;

	(void)state;
	put_to(3, 8, 10);
	put_to(3, 15, 20);
	put_to(3, 16, 30);
	put_to(-1, 0, 40);
	put_to(3, 9, 50);
	start(MAIN, 60); /* a put in a put is not counted by peer */
	start(PUT, 61);
	put_to(1, 4, 62);
	stop(PUT, 70);
	stop(MAIN, 80);
	assert_int_equal(child_of(0, PUT, &at)->bytes, 48);
	cell = gaspdb_cell_of(c->profile, 2);
	assert_int_equal(cell->kind, GASPDB_CELL_TRAFFIC);
	assert_entry(&cell->entry[0], 3, 4, 0, 3, 32, 15);
	assert_entry(&cell->entry[1], 3, 5, 0, 1, 16, 5);
	assert_entry(&cell->entry[2], GASPDB_NO_PEER, 0, 0, 1, 0, 5);
	child_of(0, MAIN, &at);
	child_of(at, PUT, &at);
	assert_int_equal(child_of(at, PUT, &at)->bytes, 4);
}

static void copies(void **state)
{
	const struct gaspdb_traffic_cell *cell;
	uint64_t args[] = { 0, 2, 0, 1, 100 };

	(void)state;
	gaspdb_profile_event(c, GASPDB_PHASE_START, &site[COPY], 10, 5, args);
	stop(COPY, 17);
	cell = gaspdb_cell_of(c->profile, 2);
	assert_entry(&cell->entry[0], 1, 7, 1, 1, 100, 4);
	assert_entry(&cell->entry[1], 2, 7, 0, 1, 100, 3);
}

/* What a request moves when it completes; numbers of other logs are none. */
static void moved(void **state)
{
	const uint32_t beyond[] = { 2, 511, 512, 70000 };
	uint32_t at;

	(void)state;
	start(WORK, 1);
	stop(WORK, 2);
	for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++)
		gaspdb_profile_moved(c, beyond[i], true, 1, 50);
	gaspdb_profile_moved(c, 1, true, 6, 50);
	assert_int_equal(child_of(0, WORK, &at)->bytes, 50);
	assert_entry(
		((struct gaspdb_traffic_cell *)gaspdb_cell_of(c->profile, 2))
			->entry,
		6, 6, 1, 1, 50, 0);
}

/* 509 nodes and the traffic of two fit the one block of a log that cannot
   grow. */
static void overflow(void **state)
{
	const struct gaspdb_node_cell *kept;

	(void)state;
	c->dead = true;
	for (unsigned i = 0; i < 600; i++) {
		start(i, 10 * i);
		stop(i, 10 * i + 4);
	}
	start(MAIN, 10000); /* known */
	start(SITES - 1, 10010);
	start(MAIN, 10020);
	stop(MAIN, 10030);
	stop(SITES - 1, 10050);
	stop(MAIN, 10100);
	kept = gaspdb_cell_of(c->profile, GASPDB_CELL_KEPT);
	assert_int_equal(kept->kind, GASPDB_CELL_NODE);
	assert_int_equal(kept->site, 0);
	assert_int_equal(kept->count, 600 - 509 + 2);
	assert_int_equal(kept->total, 4 * 91 + 40);
	assert_int_equal(c->profile->head->used, 511);
	assert_int_equal(c->profile->at == &c->profile->root, 1);
}

/* --- in a log --------------------------------------------------------------
 */

static char folder[64];

static uint64_t number(const unsigned char *p, int bytes)
{
	uint64_t v = 0;

	for (int i = 0; i < bytes; i++)
		v |= (uint64_t)p[i] << 8 * i;
	return v;
}

/* Walks the blocks of a finished log; returns how many are profiles. */
static unsigned check_blocks(const char *path)
{
	static unsigned char log[1 << 20];
	const int fd = open(path, O_RDONLY);
	const ssize_t n = read(fd, log, sizeof log);
	unsigned profiles = 0, blocks = 0;

	close(fd);
	for (ssize_t at = GASPDB_LH_BYTES; at < n; blocks++) {
		const unsigned char *b = log + at;
		const uint64_t length = number(b + GASPDB_BH_LENGTH, 4);

		assert_int_equal(number(b, 4), GASPDB_BLOCK_MAGIC);
		assert_int_equal(number(b + GASPDB_BH_NUMBER, 8), blocks);
		assert_int_equal(b[GASPDB_BH_SEALED], 1);
		if (b[GASPDB_BH_TYPE] == GASPDB_BLOCK_PROFILE) {
			assert_int_equal(at % GASPDB_CELL_BYTES, 0);
			assert_int_equal(length, GASPDB_PROFILE_BYTES -
							 GASPDB_BH_BYTES);
			assert_int_equal(number(b + GASPDB_BH_BYTES, 4),
					 profiles++);
		}
		at = (at + GASPDB_BH_BYTES + (ssize_t)length + 7) & ~7;
	}
	return profiles;
}

static void growth(void **state)
{
	const struct gaspdb_log_identity id = { .ticks_hz = 1000000000 };
	char path[96];
	int dir;
	uint32_t at;

	(void)state;
	gaspdb_profile_free(c);
	strcpy(folder, "/tmp/gaspdb-test-XXXXXX");
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/a.gasplog", folder);
	dir = open(folder, O_RDONLY | O_DIRECTORY);
	assert_int_equal(gaspdb_log_writer_open(&c->log, dir, path, &id), 0);
	c->no_modules = true;
	assert_int_equal(gaspdb_profile_begin(c), 0);
	for (unsigned i = 0; i < 2000; i++) {
		start(i, 10 * i + 10);
		stop(i, 10 * i + 14);
	}
	for (unsigned i = 0; i < 2000; i++)
		assert_node(child_of(0, i, &at), 1, 4, 0);
	assert_int_equal(c->profile->n_blocks, 4);
	gaspdb_profile_end(c);
	assert_int_equal(gaspdb_log_writer_close(&c->log), 0);
	assert_int_equal(check_blocks(path), 4);
	gaspdb_tables_free(c);
	gaspdb_log_file_unmap(&c->log.file);
	close(dir);
	unlink(path);
	rmdir(folder);
}

static void layouts(void **state)
{
	struct gaspdb_moves m;

	(void)state;
	gaspdb_moves_read(&m, "receive", "posted_peer:i limit:z",
			  "peer:i tag:i bytes:z");
	assert_true(m.any && m.traffic && !m.copies && !m.parts);
	assert_int_equal(m.way, GASPDB_WAY_FROM);
	assert_true(m.at_end);
	assert_int_equal(m.at[GASPDB_MOVE_PEER], 1);
	assert_int_equal(m.at[GASPDB_MOVE_BYTES], 3);
	gaspdb_moves_read(&m, "send_init", "peer:i tag:i bytes:z", "");
	assert_false(m.any || m.traffic);
	gaspdb_moves_read(&m, "get", "local:p source:p source_thread:i bytes:z",
			  "");
	assert_true(m.parts);
	assert_int_equal(m.at[GASPDB_MOVE_PEER], 3);
	gaspdb_moves_read(&m, "shared_alloc", "blocks:z block_bytes:z", "");
	assert_true(m.any && !m.traffic);
	assert_int_equal(m.at[GASPDB_MOVE_BLOCKS], 1);
	assert_int_equal(m.at[GASPDB_MOVE_BYTES], 0);
	assert_int_equal(m.at[GASPDB_MOVE_BLOCK_BYTES], 2);
	gaspdb_moves_read(&m, "barrier", "", "");
	assert_false(m.any);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(tree),	 TEST(crossing), TEST(user_events),
		TEST(lost_ends), TEST(away),	 TEST(torn),
		TEST(traffic),	 TEST(copies),	 TEST(moved),
		TEST(overflow),	 TEST(growth),	 cmocka_unit_test(layouts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
