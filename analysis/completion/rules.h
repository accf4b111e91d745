/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Completion rules: the operations that begin and that complete a transfer, by
 * type and declared arguments. Names of operations do not matter.
 */
#ifndef GASPDB_ANALYSIS_COMPLETION_RULES_H
#define GASPDB_ANALYSIS_COMPLETION_RULES_H

#include "analysis/engine/run.h"

/* Keys by which a completing operation finds transfers, and their values. */
enum gaspdb_transfer_key {
	GASPDB_KEY_NONE,
	GASPDB_KEY_PUT_ON,   /* context */
	GASPDB_KEY_GET_ON,   /* context */
	GASPDB_KEY_HANDLE,   /* handle */
	GASPDB_KEY_IMPLICIT, /* thread, model: non-blocking without a handle */
	GASPDB_KEY_RELAXED,  /* thread, model: blocking put without a context */
	GASPDB_KEY_WINDOW,   /* number of the window, target */
	GASPDB_KEY_REQUEST   /* completing event */
};

/* Arguments that rules use. */
enum gaspdb_transfer_argument {
	GASPDB_ARG_CONTEXT,
	GASPDB_ARG_HANDLE,
	GASPDB_ARG_WINDOW,
	GASPDB_ARG_REQUEST,
	GASPDB_ARG_MESSAGE,
	GASPDB_ARG_RELAXED,
	GASPDB_ARG_SUCCESS,
	GASPDB_ARG_COMPLETES,
	GASPDB_ARG_ADDRESS,
	GASPDB_ARG_OLD_ADDRESS,
	GASPDB_ARG_TARGET_THREAD,
	GASPDB_N_TRANSFER_ARGUMENTS,
	GASPDB_ARG_OTHER = GASPDB_N_TRANSFER_ARGUMENTS
};

/* The rule of a source. */
struct gaspdb_completion_rule {
	enum gaspdb_type type;
	enum gaspdb_transfer_key begins;
	enum gaspdb_transfer_key completes; /* PUT_ON: also GET_ON, unless
					       only_puts */
	bool only_puts;
	bool blocking;	    /* only the remote part of the transfer is open */
	bool overlay;	    /* takes no time of its thread */
	bool function;	    /* a program function */
	bool posts_message; /* its request is in table p2p */
	unsigned declared;  /* arguments: bits 1 << enum */
	unsigned needed;    /* those that the rule uses */
	int64_t model;	    /* first operation of the model */
};

struct gaspdb_completion_rules {
	struct gaspdb_completion_rule *by_source;
	unsigned char *argument; /* enum, by argument.id */
	int64_t n_sources, n_arguments;
	bool any; /* a source begins transfers */
};

void gaspdb_completion_rules_load(struct gaspdb_completion_rules *rules,
				  struct gaspdb_run *run);
void gaspdb_completion_rules_free(struct gaspdb_completion_rules *rules);

/* The rule of a source; NULL: no such source. */
static inline const struct gaspdb_completion_rule *
gaspdb_completion_rule(const struct gaspdb_completion_rules *rules,
		       int64_t source)
{
	return source >= 0 && source < rules->n_sources
		       ? &rules->by_source[source]
		       : NULL;
}

/*
 * Does a call complete transfers of its rule's key? Not if it is a failed
 * attempt, an allocation of no memory or a local flush. arguments: by enum;
 * NONE: absent.
 */
bool gaspdb_completes(const struct gaspdb_completion_rule *rule,
		      const int64_t *arguments, int64_t bytes);

#endif
