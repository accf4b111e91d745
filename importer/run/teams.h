/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Teams and communicators. Each process has ids of its own; teams with equal
 * identity in several processes (parent, ordinal on it, first member) become
 * one row.
 */
#ifndef GASPDB_IMPORTER_RUN_TEAMS_H
#define GASPDB_IMPORTER_RUN_TEAMS_H

#include "importer/run/registry.h"
#include "importer/run/source.h"

struct gaspdb_teams {
	struct gaspdb_registry *registry;
	const struct gaspdb_source *source;
	struct gaspdb_names identities;
	struct gaspdb_team {
		uint32_t parent; /* team.id; 0: none */
		int64_t ordinal, size;
		uint32_t kind, name;	 /* texts */
		uint64_t n_known;	 /* members below this are known, */
		uint64_t hole, hole_end; /* except these, after damage */
		bool inter;		 /* has ranks beyond its size */
	} * team;
	size_t capacity;
	int64_t n_missing;	 /* members without a log */
	struct gaspdb_map local; /* the process's ids to team.id */
	struct {
		uint64_t local;
		int64_t id;
	} found; /* last look-up; id 0: none */
	struct gaspdb_map sources_known;
	uint64_t left_out; /* of the log: beyond the limit */
	bool any_left_out; /* any of the process */
};

void gaspdb_teams_init(struct gaspdb_teams *t, struct gaspdb_registry *registry,
		       const struct gaspdb_source *source);
void gaspdb_teams_free(struct gaspdb_teams *t);

/* Begins another process. */
void gaspdb_teams_process(struct gaspdb_teams *t);

/* Begins a log. */
void gaspdb_teams_log(struct gaspdb_teams *t);

/* Add TEAM, TEAM_SOURCES and TEAM_MEMBERS records; rank: the process's. Numbers
   are clamped to bounds (bounds.h). */
void gaspdb_team_define(struct gaspdb_teams *t, const struct gaspdb_field *f,
			int64_t rank);
/* Counts a TEAM record beyond the limit. */
void gaspdb_team_leave_out(struct gaspdb_teams *t);
/* false: ranks that the team cannot have. */
bool gaspdb_team_sources(struct gaspdb_teams *t, const struct gaspdb_field *f,
			 int64_t rank);
void gaspdb_team_members(struct gaspdb_teams *t, const struct gaspdb_field *f);

/* team.id of a process's id; GASPDB_NULL: not defined. */
int64_t gaspdb_team_find(struct gaspdb_teams *t, uint64_t local);
/*
 * The same, with the last result cached: consecutive calls mostly use one team.
 */
static inline int64_t gaspdb_team_id(struct gaspdb_teams *t, uint64_t local)
{
	return t->found.id && t->found.local == local
		       ? t->found.id
		       : gaspdb_team_find(t, local);
}

/* Writes table team. */
void gaspdb_teams_finish(struct gaspdb_teams *t);

#endif
