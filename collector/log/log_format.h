/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The raw log on disk, byte by byte: what the collector writes and the
 * importer reads.  docs/log-format.md says the same in prose.  Numbers of
 * fixed size are in the byte order of the machine that writes; offsets are from
 * the start of the structure.
 */
#ifndef GASPDB_COLLECTOR_LOG_LOG_FORMAT_H
#define GASPDB_COLLECTOR_LOG_LOG_FORMAT_H

#include <stdint.h>

#define GASPDB_LOG_SUFFIX	".gasplog"
/* In a log's place where it could not be made: HOST-PID-N-ERRNO, empty */
#define GASPDB_FAILED_SUFFIX	".failed"
#define GASPDB_LOG_MAGIC	"\211GASPLG\n" /* 8 bytes */
#define GASPDB_LOG_MAJOR	2 /* readers refuse another */
#define GASPDB_LOG_MINOR	1 /* readers ignore it */

/* File header */
enum {
	GASPDB_LH_MAGIC = 0,	     /* 8 bytes */
	GASPDB_LH_MAJOR = 8,	     /* u16; also the byte order */
	GASPDB_LH_MINOR = 10,	     /* u16 */
	GASPDB_LH_SIZE = 12,	     /* u32: of this header; blocks follow */
	GASPDB_LH_RUN = 16,	     /* u64: the same in all logs of a run */
	GASPDB_LH_START_REAL = 24,   /* i64: CLOCK_REALTIME, ns, at creation */
	GASPDB_LH_TICKS_HZ = 32,     /* u64: nominal ticks per second */
	GASPDB_LH_PID = 40,	     /* u32 */
	GASPDB_LH_TID = 44,	     /* u32: the operating system's thread id */
	GASPDB_LH_ORDINAL = 48,	     /* u32: number of the log in its process */
	GASPDB_LH_FLAGS = 52,	     /* u32: GASPDB_LOG_* */
	GASPDB_LH_CLOCK = 56,	     /* u8: enum gaspdb_clock; 3 bytes 0 */
	GASPDB_LH_CRC = 60,	     /* u32: CRC-32C of bytes 0..59 */
	GASPDB_LH_BYTES = 64
};

/* The open block is in memory: after a kill it is lost. */
#define GASPDB_LOG_BUFFERED 1u

enum gaspdb_clock {
	GASPDB_CLOCK_MONOTONIC = 0, /* a tick is one ns of CLOCK_MONOTONIC */
	GASPDB_CLOCK_TSC = 1	    /* x86 time stamp counter */
};

/* Block header; blocks start at multiples of 8 */
#define GASPDB_BLOCK_MAGIC 0x4b4c4247u /* "GBLK" */
enum {
	GASPDB_BH_MAGIC = 0,	 /* u32; 0: nothing was written from here on */
	GASPDB_BH_TYPE = 4,	 /* u8: enum gaspdb_block_type */
	GASPDB_BH_SEALED = 5,	 /* u8: 0 open, 1 sealed */
	GASPDB_BH_SIZE = 6,	 /* u16: of this header */
	GASPDB_BH_LENGTH = 8,	 /* u32: payload bytes, whole records only */
	GASPDB_BH_CRC = 12,	 /* u32: CRC-32C of header (CRC as 0) and
				    payload; sealed blocks only */
	GASPDB_BH_NUMBER = 16,	 /* u64: 0, 1, 2 ... in the log */
	GASPDB_BH_TICKS = 24,	 /* u64: base of the first record's time */
	GASPDB_BH_MONOTONIC = 32, /* i64: CLOCK_MONOTONIC at TICKS, ns */
	GASPDB_BH_UNCERTAIN = 40, /* u32: of that pair, ns */
	GASPDB_BH_LOST = 44,	 /* u32: events lost so far in this log */
	GASPDB_BH_BYTES = 48
};

enum gaspdb_block_type {
	GASPDB_BLOCK_RECORDS = 1,
	GASPDB_BLOCK_END = 2, /* records too; the log was closed properly */
	GASPDB_BLOCK_PROFILE = 3 /* cells, below */
};

#define GASPDB_BLOCK_MAX (64u << 10) /* header and payload, as written */

/* A log's size can be limited, but not to less than this. */
#define GASPDB_LOG_LEAST_BYTES (256u << 10)

/*
 * A record starts with one byte: the low two bits are its phase.
 * START, END, ATOMIC: bit 2: the site is that of the block's last event; the
 *   upper five bits are the number of arguments (31: it follows as a varint);
 *   then varint ticks since the last event of the block (the first: since
 *   GASPDB_BH_TICKS), varint site unless bit 2 is set, the arguments, each one
 *   varint.
 * OTHER: the upper six bits are the kind, then varint length, payload.
 */
enum gaspdb_phase {
	GASPDB_PHASE_START = 0,
	GASPDB_PHASE_END = 1,
	GASPDB_PHASE_ATOMIC = 2,
	GASPDB_PHASE_OTHER = 3
};
#define GASPDB_SAME_SITE   4u
#define GASPDB_ARGS_SHIFT  3
#define GASPDB_ARGS_FOLLOW 31u

/*
 * OTHER records.  RECORD(ident, kind, payload); payload is a layout like
 * that of an event's arguments: u varint, i zigzag varint, s varint length
 * and bytes, ... the rest of the record.  Readers skip kinds they do not know
 * and fields after those they know.
 */
#define GASPDB_RECORDS(RECORD)                                                 \
	/* definitions */                                                      \
	RECORD(STRING, 1, "id:u text:...")                                     \
	RECORD(OPERATION, 2,                                                   \
	       "id:u tag:u symbol:s name:s model:s type:s category:s "         \
	       "start:s end:s format:s")                                       \
	RECORD(SITE, 3, "id:u operation:u file:u line:u column:u function:u")  \
	RECORD(SITE_PC, 4, "id:u operation:u address:u module:u frame:u")      \
	RECORD(META, 5, "key:s value:s")                                       \
	RECORD(MODULE, 6,                                                      \
	       "base:u end:u bias:u build_id:s path:s id:u size:u checksum:u " \
	       "inode:u modified:u changed:u")                                 \
	RECORD(SEGMENT, 7, "id:u base:u bytes:u kind:s name:s")                \
	RECORD(TEAM, 8,                                                        \
	       "id:u parent:u ordinal:u rank:i size:u kind:s name:s first:i")  \
	RECORD(TEAM_MEMBERS, 9, "team:u index:u start:i stride:i count:u")     \
	RECORD(TEAM_FREE, 10, "team:u ticks:u")                                \
	RECORD(TEAM_SOURCES, 11, "team:u runs:s")                              \
	RECORD(FRAME, 12, "id:u address:u module:u caller:u")                  \
	/* about the innermost open event */                                   \
	RECORD(COMPLETE, 16,                                                   \
	       "request:u index:i flags:u peer:i tag:i bytes:u error:i")       \
	RECORD(REQUEST_START, 17, "request:u number:u")                        \
	RECORD(REQUEST_FREE, 18, "request:u")                                  \
	RECORD(REQUEST_CANCEL, 19, "request:u")                                \
	RECORD(PROBED, 20, "message:u peer:i tag:i bytes:u ticks:u")           \
	RECORD(ARGUMENT, 21, "name:s value:i")                                 \
	RECORD(REQUEST_MADE, 22,                                               \
	       "request:u flags:u peer:i tag:i bytes:u team:u")                \
	/* about the recording */                                              \
	RECORD(CLOCK, 32, "ticks:u monotonic:u realtime:u uncertainty:u")      \
	RECORD(RECORDING, 33, "on:u ticks:u")                                  \
	RECORD(PASSED, 34, "team:u peer:i tag:i sends:u receives:u ticks:u")   \
	RECORD(TOOL, 35, "start:u ticks:u")                                    \
	RECORD(NESTED, 36, "operation:u count:u")                              \
	RECORD(LOST, 37, "count:u reason:s")                                   \
	RECORD(TEAM_SEQUENCE, 38, "team:u sequence:u")                         \
	RECORD(MASKED, 39, "operation:u count:u")                              \
	RECORD(LEFT, 40, "ticks:u")                                            \
	RECORD(PROCESSOR, 41, "ticks:u used:u unserved:u total:u")             \
	RECORD(THROTTLED, 44,                                                  \
	       "site:u caller:u calls:u total:u inner:u self:u quiet:u "       \
	       "least:u most:u")                                       \
	RECORD(PADDING, 47, "rest:...")                                        \
	RECORD(HEAP, 48,                                                       \
	       "site:u ticks:u blocks:u bytes:u frees:u live:u peak:u "        \
	       "largest:u failed:u unknown:u uncounted:u")                     \
	RECORD(REMOTE_CLOCK, 49,                                               \
	       "peer:u sent:u received:u replied:u returned:u")                        \
	/* mapping: definitions */                                             \
	RECORD(ENTITY, 50, "id:u kind:s name:s parent:u")                      \
	RECORD(ENTITY_ATTRIBUTE, 51,                                           \
	       "entity:u key:s code:s number:u text:s")                        \
	RECORD(ENTITY_MIX, 52, "id:u parts:s")

enum gaspdb_record_kind {
#define RECORD(ident, kind, payload) GASPDB_RECORD_##ident = (kind),
	GASPDB_RECORDS(RECORD)
#undef RECORD
};

/* COMPLETE flags */
#define GASPDB_COMPLETE_RECEIVE	  1u /* else a send, or a collective */
#define GASPDB_COMPLETE_CANCELLED 2u
#define GASPDB_COMPLETE_COLLECTIVE 4u
#define GASPDB_COMPLETE_ONE_SIDED  8u
#define GASPDB_COMPLETE_UNRECORDED 16u /* by a call that is masked */
#define GASPDB_COMPLETE_FILE	   32u

/*
 * DOES(type, number): the type of each start of a persistent collective, as in the
 * argument `does` of the call that created it; 0: unknown.
 */
#define GASPDB_DOINGS(DOES) \
	DOES(barrier, 1)    \
	DOES(broadcast, 2)  \
	DOES(scatter, 3)    \
	DOES(gather, 4)     \
	DOES(reduce, 5)     \
	DOES(all_to_all, 6) \
	DOES(exchange, 7)   \
	DOES(scan, 8)       \
	DOES(neighbor, 9)

enum gaspdb_does {
#define DOES(type, number) GASPDB_DOES_##type = (number),
	GASPDB_DOINGS(DOES)
#undef DOES
};

/* Parts of a mix, and the sum of their weights. */
#define GASPDB_MIX_PARTS_MAX 64
#define GASPDB_MIX_WEIGHTS   ((uint64_t)1 << 32)

#define GASPDB_STACK_MAX 64 /* frames of a call stack */

/*
 * The payload of a PROFILE block: a header, then cells that change in place, in
 * the byte order of the machine.  The block starts at a multiple of a cell's
 * bytes: the records block before it ends with PADDING.
 */
enum {
	GASPDB_PB_INDEX = 0,   /* u32: of this block among the log's profile
				  blocks, from 0 */
	GASPDB_PB_USED = 4,    /* u32: cells in use, stored after the cell */
	GASPDB_PB_LAST = 8,    /* u64: ticks of the thread's last event.  This
				  and the rest are block 0's alone */
	GASPDB_PB_FIRST = 16,  /* u64: ticks of its first event */
	GASPDB_PB_EVENTS = 24, /* u64: raw events in the profile */
	GASPDB_PB_LOST = 32,   /* u64: events that no cell has */
	GASPDB_PB_UNKEPT = 40, /* u64: calls whose traffic no cell has */
	GASPDB_PB_TOOL = 48,   /* u64: ticks of the collector's own work */
	GASPDB_PB_OFF = 56,    /* u64: ticks while recording was off, until it
				  was last switched on */
	GASPDB_PB_SINCE = 64,  /* u64: ticks when it was switched off; 0: it is
				  on */
	GASPDB_PB_FROM = 72,   /* u64: ticks at which the profile began in place
				  of the trace; 0: it has the whole time */
	GASPDB_PB_BYTES = 80
};
#define GASPDB_CELL_BYTES      128
#define GASPDB_CELLS_PER_BLOCK 511
#define GASPDB_PROFILE_BYTES                                       \
	(GASPDB_BH_BYTES + GASPDB_PB_BYTES +                       \
	 GASPDB_CELLS_PER_BLOCK * GASPDB_CELL_BYTES)

enum gaspdb_cell_kind {
	GASPDB_CELL_FREE = 0,
	GASPDB_CELL_NODE = 1,
	GASPDB_CELL_TRAFFIC = 2
};

/* A cell.  A node's number is its block's index * GASPDB_CELLS_PER_BLOCK + the
   index of its cell + 1. */
enum {
	GASPDB_CELL_SEQUENCE = 0, /* u32: odd while the cell changes */
	GASPDB_CELL_KIND = 4,	  /* u32: enum gaspdb_cell_kind */
	/* NODE */
	GASPDB_NODE_PARENT = 8,	  /* u32: number of a node; 0: none */
	GASPDB_NODE_SITE = 12,	  /* u32: id; 0: calls beyond the limit */
	GASPDB_NODE_COUNT = 16,	  /* u64: ended calls, atomic events */
	GASPDB_NODE_TOTAL = 24,	  /* u64: ticks of the ended calls */
	GASPDB_NODE_CHILD = 32,	  /* u64: ticks of child nodes' calls in them */
	GASPDB_NODE_LEAST = 40,	  /* u64: ticks of the shortest call; without
				     one 2^64 - 1 */
	GASPDB_NODE_MOST = 48,	  /* u64: ticks of the longest call */
	GASPDB_NODE_SQUARES = 56, /* f64: sum of squares of ticks */
	GASPDB_NODE_BYTES = 64,	  /* u64: moved by the calls */
	GASPDB_NODE_OPEN = 72,	  /* u64: ticks of the open call's START; 0: no
				     call is open */
	GASPDB_NODE_FAILED = 80,  /* u64: of COUNT, unsuccessful attempts */
	GASPDB_NODE_WRITTEN = 88, /* u64: of COUNT, those with records */
	GASPDB_NODE_CARRIED = 96, /* u64: calls that the trace began, and that
				     have ended: not in COUNT */
	GASPDB_NODE_CARRIED_TICKS = 104, /* u64: of TOTAL, those of these */
	/* TRAFFIC: entries of a node's calls */
	GASPDB_TRAFFIC_FIRST = 8,
	GASPDB_TRAFFIC_BYTES = 40,
	GASPDB_TRAFFIC_ENTRIES = 3
};

/* An entry of traffic, from its start. */
enum {
	GASPDB_ENTRY_NODE = 0,	/* u32: number; 0: the entry is free */
	GASPDB_ENTRY_PEER = 4,	/* u32: world rank */
	GASPDB_ENTRY_SIZE = 8,	/* u32: 0: no bytes; k: 2^(k-1) .. 2^k - 1 */
	GASPDB_ENTRY_WAY = 12,	/* u32: 0 to the peer, 1 from it */
	GASPDB_ENTRY_COUNT = 16, /* u64: calls */
	GASPDB_ENTRY_MOVED = 24, /* u64: bytes */
	GASPDB_ENTRY_TICKS = 32	/* u64: inside of these calls */
};
#define GASPDB_NO_PEER UINT32_MAX

#define GASPDB_VARINT_MAX 10 /* bytes of the longest varint */

#endif
