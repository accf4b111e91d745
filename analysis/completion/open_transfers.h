/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Open transfers of a process, in lists by the key of their completion. Memory
 * is proportional to the number of transfers open at one time.
 */
#ifndef GASPDB_ANALYSIS_COMPLETION_OPEN_TRANSFERS_H
#define GASPDB_ANALYSIS_COMPLETION_OPEN_TRANSFERS_H

#include "analysis/completion/rules.h"

struct gaspdb_transfer {
	uint64_t serial; /* in order of initiation */
	int64_t event, source, thread;
	int64_t bytes;
	int64_t begun_ns;    /* leave of the initiating call */
	int64_t init_ns;     /* its share of that call */
	int64_t computed_ns; /* computation of its thread up to begun_ns, or to
				the start of its data */
	int64_t data_start_ns, data_end_ns; /* NONE: not logged */
	int64_t data_computed_ns;	    /* computation up to data_end_ns */
	bool blocking;
	bool message;	    /* or another MPI request */
	bool may_stay_open; /* no quality row if the program ends first: normal,
			       or reported by another pass */
	bool unseen;	    /* its completing call was not recorded */
	int64_t gaps;  /* key HANDLE: gaps of the process before it; else NONE
			*/
	uint32_t line; /* index of its line in rows.h */
	uint32_t next; /* in its list */
};

struct gaspdb_transfer_list {
	enum gaspdb_transfer_key key;	   /* NONE: unused */
	int64_t a, b;			   /* values of the key; 0: none */
	uint32_t first, last;		   /* in order of initiation */
	uint32_t next;			   /* in the free list */
	uint32_t prev_of_key, next_of_key; /* lists with this key */
};

struct gaspdb_open_transfers {
	struct gaspdb_run *run;
	struct gaspdb_transfer *transfer;
	size_t n, room;
	uint32_t unused; /* transfers */
	struct gaspdb_transfer_list *list;
	size_t n_lists, lists_room;
	uint32_t unused_list;
	/* Lists of each key, unordered, so that a visit of all windows does not
	   inspect requests. */
	uint32_t first_list[GASPDB_KEY_REQUEST + 1];
	struct gaspdb_map index; /* of lists */
	uint64_t serial;
};

void gaspdb_open_transfers_init(struct gaspdb_open_transfers *o,
				struct gaspdb_run *run);
void gaspdb_open_transfers_free(struct gaspdb_open_transfers *o);

/* Append a transfer to a list, with only its serial number set; NULL after a
   failure. */
struct gaspdb_transfer *
gaspdb_open_transfers_add(struct gaspdb_open_transfers *o,
			  enum gaspdb_transfer_key key, int64_t a, int64_t b);

/* Returns true to remove the transfer from its list. */
typedef bool (*gaspdb_transfer_fn)(void *user, struct gaspdb_transfer *t);

/* The first transfer of a list; NULL: empty. */
const struct gaspdb_transfer *
gaspdb_open_transfers_first(struct gaspdb_open_transfers *o,
			    enum gaspdb_transfer_key key, int64_t a, int64_t b);

/*
 * Call fn for each transfer of a list. Removed ones keep their content until
 * the next is added. fn adds none.
 */
void gaspdb_open_transfers_visit(struct gaspdb_open_transfers *o,
				 enum gaspdb_transfer_key key, int64_t a,
				 int64_t b, gaspdb_transfer_fn fn, void *user);
/*
 * Call fn for each transfer of all lists of some keys, bits 1 << key, whose
 * first value is a, unless that is NONE.
 */
void gaspdb_open_transfers_visit_all(struct gaspdb_open_transfers *o,
				     unsigned keys, int64_t a,
				     gaspdb_transfer_fn fn, void *user);

#endif
