/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Call paths: the lines of the system events that were open when an event
 * began, outermost first, and the event's own.  Paths are shared by all
 * threads; sums are made of each thread's calls, one thread after another.
 *
 * What a program calls is not bounded, and what is kept of it is.  A call
 * deeper than GASPDB_PATH_DEPTH_MAX counts as if its ancestor at the depth
 * before that had made it: a deep recursion folds onto its last two levels.
 * Where there are GASPDB_PATHS_MAX paths, calls on further ones count as
 * outermost calls of their line.  So each call is counted once, at its own
 * line, whatever is folded.
 *
 * Where call stacks were recorded, the functions that made a call are above it:
 * their sums are those of the outermost calls below, their self time is 0.
 *
 * Most lines have one path, and then profile tells of a thread's calls there
 * what would be told of the path: such rows are left out (view callpath_total
 * has them), and such sums made once.
 */
#ifndef GASPDB_IMPORTER_ROLLUPS_CALLPATHS_H
#define GASPDB_IMPORTER_ROLLUPS_CALLPATHS_H

#include "importer/log/definitions.h"
#include "importer/replay/event_rows.h"
#include "common/map.h"
#include "importer/rollups/regions.h"
#include "importer/rollups/rollups.h"
#include "importer/rollups/variation.h"

struct gaspdb_paths {
	struct gaspdb_store *store;
	const struct gaspdb_rollups *rollups; /* the profile */
	int64_t thread;			      /* being read */
	struct gaspdb_map index; /* parent << 32 | source: a path */
	struct gaspdb_path {	 /* by number, callpath.id, from 1 */
		uint32_t parent; /* 0: none */
		uint32_t source, depth;
		bool is_frame; /* a function of call stacks: no events of its
				  own */
		uint32_t threads; /* that took it */
		int64_t calls, total_ns, inner_ns, self_ns, min_ns, max_ns,
			bytes;
		struct gaspdb_region_most longest; /* by total_ns */
		struct gaspdb_durations durations;
		/* Regions; else NULL */
		int64_t computation_ns;
		struct gaspdb_region_most computes;
	} * path;
	/* Of the thread's calls: apart, for these are changed by every event.
	 */
	struct gaspdb_path_sums {
		/* That all calls are of, and no others are;
		   GASPDB_ABSENT: there were no calls. */
		uint32_t profile;
		uint32_t active;    /* open now */
		bool own;	    /* the sums are here; else the profile's
				       are its, too */
		bool plain, nested; /* there were such calls */
		int64_t calls, total_ns, self_ns, min_ns, max_ns, bytes;
		int64_t computation_ns; /* of a region */
		int64_t inner_ns;	/* of calls in others */
		gaspdb_wide squares;
	} * sums;
	struct gaspdb_path_source {
		uint32_t first;	  /* its path of the lowest number */
		uint32_t touched; /* how many by this thread */
		uint32_t last;	  /* which of them last */
	} * of_source;
	size_t of_source_capacity;
	size_t path_capacity, sums_capacity;
	uint32_t n;	   /* the last number */
	uint32_t *touched; /* numbers, of this thread */
	size_t n_touched, touched_capacity;
	uint64_t *rows; /* of this thread: source << 32 | path */
	size_t rows_capacity;
	uint64_t deep, left_out; /* the thread's calls that were folded, or
				    had no path left */
};

void gaspdb_paths_init(struct gaspdb_paths *p, struct gaspdb_store *store,
		       const struct gaspdb_rollups *rollups);
void gaspdb_paths_free(struct gaspdb_paths *p);

/* A thread's log begins. */
void gaspdb_paths_thread(struct gaspdb_paths *p, int64_t thread);

/* A call of that path is likely soon. */
static inline void gaspdb_path_expect(const struct gaspdb_paths *p,
				      uint32_t path)
{
	if (path < p->sums_capacity)
		__builtin_prefetch(&p->sums[path]);
}

/* The path of a function of call stacks, called from parent (0: the outermost
   one); 0: there are too many. */
uint32_t gaspdb_path_frame(struct gaspdb_paths *p, uint32_t parent,
			   uint32_t source);

/* Parts of gaspdb_path_start(): another path than the site's last; a profile
   that is not the path's. */
uint32_t gaspdb_path_find(struct gaspdb_paths *p, uint32_t parent,
			  struct gaspdb_log_site *site);
void gaspdb_path_join(struct gaspdb_paths *p, uint32_t path, uint32_t profile);
/*
 * An event of that profile begins at a site while the innermost one is on path
 * parent (0: none is open).  Returns its path, for its end.
 */
static inline uint32_t gaspdb_path_start(struct gaspdb_paths *p,
					 uint32_t parent,
					 struct gaspdb_log_site *site,
					 uint32_t profile)
{
	const uint32_t path = site->path && site->path_parent == parent
				      ? site->path
				      : gaspdb_path_find(p, parent, site);
	struct gaspdb_path_sums *s = &p->sums[path];

	if (s->profile != profile && !s->own)
		gaspdb_path_join(p, path, profile);
	s->active++;
	return path;
}
/* A region of that path is about to end, after so much computation. */
void gaspdb_path_computation(struct gaspdb_paths *p, uint32_t path, int64_t ns);
/* Part of gaspdb_path_end(): the path has its sums itself. */
void gaspdb_path_add(struct gaspdb_path_sums *s,
		     const union gaspdb_event_row *row);
/* It ends, with its row. */
static inline void gaspdb_path_end(struct gaspdb_paths *p, uint32_t path,
				   const union gaspdb_event_row *row)
{
	struct gaspdb_path_sums *s = &p->sums[path];

	s->active--;
	if (s->own)
		gaspdb_path_add(s, row);
}
/* More bytes of an event that has ended, of any thread so far. */
void gaspdb_path_bytes(struct gaspdb_paths *p, int64_t thread, uint32_t path,
		       int64_t bytes);

/* The thread is over: its rows. */
void gaspdb_paths_flush(struct gaspdb_paths *p);
/* All are: table callpath. */
void gaspdb_paths_finish(struct gaspdb_paths *p);

#endif
