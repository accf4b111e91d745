/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declarations of a script: hosts, threads, teams, entities, segments and
   operations. */
#include <string.h>

#include "tests/script/cursor.h"

static enum gaspdb_status read_ranks(struct script_cursor *c)
{
	return script_take_number(c, "the number of ranks", &c->s->ranks) ||
			       script_no_more(c)
		       ? GASPDB_FAILED
		       : GASPDB_OK;
}

static enum gaspdb_status read_host(struct script_cursor *c)
{
	struct script_host h = { .error = 1 };
	struct script_word name = { 0 };

	if (script_take_text(c, "the host's name", &name) ||
	    script_take_settings(
		    c, SCRIPT_SETTINGS({ "boot", NULL, &h.boot },
				       { "skew", NULL, &h.skew },
				       { "error", NULL, &h.error })) ||
	    script_no_more(c))
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
static enum gaspdb_status read_thread(struct script_cursor *c)
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

	if (script_take_text(c, "the thread's number", &ids) ||
	    script_range_at(&ids, false, &first, &last, &one, c->err) ||
	    script_take_settings(c,
				 SCRIPT_SETTINGS({ "rank", NULL, &t.rank },
						 { "number", NULL, &t.number },
						 { "from", NULL, &t.from },
						 { "to", NULL, &t.to },
						 { "cut", NULL, &t.cut },
						 { "host", &t.host, NULL },
						 { "model", &t.model, NULL })))
		return GASPDB_FAILED;
	w = script_take(c);
	t.missing = w && !strcmp(w->text, "missing");
	if (w && !t.missing)
		c->next--;
	if (script_no_more(c))
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

static enum gaspdb_status read_meta(struct script_cursor *c)
{
	struct script_word thread, pair[2];
	struct script_words *meta;
	size_t i;

	if (script_take_text(c, "the thread's number", &thread) ||
	    script_find_thread(c->s, &thread, &i, c->err) ||
	    script_take_text(c, "the key", &pair[0]) ||
	    script_take_text(c, "the value", &pair[1]) || script_no_more(c))
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
static enum gaspdb_status read_members(struct script_cursor *c,
				       const char *list,
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
		if (script_range_at(&w, false, &from, &to, &one, c->err))
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

static enum gaspdb_status read_team(struct script_cursor *c)
{
	struct script_team t = { .kind = "split", .parent = "world" };
	const char *members = "", *remote = "";
	const struct script_word *w;
	struct script_word name = { 0 };
	size_t n;

	if (script_take_text(c, "the team's name", &name) ||
	    script_take_settings(
		    c, SCRIPT_SETTINGS({ "kind", &t.kind, NULL },
				       { "parent", &t.parent, NULL },
				       { "ordinal", NULL, &t.ordinal },
				       { "members", &members, NULL },
				       { "remote", &remote, NULL })))
		return GASPDB_FAILED;
	t.name = name.text;
	w = script_take(c);
	t.unlisted = w && !strcmp(w->text, "unlisted");
	if (w && !t.unlisted)
		c->next--;
	if (script_no_more(c) || read_members(c, members, &name, &t, &n) ||
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
static enum gaspdb_status read_sources(struct script_cursor *c)
{
	struct script_word name = { 0 }, list = { 0 };
	struct script_team *team,
		*sources = script_alloc(c->s, sizeof *sources);
	int64_t rank;
	size_t i;

	if (script_take_text(c, "the team's name", &name) ||
	    script_take_number(c, "the member's rank", &rank) ||
	    script_take_text(c, "the list of ranks", &list) ||
	    script_no_more(c))
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

static enum gaspdb_status find_entity(struct script_cursor *c,
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

static enum gaspdb_status read_entity(struct script_cursor *c)
{
	struct script_entity e = { .kind = "" };
	struct script_word name = { 0 };
	size_t parent;

	if (script_take_text(c, "the entity's name", &name) ||
	    script_take_settings(
		    c, SCRIPT_SETTINGS({ "kind", &e.kind, NULL },
				       { "parent", &e.parent, NULL })) ||
	    script_no_more(c) ||
	    (e.parent && find_entity(c, &name, e.parent, &parent)))
		return GASPDB_FAILED;
	e.name = name.text;
	add_entity(c->s, e);
	return GASPDB_OK;
}

/* NAME PART:WEIGHT... */
static enum gaspdb_status read_mix(struct script_cursor *c)
{
	struct script_entity e = { .kind = "mix" };
	struct script_word name = { 0 };
	const struct script_word *w;
	const char *colon;
	size_t part;

	if (script_take_text(c, "the mix's name", &name))
		return GASPDB_FAILED;
	e.name = name.text;
	e.part = script_alloc(c->s, c->words->n * sizeof *e.part);
	e.weight = script_alloc(c->s, c->words->n * sizeof *e.weight);
	for (; (w = script_take(c)); e.n_parts++) {
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

static enum gaspdb_status read_attribute(struct script_cursor *c)
{
	struct script_attribute a = { .code = "s", .thread = SCRIPT_NEVER };
	struct script_word entity = { 0 }, key = { 0 }, value = { 0 };

	if (script_take_text(c, "the entity's name", &entity) ||
	    script_take_text(c, "the key", &key) ||
	    script_take_text(c, "the value", &value) ||
	    script_take_settings(
		    c, SCRIPT_SETTINGS({ "code", &a.code, NULL },
				       { "thread", NULL, &a.thread })) ||
	    script_no_more(c) ||
	    find_entity(c, &entity, entity.text, &a.entity))
		return GASPDB_FAILED;
	a.key = key.text;
	a.value = value.text;
	c->s->attribute = script_grow(c->s, c->s->attribute, c->s->n_attributes,
				      &c->s->attributes_room, sizeof a);
	c->s->attribute[c->s->n_attributes++] = a;
	return GASPDB_OK;
}

static enum gaspdb_status read_segment(struct script_cursor *c)
{
	struct script_segment g = { .kind = "heap",
				    .bytes = 1 << 20,
				    .base = SCRIPT_NEVER };
	struct script_word name = { 0 };

	if (script_take_text(c, "the segment's name", &name) ||
	    script_take_settings(c,
				 SCRIPT_SETTINGS({ "kind", &g.kind, NULL },
						 { "bytes", NULL, &g.bytes },
						 { "base", NULL, &g.base })) ||
	    script_no_more(c))
		return GASPDB_FAILED;
	g.name = name.text;
	c->s->segment = script_grow(c->s, c->s->segment, c->s->n_segments,
				    &c->s->segments_room, sizeof g);
	c->s->segment[c->s->n_segments++] = g;
	return GASPDB_OK;
}

static enum gaspdb_status read_operation(struct script_cursor *c)
{
	struct script_operation o = { .model = "C",
				      .category = "communication",
				      .start = "",
				      .end = "" };
	struct script_word name = { 0 };

	if (script_take_text(c, "the operation's name", &name) ||
	    script_take_settings(
		    c, SCRIPT_SETTINGS({ "type", &o.type, NULL },
				       { "category", &o.category, NULL },
				       { "model", &o.model, NULL },
				       { "start", &o.start, NULL },
				       { "end", &o.end, NULL },
				       { "format", &o.format, NULL })) ||
	    script_no_more(c))
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

bool script_declare(struct script_cursor *c, const char *word,
		    enum gaspdb_status *status)
{
	static const struct {
		const char *word;
		enum gaspdb_status (*read)(struct script_cursor *c);
	} kinds[] = {
		{ "ranks", read_ranks },     { "host", read_host },
		{ "thread", read_thread },   { "meta", read_meta },
		{ "team", read_team },	     { "sources", read_sources },
		{ "segment", read_segment }, { "entity", read_entity },
		{ "mix", read_mix },	     { "attribute", read_attribute },
		{ "op", read_operation }
	};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (!strcmp(word, kinds[i].word)) {
			*status = kinds[i].read(c);
			return true;
		}
	return false;
}
