/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Unwinding rules of x86-64 code, read from the call frame information that
 * compilers leave (.eh_frame), for the registers that a backtrace needs: where
 * a frame ends, and where it has saved rbp.  libgcc's unwinder reads all
 * registers' rules anew for each frame of each stack; these are kept by
 * address.
 */
#ifndef GASPDB_COLLECTOR_CORE_UNWIND_RULES_H
#define GASPDB_COLLECTOR_CORE_UNWIND_RULES_H

#include <stdbool.h>
#include <stdint.h>

struct gaspdb_unwind_rule {
	uintptr_t pc;	    /* in the frame's code */
	int32_t cfa_offset; /* the frame ends so far above rbp or rsp; its
			       return address is the word below */
	int32_t rbp_offset; /* the caller's rbp is saved so far from the end; 0:
			       rbp still has it */
	bool from_rbp;
	bool known; /* else libgcc must look at the frame */
	bool last;  /* the outermost frame */
};

/* libgcc's _Unwind_Find_FDE: the frame information of code at pc; NULL: none.
   bases[2] becomes the function's start. */
typedef const void *gaspdb_find_frame_fn(void *pc, void *bases[3]);

/* Reads the rule at pc, an address inside of the call instruction or at the
   instruction that runs. */
void gaspdb_unwind_rule_read(struct gaspdb_unwind_rule *rule, uintptr_t pc,
			     gaspdb_find_frame_fn *find);

#endif
