/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What begins a transfer, and what completes it: by the type of an operation
 * and the arguments that it declares, whatever it is called.
 */
#ifndef GASPDB_ANALYSIS_COMPLETION_RULES_H
#define GASPDB_ANALYSIS_COMPLETION_RULES_H

#include "analysis/engine/run.h"

/* What a transfer is known by to the operation that completes it. */
enum gaspdb_transfer_key {
	GASPDB_KEY_NONE,
	GASPDB_KEY_PUT_ON,   /* context */
	GASPDB_KEY_GET_ON,   /* context */
	GASPDB_KEY_HANDLE,   /* its value */
	GASPDB_KEY_IMPLICIT, /* thread, model: non-blocking, of no handle */
	GASPDB_KEY_RELAXED,  /* thread, model: a blocking put, of no context */
	GASPDB_KEY_WINDOW,   /* its number, target */
	GASPDB_KEY_REQUEST   /* event that completes it */
};

/* Arguments that are looked at. */
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

/* Of a source. */
struct gaspdb_completion_rule {
	enum gaspdb_type type;
	enum gaspdb_transfer_key begins;
	enum gaspdb_transfer_key completes; /* PUT_ON: gets on it too, unless
					       only_puts */
	bool only_puts;
	bool blocking;	    /* only the remote part of what it begins goes on */
	bool overlay;	    /* takes no time from its thread */
	bool function;	    /* the program's own */
	bool posts_message; /* its request stands in table p2p */
	unsigned declared;  /* arguments: bits 1 << enum */
	unsigned looked_at; /* those of them that matter */
	int64_t model;	    /* a number for each */
};

struct gaspdb_completion_rules {
	struct gaspdb_completion_rule *by_source;
	unsigned char *argument; /* enum, by argument.id */
	int64_t n_sources, n_arguments;
	bool any; /* something begins a transfer */
};

void gaspdb_completion_rules_load(struct gaspdb_completion_rules *rules,
				  struct gaspdb_run *run);
void gaspdb_completion_rules_free(struct gaspdb_completion_rules *rules);

/* NULL: there is no such source. */
static inline const struct gaspdb_completion_rule *
gaspdb_completion_rule(const struct gaspdb_completion_rules *rules,
		       int64_t source)
{
	return source >= 0 && source < rules->n_sources
		       ? &rules->by_source[source]
		       : NULL;
}

/*
 * Does a call complete what its rule says?  arguments: by enum, NONE: not
 * there.  An attempt may fail, an allocation of nothing does nothing, a flush
 * may be local.
 */
bool gaspdb_completes(const struct gaspdb_completion_rule *rule,
		      const int64_t *arguments, int64_t bytes);

#endif
