/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs from a text that says who did what when: tests/README.md describes the
 * language.  Reading a script makes the structures below; writing them makes
 * a run directory, byte by byte from docs/log-format.md.
 */
#ifndef GASPDB_TESTS_SCRIPT_H
#define GASPDB_TESTS_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

#define SCRIPT_NEVER INT64_MIN /* a time that does not come */

/* A word of the script, and where it stands. */
struct script_word {
	const char *text;
	unsigned line, column;
};

struct script_words {
	struct script_word *word;
	size_t n, room;
};

/* NAME=VALUE */
struct script_value {
	struct script_word name, value;
};

struct script_host {
	const char *name;
	int64_t boot, skew, error;
};

struct script_thread {
	int64_t id, rank, number;
	const char *host, *model;
	int64_t from, to, cut; /* SCRIPT_NEVER: not said */
	bool missing;
	struct script_words meta; /* key, value, key, value ... */
};

struct script_team {
	const char *name, *kind, *parent;
	int64_t ordinal;
	int64_t *member;
	size_t n, n_remote; /* members; of them the remote group, at the end */
	bool unlisted;
	struct script_team *
		*sources; /* by member: whom it receives from, as
			     the members of a team; NULL: not told */
};

struct script_segment {
	const char *name, *kind;
	int64_t bytes, base; /* base SCRIPT_NEVER: its own on each rank */
};

/* An entity of the program, or a mix: of parts with weights. */
struct script_entity {
	const char *name, *kind, *parent;
	int64_t *part, *weight; /* indices of entities */
	size_t n_parts;		/* 0: no mix */
};

struct script_attribute {
	size_t entity;
	const char *key, *value, *code;
	int64_t thread; /* SCRIPT_NEVER: in all logs */
};

/* An operation of the event tables, or of the script's own. */
struct script_operation {
	const char *name, *model, *type, *category;
	const char *start, *end; /* layouts, as logged */
	const char *format;	 /* of a user event; NULL: none */
};

/* An indented line. */
struct script_note {
	struct script_word kind;
	struct script_words words; /* those without = */
	struct script_value *value;
	size_t n_values;
};

enum script_kind {
	SCRIPT_EVENT,
	SCRIPT_OFF,
	SCRIPT_TOOL,
	SCRIPT_UNSERVED,
	SCRIPT_BLOCK,
	SCRIPT_CLOCK,
	SCRIPT_PROFILE,
	SCRIPT_LOST
};

/* A line that begins with `at`. */
struct script_line {
	enum script_kind kind;
	struct script_word at;
	size_t thread;	    /* index */
	int64_t start, end; /* SCRIPT_NEVER: none; alike and instant: atomic */
	bool instant;
	struct script_word where, what;
	const struct script_operation *operation;
	struct script_value *value;
	size_t n_values;
	struct script_words words; /* those without = */
	struct script_note *note;
	size_t n_notes;
};

struct script {
	int64_t ranks;
	struct script_host *host;
	size_t n_hosts, hosts_room;
	struct script_thread *thread;
	size_t n_threads, threads_room;
	struct script_team *team;
	size_t n_teams, teams_room;
	struct script_entity *entity;
	size_t n_entities, entities_room;
	struct script_attribute *attribute;
	size_t n_attributes, attributes_room;
	struct script_segment *segment;
	size_t n_segments, segments_room;
	struct script_operation *operation;
	size_t n_operations, operations_room;
	struct script_line *line;
	size_t n_lines, lines_room;
	void *memory; /* everything, in a list */
};

/* Read the text.  FAILED: err says "LINE:COLUMN: what". */
enum gaspdb_status script_read(struct script *s, const char *text,
			       struct gaspdb_error *err);
/* Write its logs into a directory that exists. */
enum gaspdb_status script_write(struct script *s, const char *directory,
				struct gaspdb_error *err);
void script_free(struct script *s);

/* --- between the files -----------------------------------------------------
 */

void *script_alloc(struct script *s, size_t n);
char *script_print(struct script *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Room for one more in an array of n. */
void *script_grow(struct script *s, void *array, size_t n, size_t *room,
		  size_t size);
enum gaspdb_status script_fail(struct gaspdb_error *err,
			       const struct script_word *at, const char *fmt,
			       ...) __attribute__((format(printf, 3, 4)));

/* tokens.c: a line's words; returns the text after it. */
enum gaspdb_status script_words(struct script *s, const char **text,
				unsigned line, struct script_words *words,
				bool *indented, struct gaspdb_error *err);
bool script_number(const char *text, int64_t *n);
/* Split NAME=VALUE; false: it is none. */
bool script_split(struct script *s, const struct script_word *w,
		  struct script_value *v);

/* operations.c: NULL: there is none of that name. */
const struct script_operation *script_operation(struct script *s,
						const char *name);
/* A layout as it is logged: what codes P and L become. */
const char *script_layout(struct script *s, const char *layout,
			  const char *without);

/* order.c: the moments of a thread's log, in order. */
struct script_moment {
	const struct script_line *line;
	int64_t t;
	bool end;
	bool whole;   /* its end follows at once */
	size_t begun; /* ends: place of the start among the moments */
};
enum gaspdb_status script_order(struct script *s, size_t thread,
				struct script_moment **moment, size_t *n,
				struct gaspdb_error *err);

#endif
