/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a log says before its first event. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/script/writer.h"

static unsigned op_of(struct writer *w, const struct script_operation *o)
{
	unsigned i = 0;

	while (i < w->n_ops && w->op[i].operation != o)
		i++;
	if (i == w->n_ops) {
		w->op[i].operation = o;
		w->op[w->n_ops++].id = log_op_with_format(
			w->log, o->model, o->name, o->type, o->category,
			o->start, o->end, o->format);
	}
	return w->op[i].id;
}

enum { SITES_MAX = LOG_SITES - 1 }; /* the first is number 1 */

unsigned script_site_of(struct writer *w, const struct script_line *l)
{
	const char *colon = strrchr(l->where.text, ':');
	unsigned i = 0;

	while (i < w->n_sites && (w->site[i].operation != l->operation ||
				  strcmp(w->site[i].where, l->where.text)))
		i++;
	if (i < w->n_sites)
		return w->site[i].id;
	if (i == SITES_MAX) {
		script_fail(w->err, &l->what,
			    "a log has at most %d operations at lines",
			    SITES_MAX);
		return 0;
	}
	w->site[i].operation = l->operation;
	w->site[i].where = l->where.text;
	w->n_sites++;
	if (!colon)
		return w->site[i].id = log_site(w->log, op_of(w, l->operation),
						NULL, 0);
	return w->site[i].id = log_site(
		       w->log, op_of(w, l->operation),
		       script_print(w->s, "%.*s", (int)(colon - l->where.text),
				    l->where.text),
		       (unsigned)strtoul(colon + 1, NULL, 10));
}

static void define_team(struct writer *w, size_t team,
			const struct script_team *t, size_t rank)
{
	const size_t local = t->n - t->n_remote;
	const struct script_team *from = t->sources ? t->sources[rank] : NULL;
	size_t parent = 0;

	if (team > 0 && !script_find_team(w->s, t->parent, &parent))
		parent = 0;
	log_team(w->log, (uint64_t)script_team_id(w, team),
		 team ? (uint64_t)script_team_id(w, parent) : 0,
		 (uint64_t)t->ordinal, (int64_t)rank, local, t->kind, t->name,
		 t->member[0]);
	if (from)
		log_sources(w->log, (uint64_t)script_team_id(w, team),
			    from->member, from->n);
	if (rank > 0 || t->unlisted)
		return;
	for (size_t i = 0; i < t->n; i++)
		log_members(w->log, (uint64_t)script_team_id(w, team), i,
			    t->member[i], 1, 1);
}

/* The world, but in UPC, which has no teams; then those it is a member of. */
static void define_teams(struct writer *w)
{
	struct script_team world = { .name = "world",
				     .kind = "world",
				     .n = (size_t)w->s->ranks };

	if (!strcmp(w->thread->model, "UPC"))
		return;
	world.member = script_alloc(w->s, world.n * sizeof *world.member);
	for (size_t i = 0; i < world.n; i++)
		world.member[i] = (int64_t)i;
	define_team(w, 0, &world, (size_t)w->thread->rank);
	for (size_t i = 0; i < w->s->n_teams; i++)
		for (size_t j = 0; j < w->s->team[i].n; j++)
			if (w->s->team[i].member[j] == w->thread->rank)
				define_team(w, i + 1, &w->s->team[i], j);
}

static void define_mix(struct writer *w, size_t i)
{
	const struct script_entity *e = &w->s->entity[i];
	uint64_t *parts = script_alloc(w->s, e->n_parts * sizeof *parts);

	for (size_t k = 0; k < e->n_parts; k++)
		parts[k] = (uint64_t)script_entity_id(w, (size_t)e->part[k]);
	log_mix(w->log, (uint64_t)script_entity_id(w, i), e->n_parts, parts,
		(const uint64_t *)e->weight);
}

static uint64_t parent_of(const struct writer *w, const struct script_entity *e)
{
	size_t i = 0;

	if (!e->parent)
		return 0;
	while (strcmp(w->s->entity[i].name, e->parent))
		i++;
	return (uint64_t)script_entity_id(w, i);
}

static void define_entities(struct writer *w)
{
	const struct script *s = w->s;

	for (size_t i = 0; i < s->n_entities; i++)
		if (s->entity[i].n_parts)
			define_mix(w, i);
		else
			log_entity(w->log, (uint64_t)script_entity_id(w, i),
				   s->entity[i].kind, s->entity[i].name,
				   parent_of(w, &s->entity[i]));
	for (size_t i = 0; i < s->n_attributes; i++) {
		const struct script_attribute *a = &s->attribute[i];

		if (a->thread == SCRIPT_NEVER || a->thread == w->thread->id)
			log_attribute(w->log,
				      (uint64_t)script_entity_id(w, a->entity),
				      a->key, *a->code, a->value);
	}
}

/* What a damaged block says for the first time nobody would know after it. */
static void define_sites(struct writer *w)
{
	const size_t thread = (size_t)(w->thread - w->s->thread);
	bool damage = false;

	for (size_t i = 0; i < w->s->n_lines; i++)
		damage |= w->s->line[i].thread == thread &&
			  script_damages(&w->s->line[i]);
	for (size_t i = 0; damage && i < w->s->n_lines; i++)
		if (w->s->line[i].thread == thread &&
		    w->s->line[i].kind == SCRIPT_EVENT)
			script_site_of(w, &w->s->line[i]);
}

void script_define_thread(struct writer *w)
{
	const struct script_thread *t = w->thread;
	const bool upc = !strcmp(t->model, "UPC");

	log_meta(w->log, "rank", script_print(w->s, "%" PRId64, t->rank));
	log_meta(w->log, upc ? "threads" : "ranks",
		 script_print(w->s, "%" PRId64, w->s->ranks));
	log_meta(w->log, "thread", script_print(w->s, "%" PRId64, t->number));
	log_meta(w->log, "model", t->model);
	for (size_t i = 0; i < t->meta.n; i += 2)
		log_meta(w->log, t->meta.word[i].text,
			 t->meta.word[i + 1].text);
	for (size_t i = 0; i < w->s->n_segments; i++)
		log_segment(w->log, (unsigned)i + 1,
			    (uint64_t)script_segment_base(w, i),
			    (uint64_t)w->s->segment[i].bytes,
			    w->s->segment[i].kind, w->s->segment[i].name);
	define_teams(w);
	define_entities(w);
	define_sites(w);
}
