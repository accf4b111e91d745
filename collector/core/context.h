/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The recording state of one thread: its log, and the definitions (strings,
 * operations, sites) that the log has.  Only that thread uses it, except for
 * closing: the process lists its contexts so that its end closes them all.
 */
#ifndef GASPDB_COLLECTOR_CORE_CONTEXT_H
#define GASPDB_COLLECTOR_CORE_CONTEXT_H

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "collector/core/call_stack.h"
#include "collector/core/collector.h"
#include "collector/core/entities/entities.h"
#include "collector/core/event_cost.h"
#include "collector/core/poll.h"
#include "collector/core/processor.h"
#include "collector/core/profile/profile.h"
#include "collector/core/profile/rest.h"
#include "collector/core/selection/throttle.h"
#include "collector/core/selection/windows.h"
#include "collector/gasp/functions.h"
#include "collector/log/log_writer.h"

#define GASPDB_LAYOUT_MAX  60 /* arguments of one event */
#define GASPDB_ADDRESS_MAX 8  /* addresses among them, in any layout */
#define GASPDB_PASSED_MAX  16 /* arguments that a GASP event passes, and NUL */
#define GASPDB_TAGS_MAX	   4096 /* above the system tags of all GASP models */

#define GASPDB_TEXT_MAX 4000 /* bytes of a string in the log */

struct gaspdb_bytes {
	const void *p;
	size_t n;
};

/* Encoding of an argument. */
enum gaspdb_how {
	GASPDB_HOW_UNSIGNED, /* ids of strings too */
	GASPDB_HOW_SIGNED,
	GASPDB_HOW_INT, /* signed; the low 32 bits of the value */
	GASPDB_HOW_ADDRESS,
	GASPDB_HOW_DOUBLE
};

struct gaspdb_step {
	uint8_t how;
	uint8_t from; /* index of the value */
	uint8_t base; /* addresses: index among the site's */
};

/* Encoding plan for the arguments of an operation's START, END or ATOMIC. */
struct gaspdb_plan {
	_Alignas(64) uint8_t n;
	bool translate;	  /* gasp.c: some values change on the way to the log */
	uint8_t n_usual;  /* gasp.c: n, or GASPDB_ARGS_FOLLOW if translate */
	uint8_t n_passed; /* gasp.c: length of passed */
	char passed[GASPDB_PASSED_MAX]; /* gasp.c: type codes of the arguments
					   passed */
	struct gaspdb_step step[GASPDB_LAYOUT_MAX];
};

/* An operation that a log defines. */
struct gaspdb_op_state {
	const void *key; /* the adapter's operation, the event's row ... */
	uint64_t id;	 /* in the log, from 1 */
	uint64_t nested; /* calls by the runtime itself */
	bool masked;	 /* mask.h: counted, not written */
	bool polls;	 /* gasp.c: a polling call */
	uint8_t sync;	 /* gasp.c: enum gaspdb_upc_sync */
	bool special;	 /* gasp.c: masked, polls, or sync */
	bool overlay; /* a user event: it takes no time from others */
	bool runtime; /* a call of a runtime, or of libc */
	struct gaspdb_moves moves;
	uint64_t n_masked;
	uint32_t n_addresses; /* address arguments: each has a base per site */
	struct gaspdb_plan plan[3]; /* by phase */
};

static inline uint64_t gaspdb_line(int line, int column)
{
	return (uint64_t)(uint32_t)column << 32 | (uint32_t)line;
}

#define GASPDB_FILE (1u << 31) /* flag of gaspdb_site.home */

/*
 * A site: an operation at a place in the program.  One cache line.  Addresses
 * are logged as differences from the base; most sites have at most two, and the
 * others' remaining bases are in the context's overflow[].
 */
struct gaspdb_site {
	struct gaspdb_site_key key;
	struct gaspdb_op_state *op;
	uint32_t id;	/* in the log, encoded as a varint; 0: free slot */
	uint32_t block; /* number + 1 of the block that the bases belong to */
	union {
		uint32_t overflow;  /* index of the first base in overflow[] */
		uint32_t throttled; /* a function: throttle.c's; 0: written */
	};
	uint32_t home; /* id of the module, or GASPDB_FILE | id of the file name
			*/
	union {
		uint64_t base[GASPDB_SITE_BASES]; /* of the first address
						     arguments */
		struct gaspdb_node *node;	  /* of a profile alone: its last one */
		struct {			  /* of a function */
			uint64_t calls; /* written ones that have ended */
			union {
				uint64_t ticks; /* of these */
				uint64_t open;	/* if throttled: open calls */
			};
		} function;
	};
};

/* The number of a site, of which gaspdb_site.id is the varint. */
static inline uint32_t gaspdb_site_number(uint32_t id)
{
	uint32_t n = 0;

	for (unsigned i = 0; i < 4; i++)
		n |= (id >> 8 * i & 0x7f) << 7 * i;
	return n;
}

struct gaspdb_table { /* open addressing; size is a power of two */
	void *slots;
	uint32_t size, used;
};

/* Copies of definition records for later blocks: repeat.c.  All numbers are
   bytes. */
struct gaspdb_repeats {
	unsigned char *bytes;
	size_t size, n;
	size_t lasting;		 /* this prefix stays when the memory is full */
	size_t fresh;		 /* records before it are in two blocks */
	size_t next, repeat_end; /* range of the repetition under way */
	uint64_t due;		 /* log length at which all are repeated */
};

struct gaspdb_context {
	bool live; /* false: no recording. A forked child finds all zero, except
		      gaspdb_inherited() */
	bool dead; /* closed or failed, for good */
	bool full; /* the log is at its size limit: events are counted */
	bool over_run_limit; /* at the run's limit */
	bool on;	     /* recording is on: control, and windows */
	bool profile_only;   /* the profile has events in place of the trace */
	bool ending;	     /* the trace ends: rest.h */
	bool was_on;	     /* at some time */
	bool stopped; /* at the process's end: the thread is not writing */
	uint32_t site_mask; /* number of slots of sites[] - 1 */
	/*
	 * The writer's stack pointer while the log is written, else 0.  An
	 * event of an interrupting signal handler is counted as lost; the
	 * process's end waits.
	 */
	volatile uintptr_t busy;
	struct gaspdb_site *last; /* site of the block's last event */
	uint64_t ticks; /* gasp.c: ticks of the event being recorded */
	struct gaspdb_site *sites;
	struct gaspdb_log_writer log;
	struct gaspdb_profile *profile; /* NULL: there is none */
	uint64_t *overflow; /* address bases beyond a site's own */
	struct gaspdb_poll poll;
	/* The event is the END of a failed poll, or a START that it may
	   take back: no other record is written before it. */
	bool failed_poll;
	struct gaspdb_processor processor;

	unsigned char *full_limit; /* log.limit before `full` */
	uint64_t reserve_bytes;	   /* of the log's limit, kept for rest.h */
	uint64_t bytes_counted; /* the log's share of the process's log_bytes */
	unsigned paths;	   /* bits: enum gaspdb_path of its events so far */
	uint64_t n_off;	   /* raw events while recording was off */
	double event_cost; /* ticks, of the most expensive path, as logged; 0:
			      none */
	int control;	   /* last argument of gasp_control */
	volatile bool upcall;		   /* an upcall is running: upcalls.h */
	uint64_t upcall_start, upcall_end; /* ticks; 0: no upcall */
	unsigned depth;			   /* wrappers entered */
	uintptr_t frame; /* stack frame of the outermost wrapper */
	uint64_t masked; /* a bit per nested wrapper */
	unsigned inner;	 /* wrappers entered in callbacks of others */
	struct gaspdb_functions functions; /* open ones */
	struct gaspdb_throttle throttle;
	struct gaspdb_defined_entities entities;
	uint64_t not_before; /* ticks: end of the last block change */
	uint32_t lost_interrupted, lost_memory;
	uint32_t generation; /* of the process's facts last logged */
	/* Facts repeated in each block, as text; "": not known. */
	struct {
		char job[17], rank[12], ranks[12];
	} whose;
	uint32_t n_teams;    /* TEAM records in a profile's log */
	uint32_t n_segments; /* segments logged */
	uint32_t number;     /* of the thread in its process */
	const char *model;
	pid_t tid;
	struct gaspdb_repeats repeats;
	struct gaspdb_table ops, strings;
	struct gaspdb_op_chunk *op_chunks;     /* definitions.c */
	struct gaspdb_user_event *user_events; /* user_events.c */
	uint32_t n_user_events;
	struct gaspdb_texts *texts; /* of user_events */
	uint32_t n_unknown,
		first_unknown; /* events of tags that do not exist */
	uint32_t n_sites, n_overflow, overflow_room, n_ops, n_strings;
	uint32_t n_slots;			/* used slots of sites[] */
	struct gaspdb_call_stacks *call_stacks; /* NULL: none are recorded */
	/* modules.c: modules of sites, loaded or not */
	bool no_modules;
	struct gaspdb_module *modules;
	uint32_t n_modules, module_room, n_module_ids;
	uint64_t unloads_seen;	     /* dlpi_subs at the last check */
	uint32_t n_unloads;	     /* gaspdb_unloads at the last check */
	struct gaspdb_context *next; /* in the process's list */
	struct gaspdb_op_state *op_of_tag[GASPDB_TAGS_MAX]; /* gasp.c */
};

/* State that a forked child inherits from the parent's context. */
struct gaspdb_inherited {
	bool on;
	int control;
	const char *model;
	struct gaspdb_user_event *user_events;
	uint32_t n_user_events;
	struct gaspdb_thread_windows windows; /* kept here alone */
};

/* Stored just before its context, in memory that a fork copies. */
static inline struct gaspdb_inherited *
gaspdb_inherited(const struct gaspdb_context *c)
{
	return (struct gaspdb_inherited *)(uintptr_t)c - 1;
}

/* Copies control, model and user events of c for forked children.  Call it
   after a change. */
void gaspdb_context_save(const struct gaspdb_context *c);

/* The calling thread's context, which may not be live; NULL: not made yet. */
extern _Thread_local struct gaspdb_context *gaspdb_current GASPDB_HIDDEN;

/* The calling thread's context, made at the first call; NULL: no recording.
   Not to be called while the context is busy. */
struct gaspdb_context *gaspdb_context_get(void);

/* The same for calls that do not return: allocates nothing. */
struct gaspdb_context *gaspdb_context_last(void);
/* The same, but never made; NULL: there is none. */
struct gaspdb_context *gaspdb_context_current(void);

/* Whether the code that ran with its stack at before was left by a longjmp.
   false: it is interrupted by a signal handler, whose stack is at now. */
bool gaspdb_was_left(uintptr_t before, uintptr_t now);

/*
 * Revives a context that is not live.  In a forked child it becomes this
 * process's, with a log of its own, and the parent's user events and control.
 * false: c is closed or failed.
 */
bool gaspdb_context_revive(struct gaspdb_context *c);

/* The calling thread's context, as part of a GASP model. */
struct gaspdb_context *gaspdb_context_for(const char *model);

/* Writes the closing records (counts, losses, why) and closes the log.  No
   thread writes to it any more; the process's lock is held. */
void gaspdb_context_close(struct gaspdb_context *c, const char *why);

/* Whether c records no events.  A context inherited by a forked child is
   revived first. */
static inline bool gaspdb_context_is_off(struct gaspdb_context *c)
{
	return GASPDB_UNLIKELY(!c->on) &&
	       ((GASPDB_UNLIKELY(!c->live) && !gaspdb_context_revive(c)) ||
		!(c->on || gaspdb_profiles_all()));
}

/*
 * Ends recording on c after a failure (failure.h) to grow the log, whose last
 * block has begun: logs the cause and closes the log, or counts from now on at
 * a size limit.
 */
void gaspdb_context_fail(struct gaspdb_context *c, int error);

/* Discards the record that the calling thread is writing, if any: the thread
   ends. */
void gaspdb_context_interrupted(void);

/* Counts an event that is lost because the tables have no memory. */
GASPDB_COLD void gaspdb_context_lose(struct gaspdb_context *c);
/* The same for an event without a site.  At the size limit, where nothing is
   defined any more, a profile counts it. */
GASPDB_COLD void gaspdb_event_lose(struct gaspdb_context *c,
				   enum gaspdb_phase phase, uint64_t ticks);

/* --- context_facts.c: c is busy, except where noted ------------------------
 */

void gaspdb_context_emit(struct gaspdb_context *c, const char *key,
			 const char *value);
/* The log's first records: host, process, program, masks, clock. */
void gaspdb_context_emit_birth(struct gaspdb_context *c);
/* The first event of a path: logs the path's cost if it is the highest so far.
   c is not busy. */
GASPDB_COLD void gaspdb_context_emit_cost(struct gaspdb_context *c,
					  enum gaspdb_path path);
/* The log's last records.  Records that do not fit into the last block are left
   out. */
void gaspdb_context_emit_end(struct gaspdb_context *c, const char *why);

/* Logs the thread's rank (-1: not known), now and in each later block. c is
   busy. */
void gaspdb_context_emit_rank(struct gaspdb_context *c, int rank, int ranks);
static inline bool gaspdb_context_has_rank(const struct gaspdb_context *c)
{
	return c->whose.rank[0];
}

/*
 * Repeats job and rank in a new block, so that the loss of other blocks does
 * not lose them. c is busy.  Does no formatting: it may run in a signal
 * handler.
 */
void gaspdb_context_emit_whose(struct gaspdb_context *c);

/* Logs the process's new facts (rank, segments). c is not busy. */
void gaspdb_context_catch_up(struct gaspdb_context *c);
bool gaspdb_context_is_behind(const struct gaspdb_context *c);

/*
 * --- definitions.c ---------------------------------------------------------
 */

/* Id of a string argument, which is defined if new. */
uint64_t gaspdb_string_id(struct gaspdb_context *c, const char *s);
/* The same for a site's string, which is repeated with the site. */
uint64_t gaspdb_site_string_id(struct gaspdb_context *c, const char *s);

/* The operation of a key; NULL: not defined yet. */
struct gaspdb_op_state *gaspdb_op_lookup(struct gaspdb_context *c,
					 const void *key);
/* The operation of an adapter, defined at first use. */
struct gaspdb_op_state *gaspdb_op_find(struct gaspdb_context *c,
				       const struct gaspdb_operation *op);
/* A new operation with its own layouts. key is not in use yet. */
struct gaspdb_op_state *gaspdb_op_add(struct gaspdb_context *c, const void *key,
				      const struct gaspdb_event_info *e,
				      const char *name, const char *start,
				      const char *end);
/* A new operation for a user event; key is unique. */
struct gaspdb_op_state *gaspdb_op_user(struct gaspdb_context *c,
				       const void *key, const char *name,
				       const char *format, const char *layout);
/* The operation of statements with that name, defined at first use; the text is
   read now.  c is busy. */
struct gaspdb_op_state *gaspdb_op_named(struct gaspdb_context *c,
					const char *name);

/*
 * --- sites.c ----------------------------------------------------------------
 */

/* The site, defined at first use; NULL: no memory. what: the key that
   gaspdb_site_find uses for the operation. place: an address, or a frame of
   call_stack.h. */
struct gaspdb_site *gaspdb_site_pc(struct gaspdb_context *c, const void *what,
				   struct gaspdb_op_state *op,
				   const void *place);
struct gaspdb_site *gaspdb_site_line(struct gaspdb_context *c,
				     struct gaspdb_op_state *op,
				     const char *file, uint64_t line);
/* The same under a key of the caller's, whose place is in the module that has
   the texts, and whose line is not 0; function NULL: not known. */
struct gaspdb_site *gaspdb_site_text(struct gaspdb_context *c,
				     const struct gaspdb_site_key *key,
				     struct gaspdb_op_state *op,
				     const char *file, const char *function);

/* Makes the site table empty; and frees it first. */
void gaspdb_sites_init(struct gaspdb_context *c);
void gaspdb_sites_free(struct gaspdb_context *c);

/* Placeholder for no site. Never written. */
extern struct gaspdb_site gaspdb_no_site GASPDB_HIDDEN;

/* Parks the sites of unloaded modules. */
void gaspdb_sites_park(struct gaspdb_context *c);

/*
 * --- definitions.c ----------------------------------------------------------
 */

/* For event_cost.c's context: ignores the masks. */
void gaspdb_op_unmask(struct gaspdb_context *c);

/* Frees the tables of a context that no longer records.  Operations are freed
   apart: a holder of the context may still read them. */
void gaspdb_tables_free(struct gaspdb_context *c);
void gaspdb_ops_free(struct gaspdb_context *c);

/* Logs the counts of throttled functions, nested calls and masked events. */
void gaspdb_op_emit_counts(struct gaspdb_context *c);
/* Masks all operations: known ones are counted. */
void gaspdb_op_mask_all(struct gaspdb_context *c);

/*
 * --- runtime.c --------------------------------------------------------------
 */

/* gasp_control(). c NULL: not recorded. */
int gaspdb_control(struct gaspdb_context *c, int on);
/* Switches recording on or off, as control and windows have it now. */
void gaspdb_recording_switch(struct gaspdb_context *c);

/* --- user_events.c -------------------------------------------------------- */

/* gasp_create_event(). c NULL: not recorded, and the tag has no meaning. */
unsigned gaspdb_user_event_new(struct gaspdb_context *c, const char *name,
			       const char *format);

/* Defines the parent's user events in a forked child's log. c is busy. */
void gaspdb_user_events_inherit(struct gaspdb_context *c);
void gaspdb_user_events_free(struct gaspdb_context *c);

/* Takes notice of a user event before its time is read: a phase may switch
   recording on. false: it is not recorded. */
bool gaspdb_user_event_begins(struct gaspdb_context *c, unsigned tag,
			      enum gaspdb_phase phase);
static inline bool gaspdb_user_event_is_recorded(struct gaspdb_context *c,
						 unsigned tag,
						 enum gaspdb_phase phase)
{
	return GASPDB_LIKELY(c->on && !gaspdb_has_phases()) ||
	       gaspdb_user_event_begins(c, tag, phase);
}
/* Records a user event; an unknown tag is counted. ticks were read first. pc:
   the place, or NULL: file and line. */
void gaspdb_user_event_raise(struct gaspdb_context *c, unsigned tag,
			     enum gaspdb_phase phase, uint64_t ticks,
			     const void *pc, const char *file, uint64_t line,
			     va_list ap);

/* --- adapter.c ------------------------------------------------------------ */

/* Closes the open calls, which a longjmp has left, from an error handler for
   one. */
void gaspdb_calls_left(struct gaspdb_context *c);

/* --- modules.c ------------------------------------------------------------ */

/* The module of a pointer; NULL: none.  Parks the sites of unloaded modules
   first (sites.c).  c is busy. */
struct gaspdb_module *gaspdb_module_find(struct gaspdb_context *c,
					 const void *pointer);
/* The same after another look-up, which has checked for unloads. */
struct gaspdb_module *gaspdb_module_find_checked(struct gaspdb_context *c,
						 const void *pointer);
/* The id of a module, defined at first use; m NULL: 0. */
uint32_t gaspdb_module_id(struct gaspdb_context *c, struct gaspdb_module *m);
/* The loader's count of unloaded modules.  The thread is undisturbed: the
   loader takes a lock. */
uint64_t gaspdb_modules_unloaded(void);
/* Whether a pointer is in an unloaded module, for gaspdb_sites_park. */
bool gaspdb_module_is_gone(const struct gaspdb_context *c, const void *pointer);

/* Counts possible unloads; modules.c. */
extern atomic_uint gaspdb_unloads GASPDB_HIDDEN;
/* Whether a dlclose is under way. */
bool gaspdb_is_unloading(void);
/* Parks the sites of unloaded modules after a possible unload.  c is not
   busy. */
void gaspdb_modules_catch_up(struct gaspdb_context *c);
static inline bool gaspdb_modules_are_behind(const struct gaspdb_context *c)
{
	return c->n_unloads !=
	       atomic_load_explicit(&gaspdb_unloads, memory_order_relaxed);
}
/*
 * Schedules a module check before the next event if the loader's unload count
 * has changed, for unloads by an unwrapped dlclose.  The thread is undisturbed.
 */
void gaspdb_modules_check_unloads(struct gaspdb_context *c);
void gaspdb_modules_free(struct gaspdb_context *c);

/*
 * --- repeat.c: definitions repeated in later blocks. c is busy. -------------
 */

/* Adds a definition record that has just been written. */
void gaspdb_repeats_add(struct gaspdb_context *c, const unsigned char *record,
			size_t bytes);
/* Writes repetitions into a new block, of which spare bytes stay free. */
void gaspdb_repeats_write(struct gaspdb_context *c, size_t spare);
void gaspdb_repeats_free(struct gaspdb_context *c);

/* --- what becomes of events ------------------------------------------------ */

/* Whether the profile has events in place of the trace. */
static inline bool gaspdb_is_profile_only(const struct gaspdb_context *c)
{
	return GASPDB_UNLIKELY(c->profile_only);
}
/* Whether events are written now: else, with a profile, they are counted
   alone. */
static inline bool gaspdb_is_traced(const struct gaspdb_context *c)
{
	return GASPDB_LIKELY(!c->profile) ||
	       (c->on && !c->full && !gaspdb_is_profile_only(c));
}
/* Whether events are only counted, at the size limit. */
static inline bool gaspdb_is_stopped(const struct gaspdb_context *c)
{
	return GASPDB_UNLIKELY(c->full) && !c->profile;
}

/* --- writes ---------------------------------------------------------------- */

/*
 * Begins a write while c is busy, with the stack at frame. true: the write
 * before was left by a longjmp, and this one proceeds. false: this one
 * interrupts it.
 */
bool gaspdb_begin_again(struct gaspdb_context *c, uintptr_t frame);

/* Begins a write; c is not busy. false: there is no log. */
static inline bool gaspdb_begin_idle(struct gaspdb_context *c)
{
	c->busy = gaspdb_stack_pointer;
	atomic_signal_fence(memory_order_seq_cst);
	if (GASPDB_LIKELY(c->live))
		return true;
	c->busy = 0;
	return false;
}

/*
 * Begins a write. false: it would interrupt another write, or there is no log.
 */
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

/* --- functions.c ---------------------------------------------------------- */

/* Ends the functions that are left by a longjmp or an exception, now that the
   stack is at frame. */
GASPDB_COLD void gaspdb_functions_left(struct gaspdb_context *c,
				       uintptr_t frame);
static inline void gaspdb_functions_check(struct gaspdb_context *c,
					  uintptr_t frame)
{
	if (GASPDB_UNLIKELY(c->functions.depth > gaspdb_depth_of(frame)))
		gaspdb_functions_left(c, frame);
}
/* Ends the open functions in the log, where recording is switched off and the
   profile goes on. */
void gaspdb_functions_cut(struct gaspdb_context *c);
/* Drops pointers to sites that a rebuild invalidates. */
void gaspdb_functions_forget_sites(struct gaspdb_context *c);
/* Counts the throttled functions that are open at the log's end. */
void gaspdb_functions_count_open(struct gaspdb_context *c);
void gaspdb_functions_free(struct gaspdb_context *c);

#endif
