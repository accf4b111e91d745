/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The profile of a thread: a tree of call paths (nodes), with sums of their
 * calls, and their traffic by peer and size.  Its cells lie in blocks of the
 * log (log_format.h) and change in place, so that a killed process loses none.
 * What only finds the cells again is in private memory.
 */
#ifndef GASPDB_COLLECTOR_CORE_PROFILE_PROFILE_H
#define GASPDB_COLLECTOR_CORE_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/base/compiler.h"
#include "collector/core/profile/moves.h"
#include "collector/log/log_format.h"
#include "collector/log/log_writer.h"

struct gaspdb_context;
struct gaspdb_op_state;
struct gaspdb_site;

/* --- mode (GASPDB_MODE) --------------------------------------------------- */

enum gaspdb_mode {
	GASPDB_MODE_TRACE,
	GASPDB_MODE_PROFILE, /* events are in the profile alone */
	GASPDB_MODE_BOTH     /* in the profile, recorded or not; and recorded */
};

/* From the environment at load time: BOTH where phases choose what is traced,
   and nothing else is asked for. */
extern enum gaspdb_mode gaspdb_mode GASPDB_HIDDEN;
/* Name of the mode, as in GASPDB_MODE. */
const char *gaspdb_mode_name(void);
/* Reads the settings: a constructor, as gaspdb_process_load. */
void gaspdb_mode_load(void);

/* Whether events are in the profile while recording is off. */
static inline bool gaspdb_profiles_all(void)
{
	return GASPDB_UNLIKELY(gaspdb_mode == GASPDB_MODE_BOTH);
}

/* --- cells, as in the log ------------------------------------------------- */

struct gaspdb_profile_head {
	uint32_t index, used;
	uint64_t last, first, events, lost, unkept, tool, off, since;
	uint64_t from;
};

struct gaspdb_node_cell {
	uint32_t sequence, kind, parent, site;
	uint64_t count, total, child, least, most;
	double squares;
	uint64_t bytes, open, failed, written, carried,
		carried_ticks, rest[2];
};

struct gaspdb_traffic_entry {
	uint32_t node, peer, size, way;
	uint64_t count, bytes, ticks;
};

struct gaspdb_traffic_cell {
	uint32_t sequence, kind;
	struct gaspdb_traffic_entry entry[GASPDB_TRAFFIC_ENTRIES];
};

#define AT(type, field, offset)                                  \
	_Static_assert(offsetof(struct type, field) == (offset), \
		       #field " is where the format has it")
AT(gaspdb_profile_head, last, GASPDB_PB_LAST);
AT(gaspdb_profile_head, lost, GASPDB_PB_LOST);
AT(gaspdb_profile_head, since, GASPDB_PB_SINCE);
AT(gaspdb_profile_head, from, GASPDB_PB_FROM);
AT(gaspdb_node_cell, parent, GASPDB_NODE_PARENT);
AT(gaspdb_node_cell, count, GASPDB_NODE_COUNT);
AT(gaspdb_node_cell, squares, GASPDB_NODE_SQUARES);
AT(gaspdb_node_cell, open, GASPDB_NODE_OPEN);
AT(gaspdb_node_cell, written, GASPDB_NODE_WRITTEN);
AT(gaspdb_node_cell, carried, GASPDB_NODE_CARRIED);
AT(gaspdb_node_cell, carried_ticks, GASPDB_NODE_CARRIED_TICKS);
AT(gaspdb_traffic_cell, entry, GASPDB_TRAFFIC_FIRST);
AT(gaspdb_traffic_entry, ticks, GASPDB_ENTRY_TICKS);
#undef AT
_Static_assert(sizeof(struct gaspdb_profile_head) == GASPDB_PB_BYTES &&
		       sizeof(struct gaspdb_node_cell) == GASPDB_CELL_BYTES &&
		       sizeof(struct gaspdb_traffic_cell) == GASPDB_CELL_BYTES,
	       "cells are as in the format");

/* --- private memory ------------------------------------------------------- */

struct gaspdb_node {
	struct gaspdb_node_cell *cell;
	struct gaspdb_node *parent, *last; /* last: child that was found last */
	const struct gaspdb_op_state *op;
	uint64_t ended; /* ticks of the last end */
	struct gaspdb_traffic_entry *entry[GASPDB_N_WAYS]; /* found last */
	uint32_t site;	 /* gaspdb_site.id; 0: none */
	uint16_t number; /* in the log */
	bool overlay;	 /* the operation's */
	bool counted;	 /* the open call is in the traffic */
};
_Static_assert(sizeof(struct gaspdb_node) <= 64, "a node is a cache line");

/* Open addressing; size: 0, or a power of two. */
struct gaspdb_node_table {
	struct gaspdb_node **slots;
	uint32_t size, used;
};
struct gaspdb_entry_table {
	struct gaspdb_traffic_entry **slots;
	uint32_t size, used;
};

#define GASPDB_PROFILE_BLOCKS_MAX 64

struct gaspdb_profile {
	struct gaspdb_node *at; /* innermost open node */
	struct gaspdb_profile_head *head;
	uint64_t from;		/* ticks when it began in place of the trace, or 0;
				   the start of the calls that the trace began */
	uint32_t over;		/* open calls within a call without a node */
	uint32_t over_carried;	/* of these, those that the trace began */
	bool exhausted; /* there are no more cells */
	bool unwritten; /* the event is not in the trace */
	bool within;	/* a runtime's call that the trace began may be open */
	struct gaspdb_node root, none, overflow;
	struct gaspdb_node_cell outside; /* root's */
	struct gaspdb_node_table nodes;
	struct gaspdb_entry_table entries;
	struct gaspdb_node_slab *slabs;
	struct gaspdb_traffic_cell *open_cell; /* has free entries; NULL */
	unsigned open_entries;		       /* of these, used */
	uint32_t n_blocks;
	struct gaspdb_profile_block block[GASPDB_PROFILE_BLOCKS_MAX];
};

/* --- profile.c ------------------------------------------------------------ */

/* Begins the profile of a context, as the mode asks for.  c is busy.  A failure
   (failure.h): the context cannot record. */
int gaspdb_profile_begin(struct gaspdb_context *c);
/* Begins one in place of the trace, at ticks; false: it has no room, or the
   context has failed.  The caller goes on as rest.c does. */
bool gaspdb_profile_begin_rest(struct gaspdb_context *c, uint64_t ticks);
/* The same in private memory, for event_cost.c; false: no memory. */
bool gaspdb_profile_begin_apart(struct gaspdb_context *c);
/* Seals the blocks: the profile changes no more. */
void gaspdb_profile_end(struct gaspdb_context *c);
/* Writes the blocks of a buffered log. */
void gaspdb_profile_flush(struct gaspdb_context *c);
void gaspdb_profile_free(struct gaspdb_context *c);
/* Puts private memory in the place of the blocks, in a forked child. */
void gaspdb_profile_detach(struct gaspdb_context *c);

/* Recording was switched on or off, now. */
void gaspdb_profile_switched(struct gaspdb_context *c, bool on);
/* Takes the collector's own work from start to end out of the open calls. */
void gaspdb_profile_tool(struct gaspdb_context *c, uint64_t start,
			 uint64_t end);

/* --- calls.c: c is busy --------------------------------------------------- */

/* Counts an event: values as gaspdb_emit has them. */
void gaspdb_profile_event(struct gaspdb_context *c, unsigned phase,
			  struct gaspdb_site *site, uint64_t ticks, unsigned n,
			  const uint64_t *values);
/* Whether the innermost open call of an operation was begun by the trace and has
   no node: its END needs a site (gaspdb_profile_event). */
GASPDB_COLD bool gaspdb_profile_is_of_trace(const struct gaspdb_profile *p,
					    const struct gaspdb_op_state *op);
static inline bool gaspdb_profile_has_node(const struct gaspdb_profile *p,
					   const struct gaspdb_op_state *op)
{
	return GASPDB_LIKELY(p->at->op == op) ||
	       !gaspdb_profile_is_of_trace(p, op);
}
/* Counts the END of the innermost open call of an operation, which has one. */
void gaspdb_profile_ended(struct gaspdb_context *c,
			  const struct gaspdb_op_state *op, uint64_t ticks,
			  unsigned n, const uint64_t *values);
/* Enters a call that the trace began, and that is open when the profile begins
   in its place: it is not counted. */
GASPDB_COLD void gaspdb_profile_carry(struct gaspdb_context *c,
				      struct gaspdb_site *site);
/* Counts an event whose site is in no log, as calls without a node. */
GASPDB_COLD void gaspdb_profile_beyond(struct gaspdb_context *c, unsigned phase,
				       uint64_t ticks);
/* Ends the open calls of the runtime, which a longjmp has left. */
void gaspdb_profile_left(struct gaspdb_context *c, uint64_t ticks);
/* Adds time to the open calls' that is not their own. */
void gaspdb_profile_away(struct gaspdb_profile *p, uint64_t ticks);

/* --- nodes.c -------------------------------------------------------------- */

/* The child of the innermost open node at a site, made if new; NULL: there is
   no cell. */
struct gaspdb_node *gaspdb_node_child(struct gaspdb_context *c,
				      struct gaspdb_site *site, uint64_t ticks);
void gaspdb_nodes_free(struct gaspdb_profile *p);

/* --- traffic.c ------------------------------------------------------------ */

/* Counts a call of a node: bytes that go a way, from or to a peer (a world
   rank; negative: none known).  false: there is no cell. */
bool gaspdb_traffic_count(struct gaspdb_context *c, uint32_t node,
			  struct gaspdb_traffic_entry **last,
			  enum gaspdb_way way, int64_t peer, uint64_t bytes);

/* --- cells.c -------------------------------------------------------------- */

/* A new cell, all zero, and its number; NULL: there is none. */
void *gaspdb_cell_new(struct gaspdb_context *c, uint32_t *number);
/* Makes it part of the log. */
void gaspdb_cell_publish(struct gaspdb_profile *p, uint32_t number);
/* The cell of a number. */
void *gaspdb_cell_of(const struct gaspdb_profile *p, uint32_t number);
/* The node of a number that may be another log's; NULL: it is none. */
struct gaspdb_node_cell *gaspdb_node_of(const struct gaspdb_profile *p,
					uint32_t number);
/* Number of the cell that is kept for calls beyond the limit. */
#define GASPDB_CELL_KEPT ((uint32_t)GASPDB_CELLS_PER_BLOCK)

/* Marks a cell as changing, and as whole again: with what begin returned. */
static inline uint32_t gaspdb_cell_begin(uint32_t *sequence)
{
	const uint32_t odd = *sequence | 1;

	*(volatile uint32_t *)sequence = odd;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return odd;
}

static inline void gaspdb_cell_done(uint32_t *sequence, uint32_t odd)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	*(volatile uint32_t *)sequence = odd + 1;
}

#endif
