/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The adapter for calls on files.  A wrapper records a call that the program
 * makes, itself or by a library, on a file; others are passed on.  A file is a
 * team of this process alone, with the name that the program gave it.  Sockets,
 * pipes and the like are no files.
 *
 *	WRAPPER(int, fsync, (int fd))
 *	{
 *		CALL(SYNC, "fsync");
 *		int rc;
 *
 *		if (!gaspdb_posix_enter(&call, fd))
 *			return NEXT(fsync)(fd);
 *		gaspdb_posix_start(&call, 0, NULL);
 *		rc = NEXT(fsync)(fd);
 *		gaspdb_posix_finish(&call, rc < 0);
 *		return rc;
 *	}
 */
#ifndef GASPDB_COLLECTOR_MODELS_POSIX_ADAPTER_H
#define GASPDB_COLLECTOR_MODELS_POSIX_ADAPTER_H

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "collector/base/compiler.h"
#include "collector/core/collector.h"
#include "collector/process/handover.h"

/* --- wrappers ------------------------------------------------------------- */

/* Defines the wrapper of a function, the pointer to its next definition, and
   its row among the functions (files.c), which lie without gaps. */
#define WRAPPER(type, name, PARAMETERS)                            \
	type gaspdb_posix_##name PARAMETERS;                       \
	GASPDB_HIDDEN __typeof__(gaspdb_posix_##name)              \
		*gaspdb_posix_next_##name;                         \
	static const struct gaspdb_libc_function function_##name   \
		__attribute__((section("gaspdb_posix"), used,      \
			       aligned(sizeof(void *)))) = {       \
			#name, (void **)&gaspdb_posix_next_##name, \
			(void (*)(void))gaspdb_posix_##name        \
		};                                                 \
	type gaspdb_posix_##name PARAMETERS

#define NEXT(name) gaspdb_posix_next_##name

/* A call being recorded. */
struct gaspdb_posix_call {
	struct gaspdb_context *c;
	const struct gaspdb_operation *op;
	const void *pc;
	int number;    /* of the file, as gaspdb_posix_set has it */
	uint64_t file; /* its team's id; 0: not known */
};

/* Declares call; ident: the event's, name: the function's in the source. */
#define CALL(ident, name)                           \
	static const struct gaspdb_operation op = { \
		GASPDB_EVENT_POSIX_##ident, name    \
	};                                          \
	struct gaspdb_posix_call call = { .op = &op, .pc = GASPDB_CALLER }

/* --- files.c -------------------------------------------------------------- */

/* What a descriptor is: one of these, or the number of a named file, from 1. */
enum {
	GASPDB_POSIX_UNKNOWN = 0, /* not looked at yet */
	GASPDB_POSIX_UNNAMED =
		-1, /* a file; there was no memory for its name */
	GASPDB_POSIX_NO_FILE = -2
};

/*
 * Enter a call; each true is followed by gaspdb_posix_finish.  false: it is
 * passed on.  The call's file is that of a descriptor, of a name that is opened
 * (at: below the folder that a descriptor is), or all (fflush).  errno is kept.
 */
bool gaspdb_posix_enter(struct gaspdb_posix_call *call, int fd);
bool gaspdb_posix_enter_name(struct gaspdb_posix_call *call, const char *name);
bool gaspdb_posix_enter_at(struct gaspdb_posix_call *call, int folder,
			   const char *name);
bool gaspdb_posix_enter_all(struct gaspdb_posix_call *call);

/* Whether the table of descriptors is that of this process, and in use: not in
   a forked child; nor in that of a vfork, which shares the table's memory. */
bool gaspdb_posix_is_own(void);
/* A descriptor is now a file's, by its number; or unknown: it is closed, or not
   known. */
void gaspdb_posix_set(int fd, int file);
/* What a descriptor is. */
int gaspdb_posix_get(int fd);
/* Descriptors from first to last are closed. */
void gaspdb_posix_forget(unsigned first, unsigned last);

/* --- events --------------------------------------------------------------- */

/* Record START: the file and, of the event's other arguments, the first n,
   which are at most two. */
static inline void gaspdb_posix_start(const struct gaspdb_posix_call *call,
				      unsigned n, const uint64_t *args)
{
	gaspdb_start(call->c, call->op, call->pc, n + 1,
		     (uint64_t[]){ call->file, n > 0 ? args[0] : 0,
				   n > 1 ? args[1] : 0 });
}

/* Records END and leaves; errno is why the call failed. */
static inline void gaspdb_posix_finish(const struct gaspdb_posix_call *call,
				       bool failed)
{
	const uint64_t why = failed ? (uint64_t)errno : 0;

	gaspdb_end(call->c, call->op, call->pc, 1, &why);
	gaspdb_leave(call->c);
}

/* The same for events with a result before errno: bytes, or an offset. */
static inline void
gaspdb_posix_finish_result(const struct gaspdb_posix_call *call, bool failed,
			   uint64_t result)
{
	const uint64_t args[] = { result, failed ? (uint64_t)errno : 0 };

	gaspdb_end(call->c, call->op, call->pc, 2, args);
	gaspdb_leave(call->c);
}

/* The same for a number of bytes; negative: the call failed. */
static inline void
gaspdb_posix_finish_bytes(const struct gaspdb_posix_call *call, int64_t bytes)
{
	gaspdb_posix_finish_result(call,
				   bytes<0, bytes> 0 ? (uint64_t)bytes : 0);
}

#endif
