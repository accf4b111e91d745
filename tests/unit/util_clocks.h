/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Constructed clocks of several hosts: their drift wanders, delays are
 * asymmetric. The true offsets are known here alone.
 */
#ifndef GASPDB_TESTS_UTIL_CLOCKS_H
#define GASPDB_TESTS_UTIL_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "importer/hosts/readings.h"
#include "importer/hosts/system.h"

#define US	 INT64_C(1000)
#define MS	 INT64_C(1000000)
#define SECOND	 INT64_C(1000000000)
#define PARTS	 64
#define HOSTS	 64
#define RUN_NS	 (100 * SECOND)
#define PER_EDGE 10

/* A clock: its offset over common time is a line and a wander, in parts. */
struct clock {
	double at[PARTS + 1]; /* offset, ns */
};

struct world {
	unsigned n;
	struct clock clocks[HOSTS];
	struct gaspdb_readings readings;
	struct gaspdb_clock_system system;
};

/* Random numbers of a seed. */
void clocks_seed(uint64_t seed);
uint64_t clocks_next(void);
double clocks_uniform(double from, double to);
/* The offset of a clock at a common time. */
double clock_offset(const struct clock *c, double ns);
/* A clock's own time at a common time. */
int64_t clock_own(const struct world *w, uint32_t host, double ns);
/* Clocks of n hosts, whose drift changes by less than `drift`. */
void clocks_make(struct world *w, unsigned n, double drift);
/* A delay of the network: most are short, some are very long. */
double clocks_delay(void);
/* n samples along a binomial tree, over the run. */
void clocks_sample(struct world *w, int n);
/* An order: sent at ns, received after `took`. */
void clocks_message(struct world *w, enum gaspdb_order_kind kind, uint32_t from,
		    uint32_t to, double ns, double took);
/* n messages of any hosts at any time. */
void clocks_messages(struct world *w, int n);
/* Solves it, and writes it to the file of tests/reference/clocks.py. */
void clocks_solve(struct world *w);
/* The same, and asserts what holds without wrong readings and messages: no
   contradiction, all in order, errors within what is said.  Returns the largest
   said. */
int64_t clocks_solve_well(struct world *w);
void clocks_forget(struct world *w);
/* The error that is said of a host's clock at its own time. */
int64_t clock_said(const struct gaspdb_clock_host *h, int64_t ns);
/* Asserts that errors are within what is said; returns the largest said. */
int64_t assert_clocks_within(const struct world *w);
/* How far a host's clock is off at a common time, as it was solved. */
double clock_off(const struct world *w, uint32_t host, double ns);
/* Asserts that any two hosts differ by no more than a row of theirs says;
   returns how often that is less than what their own errors say. */
int assert_clock_pairs(const struct world *w);
/* Asserts that no order is the other way round in common time. */
void assert_clocks_in_order(const struct world *w);
void assert_no_clock_contradiction(const struct world *w);

#endif
