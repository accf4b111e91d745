/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files that write a script's logs. */
#ifndef GASPDB_TESTS_SCRIPT_WRITER_H
#define GASPDB_TESTS_SCRIPT_WRITER_H

#include "tests/script/script.h"
#include "tests/unit/util_log.h"
#include "tests/unit/util_profile.h"

/* The log being written. */
struct writer {
	struct script *s;
	const struct script_thread *thread;
	struct log *log;
	int64_t boot, skew, error;
	bool damaged;	   /* the open block */
	uint64_t unserved; /* ns, so far */
	struct {
		const struct script_operation *operation;
		unsigned id;
	} op[LOG_SITES];
	struct {
		const struct script_operation *operation;
		const char *where;
		unsigned id;
	} site[LOG_SITES];
	unsigned n_ops, n_sites;
	const struct script_line **open; /* events that are open in the trace */
	size_t n_open;
	struct profile *profile; /* in place of the trace; NULL: not yet */
	int64_t *sequence; /* by team: of this rank's next collective */
	struct gaspdb_error *err;
};

/* values.c */
int64_t script_team_id(const struct writer *w, size_t team);
bool script_find_team(const struct script *s, const char *name, size_t *team);
int64_t script_entity_id(const struct writer *w, size_t entity);
int64_t script_segment_base(const struct writer *w, size_t segment);
/* A number, an address in a segment or a team's id; strings get ids. */
enum gaspdb_status script_value_of(struct writer *w, char code,
				   const struct script_word *text, int64_t *v);
/* The values of a layout, in its order. */
enum gaspdb_status script_arguments(struct writer *w,
				    const struct script_line *l,
				    const char *layout, int64_t *v, size_t *n);
/* Every name that the line gives is one of the operation's. */
enum gaspdb_status script_check_names(struct writer *w,
				      const struct script_line *l);

/* write.c: a line `block`: is that block damaged? */
bool script_damages(const struct script_line *l);

/* define.c */
/* 0: err tells that there are too many. */
unsigned script_site_of(struct writer *w, const struct script_line *l);
void script_define_thread(struct writer *w);

/* rest.c: a profile in place of the trace, from a line `profile` on */
void script_note_open(struct writer *w, const struct script_line *l, bool open);
enum gaspdb_status script_begin_profile(struct writer *w, int64_t t);
void script_profile_start(struct writer *w, const struct script_line *l,
			  unsigned site);
void script_profile_end(struct writer *w, const struct script_line *l,
			unsigned site);
void script_write_profile(struct writer *w);

/* notes.c: the indented lines of a line */
enum gaspdb_status script_write_notes(struct writer *w,
				      const struct script_line *l);
/* The same of a time without recording: what was completed in it, before
   recording goes on; what else passed, after that. */
enum gaspdb_status script_write_unseen(struct writer *w,
				       const struct script_line *l);
enum gaspdb_status script_write_passed(struct writer *w,
				       const struct script_line *l);

#endif
