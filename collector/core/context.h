/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A thread's recording: its log, and what that log has been told so far
 * (strings, operations, sites).  Used by its thread alone, but for closing.
 * The process's contexts are listed, so that the end of the process closes
 * them all.
 */
#ifndef GASPDB_COLLECTOR_CORE_CONTEXT_H
#define GASPDB_COLLECTOR_CORE_CONTEXT_H

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "collector/core/collector.h"
#include "collector/core/event_cost.h"
#include "collector/log/log_writer.h"
#include "collector/core/look.h"
#include "collector/process/processor.h"

#define GASPDB_LAYOUT_MAX  60	/* arguments of one event */
#define GASPDB_ADDRESS_MAX 8	/* of them addresses; no layout has more */
#define GASPDB_TAKE_MAX	   16	/* passed by a GASP event; NUL at the end */
#define GASPDB_TAGS_MAX	   4096 /* system tags of all GASP models are below */

#define GASPDB_TEXT_MAX 4000 /* bytes of a string in the log */

struct gaspdb_bytes {
	const void *p;
	size_t n;
};

/* What becomes of one argument. */
enum gaspdb_how {
	GASPDB_HOW_UNSIGNED, /* and ids of strings */
	GASPDB_HOW_SIGNED,
	GASPDB_HOW_INT, /* signed; of the value the low 32 bits */
	GASPDB_HOW_ADDRESS,
	GASPDB_HOW_DOUBLE
};

struct gaspdb_step {
	uint8_t how;
	uint8_t from; /* which of the values it is */
	uint8_t base; /* addresses: the site's n-th */
};

/* How the arguments of an operation's START, END or ATOMIC get into the log. */
struct gaspdb_plan {
	_Alignas(64) uint8_t n;
	bool translate;		    /* gasp.c: not all is logged as passed */
	uint8_t n_usual;	    /* gasp.c: n, or GASPDB_ARGS_FOLLOW if so */
	uint8_t n_taken;	    /* gasp.c: length of take */
	char take[GASPDB_TAKE_MAX]; /* gasp.c: codes of what is passed */
	struct gaspdb_step step[GASPDB_LAYOUT_MAX];
};

/* An operation, as one log knows it. */
struct gaspdb_op_state {
	const void *key; /* the adapter's operation, the event's row ... */
	uint64_t id;	 /* in the log, from 1 */
	uint64_t nested; /* calls the runtime made to itself */
	bool masked;	 /* mask.h: counted, not written */
	bool looks;	 /* gasp.c: it may be one of a polling loop */
	bool special;	 /* gasp.c: either */
	uint64_t n_masked;
	uint32_t n_addresses;	    /* that a site remembers */
	struct gaspdb_plan plan[3]; /* by phase */
};

static inline uint64_t gaspdb_line(int line, int column)
{
	return (uint64_t)(uint32_t)column << 32 | (uint32_t)line;
}

#define GASPDB_FILE (1u << 31) /* home is a string's id */

/*
 * An operation at a place in the program, as one log knows it: one cache line.
 * Addresses count from the last one; most sites have one or two, and the rest
 * of the others' are kept in the context's far[].
 */
struct gaspdb_site {
	struct gaspdb_site_key key;
	struct gaspdb_op_state *op;
	uint32_t id;	/* in the log, as a varint; 0: free slot */
	uint32_t block; /* whose addresses these are */
	uint32_t far;	/* index of the others' first */
	uint32_t home;	/* id of the module, or GASPDB_FILE and the file's */
	uint64_t base[GASPDB_NEAR_BASES]; /* START's, END's, ATOMIC's */
};

struct gaspdb_table { /* open addressing, size a power of two */
	void *slots;
	uint32_t size, used;
};

/* Records that are told again: repeat.c.  All numbers are of bytes. */
struct gaspdb_repeats {
	unsigned char *bytes;
	size_t size, n;
	size_t lasting;	     /* so many stay when the memory is full */
	size_t fresh;	     /* those before it stand in two blocks */
	size_t again, until; /* what is being told once more */
	uint64_t due;	     /* when the log is as long, all are */
};

struct gaspdb_context {
	bool live;    /* false: no recording; a forked child finds all zero, but
			 for what gaspdb_kept() has */
	bool dead;    /* closed or failed: there will be no other */
	bool full;    /* its log is at its size limit: events are counted */
	bool over_run_limit; /* at the run's */
	bool on;      /* gasp_control */
	bool stopped; /* its thread was seen not to write after the end */
	uint32_t site_mask; /* slots of sites[], less one */
	/* Not 0 while the log is written: where the writer's stack is.  An
	   event that interrupts (a signal handler's) is counted and dropped;
	   the end of the process waits. */
	volatile uintptr_t busy;
	struct gaspdb_site *last; /* the block's last event's */
	uint64_t ticks;		  /* gasp.c: of the event going on */
	struct gaspdb_site *sites;
	struct gaspdb_log_writer log;
	uint64_t *far; /* addresses of sites that have many */
	struct gaspdb_look look;
	bool in_vain; /* the event is the END of a look in vain */
	struct gaspdb_processor processor;

	unsigned char *full_limit; /* the writer's, before there was no room */
	uint64_t bytes_counted;	   /* of its log, in the process's */
	unsigned paths;	      /* bits: by which its events have come */
	double event_cost;    /* the dearest one's, as told; 0: none is */
	int control;	      /* last value given to gasp_control */
	volatile bool upcall; /* the program is being asked: upcalls.h */
	uint64_t upcall_start, upcall_end; /* of asking; 0: not asked */
	unsigned depth;			   /* of wrappers entered */
	uintptr_t frame;		   /* of the outermost of them */
	uint64_t masked;		   /* a bit for each of them */
	unsigned inner;			   /* of them, in callbacks of others */
	uint64_t not_before; /* ticks: events are after what a block took */
	uint32_t lost_interrupted, lost_memory;
	uint32_t generation; /* of the process's facts last written */
	/* What each block tells, as text; "": not known. */
	struct {
		char job[17], rank[12], ranks[12];
	} whose;
	uint32_t n_segments; /* of the process's, written */
	uint32_t number;     /* of the thread in its process */
	const char *model;
	pid_t tid;
	struct gaspdb_repeats told;
	struct gaspdb_table ops, strings;
	struct gaspdb_op_chunk *op_chunks;     /* definitions.c */
	struct gaspdb_user_event *user_events; /* user_events.c */
	uint32_t n_user_events;
	struct gaspdb_texts *texts;	   /* of theirs */
	uint32_t n_unknown, first_unknown; /* events of tags nobody made */
	uint32_t n_sites, n_far, far_room, n_ops, n_strings;
	uint32_t n_slots; /* of sites[], used */
	/* modules.c: those that sites lie in, loaded or not */
	bool no_modules;
	struct gaspdb_module *modules;
	uint32_t n_modules, module_room, n_module_ids;
	uint64_t unloaded;  /* modules, when they were looked at last */
	uint32_t n_unloads; /* gaspdb_unloads then */
	struct gaspdb_context *next; /* in the process's list */
	struct gaspdb_op_state *op_of_tag[GASPDB_TAGS_MAX]; /* gasp.c */
};

/* What a forked child finds of a context of its parent's. */
struct gaspdb_kept {
	bool on;
	int control;
	const char *model;
	struct gaspdb_user_event *user_events;
	uint32_t n_user_events;
};

/* It lies just before its context, in memory that a child gets a copy of. */
static inline struct gaspdb_kept *gaspdb_kept(const struct gaspdb_context *c)
{
	return (struct gaspdb_kept *)(uintptr_t)c - 1;
}

/* Control, model or user events of c have changed: a child is to know. */
void gaspdb_context_keep(const struct gaspdb_context *c);

/* The calling thread's context; made at the first call.  NULL: no recording.
   Never called while the context is busy. */
struct gaspdb_context *gaspdb_context_get(void);

/* The same for what does not return: nothing is allocated. */
struct gaspdb_context *gaspdb_context_last(void);
/* The same, if it has been made; NULL: not. */
struct gaspdb_context *gaspdb_context_current(void);

/* Once, when the process begins. */
void gaspdb_context_watch_forks(void);

/* Has what ran with the stack at before been left by a jump?  Else it has been
   interrupted by a handler, which runs with the stack at now. */
bool gaspdb_was_left(uintptr_t before, uintptr_t now);

/*
 * c, which somebody got from us, is not live.  In a forked child it becomes
 * this process's, with a log of its own; user events and control are as they
 * were.  false: it is over with c.
 */
bool gaspdb_context_revive(struct gaspdb_context *c);

/* A context for a GASP model that the calling thread now is part of. */
struct gaspdb_context *gaspdb_context_for(const char *model);

/* Write what is owed (nested calls, losses, why), close the log.  No thread
   writes to it any more; the process's lock is held. */
void gaspdb_context_close(struct gaspdb_context *c, const char *why);

/* Is c not to record events?  So looks a context that a child inherited. */
static inline bool gaspdb_context_is_off(struct gaspdb_context *c)
{
	return GASPDB_UNLIKELY(!c->on) &&
	       (GASPDB_LIKELY(c->live) || !gaspdb_context_revive(c) || !c->on);
}

/*
 * The log cannot grow (failure.h), and its last block
 * has begun: recording on c stops for good, the log is closed, the cause told.
 */
void gaspdb_context_fail(struct gaspdb_context *c, int error);

/*
 * The calling thread does not go on with what it is doing: it ends.  If that is
 * a record of its own that is being written, the record is given up.
 */
void gaspdb_context_interrupted(void);

/* There is no memory to remember what an event is, so it is lost. */
GASPDB_COLD void gaspdb_context_lose(struct gaspdb_context *c);

/* --- context_facts.c: c is busy, unless it says otherwise ------------------
 */

void gaspdb_context_emit(struct gaspdb_context *c, const char *key,
			 const char *value);
/* Whose log it is. */
void gaspdb_context_emit_birth(struct gaspdb_context *c);
/* The first event comes by that path: the cost of the dearest path so far is
   told, if it is another.  c is not busy. */
GASPDB_COLD void gaspdb_context_takes(struct gaspdb_context *c,
				      enum gaspdb_path path);
/* What an end owes.  What does not fit into a last block is left out. */
void gaspdb_context_emit_end(struct gaspdb_context *c, const char *why);

/* The thread's rank in a world of ranks (-1: not known) goes to the log, and
   from now on to each of its blocks.  c is busy. */
void gaspdb_context_emit_rank(struct gaspdb_context *c, int rank, int ranks);
static inline bool gaspdb_context_has_rank(const struct gaspdb_context *c)
{
	return c->whose.rank[0];
}

/* A block has begun, not the first: it tells whose log it is, so that the loss
   of the others does not take the thread its rank.  c is busy; no formatting,
   for this may be in a signal handler. */
void gaspdb_context_emit_whose(struct gaspdb_context *c);

/* Tell the log what the process has learned since (rank, segments).  c is not
   busy. */
void gaspdb_context_catch_up(struct gaspdb_context *c);
bool gaspdb_context_is_behind(const struct gaspdb_context *c);

/* --- definitions.c: what a log has been told ------------------------------ */

/* A string for an event's argument. */
uint64_t gaspdb_string_id(struct gaspdb_context *c, const char *s);

/* The operation of an adapter or of an event row; told at first use. */
struct gaspdb_op_state *gaspdb_op_find(struct gaspdb_context *c,
				       const struct gaspdb_operation *op);
/* One told with layouts of its own; key is not in use yet. */
struct gaspdb_op_state *gaspdb_op_add(struct gaspdb_context *c, const void *key,
				      const struct gaspdb_event_info *e,
				      const char *name, const char *start,
				      const char *end);
/* A user event's; key is its own. */
struct gaspdb_op_state *gaspdb_op_user(struct gaspdb_context *c,
				       const void *key, const char *name,
				       const char *format, const char *layout);

/* The site, told at first use; NULL: no memory.  what: the operation, or what
   gaspdb_site_find is to find it by. */
struct gaspdb_site *gaspdb_site_pc(struct gaspdb_context *c, const void *what,
				   struct gaspdb_op_state *op, const void *pc);
struct gaspdb_site *gaspdb_site_line(struct gaspdb_context *c,
				     struct gaspdb_op_state *op,
				     const char *file, uint64_t line);

/* No site is known yet. */
void gaspdb_sites_init(struct gaspdb_context *c);

/* For event_cost.c's context: record whatever the masks say. */
void gaspdb_op_unmask(struct gaspdb_context *c);

/* Give back the memory of a context that records no more: what nobody else
   looks at, and operations, at which somebody who has the context may. */
void gaspdb_tables_free(struct gaspdb_context *c);
void gaspdb_ops_free(struct gaspdb_context *c);

/* Stands for no site.  Never written. */
extern struct gaspdb_site gaspdb_no_site GASPDB_HIDDEN;

/* Nested calls and masked events counted so far go to the log (at its end). */
void gaspdb_op_emit_counts(struct gaspdb_context *c);
/* From now on all events are masked: counted, if their operation is known. */
void gaspdb_op_mask_all(struct gaspdb_context *c);

/* --- gasp.c --------------------------------------------------------------- */

/* gasp_control; c NULL: not recorded. */
int gaspdb_control(struct gaspdb_context *c, int on);

/* --- user_events.c -------------------------------------------------------- */

/* gasp_create_event; c NULL: not recorded, the tag means nothing. */
unsigned gaspdb_user_event_new(struct gaspdb_context *c, const char *name,
			       const char *format);

/* In a forked child: those of the parent are told to the child's log.  c is
   busy. */
void gaspdb_user_events_inherit(struct gaspdb_context *c);
void gaspdb_user_events_free(struct gaspdb_context *c);

/*
 * An event of tag, which may be unknown; ticks were read first.  pc: where it
 * was raised, or NULL: at file and line.
 */
void gaspdb_user_event_raise(struct gaspdb_context *c, unsigned tag,
			     enum gaspdb_phase phase, uint64_t ticks,
			     const void *pc, const char *file, uint64_t line,
			     va_list ap);

/* --- modules.c ------------------------------------------------------------ */

/*
 * Which module a pointer lies in; NULL: in none that is known.  c is busy.
 * Sites of modules that are gone by now are parked first: see definitions.c.
 */
struct gaspdb_module *gaspdb_module_find(struct gaspdb_context *c,
					 const void *pointer);
/* Its id in the log, which is told of it at first use; m NULL: 0. */
uint32_t gaspdb_module_id(struct gaspdb_context *c, struct gaspdb_module *m);
/* Is the pointer in a module that gaspdb_sites_park is called for? */
bool gaspdb_module_is_gone(const struct gaspdb_context *c, const void *pointer);

/* How often a module may have been unloaded; modules.c. */
extern atomic_uint gaspdb_unloads GASPDB_HIDDEN;
/* Is one being unloaded? */
bool gaspdb_is_unloading(void);
/* Something may have been unloaded: sites of what is gone are not to be found.
   c is not busy. */
void gaspdb_modules_catch_up(struct gaspdb_context *c);
static inline bool gaspdb_modules_are_behind(const struct gaspdb_context *c)
{
	return c->n_unloads !=
	       atomic_load_explicit(&gaspdb_unloads, memory_order_relaxed);
}
/* If something was unloaded, modules are looked at before the next event but
   one: a dlclose that was not seen comes to light.  The thread is undisturbed.
 */
void gaspdb_modules_doubt(struct gaspdb_context *c);
void gaspdb_modules_free(struct gaspdb_context *c);

/* --- definitions.c -------------------------------------------------------- */

/* Sites of modules that gaspdb_module_is_gone is true for. */
void gaspdb_sites_park(struct gaspdb_context *c);

/* --- repeat.c: what later blocks tell again.  c is busy. -------------------- */

/* A record that has just been written: a definition. */
void gaspdb_repeats_keep(struct gaspdb_context *c, const unsigned char *record,
			 size_t bytes);
/* A block has begun; spare bytes of it are for others. */
void gaspdb_repeats_write(struct gaspdb_context *c, size_t spare);
void gaspdb_repeats_free(struct gaspdb_context *c);

/* --- emit.c: records into the log ----------------------------------------- */

/* An event's record; values by plan of phase.  c is busy. */
void gaspdb_emit(struct gaspdb_context *c, enum gaspdb_phase phase,
		 struct gaspdb_site *site, uint64_t ticks, unsigned n,
		 const uint64_t *values);
/* An OTHER record, as gaspdb_record; c is busy.  Further codes: b const struct
   gaspdb_bytes *, r a string that is the rest of the record. */
void gaspdb_emit_other(struct gaspdb_context *c, unsigned kind,
		       const char *layout, ...);
/* The same, and later blocks tell it again. */
void gaspdb_emit_definition(struct gaspdb_context *c, unsigned kind,
			    const char *layout, ...);

/* There are so many bytes left in the open block, or in another that begins;
   false: recording is over. */
bool gaspdb_emit_room(struct gaspdb_context *c, size_t bytes);

/* The open block ends here, another begins; false: recording is over. */
bool gaspdb_emit_next_block(struct gaspdb_context *c);

/*
 * c is busy, and its thread begins to write with the stack at frame.  true: the
 * write that was going on has been left by a jump, and this one goes on.
 */
bool gaspdb_begin_again(struct gaspdb_context *c, uintptr_t frame);

/* Begin to write, c not being busy: false if there is no log. */
static inline bool gaspdb_begin_idle(struct gaspdb_context *c)
{
	c->busy = gaspdb_stack_pointer;
	atomic_signal_fence(memory_order_seq_cst);
	if (GASPDB_LIKELY(c->live))
		return true;
	c->busy = 0;
	return false;
}

/* Begin to write: false if this interrupts a write, or there is no log. */
static inline bool gaspdb_begin(struct gaspdb_context *c)
{
	if (GASPDB_UNLIKELY(c->busy))
		return gaspdb_begin_again(c, gaspdb_stack_pointer);
	return gaspdb_begin_idle(c);
}

static inline void gaspdb_done(struct gaspdb_context *c)
{
	atomic_signal_fence(memory_order_seq_cst);
	c->busy = 0;
}

#endif
