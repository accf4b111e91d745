/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A trace that goes on as a profile: from ticks T on its log has sums only
 * (docs/log-format.md, `from`). Events, bins and waits end at T; sums are those
 * of the trace up to T and of the profile since, added.
 *
 * Calls that are open at T have their start in the trace, their end and their
 * time since T in the profile. Their nodes are looked up here, so that each is
 * one call of its whole length.
 */
#ifndef GASPDB_IMPORTER_REPLAY_PROFILE_REST_H
#define GASPDB_IMPORTER_REPLAY_PROFILE_REST_H

#include "common/map.h"
#include "importer/log/definitions.h"

struct gaspdb_importer;

/* The thread's calls that were open at T, outermost first; memory is reused. */
struct gaspdb_rest {
	struct gaspdb_rest_call {
		int64_t id;		     /* of its event */
		struct gaspdb_log_site site; /* its operation and source */
		uint32_t path, profile;	     /* path 0: none */
		bool nested;
		bool ended;    /* in the profile */
		uint32_t node; /* index; GASPDB_ABSENT: none */
		int64_t start_ns;
		int64_t cut_ns; /* its time until T */
		/* Shortest calls before those that are open, of the profile
		   and of the path */
		int64_t least_ns, path_least_ns;
	} * call;
	size_t n, capacity;
	struct gaspdb_map functions; /* node above, source: node */
	struct gaspdb_map ended;     /* operation: first node where one did */
	struct gaspdb_log_site site; /* of the node being entered */
	uint64_t outermost; /* ticks of outermost system calls since T */
};

void gaspdb_replay_rest_free(struct gaspdb_rest *r);
/* Advances to T, and ends all open calls there. */
void gaspdb_replay_rest_begin(struct gaspdb_importer *im);
/* Time since T. */
int64_t gaspdb_replay_rest_ns(const struct gaspdb_importer *im);
/* Advances time after T, to which bins have nothing to add. */
void gaspdb_replay_rest_advance(struct gaspdb_importer *im, int64_t t_ns);
/* After the bins' end: the sums of the trace have whole calls. */
void gaspdb_replay_rest_resume(struct gaspdb_importer *im);

#endif
