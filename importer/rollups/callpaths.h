/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tree of call paths, and sums of the calls on each: tables callpath and
 * callpath_part. A call path is the sources of the events open at an event's
 * start, outermost first, and the event's own. User events have no self time. All threads share the
 * tree; threads are added one after another.
 *
 * The tree is bounded. A call deeper than GASPDB_PATH_DEPTH_MAX counts as a
 * child of its ancestor at the depth above, so that a deep recursion folds into
 * its last two levels. Beyond GASPDB_PATHS_MAX paths a call counts as an
 * outermost one. So each call is counted once, at its own source.
 *
 * With recorded call stacks, the functions above a call are paths as well
 * (frames): the sums of the outermost calls below them, without self time.
 *
 * Most sources have one path. Its sums are then those of the profile: they are
 * not computed again, and callpath_part has no row (view callpath_total has).
 */
#ifndef GASPDB_IMPORTER_ROLLUPS_CALLPATHS_H
#define GASPDB_IMPORTER_ROLLUPS_CALLPATHS_H

#include "common/map.h"
#include "importer/log/definitions.h"
#include "importer/replay/event_rows.h"
#include "importer/rollups/regions.h"
#include "importer/rollups/rollups.h"
#include "importer/rollups/variation.h"

struct gaspdb_paths {
	struct gaspdb_store *store;
	const struct gaspdb_rollups *rollups; /* for the profile */
	int64_t thread;
	struct gaspdb_map index; /* parent << 32 | source: number of a path */
	struct gaspdb_path {	 /* by number, callpath.id, from 1 */
		uint32_t parent; /* 0: none */
		uint32_t source, depth;
		bool is_frame;	  /* function of a call stack, without events */
		uint32_t threads; /* with calls on it */
		int64_t calls, total_ns, inner_ns, self_ns, min_ns, max_ns,
			bytes;
		struct gaspdb_thread_maximum longest; /* by total_ns */
		struct gaspdb_durations durations;
		/* Of regions; GASPDB_NULL: it is none */
		int64_t computation_ns;
		struct gaspdb_thread_maximum computes;
	} * path;
	/* The thread's calls, by number: in an array of its own, because each
	   event changes one. */
	struct gaspdb_path_sums {
		/* Profile with exactly these calls, unless own;
		   GASPDB_ABSENT: no calls. */
		uint32_t profile;
		uint32_t active;    /* open calls */
		bool own;	    /* the sums below are valid; else those of
				       the profile are the path's */
		bool plain, nested; /* any such calls */
		int64_t calls, total_ns, self_ns, min_ns, max_ns, bytes;
		int64_t computation_ns; /* of a region */
		int64_t inner_ns;	/* of calls inside others of the path */
		gaspdb_wide squares;
	} * sums;
	struct gaspdb_path_source {
		uint32_t first;	  /* path of the lowest number */
		uint32_t touched; /* number of paths of this thread */
		uint32_t last;	  /* the latest of these */
	} * of_source;
	size_t of_source_capacity;
	size_t path_capacity, sums_capacity;
	uint32_t n;	   /* the last number */
	uint32_t *touched; /* paths of this thread */
	size_t n_touched, touched_capacity;
	uint64_t *rows; /* keys of this thread's rows: source << 32 | path */
	size_t rows_capacity;
	/* Calls of the thread beyond GASPDB_PATH_DEPTH_MAX, and beyond
	   GASPDB_PATHS_MAX */
	uint64_t deep, left_out;
};

void gaspdb_paths_init(struct gaspdb_paths *p, struct gaspdb_store *store,
		       const struct gaspdb_rollups *rollups);
void gaspdb_paths_free(struct gaspdb_paths *p);

/* Begins a thread. */
void gaspdb_paths_thread(struct gaspdb_paths *p, int64_t thread);

/* Prefetches the sums of a path. */
static inline void gaspdb_path_prefetch(const struct gaspdb_paths *p,
					uint32_t path)
{
	if (path < p->sums_capacity)
		__builtin_prefetch(&p->sums[path]);
}

/* Path of a function of a call stack, called from parent (0: outermost); 0: too
   many paths. */
uint32_t gaspdb_path_frame(struct gaspdb_paths *p, uint32_t parent,
			   uint32_t source);

/* Parts of gaspdb_path_start(): finds a path other than the site's last one;
   notes a profile other than the path's. */
uint32_t gaspdb_path_find(struct gaspdb_paths *p, uint32_t parent,
			  struct gaspdb_log_site *site);
void gaspdb_path_add_profile(struct gaspdb_paths *p, uint32_t path,
			     uint32_t profile);
/*
 * Adds the start of an event. parent: path of the innermost open event; 0:
 * none. profile: number of the event's profile. Returns its path, for its end.
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
		gaspdb_path_add_profile(p, path, profile);
	s->active++;
	return path;
}
/* Adds the computation of a region, before gaspdb_path_end(). */
void gaspdb_path_computation(struct gaspdb_paths *p, uint32_t path, int64_t ns);
/* Part of gaspdb_path_end(): adds a call to sums that are own. */
void gaspdb_path_add(struct gaspdb_path_sums *s,
		     const union gaspdb_event_row *row);
/* Adds the end of an event. */
static inline void gaspdb_path_end(struct gaspdb_paths *p, uint32_t path,
				   const union gaspdb_event_row *row)
{
	struct gaspdb_path_sums *s = &p->sums[path];

	s->active--;
	if (s->own)
		gaspdb_path_add(s, row);
}
/* Adds calls that are no events, after gaspdb_path_start(). */
void gaspdb_path_throttled(struct gaspdb_paths *p, uint32_t path,
			   const struct gaspdb_throttled_calls *calls);
/* Adds calls that the collector has summed up, after gaspdb_path_start() and
   gaspdb_profile_summed(). */
void gaspdb_path_summed(struct gaspdb_paths *p, uint32_t path, bool nested,
			const struct gaspdb_summed_calls *calls);
/* As gaspdb_profile_uncut() and gaspdb_profile_resumed(). Path 0: none. */
void gaspdb_path_uncut(struct gaspdb_paths *p, uint32_t path, int64_t least_ns);
void gaspdb_path_resumed(struct gaspdb_paths *p, uint32_t path, int64_t cut_ns,
			 int64_t whole_ns);
/* Empties the sums of the thread being read. */
void gaspdb_paths_replace(struct gaspdb_paths *p);
/* Takes the time of such calls out of their caller's self time. */
void gaspdb_path_less(struct gaspdb_paths *p, uint32_t path, int64_t self_ns);
/* Adds bytes to an event that has ended, of this or an earlier thread. */
void gaspdb_path_bytes(struct gaspdb_paths *p, int64_t thread, uint32_t path,
		       int64_t bytes);

/* Writes the thread's rows, from the profile as well. */
void gaspdb_paths_flush(struct gaspdb_paths *p);
/* Writes table callpath. */
void gaspdb_paths_finish(struct gaspdb_paths *p);

#endif
