/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The open events of one thread, and where its time goes: pairing of starts
 * and ends, parents, self time, and the split of the thread's time into
 * categories (which adds up to the nanosecond, because every step of the clock
 * is given to exactly one).
 */
#ifndef GASPDB_IMPORTER_REPLAY_STACKS_H
#define GASPDB_IMPORTER_REPLAY_STACKS_H

#include <stddef.h>
#include <string.h>

#include "importer/log/definitions.h"

struct gaspdb_frame;

/* A chain's neighbours, or, of the whole chain, its ends. */
struct gaspdb_chain {
	struct gaspdb_frame *below, *above;
};

struct gaspdb_frame {
	/* What each event of the log looks at stands together. */
	int64_t self_ns;
	uint64_t halves; /* of raw events recorded while it was innermost */
	/* Frames of the system stack; overlays: of all overlays. */
	struct gaspdb_frame *below, *above;
	struct gaspdb_frame *outer; /* next open event of the same operation */
	/* An enclosing event that ended first: the parent all the same if
	   this one ends in the same instant. */
	int64_t ended_id, ended_ns;
	int64_t settled_ns;   /* source_bins.c: of self_ns ... */
	int64_t p2p;	      /* p2p.c: first row that it posts; 0: none */
	uint32_t completions; /* p2p.c: what this call completed */
	uint32_t path;	      /* callpaths.c's */
	bool seen;	      /* ... at a bin's end: it was open at one */
	/* Up to here a fresh frame has a value; what follows it is given. */
	bool nested;
	uint32_t source;
	uint32_t profile;    /* rollups.c's number */
	uint32_t region;     /* of a region: regions.c's */
	int64_t computed_ns; /* of a region: the thread's before it began */
	struct gaspdb_log_operation *operation;
	int64_t id;
	int64_t start_ns;
	struct gaspdb_roles roles; /* values by their bits */
	/* stacks.c: of frames that decide what time is; of functions */
	struct gaspdb_chain deciding, functions;
};

/* The category of a thread that was ready to compute. */
#define GASPDB_UNSERVED "no processor"

enum gaspdb_step {
	GASPDB_STEP_NORMAL,
	GASPDB_STEP_TOOL,     /* the collector's own work */
	GASPDB_STEP_UNSERVED, /* the thread was ready, and had no processor */
	GASPDB_STEP_DAMAGE    /* what happened was lost */
};

struct gaspdb_stack {
	struct gaspdb_frames *frames; /* all that there are, in pieces */
	struct gaspdb_frame *free;    /* unused ones through below */
	uint32_t n_open, n_runtime;   /* the latter: calls of the runtime */
	struct gaspdb_frame *top, *overlay_top;
	/* Of the frames of the system stack those of the runtime and of user
	   functions, outermost (above) and innermost (below); the innermost
	   function. */
	struct gaspdb_chain deciding;
	struct gaspdb_frame *function;
	uint8_t context; /* category of the outermost open runtime event since
			    the last user function; computation: none */
	int64_t first_ns, now_ns;
	bool off; /* recording was switched off */
	int64_t category_ns[GASPDB_CATEGORIES_MAX];
	int64_t tool_ns, not_recorded_ns, unserved_ns;
	/* Called when time is at edge_ns and about to go on to t_ns; it moves
	   the edge. */
	int64_t edge_ns;
	void (*at_edge)(void *user, struct gaspdb_stack *s, int64_t t_ns);
	void *user;
};

/* A thread whose first moment is first_ns.  There is no edge.  The frames of
   the one before, all released, are used again. */
void gaspdb_stack_init(struct gaspdb_stack *s, int64_t first_ns);
void gaspdb_stack_free(struct gaspdb_stack *s);

/* Time goes on to t_ns (never back). */
void gaspdb_stack_advance(struct gaspdb_stack *s, int64_t t_ns,
			  enum gaspdb_step step);

/* Innermost system event; NULL: none. */
static inline struct gaspdb_frame *
gaspdb_stack_top(const struct gaspdb_stack *s)
{
	return s->top;
}

static inline struct gaspdb_frame *
gaspdb_stack_overlay(const struct gaspdb_stack *s)
{
	return s->overlay_top;
}

/*
 * The same to an event: most come while recording is on, and before an edge.
 */
static inline void gaspdb_stack_step(struct gaspdb_stack *s, int64_t t_ns)
{
	struct gaspdb_frame *top = s->top;
	const int64_t passed = t_ns - s->now_ns;

	if (t_ns > s->edge_ns || s->off) {
		gaspdb_stack_advance(s, t_ns, GASPDB_STEP_NORMAL);
	} else if (passed > 0) {
		s->now_ns = t_ns;
		s->category_ns[s->context] += passed;
		if (top)
			top->self_ns += passed;
	}
}

/* Would a system event of o that began now lie inside a runtime event? */
static inline bool gaspdb_stack_nested(const struct gaspdb_stack *s,
				       const struct gaspdb_log_operation *o)
{
	return s->context != GASPDB_CATEGORY_computation && !o->overlay &&
	       !o->function;
}

/* There is none unused: more are. */
void gaspdb_stack_more_frames(struct gaspdb_stack *s);
/* An unused one, fresh. */
static inline struct gaspdb_frame *gaspdb_stack_consume(struct gaspdb_stack *s)
{
	static const struct gaspdb_frame fresh = { .completions =
							   GASPDB_ABSENT };
	struct gaspdb_frame *f;

	if (!s->free)
		gaspdb_stack_more_frames(s);
	f = s->free;
	s->free = f->below;
	memcpy(f, &fresh, offsetof(struct gaspdb_frame, nested));
	gaspdb_roles_clear(&f->roles);
	return f;
}

/* An event of o begins now; NULL: too many are open. */
struct gaspdb_frame *gaspdb_stack_push(struct gaspdb_stack *s,
				       struct gaspdb_log_operation *o);

/*
 * f, the innermost open one of its operation (o->innermost), ends now.  Its
 * parent (GASPDB_NULL: none) and whether it crosses another event are told; f's
 * own data stay until gaspdb_stack_release().
 */
void gaspdb_stack_remove(struct gaspdb_stack *s, struct gaspdb_frame *f,
			 int64_t *parent, bool *crossed);

static inline void gaspdb_stack_release(struct gaspdb_stack *s,
					struct gaspdb_frame *f)
{
	f->below = s->free;
	s->free = f;
}

/*
 * May a call of o that begins now and ends at end_ns, with no event between,
 * pass the stack by?  So it may where it is one of the runtime's, and no other
 * of its operation is open, and no edge comes.
 */
static inline bool gaspdb_stack_holds_none(const struct gaspdb_stack *s,
					   const struct gaspdb_log_operation *o,
					   int64_t end_ns)
{
	return o->runtime && !o->function && !o->innermost && !o->dropped &&
	       end_ns >= s->now_ns && end_ns <= s->edge_ns && !s->off &&
	       s->n_open < GASPDB_OPEN_MAX;
}

/* It begins: its frame, as if it had been pushed, and ... */
static inline struct gaspdb_frame *
gaspdb_stack_pass(struct gaspdb_stack *s, struct gaspdb_log_operation *o)
{
	struct gaspdb_frame *f = gaspdb_stack_consume(s);

	f->operation = o;
	f->start_ns = s->now_ns;
	f->nested = gaspdb_stack_nested(s, o);
	return f;
}

/* ... it ends: the time since was its own.  As if it had been removed, its
   data stay until gaspdb_stack_release(). */
static inline void gaspdb_stack_passed(struct gaspdb_stack *s,
				       struct gaspdb_frame *f, int64_t end_ns)
{
	const bool within =
		s->function ? s->function->deciding.above : s->deciding.above;

	f->self_ns = end_ns - s->now_ns;
	s->category_ns[within ? s->context : f->operation->category] +=
		f->self_ns;
	s->now_ns = end_ns;
}

#endif
