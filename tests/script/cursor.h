/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line of a script, word by word: what parse.c and declarations.c read by. */
#ifndef GASPDB_TESTS_SCRIPT_CURSOR_H
#define GASPDB_TESTS_SCRIPT_CURSOR_H

#include "tests/script/script.h"

/* The words of a line, taken one by one. */
struct script_cursor {
	struct script *s;
	const struct script_words *words;
	size_t next;
	struct script_word end; /* where the line ends */
	struct gaspdb_error *err;
};

/* The next word; NULL: the line ends. */
const struct script_word *script_take(struct script_cursor *c);
/* The same, and a number; FAILED, with what was expected: there is none. */
enum gaspdb_status script_take_text(struct script_cursor *c, const char *what,
				    struct script_word *word);
enum gaspdb_status script_take_number(struct script_cursor *c, const char *what,
				      int64_t *n);
/* Fails if a word is left. */
enum gaspdb_status script_no_more(struct script_cursor *c);

enum gaspdb_status script_number_at(const struct script_word *w, int64_t *n,
				    struct gaspdb_error *err);
/* FROM..TO; one number is both.  Either may be left out if open is allowed. */
enum gaspdb_status script_range_at(const struct script_word *w, bool open,
				   int64_t *from, int64_t *to, bool *instant,
				   struct gaspdb_error *err);
/* The index of the thread with a number. */
enum gaspdb_status script_find_thread(struct script *s,
				      const struct script_word *w,
				      size_t *index, struct gaspdb_error *err);

/* NAME=VALUE settings of a declaration. */
struct script_setting {
	const char *name;
	const char **text; /* one of the two */
	int64_t *number;
};

/* Takes those that follow; what is none of them ends it. */
enum gaspdb_status script_take_settings(struct script_cursor *c,
					const struct script_setting *settings,
					size_t n);

#define SCRIPT_SETTINGS(...)                                             \
	(const struct script_setting[]){ __VA_ARGS__ },                  \
		sizeof((const struct script_setting[]){ __VA_ARGS__ }) / \
			sizeof(struct script_setting)

/* declarations.c: reads the line whose first word is taken, if it declares
   something; false: it does not. */
bool script_declare(struct script_cursor *c, const char *word,
		    enum gaspdb_status *status);

#endif
