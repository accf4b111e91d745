/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Teams and communicators.  A process has ids of its own for them; what the
 * processes call alike (the parent's identity, the ordinal on it, the first
 * member) becomes one row.
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
		uint64_t n_told;	 /* members up to here are told, */
		uint64_t hole, hole_end; /* and not these, if damaged */
		bool inter;		 /* ranks beyond size were told */
	} * team;
	size_t capacity;
	int64_t n_missing;	 /* members without a log */
	struct gaspdb_map local; /* the process's ids: to team.id */
	struct {
		uint64_t local;
		int64_t id;
	} found; /* the last of these that was asked for; id 0: none */
	struct gaspdb_map sources_told;
	uint64_t left_out; /* of the log: beyond as many as there may be */
	bool any_left_out; /* of the process */
};

void gaspdb_teams_init(struct gaspdb_teams *t, struct gaspdb_registry *registry,
		       const struct gaspdb_source *source);
void gaspdb_teams_free(struct gaspdb_teams *t);

/* Another process's log begins. */
void gaspdb_teams_process(struct gaspdb_teams *t);

/* A log begins. */
void gaspdb_teams_log(struct gaspdb_teams *t);

/* TEAM and TEAM_SOURCES records of a process of this rank, and a TEAM_MEMBERS
   record.  Numbers are kept within bounds (bounds.h). */
void gaspdb_team_define(struct gaspdb_teams *t, const struct gaspdb_field *f,
			int64_t rank);
/* A TEAM record that is one too many. */
void gaspdb_team_leave_out(struct gaspdb_teams *t);
/* false: its ranks cannot be those of the team. */
bool gaspdb_team_sources(struct gaspdb_teams *t, const struct gaspdb_field *f,
			 int64_t rank);
void gaspdb_team_members(struct gaspdb_teams *t, const struct gaspdb_field *f);

/* team.id of the process's id; GASPDB_NULL: not defined. */
int64_t gaspdb_team_find(struct gaspdb_teams *t, uint64_t local);
/* The same: one call's team is mostly the next one's. */
static inline int64_t gaspdb_team_id(struct gaspdb_teams *t, uint64_t local)
{
	return t->found.id && t->found.local == local
		       ? t->found.id
		       : gaspdb_team_find(t, local);
}

/* Write table team. */
void gaspdb_teams_finish(struct gaspdb_teams *t);

#endif
