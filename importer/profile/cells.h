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

struct gaspdb_node {
	uint32_t number;
	uint32_t parent; /* number; 0: none */
	uint32_t site;	 /* the log's id; 0: calls beyond the limit */
	bool torn;	 /* it was being changed when the process ended */
	uint64_t offset; /* in the file */
	uint64_t count, total, child, least, most, bytes, open, failed, written;
	double squares;
	/* tree.c: indices into node; GASPDB_ABSENT: none */
	uint32_t up, down, next;
	/* replay_profile.c */
	struct gaspdb_log_operation *operation; /* NULL: not known */
	uint32_t system; /* nearest node above that is no user event */
	uint32_t source, profile, region, path;
	uint8_t context; /* category of time directly in it */
	bool nested;
	bool in_system; /* it, or one above, is no user event */
	bool in_path;	/* path is its own, not that of a node above */
	int64_t total_ns, open_ns, self_ns;
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

/* Reads the PROFILE block of a reader; defects go to q. */
void gaspdb_cells_block(struct gaspdb_cells *c, const struct gaspdb_reader *rd,
			struct gaspdb_defects *q,
			const struct gaspdb_log_file *log);
/* Reads the moments of its header alone; false: it is not the first block. */
bool gaspdb_cells_moments(const struct gaspdb_reader *rd, uint64_t *first,
			  uint64_t *last);

/* After the last block: links nodes to their parents and children. */
void gaspdb_cells_link(struct gaspdb_cells *c, struct gaspdb_defects *q,
		       const struct gaspdb_log_file *log);

#endif
