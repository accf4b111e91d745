/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading a script, line by line; tests/README.md has the grammar. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/script/script.h"

/* The words of a line, taken one by one. */
struct cursor {
	struct script *s;
	const struct script_words *words;
	size_t next;
	struct script_word end; /* where the line ends */
	struct gaspdb_error *err;
};

static const struct script_word *take(struct cursor *c)
{
	return c->next < c->words->n ? &c->words->word[c->next++] : NULL;
}

static enum gaspdb_status take_text(struct cursor *c, const char *what,
				    struct script_word *word)
{
	const struct script_word *w = take(c);

	if (!w)
		return script_fail(c->err, &c->end, "%s is missing", what);
	*word = *w;
	return GASPDB_OK;
}

static enum gaspdb_status number_at(const struct script_word *w, int64_t *n,
				    struct gaspdb_error *err)
{
	if (!script_number(w->text, n))
		return script_fail(err, w, "'%s' is no number", w->text);
	return GASPDB_OK;
}

static enum gaspdb_status take_number(struct cursor *c, const char *what,
				      int64_t *n)
{
	struct script_word w;

	return take_text(c, what, &w) || number_at(&w, n, c->err)
		       ? GASPDB_FAILED
		       : GASPDB_OK;
}

/* FROM..TO; one number is both.  Either may be left out if open is allowed. */
static enum gaspdb_status range_at(const struct script_word *w, bool open,
				   int64_t *from, int64_t *to, bool *instant,
				   struct gaspdb_error *err)
{
	char text[64];
	char *dots;

	snprintf(text, sizeof text, "%s", w->text);
	dots = strstr(text, "..");
	*instant = !dots;
	if (!dots) {
		if (number_at(w, from, err))
			return GASPDB_FAILED;
		*to = *from;
		return GASPDB_OK;
	}
	*dots = 0;
	*from = *to = SCRIPT_NEVER;
	if ((*text || !open) && !script_number(text, from))
		return script_fail(err, w, "'%s' is no number", text);
	if ((dots[2] || !open) && !script_number(dots + 2, to))
		return script_fail(err, w, "'%s' is no number", dots + 2);
	if (*from != SCRIPT_NEVER && *to != SCRIPT_NEVER && *to < *from)
		return script_fail(err, w, "it ends before it begins");
	if (*from == SCRIPT_NEVER && *to == SCRIPT_NEVER)
		return script_fail(err, w, "neither start nor end");
	return GASPDB_OK;
}

/* --- NAME=VALUE settings of a declaration ----------------------------------
 */

struct setting {
	const char *name;
	const char **text; /* one of the two */
	int64_t *number;
};

/* Take those that follow; what is none of them ends it. */
static enum gaspdb_status
take_settings(struct cursor *c, const struct setting *settings, size_t n)
{
	struct script_value v;

	while (c->next < c->words->n &&
	       script_split(c->s, &c->words->word[c->next], &v)) {
		size_t i = 0;

		while (i < n && strcmp(settings[i].name, v.name.text))
			i++;
		if (i == n)
			return script_fail(c->err, &v.name,
					   "there is no setting '%s' here",
					   v.name.text);
		if (settings[i].text)
			*settings[i].text = v.value.text;
		else if (number_at(&v.value, settings[i].number, c->err))
			return GASPDB_FAILED;
		c->next++;
	}
	return GASPDB_OK;
}

static enum gaspdb_status no_more(struct cursor *c)
{
	const struct script_word *w = take(c);

	return w ? script_fail(c->err, w, "'%s' was not expected", w->text)
		 : GASPDB_OK;
}

#define SETTINGS(...)                                             \
	(const struct setting[]){ __VA_ARGS__ },                  \
		sizeof((const struct setting[]){ __VA_ARGS__ }) / \
			sizeof(struct setting)

/* --- declarations ----------------------------------------------------------
 */

static enum gaspdb_status read_ranks(struct cursor *c)
{
	return take_number(c, "the number of ranks", &c->s->ranks) || no_more(c)
		       ? GASPDB_FAILED
		       : GASPDB_OK;
}

static enum gaspdb_status read_host(struct cursor *c)
{
	struct script_host h = { .error = 1 };
	struct script_word name = { 0 };

	if (take_text(c, "the host's name", &name) ||
	    take_settings(c, SETTINGS({ "boot", NULL, &h.boot },
				      { "skew", NULL, &h.skew },
				      { "error", NULL, &h.error })) ||
	    no_more(c))
		return GASPDB_FAILED;
	h.name = name.text;
	c->s->host = script_grow(c->s, c->s->host, c->s->n_hosts,
				 &c->s->hosts_room, sizeof h);
	c->s->host[c->s->n_hosts++] = h;
	return GASPDB_OK;
}

static void add_thread(struct script *s, struct script_thread t)
{
	s->thread = script_grow(s, s->thread, s->n_threads, &s->threads_room,
				sizeof t);
	s->thread[s->n_threads++] = t;
	if (t.rank >= s->ranks)
		s->ranks = t.rank + 1;
}

/* FIRST..LAST declares several; their ranks count on. */
static enum gaspdb_status read_thread(struct cursor *c)
{
	struct script_thread t = { .rank = SCRIPT_NEVER,
				   .from = SCRIPT_NEVER,
				   .to = SCRIPT_NEVER,
				   .cut = SCRIPT_NEVER,
				   .host = "node",
				   .model = "MPI" };
	const struct script_word *w;
	struct script_word ids = { 0 };
	int64_t first, last;
	bool one;

	if (take_text(c, "the thread's number", &ids) ||
	    range_at(&ids, false, &first, &last, &one, c->err) ||
	    take_settings(c, SETTINGS({ "rank", NULL, &t.rank },
				      { "number", NULL, &t.number },
				      { "from", NULL, &t.from },
				      { "to", NULL, &t.to },
				      { "cut", NULL, &t.cut },
				      { "host", &t.host, NULL },
				      { "model", &t.model, NULL })))
		return GASPDB_FAILED;
	w = take(c);
	t.missing = w && !strcmp(w->text, "missing");
	if (w && !t.missing)
		c->next--;
	if (no_more(c))
		return GASPDB_FAILED;
	if (t.rank == SCRIPT_NEVER)
		t.rank = first;
	for (t.id = first; t.id <= last; t.id++, t.rank++) {
		for (size_t i = 0; i < c->s->n_threads; i++)
			if (c->s->thread[i].id == t.id)
				return script_fail(c->err, &ids,
						   "thread %d is there already",
						   (int)t.id);
		add_thread(c->s, t);
	}
	return GASPDB_OK;
}

static enum gaspdb_status find_thread(struct script *s,
				      const struct script_word *w,
				      size_t *index, struct gaspdb_error *err)
{
	int64_t id;

	if (number_at(w, &id, err))
		return GASPDB_FAILED;
	for (*index = 0; *index < s->n_threads; ++*index)
		if (s->thread[*index].id == id)
			return GASPDB_OK;
	return script_fail(err, w, "there is no thread %s", w->text);
}

static enum gaspdb_status read_meta(struct cursor *c)
{
	struct script_word thread, pair[2];
	struct script_words *meta;
	size_t i;

	if (take_text(c, "the thread's number", &thread) ||
	    find_thread(c->s, &thread, &i, c->err) ||
	    take_text(c, "the key", &pair[0]) ||
	    take_text(c, "the value", &pair[1]) || no_more(c))
		return GASPDB_FAILED;
	meta = &c->s->thread[i].meta;
	for (size_t j = 0; j < 2; j++) {
		meta->word = script_grow(c->s, meta->word, meta->n, &meta->room,
					 sizeof *meta->word);
		meta->word[meta->n++] = pair[j];
	}
	return GASPDB_OK;
}

/* A list of ranks: 0,2,4..6 */
static enum gaspdb_status read_members(struct cursor *c, const char *list,
				       const struct script_word *at,
				       struct script_team *t, size_t *n)
{
	size_t room = t->n;

	*n = 0;
	while (*list) {
		size_t length = strcspn(list, ",");
		struct script_word w = *at;
		int64_t from, to;
		bool one;

		w.text = script_print(c->s, "%.*s", (int)length, list);
		if (range_at(&w, false, &from, &to, &one, c->err))
			return GASPDB_FAILED;
		for (; from <= to; from++, ++*n) {
			t->member = script_grow(c->s, t->member, t->n, &room,
						sizeof *t->member);
			t->member[t->n++] = from;
		}
		list += length + (list[length] == ',');
	}
	return GASPDB_OK;
}

static enum gaspdb_status read_team(struct cursor *c)
{
	struct script_team t = { .kind = "split", .parent = "world" };
	const char *members = "", *remote = "";
	const struct script_word *w;
	struct script_word name = { 0 };
	size_t n;

	if (take_text(c, "the team's name", &name) ||
	    take_settings(c, SETTINGS({ "kind", &t.kind, NULL },
				      { "parent", &t.parent, NULL },
				      { "ordinal", NULL, &t.ordinal },
				      { "members", &members, NULL },
				      { "remote", &remote, NULL })))
		return GASPDB_FAILED;
	t.name = name.text;
	w = take(c);
	t.unlisted = w && !strcmp(w->text, "unlisted");
	if (w && !t.unlisted)
		c->next--;
	if (no_more(c) || read_members(c, members, &name, &t, &n) ||
	    read_members(c, remote, &name, &t, &t.n_remote))
		return GASPDB_FAILED;
	if (n == 0)
		return script_fail(c->err, &name, "it has no members");
	c->s->team = script_grow(c->s, c->s->team, c->s->n_teams,
				 &c->s->teams_room, sizeof t);
	c->s->team[c->s->n_teams++] = t;
	return GASPDB_OK;
}

/* TEAM RANK LIST */
static enum gaspdb_status read_sources(struct cursor *c)
{
	struct script_word name = { 0 }, list = { 0 };
	struct script_team *team,
		*sources = script_alloc(c->s, sizeof *sources);
	int64_t rank;
	size_t i;

	if (take_text(c, "the team's name", &name) ||
	    take_number(c, "the member's rank", &rank) ||
	    take_text(c, "the list of ranks", &list) || no_more(c))
		return GASPDB_FAILED;
	for (i = 0; i < c->s->n_teams; i++)
		if (!strcmp(c->s->team[i].name, name.text))
			break;
	if (i == c->s->n_teams)
		return script_fail(c->err, &name, "there is no team '%s'",
				   name.text);
	team = &c->s->team[i];
	if (rank < 0 || rank >= (int64_t)team->n)
		return script_fail(c->err, &name, "it has no such member");
	if (!team->sources)
		team->sources =
			script_alloc(c->s, team->n * sizeof *team->sources);
	team->sources[rank] = sources;
	return strcmp(list.text, "none")
		       ? read_members(c, list.text, &list, sources, &i)
		       : GASPDB_OK;
}

static enum gaspdb_status find_entity(struct cursor *c,
				      const struct script_word *name,
				      const char *text, size_t *index)
{
	for (*index = 0; *index < c->s->n_entities; ++*index)
		if (!strcmp(c->s->entity[*index].name, text))
			return GASPDB_OK;
	return script_fail(c->err, name, "there is no entity '%s'", text);
}

static void add_entity(struct script *s, struct script_entity e)
{
	s->entity = script_grow(s, s->entity, s->n_entities, &s->entities_room,
				sizeof e);
	s->entity[s->n_entities++] = e;
}

static enum gaspdb_status read_entity(struct cursor *c)
{
	struct script_entity e = { .kind = "" };
	struct script_word name = { 0 };
	size_t parent;

	if (take_text(c, "the entity's name", &name) ||
	    take_settings(c, SETTINGS({ "kind", &e.kind, NULL },
				      { "parent", &e.parent, NULL })) ||
	    no_more(c) ||
	    (e.parent && find_entity(c, &name, e.parent, &parent)))
		return GASPDB_FAILED;
	e.name = name.text;
	add_entity(c->s, e);
	return GASPDB_OK;
}

/* NAME PART:WEIGHT... */
static enum gaspdb_status read_mix(struct cursor *c)
{
	struct script_entity e = { .kind = "mix" };
	struct script_word name = { 0 };
	const struct script_word *w;
	const char *colon;
	size_t part;

	if (take_text(c, "the mix's name", &name))
		return GASPDB_FAILED;
	e.name = name.text;
	e.part = script_alloc(c->s, c->words->n * sizeof *e.part);
	e.weight = script_alloc(c->s, c->words->n * sizeof *e.weight);
	for (; (w = take(c)); e.n_parts++) {
		colon = strrchr(w->text, ':');
		if (!colon || !script_number(colon + 1, &e.weight[e.n_parts]))
			return script_fail(c->err, w, "'%s' is no PART:WEIGHT",
					   w->text);
		if (find_entity(c, w,
				script_print(c->s, "%.*s",
					     (int)(colon - w->text), w->text),
				&part))
			return GASPDB_FAILED;
		e.part[e.n_parts] = (int64_t)part;
	}
	add_entity(c->s, e);
	return GASPDB_OK;
}

static enum gaspdb_status read_attribute(struct cursor *c)
{
	struct script_attribute a = { .code = "s", .thread = SCRIPT_NEVER };
	struct script_word entity = { 0 }, key = { 0 }, value = { 0 };

	if (take_text(c, "the entity's name", &entity) ||
	    take_text(c, "the key", &key) ||
	    take_text(c, "the value", &value) ||
	    take_settings(c, SETTINGS({ "code", &a.code, NULL },
				      { "thread", NULL, &a.thread })) ||
	    no_more(c) || find_entity(c, &entity, entity.text, &a.entity))
		return GASPDB_FAILED;
	a.key = key.text;
	a.value = value.text;
	c->s->attribute = script_grow(c->s, c->s->attribute, c->s->n_attributes,
				      &c->s->attributes_room, sizeof a);
	c->s->attribute[c->s->n_attributes++] = a;
	return GASPDB_OK;
}

static enum gaspdb_status read_segment(struct cursor *c)
{
	struct script_segment g = { .kind = "heap",
				    .bytes = 1 << 20,
				    .base = SCRIPT_NEVER };
	struct script_word name = { 0 };

	if (take_text(c, "the segment's name", &name) ||
	    take_settings(c, SETTINGS({ "kind", &g.kind, NULL },
				      { "bytes", NULL, &g.bytes },
				      { "base", NULL, &g.base })) ||
	    no_more(c))
		return GASPDB_FAILED;
	g.name = name.text;
	c->s->segment = script_grow(c->s, c->s->segment, c->s->n_segments,
				    &c->s->segments_room, sizeof g);
	c->s->segment[c->s->n_segments++] = g;
	return GASPDB_OK;
}

static enum gaspdb_status read_operation(struct cursor *c)
{
	struct script_operation o = { .model = "C",
				      .category = "communication",
				      .start = "",
				      .end = "" };
	struct script_word name = { 0 };

	if (take_text(c, "the operation's name", &name) ||
	    take_settings(c, SETTINGS({ "type", &o.type, NULL },
				      { "category", &o.category, NULL },
				      { "model", &o.model, NULL },
				      { "start", &o.start, NULL },
				      { "end", &o.end, NULL },
				      { "format", &o.format, NULL })) ||
	    no_more(c))
		return GASPDB_FAILED;
	if (!o.type)
		return script_fail(c->err, &name, "it has no type");
	o.name = name.text;
	/* Ends of work for entities repeat what the start has. */
	o.end = script_layout(
		c->s, o.end,
		!strcmp(o.type, "entity") || !strcmp(o.type, "work") ? ""
								     : o.start);
	o.start = script_layout(c->s, o.start, "");
	c->s->operation = script_grow(c->s, c->s->operation, c->s->n_operations,
				      &c->s->operations_room, sizeof o);
	c->s->operation[c->s->n_operations++] = o;
	return GASPDB_OK;
}

/* --- events ----------------------------------------------------------------
 */

/* What is left of the line: NAME=VALUE, and words. */
static void take_values(struct cursor *c, struct script_value **value,
			size_t *n, struct script_words *words)
{
	const struct script_word *w;

	*value = script_alloc(c->s, (c->words->n + 1) * sizeof **value);
	words->word =
		script_alloc(c->s, (c->words->n + 1) * sizeof *words->word);
	while ((w = take(c))) {
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

static enum gaspdb_status read_call(struct cursor *c, struct script_line *l)
{
	l->where = l->what;
	if (strcmp(l->where.text, "-") && !strchr(l->where.text, ':'))
		return script_fail(c->err, &l->where,
				   "'%s' is no FILE:LINE, nor -",
				   l->where.text);
	if (take_text(c, "the operation", &l->what))
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

static enum gaspdb_status read_at(struct cursor *c)
{
	struct script_line l = { 0 };
	struct script_word thread;

	if (take_text(c, "the time", &l.at) ||
	    range_at(&l.at, true, &l.start, &l.end, &l.instant, c->err) ||
	    take_text(c, "'thread'", &thread))
		return GASPDB_FAILED;
	if (strcmp(thread.text, "thread"))
		return script_fail(c->err, &thread, "'thread' was expected");
	if (take_text(c, "the thread's number", &thread) ||
	    find_thread(c->s, &thread, &l.thread, c->err) ||
	    take_text(c, "what happens", &l.what))
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
static enum gaspdb_status read_note(struct cursor *c)
{
	struct script_line *l =
		c->s->n_lines ? &c->s->line[c->s->n_lines - 1] : NULL;
	struct script_note note = { .kind = *take(c) };
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

static enum gaspdb_status read_line(struct cursor *c, bool indented)
{
	static const struct {
		const char *word;
		enum gaspdb_status (*read)(struct cursor *c);
	} kinds[] = {
		{ "ranks", read_ranks },     { "host", read_host },
		{ "thread", read_thread },   { "meta", read_meta },
		{ "team", read_team },	     { "sources", read_sources },
		{ "segment", read_segment }, { "entity", read_entity },
		{ "mix", read_mix },	     { "attribute", read_attribute },
		{ "op", read_operation },    { "at", read_at }
	};
	const struct script_word *w = &c->words->word[0];

	if (indented)
		return read_note(c);
	c->next = 1;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (!strcmp(w->text, kinds[i].word))
			return kinds[i].read(c);
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
		struct cursor c = { .s = s, .words = &words, .err = err };

		c.end = (struct script_word){ "", line, (unsigned)length + 1 };
		if (script_words(s, &text, line, &words, &indented, err))
			return GASPDB_FAILED;
		if (words.n > 0 && read_line(&c, indented))
			return GASPDB_FAILED;
	}
	return GASPDB_OK;
}
