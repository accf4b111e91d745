/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The MPI adapter, compiled once for each MPI.  Each public call is recorded
 * around its PMPI_ twin, with the results and status of MPI.  State between
 * calls (communicators, requests, matched messages, windows) is in tables of
 * the process, each with a lock of its own that is never held across a PMPI
 * call.  A signal handler that finds one held goes without the table (lock.h).
 */
#ifndef GASPDB_COLLECTOR_MODELS_MPI_ADAPTER_H
#define GASPDB_COLLECTOR_MODELS_MPI_ADAPTER_H

#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "collector/base/compiler.h"
#include "collector/core/collector.h"
#include "collector/core/lock.h"
#include "collector/log/log_format.h"

/* Declarations for MPI 4 alone: large counts, persistent collectives ... */
#if MPI_VERSION >= 4
#define GASPDB_MPI4(...) __VA_ARGS__
#else
#define GASPDB_MPI4(...)
#endif

/* --- calls ---------------------------------------------------------------- */

/* A call being recorded. */
struct gaspdb_mpi_call {
	struct gaspdb_context *c; /* NULL: not recorded */
	const struct gaspdb_operation *op;
	struct gaspdb_entry entry;
	struct gaspdb_mpi_comm *comm; /* borrowed: gaspdb_mpi_comm_get */
	uint64_t limit;		      /* receives: size of the buffer */
	int posted_peer, posted_tag;  /* receives: as asked for */
	uint64_t passed; /* unrecorded receives: ticks at posting; else 0 */
	enum gaspdb_poll_mode poll;
};

/* Between MPI's start and end: the first of MPI_Init and sessions, and the end
   of the last of them. */
extern bool gaspdb_mpi_active;

/*
 * Opens the body of a wrapper of function: declares call.  ident: the event's.
 */
#define GASPDB_MPI_CALL(ident, function) \
	GASPDB_MPI_CALL_IF(gaspdb_mpi_active, ident, function)

#define GASPDB_MPI_CALL_IF(condition, ident, function)                        \
	extern __typeof__(function) *gaspdb_next_##function GASPDB_HIDDEN;    \
	static const struct gaspdb_operation op = { GASPDB_EVENT_MPI_##ident, \
						    #function };              \
	struct gaspdb_mpi_call call GASPDB_MPI_CALL_CLOSES = {                \
		.op = &op, .entry = GASPDB_ENTRY(gaspdb_next_##function)      \
	};                                                                    \
	gaspdb_mpi_enter(&call, condition)

#define GASPDB_MPI_CALL_CLOSES __attribute__((cleanup(gaspdb_mpi_call_close)))

/* Target of a call that is not recorded. */
#define GASPDB_MPI_PASS(function) \
	(call.entry.to_other ? gaspdb_next_##function : P##function)

static inline void gaspdb_mpi_enter(struct gaspdb_mpi_call *call,
				    bool condition)
{
	if (condition)
		call->c = gaspdb_enter(call->op, &call->entry);
	else
		gaspdb_entry_pass(&call->entry);
}

static inline void gaspdb_mpi_call_close(const struct gaspdb_mpi_call *call)
{
	gaspdb_entry_close(&call->entry);
}

static inline void gaspdb_mpi_start(const struct gaspdb_mpi_call *call,
				    unsigned n, const uint64_t *args)
{
	gaspdb_start(call->c, call->op, call->entry.pc, n, args);
}

/* Records END and leaves the call. */
static inline void gaspdb_mpi_finish(const struct gaspdb_mpi_call *call,
				     unsigned n, const uint64_t *args)
{
	gaspdb_end(call->c, call->op, call->entry.pc, n, args);
	gaspdb_leave(call->c);
}

/* The same for polls: MPI_Test, MPI_Iprobe, MPI_Win_test. */
static inline void gaspdb_mpi_start_poll(struct gaspdb_mpi_call *call,
					 unsigned n, const uint64_t *args)
{
	call->poll = gaspdb_start_poll(call->c, GASPDB_POLL_TEST, call->op,
				       call->entry.pc, n, args);
}

/* The same for a poll whose start counts when it succeeds. */
static inline void gaspdb_mpi_start_poll_apart(struct gaspdb_mpi_call *call,
					       unsigned n, const uint64_t *args)
{
	call->poll = gaspdb_start_poll(call->c, GASPDB_POLL_APART, call->op,
				       call->entry.pc, n, args);
}

static inline void gaspdb_mpi_finish_poll(const struct gaspdb_mpi_call *call,
					  bool success)
{
	const uint64_t end = success;

	gaspdb_end_poll(call->c, call->poll, call->op, call->entry.pc, success,
			0, 1, &end);
	gaspdb_leave(call->c);
}

/* The same for a call that cannot fail, but may poll: weak if it is on the
   caller's own memory. */
static inline void gaspdb_mpi_start_weak(struct gaspdb_mpi_call *call,
					 bool weak, unsigned n,
					 const uint64_t *args)
{
	call->poll = GASPDB_POLL_PLAIN;
	if (weak)
		call->poll =
			gaspdb_start_poll(call->c, GASPDB_POLL_WEAK, call->op,
					  call->entry.pc, n, args);
	else
		gaspdb_start(call->c, call->op, call->entry.pc, n, args);
}

static inline void gaspdb_mpi_finish_weak(const struct gaspdb_mpi_call *call)
{
	const bool success = call->poll == GASPDB_POLL_PLAIN;

	gaspdb_end_poll(call->c, call->poll, call->op, call->entry.pc, success,
			0, 0, NULL);
	gaspdb_leave(call->c);
}

/* --- valid.c -------------------------------------------------------------- */

/*
 * Whether MPI can be queried with a handle: it reports invalid ones to the
 * program's error handlers.  A freed handle may pass, where MPI itself takes it
 * for valid.
 */
bool gaspdb_mpi_comm_is_valid(MPI_Comm comm);
bool gaspdb_mpi_group_is_valid(MPI_Group group);
/* Called just after MPI's start, and just before its end.  self: the process
   set mpi://SELF, where a session is the start; else MPI_GROUP_NULL. */
void gaspdb_mpi_valid_init(MPI_Group self);
void gaspdb_mpi_valid_fini(void);

#ifdef OPEN_MPI
static inline bool gaspdb_mpi_type_is_valid(MPI_Datatype type)
{
	return type && type != MPI_DATATYPE_NULL;
}
#else
/* Bits 26 to 29 of a handle are the kind of object, as in the kind's null
   handle; bits 30 and 31 are its storage, 0 for null handles. */
static inline bool gaspdb_mpi_is_of_kind(int handle, int null)
{
	return !((handle ^ null) & 0x3c000000) && (unsigned)handle >> 30;
}

static inline bool gaspdb_mpi_type_is_valid(MPI_Datatype type)
{
	return gaspdb_mpi_is_of_kind(type, MPI_DATATYPE_NULL);
}
#endif

/* MPI's error class of any code; 0 for success. */
int gaspdb_mpi_error_class(int code);

/* --- communicators.c ------------------------------------------------------ */

/* Ranks of a group in the run, which in a world that is not spawned are world
   ranks; regular ones need no list. */
struct gaspdb_mpi_ranks {
	int n, start, stride;
	int *list; /* NULL: start + i * stride */
};

static inline int gaspdb_mpi_rank_at(const struct gaspdb_mpi_ranks *r, int i)
{
	return r->list ? r->list[i] : r->start + i * r->stride;
}

struct gaspdb_mpi_comm {
	uint64_t id; /* its TEAM record's, from 1 */
	bool inter;
	int rank;			       /* own, in the own group */
	struct gaspdb_mpi_ranks local, remote; /* remote: inter only */
	int sources, destinations;	       /* neighbours in its topology */
	char *source_runs; /* as in TEAM_SOURCES; NULL: not known */
	atomic_uint_least64_t sequence; /* collectives so far */
	atomic_uint_least64_t created;	/* communicators, windows, files so
					   far */
	bool sequential;		/* a file without offsets */
	atomic_uint_least64_t begun; /* a file: serial of the split collective
					under way; 0: none, or not recorded */

	/* private to communicators.c */
	MPI_Comm handle; /* MPI_COMM_NULL: a window's, a file's */
	atomic_int references;
	const char *kind;
	char *name; /* NULL: none */
	uint64_t parent, ordinal;
	uint64_t identity; /* hash of the name, alike in all members */
	uint32_t *epochs[2]; /* windows.c: counts of MPI_Win_start and
				MPI_Win_post that named each world rank; NULL:
				none */
	struct gaspdb_mpi_comm *next, *newer, *older;
};

/* Adds MPI_COMM_WORLD, MPI_COMM_SELF, and the parent's communicator if there is
   one. */
void gaspdb_mpi_comms_init(struct gaspdb_context *c);
/* Adds the process set of all processes (MPI_GROUP_NULL: not known), which is
   the world of a program of sessions; the group is taken over. */
void gaspdb_mpi_comms_init_session(struct gaspdb_context *c, MPI_Group world);
/* Forgets all handles: MPI has ended. */
void gaspdb_mpi_comms_fini(void);
/* MPI_COMM_WORLD, or the process set that takes its place; NULL: neither. */
struct gaspdb_mpi_comm *gaspdb_mpi_comm_world(struct gaspdb_context *c);

/*
 * The communicator of a handle, borrowed until the thread's next query; an
 * unknown one is added.  NULL for MPI_COMM_NULL, for a handle that MPI does not
 * know, and without memory.
 */
struct gaspdb_mpi_comm *gaspdb_mpi_comm_get(struct gaspdb_context *c,
					    MPI_Comm handle);
/* Its id, for a call that does not return and may be in a signal handler:
   nothing is added or allocated. 0: not known. */
uint64_t gaspdb_mpi_comm_last(struct gaspdb_context *c, MPI_Comm handle);
/* Takes over a reference, and lends it likewise. */
struct gaspdb_mpi_comm *gaspdb_mpi_comm_hold(struct gaspdb_mpi_comm *m);
struct gaspdb_mpi_comm *gaspdb_mpi_comm_ref(struct gaspdb_mpi_comm *m);
void gaspdb_mpi_comm_put(struct gaspdb_mpi_comm *m);

/* Ordinal of a creation in which only the new communicator's members take part:
   it is named by its members. */
#define GASPDB_MPI_UNNUMBERED UINT64_MAX

/*
 * Adds a new communicator, the ordinal-th from parent (NULL: none), and logs
 * it. key: distinguishes unnumbered ones with the same members.  Returns its
 * id, 0 for MPI_COMM_NULL.
 */
uint64_t gaspdb_mpi_comm_add(struct gaspdb_context *c, MPI_Comm handle,
			     const struct gaspdb_mpi_comm *parent,
			     uint64_t ordinal, uint64_t key, const char *kind);

/* Adds a new window or file, the ordinal-th from parent: a team of its own,
   without a handle.  The caller takes over the table's reference.  name: copied;
   NULL: none.  Returns NULL: no memory. */
struct gaspdb_mpi_comm *
gaspdb_mpi_comm_add_object(struct gaspdb_context *c, MPI_Comm handle,
			   const struct gaspdb_mpi_comm *parent,
			   uint64_t ordinal, const char *kind,
			   const char *name);
/* World ranks of a group, the caller's to free (list); start -1: not known. */
void gaspdb_mpi_ranks_of(struct gaspdb_mpi_ranks *r, MPI_Group group);

/* Logs a communicator that the thread did not get by handle, before the log
   names it. */
void gaspdb_mpi_comm_emit(struct gaspdb_context *c,
			  const struct gaspdb_mpi_comm *m);

/* Removes a communicator before its handle can be reused; the caller takes over
   the table's reference.  NULL: not found. */
struct gaspdb_mpi_comm *gaspdb_mpi_comm_remove(MPI_Comm handle);
/* Puts it back: MPI did not free it. */
void gaspdb_mpi_comm_restore(struct gaspdb_mpi_comm *m);
/* Removes a window's or file's team; false: it is still used. */
bool gaspdb_mpi_comm_remove_object(struct gaspdb_mpi_comm *m);
/* Logs that it is freed; c may be NULL. */
void gaspdb_mpi_comm_freed(struct gaspdb_context *c, struct gaspdb_mpi_comm *m);

/* Logs the name that the program gave it. */
void gaspdb_mpi_comm_name(struct gaspdb_context *c, struct gaspdb_mpi_comm *m,
			  const char *name);

/* Logs each team's TEAM_SEQUENCE when recording resumes. */
void gaspdb_mpi_comms_resumed(struct gaspdb_context *c);

/* The group that rank arguments refer to. */
static inline const struct gaspdb_mpi_ranks *
gaspdb_mpi_comm_peers(const struct gaspdb_mpi_comm *m)
{
	return m->inter ? &m->remote : &m->local;
}

/* World rank of a rank argument; -1: none, unknown, or no such rank. */
static inline int gaspdb_mpi_comm_peer(const struct gaspdb_mpi_comm *m,
				       int rank)
{
	const struct gaspdb_mpi_ranks *r;

	if (!m || rank < 0)
		return -1;
	r = gaspdb_mpi_comm_peers(m);
	if (rank >= r->n)
		return -1;
	return gaspdb_mpi_rank_at(r, rank);
}

static inline uint64_t gaspdb_mpi_comm_id(const struct gaspdb_mpi_comm *m)
{
	return m ? m->id : 0;
}

/* The next collective's number on m. */
static inline uint64_t gaspdb_mpi_comm_count(struct gaspdb_mpi_comm *m)
{
	return m ? atomic_fetch_add_explicit(&m->sequence, 1,
					     memory_order_relaxed)
		 : 0;
}

/* START of a collective with only team and number. */
static inline void gaspdb_mpi_start_plain(const struct gaspdb_mpi_call *call,
					  uint64_t sequence)
{
	gaspdb_mpi_start(
		call, 2,
		(uint64_t[]){ gaspdb_mpi_comm_id(call->comm), sequence });
}

/* --- spawn.c -------------------------------------------------------------- */

/* Before MPI_Init: finds the world of this process, if it was spawned. */
void gaspdb_mpi_spawn_starting(void);
/* Just after MPI_Init: the rank in the run of the own world's rank 0; -1: the
   world is spawned, and not known. */
int gaspdb_mpi_spawn_first(void);
/* Logs that the process was spawned, as rank of ranks of its world. */
void gaspdb_mpi_spawn_emit(int rank, int ranks);
/* Adds the communicator with the parents, if there is one. */
void gaspdb_mpi_spawn_add_parents(struct gaspdb_context *c);
/* Number of the own world: 0: the run's first, -1: not known. */
int gaspdb_mpi_spawn_number(void);
/* Whether the spawn's root is on another host, and compares its clock. */
bool gaspdb_mpi_spawn_is_apart(void);
/* Compares the first child's clock with that of such a root. */
void gaspdb_mpi_spawn_link(struct gaspdb_context *c);

/* --- messages.c ----------------------------------------------------------- */

#define GASPDB_MPI_POSTED_NONE (-2)

/* A posted receive in the log's terms: -1 any, -2 none. */
static inline int gaspdb_mpi_posted_peer(const struct gaspdb_mpi_comm *m,
					 int source)
{
	if (source == MPI_ANY_SOURCE)
		return -1;
	return source == MPI_PROC_NULL ? GASPDB_MPI_POSTED_NONE
				       : gaspdb_mpi_comm_peer(m, source);
}

static inline int gaspdb_mpi_posted_tag(int tag)
{
	return tag == MPI_ANY_TAG ? -1 : tag;
}

/* Bytes of count elements; 0 where the arguments are not valid. */
uint64_t gaspdb_mpi_bytes(MPI_Count count, MPI_Datatype type);

struct gaspdb_mpi_message {
	int peer, tag; /* -1: none */
	uint64_t bytes;
};

/* The message of a probe's status. */
struct gaspdb_mpi_message gaspdb_mpi_message_of(const struct gaspdb_mpi_comm *m,
						const MPI_Status *status);

/* The message received into a buffer of limit bytes; error: a class. */
struct gaspdb_mpi_message
gaspdb_mpi_message_received(const struct gaspdb_mpi_comm *m,
			    const MPI_Status *status, uint64_t limit,
			    int error);

/* Ends a blocking receive.  Returns rc. */
int gaspdb_mpi_received(struct gaspdb_mpi_call *call, int rc,
			const MPI_Status *status);

/* --- passed.c ------------------------------------------------------------- */

/* Called before a send, a receive or a probe: if it is not recorded its ticks,
   which are its place among the channel's messages; else 0. */
uint64_t gaspdb_mpi_posting(struct gaspdb_context *c);
/* The same for an unrecorded one whose message may still be recorded: counts do
   not extend across it. */
uint64_t gaspdb_mpi_posting_apart(struct gaspdb_context *c);

/*
 * Counts an unrecorded message, sent or with its receive posted at these ticks.
 */
void gaspdb_mpi_passed(struct gaspdb_context *c, struct gaspdb_mpi_comm *comm,
		       const struct gaspdb_mpi_message *message, bool receive,
		       uint64_t ticks);
/* Logs the counts: recording resumes or ends. */
void gaspdb_mpi_passed_emit(struct gaspdb_context *c);

/* --- p2p.c ---------------------------------------------------------------- */

/* START of a send; returns its message. */
struct gaspdb_mpi_message gaspdb_mpi_start_send(struct gaspdb_mpi_call *call,
						uint64_t bytes, int dest,
						int tag, MPI_Comm comm);
/* The same for a message that is in flight from now on. */
struct gaspdb_mpi_message gaspdb_mpi_start_sending(struct gaspdb_mpi_call *call,
						   uint64_t bytes, int dest,
						   int tag, MPI_Comm comm);
/* START of a receive; limit: size of its buffer in bytes. */
void gaspdb_mpi_start_receive(struct gaspdb_mpi_call *call, uint64_t limit,
			      int source, int tag, MPI_Comm comm);

/* --- requests.c ----------------------------------------------------------- */

enum gaspdb_mpi_kind {
	GASPDB_MPI_SEND,
	GASPDB_MPI_RECEIVE,
	GASPDB_MPI_PARTITIONED, /* a receive: message is known before */
	GASPDB_MPI_COLLECTIVE,
	GASPDB_MPI_ONE_SIDED,
	GASPDB_MPI_FILE
};

struct gaspdb_mpi_request {
	MPI_Request handle;
	const MPI_Request *where; /* the program's variable, when posted */
	const void *thread;	  /* that posted it */
	uint64_t serial;
	uint64_t number; /* starts of a persistent one */
	enum gaspdb_mpi_kind kind;
	bool persistent;
	bool active;
	bool done;	       /* its completion is recorded, it lives on */
	bool cancelling;       /* MPI_Cancel was called */
	bool passed;	       /* its posting was not recorded */
	uint64_t passed_ticks; /* of an unrecorded receive, its place in the
				  channel; else 0 */
	/* In a profile: the call that posted or started it, and its thread's
	   context. */
	uint32_t call;
	const struct gaspdb_context *caller;
	const void *creator;   /* the thread whose log has its creation */
	bool not_created_here; /* of a started one: this thread's log lacks its
				  creation */
	int posted_peer, posted_tag;	   /* receives: as asked for */
	struct gaspdb_mpi_message message; /* sends: as posted */
	uint64_t limit;			   /* receives: size of the buffer */
	uint64_t sent; /* receives of MPI_Isendrecv: the send's serial; message
			  is the send's */
	struct gaspdb_mpi_comm *comm; /* a reference; receives, dups */
	MPI_Comm *duplicate;	      /* MPI_Comm_idup: where it will be */
	uint64_t ordinal;
	struct gaspdb_mpi_request *next; /* private to requests.c */
};

/* Serial numbers are never used twice in a process. */
uint64_t gaspdb_mpi_serial(void);

/*
 * Adds a request: r with serial set.  Takes a reference of its own to r->comm.
 */
void gaspdb_mpi_request_add(const struct gaspdb_mpi_request *r);

/*
 * Find and change a request by handle; false: none.  Among several live ones
 * with the handle, the one posted into the same variable comes first, then the
 * thread's oldest, then the oldest.  *r is a copy of its state before (start:
 * after), with a reference to its communicator, for gaspdb_mpi_request_put.
 *
 * complete  an active one: removed, or made inactive if persistent
 * observe   an active one not yet done: marked done
 * cancel    an active one: marked as being cancelled
 * start     an inactive persistent one: made active, by r->call, r->caller
 * free      any one: removed
 */
bool gaspdb_mpi_request_complete(MPI_Request handle, const MPI_Request *where,
				 struct gaspdb_mpi_request *r);
bool gaspdb_mpi_request_observe(MPI_Request handle, const MPI_Request *where,
				struct gaspdb_mpi_request *r);
bool gaspdb_mpi_request_cancel(MPI_Request handle, const MPI_Request *where,
			       struct gaspdb_mpi_request *r);
bool gaspdb_mpi_request_start(MPI_Request handle, const MPI_Request *where,
			      bool passed, uint64_t ticks,
			      struct gaspdb_mpi_request *r);
/* Undoes the start of a request that MPI has refused to start. */
bool gaspdb_mpi_request_unstart(MPI_Request handle, const MPI_Request *where,
				struct gaspdb_mpi_request *r);
bool gaspdb_mpi_request_free(MPI_Request handle, const MPI_Request *where,
			     struct gaspdb_mpi_request *r);
void gaspdb_mpi_request_put(struct gaspdb_mpi_request *r);

/*
 * Ends a call that made a request: *r is remembered unless the call failed.
 * END's arguments are the request's serial number, 0 after a failure.
 * Returns rc.
 */
int gaspdb_mpi_posted(struct gaspdb_mpi_call *call, int rc,
		      const MPI_Request *request, struct gaspdb_mpi_request *r);

/* --- completion.c --------------------------------------------------------- */

/* Logs that the open call completes an operation on a file, by its request's
   serial; error: MPI's code. */
void gaspdb_mpi_file_completed(struct gaspdb_context *c, uint64_t serial,
			       int code);

/* --- startup.c ------------------------------------------------------------ */

/* Start and end of MPI, around the PMPI call; _started and _ended finish the
   call. ok: MPI did start. */
void gaspdb_mpi_starting(const struct gaspdb_mpi_call *call);
void gaspdb_mpi_started(struct gaspdb_mpi_call *call, bool ok);
void gaspdb_mpi_ending(struct gaspdb_mpi_call *call);
void gaspdb_mpi_ended(struct gaspdb_mpi_call *call);

#endif
