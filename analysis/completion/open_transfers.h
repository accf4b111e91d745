/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The transfers of a process that are under way, in lists by what will complete
 * them.  Memory goes with how many there are at a time.
 */
#ifndef GASPDB_ANALYSIS_COMPLETION_OPEN_TRANSFERS_H
#define GASPDB_ANALYSIS_COMPLETION_OPEN_TRANSFERS_H

#include "analysis/completion/rules.h"

struct gaspdb_transfer {
	uint64_t serial; /* in order of initiation */
	int64_t event, source, thread;
	int64_t bytes;
	int64_t begun_ns;    /* leave of the initiation */
	int64_t init_ns;     /* its part of that */
	int64_t computed_ns; /* of its thread: up to begun_ns, or to the
				data's start */
	int64_t data_start_ns, data_end_ns; /* NONE: not told */
	int64_t data_computed_ns;	    /* up to data_end_ns */
	bool blocking;
	bool message;  /* or another request of MPI's */
	bool told;     /* that the program ends without its completion is told
			  elsewhere, or normal */
	bool unseen;   /* a call that was not recorded completes it */
	int64_t gaps;  /* by handle: how many the process had had when it
			  began; else NONE */
	uint32_t line; /* rows.h: where its line's sums are */
	uint32_t next; /* of its list */
};

struct gaspdb_transfer_list {
	enum gaspdb_transfer_key key; /* NONE: unused */
	int64_t a, b;		      /* what key says, 0 */
	uint32_t first, last;	      /* in order of initiation */
	uint32_t next;		      /* of the unused */
	uint32_t before, after;	      /* of its key */
};

struct gaspdb_open_transfers {
	struct gaspdb_run *run;
	struct gaspdb_transfer *transfer;
	size_t n, room;
	uint32_t unused; /* transfers */
	struct gaspdb_transfer_list *list;
	size_t n_lists, lists_room;
	uint32_t unused_list;
	/* By key, in no order: what completes those of all windows must not
	   look at each request that was ever open. */
	uint32_t first_list[GASPDB_KEY_REQUEST + 1];
	struct gaspdb_map index; /* of lists */
	uint64_t serial;
};

void gaspdb_open_transfers_init(struct gaspdb_open_transfers *o,
				struct gaspdb_run *run);
void gaspdb_open_transfers_free(struct gaspdb_open_transfers *o);

/* A transfer at the end of a list, numbered, all else of it yet to be set; NULL
   after a failure. */
struct gaspdb_transfer *gaspdb_transfer_add(struct gaspdb_open_transfers *o,
					    enum gaspdb_transfer_key key,
					    int64_t a, int64_t b);

/* true: it leaves its list. */
typedef bool (*gaspdb_transfer_fn)(void *user, struct gaspdb_transfer *t);

/* The first of a list; NULL: it is empty. */
const struct gaspdb_transfer *
gaspdb_transfers_first(struct gaspdb_open_transfers *o,
		       enum gaspdb_transfer_key key, int64_t a, int64_t b);

/*
 * Call fn for each of a list; those for which it is true are gone then, but
 * stay as they are until one is added.  fn adds none.
 */
void gaspdb_transfers_visit(struct gaspdb_open_transfers *o,
			    enum gaspdb_transfer_key key, int64_t a, int64_t b,
			    gaspdb_transfer_fn fn, void *user);
/*
 * The same for all lists of those keys, bits 1 << key; a: and of that first
 * number, if it is not NONE.
 */
void gaspdb_transfers_visit_all(struct gaspdb_open_transfers *o, unsigned keys,
				int64_t a, gaspdb_transfer_fn fn, void *user);

#endif
