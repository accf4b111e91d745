/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Profile of one log: nodes of its PROFILE blocks, each the calls of a site on
 * one call path, and traffic by peer and size. Times are ticks. A block can
 * come before the definitions of its sites: nodes are used at the log's end.
 *
 * Any number may be wrong. A cell with an impossible one is left out, or the
 * number is cut to what is possible; each such cell is a defect with its
 * offset.
 */
#ifndef GASPDB_IMPORTER_PROFILE_CELLS_H
#define GASPDB_IMPORTER_PROFILE_CELLS_H

#include "common/map.h"
#include "importer/log/damage.h"

struct gaspdb_log_operation;
struct gaspdb_rest_call;

struct gaspdb_node {
	uint32_t number;
	uint32_t parent; /* number; 0: none */
	uint32_t site;	 /* the log's id; 0: calls beyond the limit */
	bool torn;	 /* it was being changed when the process ended */
	uint64_t offset; /* in the file */
	uint64_t count, total, child, least, most, bytes, open, failed, written;
	uint64_t carried; /* ended calls that began in the trace: not in count */
	uint64_t carried_ticks; /* of total, those of these */
	double squares;
	/* tree.c: indices into node; GASPDB_ABSENT: none */
	uint32_t up, down, next;
	/* replay/profile/rest.c */
	const struct gaspdb_rest_call *begun; /* the call of the trace whose
						 node it is; NULL: none */
	bool goes_on; /* its open call is of the trace, since */
	int64_t since_ns;
	uint64_t left;	     /* of carried, without such a call */
	uint64_t sharing;    /* calls that share carried_ns */
	bool overlay;	     /* a user event */
	uint32_t next_ended; /* of its operation; GASPDB_ABSENT: none */
	bool is_outermost;   /* no system call is above it */
	/* replay/profile/nodes.c */
	struct gaspdb_log_operation *operation; /* NULL: not known */
	uint32_t system; /* nearest node above that is no user event */
	uint32_t source, profile, region, path;
	uint8_t context; /* category of time directly in it */
	bool nested;
	bool in_system; /* it, or one above, is no user event */
	bool in_path;	/* path is its own, not that of a node above */
	int64_t total_ns, open_ns, self_ns;
	int64_t carried_ns; /* of total_ns: of calls that began in the trace */
	int64_t child_open_ns; /* of open calls directly below */
	uint64_t halves;       /* half raw events in self_ns */
	int64_t runtime_ns; /* of total_ns: not computation */
};

struct gaspdb_node_traffic {
	uint32_t node; /* number */
	uint32_t peer; /* rank */
	int size_class;
	bool from_peer;
	uint64_t count, bytes, ticks;
};

struct gaspdb_cells {
	bool any;	    /* the log has a PROFILE block */
	bool has_first;	    /* its first one was read: first, last, events */
	uint64_t first, last, events, lost;
	uint64_t from; /* it goes on from the trace there; 0: it is of all */
	uint64_t from_offset; /* of that in the file */
	uint64_t unkept;    /* calls whose traffic no cell has */
	uint64_t tool, off; /* ticks: the collector's own; recording was off */
	uint64_t off_since; /* 0: recording is on */
	struct gaspdb_node *node; /* in the order of their numbers, at last */
	size_t n_nodes, node_capacity;
	struct gaspdb_node_traffic *traffic;
	size_t n_traffic, traffic_capacity;
	struct gaspdb_map blocks; /* indices of blocks seen */
	struct gaspdb_map index;  /* by number: in node */
	uint32_t top;		  /* first node without a parent */
	uint64_t n_torn, torn_offset;
	uint64_t n_bad, losses; /* cells with an impossible number */
};

/* Begins another log. */
void gaspdb_cells_clear(struct gaspdb_cells *c);
void gaspdb_cells_free(struct gaspdb_cells *c);

/* Reports an impossible number, with its place. */
void gaspdb_cells_bad(struct gaspdb_cells *c, struct gaspdb_defects *q,
		      const struct gaspdb_log_file *log, uint64_t offset,
		      const char *detail);
/* Reads the PROFILE block of a reader; defects go to q. */
void gaspdb_cells_block(struct gaspdb_cells *c, const struct gaspdb_reader *rd,
			struct gaspdb_defects *q,
			const struct gaspdb_log_file *log);
/* Reads the moments of its header alone; false: it is not the first block. */
bool gaspdb_cells_moments(const struct gaspdb_reader *rd, uint64_t *first,
			  uint64_t *last);

/* After the last block: checks when the profile began. has_mode: the log says
   that it has a profile from the start; event: ticks of the trace's last event,
   0: none. */
void gaspdb_cells_begin(struct gaspdb_cells *c, bool has_mode, uint64_t event,
			struct gaspdb_defects *q,
			const struct gaspdb_log_file *log);
/* Then links nodes to their parents and children. */
void gaspdb_cells_link(struct gaspdb_cells *c, struct gaspdb_defects *q,
		       const struct gaspdb_log_file *log);

#endif
