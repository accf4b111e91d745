/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The system of constraints on the clocks of several hosts. Unknowns are the
 * offsets of each host's clock at knots in time: common time less its own.
 * Constraints: a moment of one host was before a moment of another (orders),
 * and a clock's offset departs from a straight line by at most `drift` of the
 * time that passes. Times are ns by the hosts' own wall clocks, near the run's
 * start: without a constraint an offset is 0.
 */
#ifndef GASPDB_IMPORTER_HOSTS_SYSTEM_H
#define GASPDB_IMPORTER_HOSTS_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum gaspdb_order_kind {
	GASPDB_ORDER_READING,
	GASPDB_ORDER_MESSAGE,
	GASPDB_ORDER_BARRIER,
	GASPDB_N_ORDER_KINDS
};

/* In true time, the first moment was before the second. */
struct gaspdb_order {
	uint32_t first, second; /* hosts */
	int64_t first_ns, second_ns;
	uint8_t kind; /* enum gaspdb_order_kind */
	bool dropped; /* it contradicts others beyond any drift */
};

/*
 * Readings of two hosts at one time: the difference of their offsets, that of
 * the second host less that of the first, is between least and most.
 */
struct gaspdb_batch {
	uint32_t first, second; /* hosts; first < second */
	int64_t least, most;
	int64_t least_at, most_at; /* by the first host's clock */
	int64_t second_at;	   /* about the same, by the second's */
};

/* An offset, and its bounds. */
struct gaspdb_knot {
	int64_t ns; /* by the host's own clock */
	int64_t offset_ns;
	int64_t least_ns, most_ns; /* GASPDB_NULL: no bound */
	int64_t error_ns;	   /* the largest from here until the next knot;
				      GASPDB_NULL: unknown */
};

struct gaspdb_clock_host {
	int64_t first_ns, last_ns; /* of its logs */
	bool linked;		   /* some constraint is on it */
	bool read;		   /* readings link it to the reference host */
	/* The line: offset = line_offset + slope * (ns - line_at). */
	int64_t line_at, line_offset;
	double slope, slope_error;
	double drift; /* largest change of drift: ns per ns */
	bool widened; /* in this round */
	bool fixed;   /* its offsets are chosen */
	double tail;  /* the slope beyond its knots */
	/* Without readings: by how much its wall clock is off at least. */
	int64_t wall_error_ns;
	struct gaspdb_knot *knots;
	size_t n_knots, knot_capacity;
};

#define GASPDB_DRIFT	     1e-6 /* assumed at first */
#define GASPDB_DRIFT_UNKNOWN 5e-4 /* the most that a kernel steers a clock */
#define GASPDB_DRIFT_MAX     0.1  /* beyond, constraints are dropped */
/* Messages may be paired wrongly: they widen no drift beyond this. */
#define GASPDB_DRIFT_BY_MESSAGES 1e-4

struct gaspdb_clock_system {
	struct gaspdb_clock_host *hosts; /* the first is the reference */
	size_t n_hosts;
	struct gaspdb_batch *batches;
	size_t n_batches, batch_capacity;
	struct gaspdb_order *orders;
	size_t n_orders, order_capacity;
	uint64_t n_dropped[GASPDB_N_ORDER_KINDS];
	bool contradicted; /* some drift was widened */
	bool bent; /* a host without readings needs more than one offset */
	struct gaspdb_clock_graph *graph; /* while it is solved */
};

/* Makes a system of n hosts without constraints. Memory that runs out ends the
   import (common/memory.h); gaspdb_clock_system_free() then frees all. */
void gaspdb_clock_system_init(struct gaspdb_clock_system *s, size_t n);
void gaspdb_clock_system_free(struct gaspdb_clock_system *s);

/* Adds a batch of readings, and its two orders. */
void gaspdb_clock_system_batch(struct gaspdb_clock_system *s,
			       const struct gaspdb_batch *b);
void gaspdb_clock_system_order(struct gaspdb_clock_system *s,
			       const struct gaspdb_order *o);

/* --- lines.c -------------------------------------------------------------- */

/* Finds the hosts that batches link to the first one, and the lines of all. */
void gaspdb_clock_lines(struct gaspdb_clock_system *s);
/* Improves the lines by the knots of a solution. */
void gaspdb_clock_lines_refine(struct gaspdb_clock_system *s);
/* A host's line at a time. */
int64_t gaspdb_clock_line_at(const struct gaspdb_clock_host *h, int64_t ns);

/* --- solve.c -------------------------------------------------------------- */

/*
 * Solves the system, after gaspdb_clock_lines(): knots of all linked hosts.
 * Their offsets satisfy all constraints at once: of hosts with readings the
 * mean of their bounds, of others near the wall clock (choice.c).
 * Contradictions widen the drift of the hosts involved, or drop orders.
 * false: interrupted.
 */
bool gaspdb_clock_solve(struct gaspdb_clock_system *s);

/* The offset of a host's clock, between knots too. */
int64_t gaspdb_clock_offset(const struct gaspdb_clock_host *h, int64_t ns);

#endif
