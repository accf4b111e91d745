/* SPDX-License-Identifier: BSD-2-Clause */
/* Folding of polling loops.  The first round of failed polls is recorded; each
   later failed poll moves the END of the event that the round ended with. */
#ifndef GASPDB_COLLECTOR_CORE_POLL_H
#define GASPDB_COLLECTOR_CORE_POLL_H

#include <stdbool.h>
#include <stdint.h>

#include "collector/core/collector.h"

#define GASPDB_POLL_CALLS_MAX 32 /* distinct calls of one loop */
#define GASPDB_POLL_ARGS_MAX  8
#define GASPDB_POLL_ENDS_MAX  3

/* Key of a site. */
struct gaspdb_site_key {
	const void *what;  /* the operation, as the caller identifies it */
	const void *place; /* return address, or address of the file name */
	uint64_t line;	   /* column << 32 | line; 0 for a return address */
};

/* Address bases stored in a site itself. */
#define GASPDB_SITE_BASES 2

/* One call of a loop. */
struct gaspdb_poll_call {
	struct gaspdb_site_key key;
	enum gaspdb_poll_kind kind;
	unsigned n;
	uint64_t args[GASPDB_POLL_ARGS_MAX];
	uint64_t value; /* its result at the last failed poll */
};

/* The polling loop at the end of the log, if any. */
struct gaspdb_poll {
	struct gaspdb_poll_call call[GASPDB_POLL_CALLS_MAX];
	unsigned n;	/* used entries of call[] */
	unsigned at;	/* index of the last call */
	unsigned event; /* index of the loop event's call */
	uint64_t attempts;
	enum gaspdb_poll_mode mode; /* gasp.c: of the current call */

	/* The loop's event. */
	unsigned char *begun; /* end of its START, where its END goes */
	unsigned char *ended; /* end of its END if the poll failed; else NULL */
	uint64_t block;	      /* number of its block: addresses recur */
	uint64_t last_ticks;  /* log.last_ticks before its END */
	struct gaspdb_site *last;
	unsigned n_end;
	uint64_t end[GASPDB_POLL_ENDS_MAX];

	/* End of the START of a call that is in the loop already; NULL: another
	   record follows it. base: the site's bases before that START. */
	unsigned char *joined;
	uint64_t base[GASPDB_SITE_BASES];

	uint64_t ended_ticks;
	uint64_t paused_ticks; /* start of the loop, or its last pause */
	/* The thread's processor time at the last reading; since then it has
	   only polled. cpu_ticks 0: not read. */
	uint64_t cpu_ticks;
	unsigned skip;	     /* readings to skip */
	unsigned busy_calls; /* consecutive readings that found the thread busy
			      */
	int64_t cpu_ns;
};

struct gaspdb_context;

/* Decides on the START of a poll.  Unless the mode is GOES_ON, the caller
   writes the START, then calls gaspdb_poll_started. */
enum gaspdb_poll_mode gaspdb_poll_begin(struct gaspdb_context *c,
					enum gaspdb_poll_kind kind,
					const struct gaspdb_site_key *key,
					unsigned n, const uint64_t *args);
void gaspdb_poll_started(struct gaspdb_context *c, enum gaspdb_poll_mode mode);

/* Folds a failed poll, whose result is value, into the loop's event; false: the
   caller writes its END. */
bool gaspdb_poll_fold(struct gaspdb_context *c, enum gaspdb_poll_mode mode,
		      uint64_t value);

/* State before the END of a poll that was not folded; the two functions frame
   the writing of that END. */
struct gaspdb_poll_end {
	unsigned char *at;
	uint64_t last_ticks;
	struct gaspdb_site *last;
};
struct gaspdb_poll_end gaspdb_poll_before_end(const struct gaspdb_context *c);
void gaspdb_poll_after_end(struct gaspdb_context *c, enum gaspdb_poll_mode mode,
			   const struct gaspdb_poll_end *before, uint64_t value,
			   unsigned n, const uint64_t *args);

#endif
