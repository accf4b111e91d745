/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of definitions, and those of later blocks after damage. */
#include "importer/log/damage.h"
#include "importer/log/forward_definitions.h"
#include "importer/replay/replay.h"
#include "importer/run/bounds.h"

void gaspdb_replay_malformed(struct gaspdb_importer *im,
			     const struct gaspdb_record *rec)
{
	im->reading.losses++;
	gaspdb_damage_record(&im->quality, im->reading.thread->log, rec);
}

static void check_bounds(struct gaspdb_importer *im,
			 const struct gaspdb_record *rec,
			 const struct gaspdb_field *f)
{
	char detail[GASPDB_BOUNDS_DETAIL];

	if (gaspdb_record_bounded(rec->kind, f, detail))
		return;
	im->reading.losses++;
	gaspdb_damage_number(&im->quality, im->reading.thread->log, rec,
			     detail);
}

static void module(struct gaspdb_importer *im, const struct gaspdb_field *f)
{
	const uint32_t number = gaspdb_symbols_module(&im->symbols, f);

	if (number == GASPDB_ABSENT)
		im->reading.modules_left_out++;
	else
		gaspdb_define_module(&im->definitions, f, number);
}

/* Kinds of definitions with an id. */
#define KIND(ident) ((uint64_t)1 << GASPDB_RECORD_##ident)
#define WITH_ID                                                        \
	(KIND(STRING) | KIND(OPERATION) | KIND(SITE) | KIND(SITE_PC) | \
	 KIND(SEGMENT) | KIND(TEAM) | KIND(FRAME) | KIND(ENTITY) |     \
	 KIND(ENTITY_MIX))

static bool has_id(unsigned kind)
{
	return kind < 64 && (WITH_ID >> kind & 1);
}

static bool is_entity(unsigned kind)
{
	return kind == GASPDB_RECORD_ENTITY || kind == GASPDB_RECORD_ENTITY_MIX;
}

static void define_entity(struct gaspdb_importer *im, unsigned kind,
			  const struct gaspdb_field *f,
			  enum gaspdb_defined defined)
{
	if (defined == GASPDB_LEFT_OUT)
		im->entities.left_out++;
	else if (defined == GASPDB_DEFINED || defined == GASPDB_DEFINED_AGAIN)
		gaspdb_entities_define(&im->entities, kind, f);
}

static enum gaspdb_defined define(struct gaspdb_importer *im, unsigned kind,
				  const struct gaspdb_field *f)
{
	struct gaspdb_definitions *d = &im->definitions;
	enum gaspdb_defined defined;

	if (kind <= GASPDB_RECORD_SITE_PC)
		return gaspdb_define(d, kind, f);
	if (kind == GASPDB_RECORD_FRAME)
		return gaspdb_define_frame(d, f);
	defined = gaspdb_define_noted(d, kind, f);
	if (kind == GASPDB_RECORD_SEGMENT && defined == GASPDB_DEFINED)
		gaspdb_segment_define(&im->segments, f);
	if (kind == GASPDB_RECORD_TEAM && defined == GASPDB_LEFT_OUT)
		gaspdb_team_leave_out(&im->teams);
	else if (kind == GASPDB_RECORD_TEAM && defined != GASPDB_CONTRADICTED)
		gaspdb_team_define(&im->teams, f, im->reading.thread->rank);
	im->segments.left_out +=
		kind == GASPDB_RECORD_SEGMENT && defined == GASPDB_LEFT_OUT;
	if (is_entity(kind))
		define_entity(im, kind, f, defined);
	return defined;
}

/* Adds a definition. After damage a contradiction is not reported: the
   definitions that it refers to may be lost. */
static void define_checked(struct gaspdb_importer *im,
			   const struct gaspdb_record *rec,
			   const struct gaspdb_field *f)
{
	if (rec->kind == GASPDB_RECORD_TEAM)
		check_bounds(im, rec, f);
	switch (define(im, rec->kind, f)) {
	case GASPDB_CONTRADICTED:
		if (!im->reading.ahead)
			gaspdb_tally(&im->reading.contradiction, rec);
		break;
	case GASPDB_NOT_DEFINED:
		gaspdb_replay_malformed(im, rec);
		break;
	case GASPDB_LEFT_OUT: /* other kinds are counted by define() */
		im->reading.operations_left_out +=
			rec->kind == GASPDB_RECORD_OPERATION;
		break;
	default:
		break;
	}
}

bool gaspdb_replay_definition(struct gaspdb_importer *im,
			      const struct gaspdb_record *rec,
			      const struct gaspdb_field *f)
{
	if (has_id(rec->kind)) {
		define_checked(im, rec, f);
		return true;
	}
	switch (rec->kind) {
	case GASPDB_RECORD_MODULE:
		module(im, f);
		return true;
	case GASPDB_RECORD_TEAM_MEMBERS:
		check_bounds(im, rec, f);
		gaspdb_team_members(&im->teams, f);
		return true;
	case GASPDB_RECORD_TEAM_SOURCES:
		if (!gaspdb_team_sources(&im->teams, f,
					 im->reading.thread->rank))
			gaspdb_replay_malformed(im, rec);
		return true;
	case GASPDB_RECORD_ENTITY_ATTRIBUTE:
		gaspdb_entity_attribute(&im->entities, f,
					gaspdb_replay_process(im));
		return true;
	default:
		return false;
	}
}

/* Adds a definition from a later block, unless one is known or it refers to an
   unknown one. */
static void take_forward(void *user, unsigned kind,
			 const struct gaspdb_field *f)
{
	struct gaspdb_importer *im = user;
	const struct gaspdb_definitions *d = &im->definitions;

	if (kind == GASPDB_RECORD_MODULE
		    ? !gaspdb_definitions_module_of(d, f[5].u, f[0].u)
	    : kind == GASPDB_RECORD_TEAM
		    ? !f[1].u ||
			      gaspdb_team_id(&im->teams, f[1].u) != GASPDB_NULL
	    : is_entity(kind)
		    ? gaspdb_entity_id(&im->entities, f[0].u) == GASPDB_NULL
		    : gaspdb_definable(d, kind, f)) {
		if (has_id(kind))
			define(im, kind, f);
		else
			module(im, f);
	}
}

void gaspdb_replay_look_ahead(struct gaspdb_importer *im)
{
	gaspdb_forward_definitions(&im->source, im->reading.thread->log,
				   im->reading.reader, take_forward, im);
}
