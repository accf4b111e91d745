/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Call stacks of the adapters' events (GASPDB_STACK=N).  A stack is a frame: a
 * return address, and the frame that it was called from.  Frames are interned
 * for each context, so equal stacks are one pointer, which takes the place of
 * the address in a site's key: an event costs the same with and without.
 */
#ifndef GASPDB_COLLECTOR_CORE_CALL_STACK_H
#define GASPDB_COLLECTOR_CORE_CALL_STACK_H

#include <stdint.h>

#include "collector/base/compiler.h"
#include "collector/log/log_format.h"

struct gaspdb_context;
struct gaspdb_call_stacks;

struct gaspdb_stack_frame {
	const void *pc;	 /* return address */
	uint32_t caller; /* index of the caller's frame + 1; 0: none, or
				 beyond the depth */
	uint32_t id;	 /* in the log; 0: not defined */
	uint32_t module; /* in the log */
};

/* Prepares stacks of the process's depth for a new context, whose
   c->call_stacks stays NULL without them or without memory. */
void gaspdb_call_stacks_init(struct gaspdb_context *c);
void gaspdb_call_stacks_free(struct gaspdb_context *c);

/*
 * The place of a call at pc, made by a wrapper whose frame is at sp: a stack's
 * innermost frame; or pc itself, where it is not found among the callers, or
 * while the context is busy.  c->call_stacks is not NULL.
 */
const void *gaspdb_call_stack(struct gaspdb_context *c, const void *pc,
			      uintptr_t sp);

/* Makes gaspdb_caller_of_language possible.  It may allocate. */
void gaspdb_call_stack_prepare(void);

/* The place that called a language's run-time library, which calls at pc; or pc
   itself, if it is not found. */
GASPDB_COLD const void *gaspdb_caller_of_language(struct gaspdb_context *c,
						  const void *pc);

/* The same for libc, too. */
GASPDB_COLD const void *gaspdb_caller_of_library(struct gaspdb_context *c,
						 const void *pc);

/* The frame that is a place; NULL: the place is an address. */
const struct gaspdb_stack_frame *
gaspdb_call_stack_frame(const struct gaspdb_context *c, const void *place);

/* Id of a frame in the log, where it and its callers are defined if new. c is
   busy, and unloads have been checked for. */
uint32_t gaspdb_call_stack_id(struct gaspdb_context *c,
			      const struct gaspdb_stack_frame *frame);

/* Drops frames of unloaded modules, and the stacks through them. */
void gaspdb_call_stacks_unload(struct gaspdb_context *c);

#endif
