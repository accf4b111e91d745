/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The open events of one thread, and where its time goes: pairing of starts
 * and ends, parents, self time, and the split of the thread's time into
 * categories (which adds up to the nanosecond, because every step of the clock
 * is given to exactly one).
 */
#ifndef GASPDB_STACKS_H
#define GASPDB_STACKS_H

#include "definitions.h"

struct gaspdb_frame {
	uint32_t below, above; /* frames of the system stack; overlays: of all
				  overlays */
	uint32_t outer;	       /* next open event of the same operation */
	struct gaspdb_log_operation *operation;
	int64_t id;
	int64_t start_ns, self_ns;
	/* An enclosing event that ended first: the parent all the same if
	   this one ends in the same instant. */
	int64_t ended_id, ended_ns;
	uint32_t source;
	uint32_t profile;     /* rollups.c's number */
	uint32_t path;	      /* callpaths.c's */
	uint32_t completions; /* p2p.c: what this call completed */
	int64_t settled_ns; /* source_bins.c: of self_ns */
	uint64_t halves; /* of raw events recorded while it was innermost */
	uint8_t context; /* category of the outermost runtime event that this
			    lies in or is, since the last user function;
			    computation: none */
	uint8_t n_args;	 /* rows in event_arg so far */
	bool nested;
	int64_t p2p; /* p2p.c: first row that it posts; 0: none */
	struct gaspdb_roles roles;
};

enum gaspdb_step {
	GASPDB_STEP_NORMAL,
	GASPDB_STEP_TOOL,  /* the collector's own work */
	GASPDB_STEP_DAMAGE /* what happened was lost */
};

struct gaspdb_stack {
	struct gaspdb_frame *frames; /* allocated ones in any order */
	size_t capacity;
	uint32_t n, free; /* ever used; list of unused ones through below */
	uint32_t n_open;
	uint32_t top, overlay_top;
	int64_t first_ns, now_ns;
	bool off; /* recording was switched off */
	int64_t category_ns[GASPDB_CATEGORIES_MAX];
	int64_t tool_ns, not_recorded_ns;
	/* Called when time is at edge_ns and about to go on to t_ns; it moves
	   the edge. */
	int64_t edge_ns;
	void (*at_edge)(void *user, struct gaspdb_stack *s, int64_t t_ns);
	void *user;
};

/* A thread whose first moment is first_ns.  There is no edge. */
void gaspdb_stack_init(struct gaspdb_stack *s, int64_t first_ns);
void gaspdb_stack_free(struct gaspdb_stack *s);

/* Time goes on to t_ns (never back). */
void gaspdb_stack_advance(struct gaspdb_stack *s, int64_t t_ns,
			  enum gaspdb_step step);

/* Innermost system event; NULL: none. */
static inline struct gaspdb_frame *
gaspdb_stack_top(const struct gaspdb_stack *s)
{
	return s->top == GASPDB_ABSENT ? NULL : &s->frames[s->top];
}

/* Would a system event of o that began now lie inside a runtime event? */
bool gaspdb_stack_nested(const struct gaspdb_stack *s,
			 const struct gaspdb_log_operation *o);

/* An event of o begins now; NULL: too many are open. */
struct gaspdb_frame *gaspdb_stack_push(struct gaspdb_stack *s,
				       struct gaspdb_log_operation *o);

/* The innermost open event of o; NULL: none. */
struct gaspdb_frame *gaspdb_stack_find(struct gaspdb_stack *s,
				       const struct gaspdb_log_operation *o);

/*
 * f ends now.  Its parent (GASPDB_NULL: none) and whether it crosses another
 * event are told; f's own data stay until gaspdb_stack_release().
 */
void gaspdb_stack_remove(struct gaspdb_stack *s, struct gaspdb_frame *f,
			 int64_t *parent, bool *crossed);

void gaspdb_stack_release(struct gaspdb_stack *s, struct gaspdb_frame *f);

/* The frame below; NULL: none. */
struct gaspdb_frame *gaspdb_stack_below(const struct gaspdb_stack *s,
					const struct gaspdb_frame *f);
struct gaspdb_frame *gaspdb_stack_overlay(const struct gaspdb_stack *s);

#endif
