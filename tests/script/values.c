/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of arguments: as the script gives them, or by default. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/script/writer.h"

/* Of addresses in a segment: each rank has it elsewhere. */
#define SEGMENT_BASE  0x10000000
#define SEGMENT_APART 0x100000000
#define RANKS_APART   0x1000000

/* Each process has its own ids for teams. */
int64_t script_team_id(const struct writer *w, size_t team)
{
	return 1 + (int64_t)team + 10 * w->thread->rank;
}

int64_t script_segment_base(const struct writer *w, size_t segment)
{
	const struct script_segment *g = &w->s->segment[segment];

	return g->base != SCRIPT_NEVER
		       ? g->base
		       : SEGMENT_BASE + (int64_t)segment * SEGMENT_APART +
				 w->thread->rank * RANKS_APART;
}

/* Team 0 is the world. */
bool script_find_team(const struct script *s, const char *name, size_t *team)
{
	*team = 0;
	if (!strcmp(name, "world"))
		return true;
	for (*team = 1; *team <= s->n_teams; ++*team)
		if (!strcmp(s->team[*team - 1].name, name))
			return true;
	return false;
}

/* And for entities. */
int64_t script_entity_id(const struct writer *w, size_t entity)
{
	return 1 + (int64_t)entity + 1000 * w->thread->rank;
}

static bool entity_of(const struct writer *w, const char *name, int64_t *v)
{
	for (size_t i = 0; i < w->s->n_entities; i++)
		if (!strcmp(w->s->entity[i].name, name)) {
			*v = script_entity_id(w, i);
			return true;
		}
	return false;
}

/* SEGMENT or SEGMENT+OFFSET */
static bool address_of(const struct writer *w, const char *text, int64_t *v)
{
	size_t n = strcspn(text, "+");

	for (size_t i = 0; i < w->s->n_segments; i++) {
		const char *name = w->s->segment[i].name;

		*v = 0;
		if (strncmp(name, text, n) || name[n] ||
		    (text[n] && !script_number(text + n + 1, v)))
			continue;
		*v += script_segment_base(w, i);
		return true;
	}
	return false;
}

/* A real number as log_start() takes it. */
static int64_t tenths(double d)
{
	if (isnan(d))
		return LOG_NAN;
	if (isinf(d))
		return d > 0 ? LOG_INFINITY : -LOG_INFINITY;
	return (int64_t)(d * 10);
}

enum gaspdb_status script_value_of(struct writer *w, char code,
				   const struct script_word *text, int64_t *v)
{
	size_t team;

	if (code == 's')
		*v = log_string(w->log, text->text);
	else if (code == 'd')
		*v = tenths(strtod(text->text, NULL));
	else if (script_number(text->text, v) || address_of(w, text->text, v) ||
		 entity_of(w, text->text, v))
		return GASPDB_OK;
	else if (script_find_team(w->s, text->text, &team))
		*v = script_team_id(w, team);
	else
		return script_fail(w->err, text,
				   "'%s' is no number, team, segment or entity",
				   text->text);
	return GASPDB_OK;
}

static const struct script_word *given(const struct script_line *l,
				       const char *name)
{
	for (size_t i = 0; i < l->n_values; i++)
		if (!strcmp(l->value[i].name.text, name))
			return &l->value[i].value;
	return NULL;
}

/* Sequence numbers count the rank's collectives on the team. */
static enum gaspdb_status next_sequence(struct writer *w,
					const struct script_line *l, int64_t *v)
{
	const struct script_word *name = given(l, "team");
	size_t team = 0;

	if (name && !script_find_team(w->s, name->text, &team))
		return script_fail(w->err, name, "there is no team '%s'",
				   name->text);
	*v = w->sequence[team]++;
	return GASPDB_OK;
}

/* Of an argument that the script leaves out. */
static enum gaspdb_status default_of(struct writer *w,
				     const struct script_line *l,
				     const char *name, int64_t *v)
{
	static const struct {
		const char *name, *of; /* another argument's value, else: */
		int64_t v;
	} rules[] = {
		{ "peer", NULL, -1 },
		{ "posted_peer", "peer", -1 },
		{ "posted_tag", "tag", -1 },
		{ "limit", "bytes", 0 },
		{ "receive_peer", "posted_peer", -1 },
		{ "receive_tag", "posted_tag", -1 },
		{ "bytes_received", "bytes", 0 },
		{ "source_thread", NULL, -1 },
		{ "target_thread", NULL, -1 },
		{ "address_thread", NULL, -1 },
		{ "element_bytes", NULL, 8 },
		{ "success", NULL, 1 },
		{ "attempts", NULL, 1 },
	};
	const struct script_word *other;

	*v = 0;
	if (!strcmp(name, "sequence"))
		return next_sequence(w, l, v);
	if (!strcmp(name, "team"))
		*v = script_team_id(w, 0);
	if (!strcmp(name, "requests"))
		*v = (int64_t)l->n_notes;
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
		if (strcmp(rules[i].name, name))
			continue;
		*v = rules[i].v;
		other = rules[i].of ? given(l, rules[i].of) : NULL;
		if (other)
			return script_value_of(w, 'i', other, v);
	}
	return GASPDB_OK;
}

/* The layout's values, in its order. */
enum gaspdb_status script_arguments(struct writer *w,
				    const struct script_line *l,
				    const char *layout, int64_t *v, size_t *n)
{
	const struct script_word *text;
	char name[64];
	size_t length;

	for (*n = 0; *layout && *n < LOG_ARGS; ++*n) {
		length = strcspn(layout, ":");
		snprintf(name, sizeof name, "%.*s", (int)length, layout);
		text = given(l, name);
		if (text ? script_value_of(w, layout[length + 1], text, &v[*n])
			 : default_of(w, l, name, &v[*n]))
			return GASPDB_FAILED;
		layout += strcspn(layout, " ");
		layout += strspn(layout, " ");
	}
	return GASPDB_OK;
}

static bool has_argument(const char *layout, const char *name)
{
	const size_t n = strlen(name);

	for (const char *p = layout; (p = strstr(p, name)); p += n)
		if ((p == layout || p[-1] == ' ') && p[n] == ':')
			return true;
	return false;
}

enum gaspdb_status script_check_names(struct writer *w,
				      const struct script_line *l)
{
	for (size_t i = 0; i < l->n_values; i++) {
		const struct script_word *name = &l->value[i].name;

		if (!has_argument(l->operation->start, name->text) &&
		    !has_argument(l->operation->end, name->text))
			return script_fail(w->err, name,
					   "'%s' has no argument '%s'",
					   l->what.text, name->text);
	}
	return GASPDB_OK;
}
