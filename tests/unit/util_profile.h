/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Profiles for tests: a model of what a profile counts, made from events, and
 * the cells of its PROFILE blocks (docs/log-format.md), without the collector's
 * code. With a log, the events are written there as well, so that a trace and a
 * profile of the same events can be compared.
 */
#ifndef GASPDB_TESTS_UNIT_UTIL_PROFILE_H
#define GASPDB_TESTS_UNIT_UTIL_PROFILE_H

#include "tests/unit/util_log.h"

enum { PROFILE_NODES = 2000, PROFILE_OPEN = 400, PROFILE_ENTRIES = 600 };

struct profile {
	struct log *trace; /* NULL: none */
	/* The trace has so many events, and one more if the next is an end; the
	   profile those that follow. 0: both have all. */
	unsigned cut_after;
	bool is_cut;
	bool in_overlay, in_call; /* one was open there that is no function */
	uint64_t from;		  /* time of the cut */
	struct profile_node {
		uint32_t number, parent, site;
		uint32_t sequence, kind;
		uint64_t count, total, child, least, most, bytes, open;
		uint64_t carried, carried_ticks;
		double squares;
	} node[PROFILE_NODES];
	unsigned n;
	struct profile_open {
		unsigned node;
		unsigned site;
		uint64_t start;
		bool overlay;
		bool carried; /* it began in the trace */
	} open[PROFILE_OPEN];
	unsigned n_open;
	struct profile_entry {
		uint32_t node, peer, size, way;
		uint64_t count, bytes, ticks;
	} entry[PROFILE_ENTRIES];
	unsigned n_entries;
	uint64_t first, last, events, lost; /* times as in util_log.h */
	bool has_first;
	bool is_overlay[LOG_SITES]; /* sites of user events */
	bool is_function[LOG_SITES];
	uint64_t outermost; /* time of ended system calls without a caller */
};

struct profile *profile_new(struct log *trace);
void profile_free(struct profile *p);

/* Events; values are for the log. */
void profile_start(struct profile *p, uint64_t t, unsigned site,
		   const int64_t *values, size_t n);
void profile_end(struct profile *p, uint64_t t, unsigned site,
		 const int64_t *values, size_t n);
void profile_atomic(struct profile *p, uint64_t t, unsigned site);
void profile_call(struct profile *p, uint64_t start, uint64_t end,
		  unsigned site);
/* A call without arguments other than peer and bytes, in this order. way: 0 to
   the peer, 1 from it. */
void profile_moves(struct profile *p, uint64_t start, uint64_t end,
		   unsigned site, unsigned way, uint32_t peer, uint64_t bytes);

/* What the innermost open call moves; before its end. way: as above. */
void profile_moved(struct profile *p, uint64_t now, unsigned way, uint32_t peer,
		   uint64_t bytes);
/* Begins it at t in place of a trace; then functions that are open there are
   carried, outermost first. */
void profile_begin_at(struct profile *p, uint64_t t);
void profile_carry(struct profile *p, unsigned site);

/* Writes all PROFILE blocks to l. */
void profile_write(const struct profile *p, struct log *l, bool sealed);
/* The payload of its first block, of n bytes, to spoil; the caller frees it. */
unsigned char *profile_payload(const struct profile *p, const struct log *l,
			       size_t *n);

#endif
