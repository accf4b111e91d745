/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading a script, line by line; tests/README.md has the grammar. */
#include <string.h>

#include "tests/script/cursor.h"

/* --- events ----------------------------------------------------------------
 */

/* What is left of the line: NAME=VALUE, and words. */
static void take_values(struct script_cursor *c, struct script_value **value,
			size_t *n, struct script_words *words)
{
	const struct script_word *w;

	*value = script_alloc(c->s, (c->words->n + 1) * sizeof **value);
	words->word =
		script_alloc(c->s, (c->words->n + 1) * sizeof *words->word);
	while ((w = script_take(c))) {
		if (script_split(c->s, w, &(*value)[*n]))
			++*n;
		else
			words->word[words->n++] = *w;
	}
}

/* The kinds that are no events. */
static enum script_kind kind_of(const char *word)
{
	static const struct {
		const char *word;
		enum script_kind kind;
	} kinds[] = {
		{ "off", SCRIPT_OFF },		 { "tool", SCRIPT_TOOL },
		{ "unserved", SCRIPT_UNSERVED }, { "block", SCRIPT_BLOCK },
		{ "clock", SCRIPT_CLOCK },	 { "lost", SCRIPT_LOST },
		{ "profile", SCRIPT_PROFILE }
	};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (!strcmp(word, kinds[i].word))
			return kinds[i].kind;
	return SCRIPT_EVENT;
}

static enum gaspdb_status read_call(struct script_cursor *c,
				    struct script_line *l)
{
	l->where = l->what;
	if (strcmp(l->where.text, "-") && !strchr(l->where.text, ':'))
		return script_fail(c->err, &l->where,
				   "'%s' is no FILE:LINE, nor -",
				   l->where.text);
	if (script_take_text(c, "the operation", &l->what))
		return GASPDB_FAILED;
	l->operation = script_operation(c->s, l->what.text);
	if (!l->operation)
		return script_fail(c->err, &l->what,
				   "there is no operation '%s'", l->what.text);
	take_values(c, &l->value, &l->n_values, &l->words);
	if (l->words.n)
		return script_fail(c->err, &l->words.word[0],
				   "'%s' is no NAME=VALUE",
				   l->words.word[0].text);
	return GASPDB_OK;
}

static enum gaspdb_status read_at(struct script_cursor *c)
{
	struct script_line l = { 0 };
	struct script_word thread;

	if (script_take_text(c, "the time", &l.at) ||
	    script_range_at(&l.at, true, &l.start, &l.end, &l.instant,
			    c->err) ||
	    script_take_text(c, "'thread'", &thread))
		return GASPDB_FAILED;
	if (strcmp(thread.text, "thread"))
		return script_fail(c->err, &thread, "'thread' was expected");
	if (script_take_text(c, "the thread's number", &thread) ||
	    script_find_thread(c->s, &thread, &l.thread, c->err) ||
	    script_take_text(c, "what happens", &l.what))
		return GASPDB_FAILED;
	if (c->s->thread[l.thread].missing)
		return script_fail(c->err, &thread,
				   "the log of thread %s is missing",
				   thread.text);
	l.kind = kind_of(l.what.text);
	if (l.kind == SCRIPT_EVENT) {
		if (read_call(c, &l))
			return GASPDB_FAILED;
	} else {
		take_values(c, &l.value, &l.n_values, &l.words);
	}
	c->s->line = script_grow(c->s, c->s->line, c->s->n_lines,
				 &c->s->lines_room, sizeof l);
	c->s->line[c->s->n_lines++] = l;
	return GASPDB_OK;
}

/* An indented line belongs to the event above it. */
static enum gaspdb_status read_note(struct script_cursor *c)
{
	struct script_line *l =
		c->s->n_lines ? &c->s->line[c->s->n_lines - 1] : NULL;
	struct script_note note = { .kind = *script_take(c) };
	struct script_note *notes;

	if (!l)
		return script_fail(c->err, &note.kind,
				   "there is no event above");
	if (l->kind == SCRIPT_EVENT && l->instant)
		return script_fail(c->err, &note.kind,
				   "the event above is an instant");
	take_values(c, &note.value, &note.n_values, &note.words);
	notes = script_alloc(c->s, (l->n_notes + 1) * sizeof note);
	if (l->n_notes)
		memcpy(notes, l->note, l->n_notes * sizeof note);
	notes[l->n_notes++] = note;
	l->note = notes;
	return GASPDB_OK;
}

/* --- lines -----------------------------------------------------------------
 */

static enum gaspdb_status read_line(struct script_cursor *c, bool indented)
{
	const struct script_word *w = &c->words->word[0];
	enum gaspdb_status status;

	if (indented)
		return read_note(c);
	c->next = 1;
	if (!strcmp(w->text, "at"))
		return read_at(c);
	if (script_declare(c, w->text, &status))
		return status;
	return script_fail(c->err, w, "'%s' begins no line", w->text);
}

enum gaspdb_status script_read(struct script *s, const char *text,
			       struct gaspdb_error *err)
{
	struct script_words words;
	bool indented;

	memset(s, 0, sizeof *s);
	for (unsigned line = 1; *text; line++) {
		const size_t length = strcspn(text, "\n");
		struct script_cursor c = { .s = s,
					   .words = &words,
					   .err = err };

		c.end = (struct script_word){ "", line, (unsigned)length + 1 };
		if (script_words(s, &text, line, &words, &indented, err))
			return GASPDB_FAILED;
		if (words.n > 0 && read_line(&c, indented))
			return GASPDB_FAILED;
	}
	return GASPDB_OK;
}
