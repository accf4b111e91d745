/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Open events of one thread, and its time by category: pairs of starts and
 * ends, parents, self time. Each step of the clock is added to exactly one
 * category, so that their sum is the thread's time to the nanosecond.
 */
#ifndef GASPDB_IMPORTER_REPLAY_STACKS_H
#define GASPDB_IMPORTER_REPLAY_STACKS_H

#include <stddef.h>
#include <string.h>

#include "importer/log/definitions.h"

struct gaspdb_frame;

/* Neighbours in a chain; for a whole chain, its ends. */
struct gaspdb_chain {
	struct gaspdb_frame *below, *above;
};

struct gaspdb_frame {
	/* The fields that each event needs come first, for the cache. */
	int64_t self_ns;
	uint64_t halves; /* halves of raw events recorded while innermost */
	/* Neighbours on the system stack; for overlays, among all overlays. */
	struct gaspdb_frame *below, *above;
	struct gaspdb_frame *outer; /* next open event of the same operation */
	/* An enclosing event that ended first; still the parent if this one
	   ends at the same time. */
	int64_t ended_id, ended_ns;
	int64_t settled_ns;   /* source_bins.c: part of self_ns ... */
	int64_t p2p;	      /* p2p/p2p.c: first row it posts; 0: none */
	uint32_t completions; /* p2p/p2p.c: list of what this call completed */
	uint32_t path;	      /* number of callpaths.c */
	bool seen;	      /* ... assigned at the end of a bin */
	/* The fields above are initialised in a new frame; its user sets the
	   others. */
	bool nested;
	uint32_t source;
	uint32_t profile;    /* number of rollups.c */
	uint32_t region;     /* of a region: number of regions.c */
	int64_t computed_ns; /* of a region: the thread's at its start */
	struct gaspdb_log_operation *operation;
	int64_t id;
	int64_t start_ns;
	struct gaspdb_roles roles; /* valid by their bits */
	/* stacks.c: frames that determine the category; functions */
	struct gaspdb_chain deciding, functions;
};

/* Category of time in which a thread was ready to compute. */
#define GASPDB_UNSERVED "no processor"

enum gaspdb_step {
	GASPDB_STEP_NORMAL,
	GASPDB_STEP_TOOL,     /* the collector's own work */
	GASPDB_STEP_UNSERVED, /* ready, without a processor */
	GASPDB_STEP_DAMAGE    /* records were lost */
};

struct gaspdb_stack {
	struct gaspdb_frames *frames; /* all frames, in pieces */
	struct gaspdb_frame *free;    /* free list, linked by `below` */
	uint32_t n_open, n_runtime;   /* n_runtime: calls of the runtime */
	struct gaspdb_frame *top, *overlay_top;
	/* Frames of the runtime and of user functions on the system stack: the
	   outermost (above) and innermost (below); the innermost function. */
	struct gaspdb_chain deciding;
	struct gaspdb_frame *function;
	uint8_t context; /* category of the outermost open runtime event since
			    the last user function; computation: none */
	int64_t first_ns, now_ns;
	bool off; /* recording is switched off */
	int64_t category_ns[GASPDB_CATEGORIES_MAX];
	int64_t tool_ns, not_recorded_ns, unserved_ns;
	/* Called when time has reached edge_ns on its way to t_ns; must move
	   the edge. */
	int64_t edge_ns;
	void (*at_edge)(void *user, struct gaspdb_stack *s, int64_t t_ns);
	void *user;
};

/* Begins a thread at first_ns, without an edge. Reuses the previous thread's
   frames, which must all be released. */
void gaspdb_stack_init(struct gaspdb_stack *s, int64_t first_ns);
void gaspdb_stack_free(struct gaspdb_stack *s);

/* Advances time to t_ns; earlier times are ignored. */
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

/* The same for an event, with a fast path: recording is on, and no edge is
   passed. */
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

/* Would an event of o that begins now lie inside a runtime event? */
static inline bool gaspdb_stack_nested(const struct gaspdb_stack *s,
				       const struct gaspdb_log_operation *o)
{
	return s->context != GASPDB_CATEGORY_computation && !o->overlay &&
	       !o->function;
}

/* Adds frames to the free list. */
void gaspdb_stack_more_frames(struct gaspdb_stack *s);
/* Takes a new frame from the free list. */
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

/* Begins an event of o now; NULL: too many are open. */
struct gaspdb_frame *gaspdb_stack_push(struct gaspdb_stack *s,
				       struct gaspdb_log_operation *o);

/*
 * Ends f, the innermost open event of its operation (o->innermost), now.
 * *parent: its parent's id or GASPDB_NULL; *crossed: whether it crosses another
 * event. f is valid until gaspdb_stack_release().
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
 * Can a call of o from now to end_ns, without events in between, be handled
 * without the stack? Yes if it is of the runtime, no other call of its
 * operation is open, and no edge is passed.
 */
static inline bool gaspdb_stack_holds_none(const struct gaspdb_stack *s,
					   const struct gaspdb_log_operation *o,
					   int64_t end_ns)
{
	return o->runtime && !o->function && !o->innermost && !o->dropped &&
	       end_ns >= s->now_ns && end_ns <= s->edge_ns && !s->off &&
	       s->n_open < GASPDB_OPEN_MAX;
}

/* Begins such a call: returns its frame, as after a push. */
static inline struct gaspdb_frame *
gaspdb_stack_pass(struct gaspdb_stack *s, struct gaspdb_log_operation *o)
{
	struct gaspdb_frame *f = gaspdb_stack_consume(s);

	f->operation = o;
	f->start_ns = s->now_ns;
	f->nested = gaspdb_stack_nested(s, o);
	return f;
}

/* Ends such a call: the time since its start is its self time. f is valid until
   gaspdb_stack_release(), as after a removal. */
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
