/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Logs for tests, and runs of them, built byte by byte from docs/log-format.md
 * without the collector's code.  Every function fails the running test if
 * something goes wrong.
 *
 * Times are ns from LOG_BASE, the log's first moment.
 */
#ifndef GASPDB_TESTS_UNIT_UTIL_LOG_H
#define GASPDB_TESTS_UNIT_UTIL_LOG_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/import/make.h"

#define LOG_BASE  1000000000u
#define LOG_REAL  UINT64_C(1700000000000000000) /* CLOCK_REALTIME there */
#define LOG_RUN	  77
#define LOG_SITES 1024
#define LOG_ARGS  64
#define LOG_MARKS 512

/* The arguments of an event: ARGS(1, 2), or NONE. */
#define ARGS(...)                         \
	(const int64_t[]){ __VA_ARGS__ }, \
		sizeof((const int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t)
#define NONE NULL, 0

struct log {
	unsigned char *bytes;
	size_t n, room;
	size_t block;	       /* where the open block begins */
	uint64_t number, last; /* of the block; ticks of its last event */
	unsigned last_site;    /* of that event; 0: none */
	unsigned n_strings, n_ops, n_sites;
	char host[32];
	unsigned pid, ordinal;
	double ticks_per_ns;
	uint32_t lost;	     /* for the next block header */
	unsigned char *definitions; /* a copy of their records */
	size_t n_definitions, definitions_room;
	size_t n_repeated; /* bytes of it that log_repeat() has written */
	struct {
		const char *start, *end;
	} op[LOG_SITES];
	unsigned op_of_site[LOG_SITES];
	struct {
		size_t end;    /* of its record */
		unsigned kind; /* 0: START, 1: END, 2: ATOMIC */
	} mark[LOG_MARKS];     /* the first events */
	unsigned n_marks;
	int64_t address[LOG_SITES][3][LOG_ARGS]; /* last ones of the block */
};

/* A log with its first block; its clock is CLOCK_MONOTONIC. */
struct log *log_new(const char *host, unsigned pid, unsigned ordinal);
/* The same, counting so many ticks a ns. */
struct log *log_new_ticks(const char *host, unsigned pid, unsigned ordinal,
			  double ticks_per_ns);
/* The same, with META records of its rank and of the number of ranks. */
struct log *log_rank(int rank, int ranks);

/* Seal the block and begin another one; mono_ns: its clock reading. */
void log_block(struct log *l, uint64_t t);
void log_block_at(struct log *l, uint64_t t, int64_t mono_ns);
/* The same, with a PROFILE block of that payload before the next one, sealed or
   as in a killed log. */
void log_cells(struct log *l, uint64_t t, const void *payload, size_t n,
	       bool sealed);
/* Damages the checksum of a sealed block, by its offset. */
void log_spoil(struct log *l, size_t block);
/* Seals the last block as the end. */
void log_close(struct log *l);
/* Leaves the last block open, with n zero bytes after it. */
void log_kill(struct log *l, size_t n);

/* Repeats the records of definitions, all or those since its last call. */
void log_repeat(struct log *l, bool all);
void log_free(struct log *l);

/* Definitions with the next id, which they return. */
unsigned log_string(struct log *l, const char *text);
unsigned log_op(struct log *l, const char *name, const char *type,
		const char *category, const char *start, const char *end);
unsigned log_op_of(struct log *l, const char *model, const char *name,
		   const char *type, const char *category, const char *start,
		   const char *end);
unsigned log_op_with_format(struct log *l, const char *model, const char *name,
			    const char *type, const char *category,
			    const char *start, const char *end,
			    const char *format);
unsigned log_site(struct log *l, unsigned op, const char *file, unsigned line);
unsigned log_site_pc(struct log *l, unsigned op, uint64_t address);
/* The same, with the id of its module. */
unsigned log_site_in(struct log *l, unsigned op, uint64_t address,
		     uint64_t module);
/* The site of a new operation without arguments at a line of a.c. */
unsigned log_plain(struct log *l, const char *name, const char *type,
		   const char *category, unsigned line);

/* Definitions of any id.  Events have sites of log_site() and the like, but for
   those of log_atomic_next(). */
struct log_operation {
	const char *symbol, *name, *model, *type, *category, *start, *end;
	const char *format; /* NULL: none */
};
void log_define_string(struct log *l, uint64_t id, const char *text);
void log_define_operation(struct log *l, uint64_t id,
			  const struct log_operation *o);
/* file, function: ids of strings; 0: none. */
void log_define_site(struct log *l, uint64_t id, uint64_t op, uint64_t file,
		     uint64_t line, uint64_t function);
/* module: its id; 0: none. */
void log_define_site_pc(struct log *l, uint64_t id, uint64_t op,
			uint64_t address, uint64_t module);

/* Values of reals that are no tenths. */
#define LOG_NAN	     INT64_MIN
#define LOG_INFINITY INT64_MAX
/* Events; values in the order of the layout, strings by id. */
void log_start(struct log *l, uint64_t t, unsigned site, const int64_t *values,
	       size_t n);
void log_end(struct log *l, uint64_t t, unsigned site, const int64_t *values,
	     size_t n);
void log_atomic(struct log *l, uint64_t t, unsigned site, const int64_t *values,
		size_t n);
/* An ATOMIC record without arguments, 1 ns after the last event. */
void log_atomic_next(struct log *l, uint64_t site);
/* A START and an END without arguments. */
void log_call(struct log *l, uint64_t start, uint64_t end, unsigned site);

/* Other records. */
void log_meta(struct log *l, const char *key, const char *value);
/* A module's id, and its file. */
struct log_module_file {
	uint64_t id, size, checksum, inode, modified, changed;
};
void log_module_of_file(struct log *l, uint64_t base, uint64_t end,
			const void *build_id, size_t n, const char *path,
			const struct log_module_file *file);
void log_module(struct log *l, uint64_t base, uint64_t end, uint64_t bias,
		const void *build_id, size_t n, const char *path);
void log_segment(struct log *l, unsigned id, uint64_t base, uint64_t bytes,
		 const char *kind, const char *name);
void log_team(struct log *l, uint64_t id, uint64_t parent, uint64_t ordinal,
	      int64_t rank, uint64_t size, const char *kind, const char *name,
	      int64_t first);
void log_members(struct log *l, uint64_t team, uint64_t index, int64_t start,
		 int64_t stride, uint64_t count);
/* Entities of the program; n parts with a weight each. A value by its code: i, d
   or s. */
void log_entity(struct log *l, uint64_t id, const char *kind, const char *name,
		uint64_t parent);
void log_mix(struct log *l, uint64_t id, size_t n, const uint64_t *parts,
	     const uint64_t *weights);
void log_attribute(struct log *l, uint64_t entity, const char *key, char code,
		   const char *value);
/* The ranks that it receives from, in any order, repeated or not. */
void log_sources(struct log *l, uint64_t team, const int64_t *ranks, size_t n);
void log_complete(struct log *l, uint64_t request, int64_t index,
		  uint64_t flags, int64_t peer, int64_t tag, uint64_t bytes,
		  int64_t error);
void log_numbers(struct log *l, unsigned kind, size_t n,
		 const uint64_t *values); /* all of code u */
void log_probed(struct log *l, uint64_t message, int64_t peer, int64_t tag,
		uint64_t bytes);
void log_made(struct log *l, uint64_t request, unsigned flags, int64_t peer,
	      int64_t tag, uint64_t bytes, uint64_t team);
void log_passed(struct log *l, uint64_t team, int64_t peer, int64_t tag,
		uint64_t sends, uint64_t receives);
void log_argument(struct log *l, const char *name, int64_t value);
void log_clock(struct log *l, uint64_t t, uint64_t mono_ns, uint64_t real_ns,
	       uint64_t uncertain);
void log_recording(struct log *l, bool on, uint64_t t);
void log_tool(struct log *l, uint64_t start, uint64_t end);
/* Time without a processor between the last event and t_ns. */
void log_processor(struct log *l, uint64_t t_ns, uint64_t used_ns,
		   uint64_t unserved_ns, uint64_t total_ns);
void log_lost(struct log *l, uint64_t count, const char *reason);
/* Bytes as they are: a record of any kind, or nonsense. */
void log_raw(struct log *l, const void *bytes, size_t n);

/* --- util_run.c: runs ----------------------------------------------------- */

/* A new folder, which run_remove() removes. */
char *run_new(void);
void run_remove(char *run);
/* Writes a log, closed or killed before, to a file of the run, and frees it. */
void run_add(const char *run, struct log *l);
void run_add_bytes(const char *run, const char *name, const void *bytes,
		   size_t n);

/* Imports a run.  Returns its database, which the caller closes; NULL: it
   failed. */
sqlite3 *run_import(const char *run, struct gaspdb_import_result *result,
		    struct gaspdb_error *err);
/* The same, to another folder; name: of the run; NULL: the only one there. */
sqlite3 *run_import_to(const char *folder, const char *run, const char *name,
		       struct gaspdb_import_result *result,
		       struct gaspdb_error *err);
/* The same; the import must succeed. */
sqlite3 *run_open(const char *run);
/* Imports a run of one log, which it frees. */
sqlite3 *run_one(struct log *l);

#endif
