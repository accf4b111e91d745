/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What mapping costs: begin and end for one entity, for many in turn, of a mix,
 * of handed-over work; the look-up of an association, of few and of many keys,
 * alone and while another thread writes; the creation of an entity that is
 * there already.  All beside one reading of the time stamp counter.  Kinds take
 * turns; results are medians of processor time.  Linked with the collector.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "gaspdb.h"

#define CALLS  20000 /* a round */
#define ROUNDS 51
#define MANY   1000 /* entities */
#define KEYS   (1 << 20)

static gaspdb_entity_t entity[MANY], mix;
static gaspdb_work_t work[CALLS];
static const char few, many;
static volatile unsigned long long sink;

static unsigned next(unsigned *x)
{
	*x = *x * 1664525u + 1013904223u;
	return *x >> 8;
}

static void clock_alone(void)
{
	for (int i = 0; i < CALLS; i++)
		sink += READ_CLOCK();
}

static void one_entity(void)
{
	for (int i = 0; i < CALLS; i += 2) {
		gaspdb_entity_begin(entity[0]);
		gaspdb_entity_end(entity[0]);
	}
}

static void many_entities(void)
{
	unsigned x = 1;

	for (int i = 0; i < CALLS; i += 2) {
		const gaspdb_entity_t e = entity[next(&x) % MANY];

		gaspdb_entity_begin(e);
		gaspdb_entity_end(e);
	}
}

static void of_a_mix(void)
{
	for (int i = 0; i < CALLS; i += 2) {
		gaspdb_entity_begin(mix);
		gaspdb_entity_end(mix);
	}
}

static void put_work(void)
{
	for (int i = 0; i < CALLS; i++)
		work[i] = gaspdb_work_put(entity[0]);
}

static void run_work(void)
{
	for (int i = 0; i < CALLS; i += 2) {
		gaspdb_work_begin(work[i]);
		gaspdb_work_end(work[i]);
	}
}

static void no_entity(void)
{
	volatile gaspdb_entity_t none = 0;

	for (int i = 0; i < CALLS; i += 2) {
		gaspdb_entity_begin(none);
		gaspdb_entity_end(none);
	}
}

static void few_keys(void)
{
	for (int i = 0; i < CALLS; i++)
		sink += gaspdb_associated(&few, (uint64_t)(i % 64) * 64);
}

static void many_keys(void)
{
	unsigned x = 1;

	for (int i = 0; i < CALLS; i++)
		sink += gaspdb_associated(&many, next(&x) % KEYS * 64);
}

static atomic_bool stop;

static void *write_keys(void *unused)
{
	(void)unused;
	for (uint64_t i = 0; !stop; i++)
		gaspdb_associate(&few, 1 << 20 | (i & 1023), entity[i % MANY]);
	return NULL;
}

static void few_keys_written(void)
{
	pthread_t writer;

	stop = false;
	pthread_create(&writer, NULL, write_keys, NULL);
	few_keys();
	stop = true;
	pthread_join(writer, NULL);
}

static void create_again(void)
{
	for (int i = 0; i < CALLS; i++)
		sink += gaspdb_entity_create("patch", "patch 17", 0);
}

static const struct {
	const char *name;
	void (*run)(void);
} kinds[] = {
	{ CLOCK_NAME, clock_alone },
	{ "begin or end, one entity", one_entity },
	{ "begin or end, 1,000 in turn", many_entities },
	{ "begin or end, a mix", of_a_mix },
	{ "hand-over of work", put_work },
	{ "begin or end of work", run_work },
	{ "begin or end of 0", no_entity },
	{ "look-up among 64 keys", few_keys },
	{ "the same, while others write", few_keys_written },
	{ "look-up among 1 M keys", many_keys },
	{ "creation of what is there", create_again },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void prepare(void)
{
	for (int i = 0; i < MANY; i++) {
		char name[32];

		snprintf(name, sizeof name, "patch %d", i);
		entity[i] = gaspdb_entity_create("patch", name, 0);
	}
	mix = gaspdb_entity_mix(3, entity, NULL);
	for (uint64_t i = 0; i < 64; i++)
		gaspdb_associate(&few, i * 64, entity[i % MANY]);
	for (uint64_t i = 0; i < KEYS; i++)
		gaspdb_associate(&many, i * 64, entity[i % MANY]);
}

int main(void)
{
	static double ns[KINDS][ROUNDS];
	double clock;

	prepare();
	for (int round = 0; round < ROUNDS; round++)
		for (int k = 0; k < KINDS; k++) {
			const double start = cpu_ns();

			kinds[k].run();
			ns[k][round] = (cpu_ns() - start) / CALLS;
		}
	clock = median(ns[0], ROUNDS);
	for (int k = 0; k < KINDS; k++) {
		const double each = median(ns[k], ROUNDS);

		printf("  %-30s %6.1f ns  %5.2f x %s\n", kinds[k].name, each,
		       each / clock, CLOCK_NAME);
	}
	return 0;
}
