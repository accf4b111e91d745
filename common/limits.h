/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Limits of the importer. Everything that a log can enlarge without adding
 * bytes has a limit; beyond it, items are left out and counted in table
 * quality.
 */
#ifndef GASPDB_COMMON_LIMITS_H
#define GASPDB_COMMON_LIMITS_H

#include <stdint.h>

/* clang-format off */
enum {
	GASPDB_IDS_MAX = 1 << 22,      /* a log's largest id of a definition */
	GASPDB_RANKS_MAX = 1 << 20,    /* processes of a run */
	GASPDB_MISSING_MAX = 1 << 14,  /* threads for ranks without a log */
	GASPDB_MEMBERS_MISSING_MAX = 1 << 18, /* of all teams, members without a log */
	GASPDB_TEAM_RANKS_MAX = 1 << 21, /* of a team, including its remote group */
	GASPDB_TEAMS_MAX = 1 << 19,    /* of a run */
	GASPDB_LOG_TEAMS_MAX = 1 << 18, /* of a log */
	GASPDB_TEXTS_MAX = 1 << 21,    /* of a run, different ones */
	GASPDB_SOURCES_MAX = 1 << 17,  /* of a run, plus one per operation */
	GASPDB_OPERATIONS_MAX = 1 << 18, /* of a run */
	GASPDB_LOG_OPERATIONS_MAX = 1 << 17, /* of a log */
	GASPDB_ENTITIES_MAX = 1 << 20, /* of a run */
	GASPDB_LOG_ENTITIES_MAX = 1 << 20, /* of a log */
	GASPDB_ATTRIBUTES_MAX = 1 << 20, /* of all entities of a run */
	GASPDB_ENTITY_DEPTH_MAX = 64,  /* of their tree */
	GASPDB_ENTITIES_OPEN_MAX = 256, /* of a thread, and as many of work */
	GASPDB_LOG_FRAMES_MAX = 1 << 18, /* of a log's call stacks */
	GASPDB_INLINED_MAX = 16,       /* functions at one address */
	GASPDB_FACTS_MAX = 1 << 12,    /* META records of a log, different ones */
	GASPDB_OPEN_MAX = 1 << 18,     /* open events of a thread */
	GASPDB_PATHS_MAX = 1 << 18,    /* call paths of a run, except outermost ones */
	GASPDB_PATH_DEPTH_MAX = 128,   /* of a call path */
	GASPDB_ARGUMENTS_MAX = 64,     /* of an event: 6 bits of event_arg.id */
	GASPDB_CATEGORIES_MAX = 64,    /* known ones, and a log's own */
	GASPDB_RUN_MODULES_MAX = 1 << 16, /* of a run */
	GASPDB_MODULES_MAX = 1 << 12,  /* of a process; searched linearly */
	GASPDB_SEGMENTS_MAX = 1 << 20, /* of a run: event.object has 23 bits */
	GASPDB_LOG_SEGMENTS_MAX = 1024, /* of a log; searched linearly */
	GASPDB_LOG_SEGMENTS_NOTED = 1 << 16, /* of a log; others may count twice */
	GASPDB_OBJECTS_MAX = 1 << 18,  /* with a name */
	GASPDB_PROFILE_BLOCKS_MAX = 1 << 11, /* blocks of a log's profile */
	GASPDB_MOVED_MAX = 64,	       /* blocks out of order, in a log */
	GASPDB_RESYNC_MAX = 4096,      /* candidates after damage, in a log */
	GASPDB_QUALITY_MAX = 1000,     /* rows per thread and kind */
	GASPDB_PAIRS_MAX = 4096,       /* clock readings of a host */
	GASPDB_ENDS_MAX = 1 << 24,     /* ends of messages between hosts, for their clocks */
	GASPDB_READINGS_MAX = 1 << 20, /* clock readings between hosts */
	GASPDB_LINE_MAX = 1 << 14,     /* bytes of a line of lines.tsv */
	GASPDB_LOGS_MAX = 1 << 20,     /* in an input */
	GASPDB_NAME_MAX = 4096,        /* bytes of an archive member's name */
	GASPDB_DEPTH_MAX = 8,          /* nested folders searched for runs */
	GASPDB_FOLDERS_MAX = 1 << 16,
	GASPDB_READERS_MAX = 16,       /* threads that read logs */
	GASPDB_HEAD_MAX = 1 << 18      /* bytes read of a log to list its run */
};

/*
 * Limit of unpacking an archive: UNPACK_FREE bytes, or UNPACK_RATIO times its
 * size if that is more; --unpack-limit replaces both. Zeros count as one
 * UNPACK_ZEROS-th: they take no space, and a killed process leaves many.
 */
#define GASPDB_UNPACK_FREE  ((uint64_t)1 << 30)
#define GASPDB_UNPACK_RATIO 200u
#define GASPDB_UNPACK_ZEROS 64u
/* clang-format on */

/* Largest accepted cost of recording an event, in ticks. */
#define GASPDB_COST_MAX 1e9

/* Limit of the bytes of one call, and of counts, so that sums fit 64 bits. */
#define GASPDB_BYTES_MAX ((int64_t)1 << 48)

/* Limit of times: +-2^56 ns (two years) from the run's start. */
#define GASPDB_TIME_MAX ((int64_t)1 << 56)

/* A length of time from a log, clamped. */
static inline int64_t gaspdb_bounded_ns(uint64_t ns)
{
	return ns > (uint64_t)GASPDB_TIME_MAX ? GASPDB_TIME_MAX : (int64_t)ns;
}

/* Any other number of a log, clamped to SQLite's integers. */
static inline int64_t gaspdb_number(uint64_t n)
{
	return n > (uint64_t)INT64_MAX ? INT64_MAX : (int64_t)n;
}

static inline int64_t gaspdb_size(uint64_t bytes)
{
	return bytes > (uint64_t)GASPDB_BYTES_MAX ? GASPDB_BYTES_MAX
						  : (int64_t)bytes;
}

#endif
