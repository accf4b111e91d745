/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Teams of all processes, made one by their identity. */
#include "teams.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

struct identity {
	uint64_t ordinal;
	int64_t first, parent;
};

void gaspdb_teams_init(struct gaspdb_teams *t, struct gaspdb_registry *registry,
		       const struct gaspdb_source *source)
{
	memset(t, 0, sizeof *t);
	t->registry = registry;
	t->source = source;
}

void gaspdb_teams_free(struct gaspdb_teams *t)
{
	gaspdb_names_free(&t->identities);
	gaspdb_map_free(&t->local);
	free(t->team);
	memset(t, 0, sizeof *t);
}

void gaspdb_teams_process(struct gaspdb_teams *t)
{
	gaspdb_map_clear(&t->local);
}

int64_t gaspdb_team_id(const struct gaspdb_teams *t, uint64_t local)
{
	uint32_t id = gaspdb_map_get(&t->local, local);

	return id == GASPDB_ABSENT ? GASPDB_NULL : id;
}

static void add_member(struct gaspdb_teams *t, int64_t team, int64_t index,
		       int64_t rank)
{
	int64_t thread = gaspdb_thread_of_rank(t->source, rank);

	if (thread != GASPDB_NULL && index >= 0)
		gaspdb_insert(t->registry->store, GASPDB_INSERT_team_member,
			      (struct gaspdb_value[]){ gaspdb_int(team),
						       gaspdb_int(index),
						       gaspdb_int(thread) });
}

static int64_t size_in_range(uint64_t n)
{
	return n > INT64_MAX ? INT64_MAX : (int64_t)n;
}

/* id parent ordinal rank size kind name first */
void gaspdb_team_define(struct gaspdb_teams *t, const struct gaspdb_field *f,
			int64_t rank)
{
	int64_t parent = gaspdb_team_id(t, f[1].u);
	struct identity key = {
		.ordinal = f[2].u,
		.first = f[7].i,
		.parent = parent == GASPDB_NULL ? 0 : parent,
	};
	bool added;
	uint32_t i = gaspdb_names_add(&t->identities, &key, sizeof key, &added);
	struct gaspdb_team *team;

	t->team =
		gaspdb_mem_grow(t->team, &t->capacity, i + 1, sizeof *t->team);
	team = &t->team[i];
	if (added)
		*team = (struct gaspdb_team){
			.parent = (uint32_t)key.parent,
			.ordinal = size_in_range(f[2].u),
			.size = size_in_range(f[4].u),
			.kind = gaspdb_text_add(t->registry, f[5].s),
		};
	if (f[6].s.n > 0) /* it may get its name later */
		team->name = gaspdb_text_add(t->registry, f[6].s);
	if (gaspdb_team_id(t, f[0].u) == i + 1) /* told again */
		return;
	gaspdb_map_put(&t->local, f[0].u, i + 1);
	team->inter |= f[3].i >= team->size;
	/* The member list is its rank 0's to give, whose log may be missing. */
	add_member(t, i + 1, f[3].i, rank);
}

/*
 * Every thread of rank 0 tells the list, and later blocks do again: once is
 * enough.  After damage its beginning can come last.  Returns where it is noted
 * how far members from index on are told; NULL: they are.
 */
static uint64_t *place_in_list(struct gaspdb_team *t, uint64_t index)
{
	if (index >= t->hole && index < t->hole_end)
		return &t->hole;
	if (index < t->n_told)
		return NULL;
	if (index > t->n_told) {
		t->hole = t->n_told;
		t->hole_end = index;
	}
	return &t->n_told;
}

/* team index start stride count */
void gaspdb_team_members(struct gaspdb_teams *t, const struct gaspdb_field *f)
{
	const int64_t team = gaspdb_team_id(t, f[0].u);
	int64_t rank = f[2].i;
	uint64_t *told;

	if (team == GASPDB_NULL || f[1].u > 2 * GASPDB_RANKS_MAX)
		return;
	told = place_in_list(&t->team[team - 1], f[1].u);
	if (!told)
		return;
	for (uint64_t i = 0; i < f[4].u && i < GASPDB_RANKS_MAX; i++) {
		*told = f[1].u + i + 1;
		t->team[team - 1].inter |=
			f[1].u + i >= (uint64_t)t->team[team - 1].size;
		add_member(t, team, (int64_t)(f[1].u + i), rank);
		if (__builtin_add_overflow(rank, f[3].i, &rank) || rank < 0 ||
		    rank >= t->source->n_ranks)
			break;
	}
}

/*
 * Only an intercommunicator has ranks beyond its size.  Where the logs that
 * would tell of these are missing, or they are of another world's processes:
 * what is made of one is one too, unless it merges the two groups.
 */
static bool is_inter(const struct gaspdb_teams *t,
		     const struct gaspdb_team *team, const char *kind)
{
	if (team->inter || !strcmp(kind, "inter") || !strcmp(kind, "spawn"))
		return true;
	return team->parent && t->team[team->parent - 1].inter &&
	       strcmp(kind, "merge") != 0;
}

/* Parents come before what is made of them. */
void gaspdb_teams_finish(struct gaspdb_teams *t)
{
	const struct gaspdb_registry *r = t->registry;

	for (uint32_t i = 0; i < t->identities.n; i++) {
		struct gaspdb_team *team = &t->team[i];
		const char *text = gaspdb_text_get(r, team->kind);
		const char *kind = text ? text : "";

		team->inter = is_inter(t, team, kind);
		gaspdb_insert(
			r->store, GASPDB_INSERT_team,
			(struct gaspdb_value[]){
				gaspdb_int(i + 1),
				gaspdb_int(team->parent ? team->parent
							: GASPDB_NULL),
				gaspdb_int(team->ordinal), gaspdb_str(kind),
				gaspdb_str(gaspdb_text_get(r, team->name)),
				gaspdb_int(team->size),
				gaspdb_int(team->inter) });
	}
}
