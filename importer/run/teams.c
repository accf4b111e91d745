/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Teams, unified over processes by their identity. */
#include "importer/run/teams.h"

#include <stdlib.h>
#include <string.h>

#include "common/memory.h"

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
	gaspdb_map_free(&t->sources_known);
	free(t->team);
	memset(t, 0, sizeof *t);
}

void gaspdb_teams_process(struct gaspdb_teams *t)
{
	gaspdb_map_clear(&t->local);
	t->found.id = 0;
	t->any_left_out = false;
	gaspdb_map_clear(&t->sources_known);
}

void gaspdb_teams_log(struct gaspdb_teams *t)
{
	t->left_out = 0;
}

void gaspdb_team_leave_out(struct gaspdb_teams *t)
{
	t->left_out++;
	t->any_left_out = true;
}

int64_t gaspdb_team_find(struct gaspdb_teams *t, uint64_t local)
{
	uint32_t id = gaspdb_map_get(&t->local, local);

	if (id == GASPDB_ABSENT)
		return GASPDB_NULL;
	t->found.local = local;
	t->found.id = id;
	return id;
}

static void add_member(struct gaspdb_teams *t, int64_t team, int64_t index,
		       int64_t rank)
{
	int64_t thread = gaspdb_thread_of_rank(t->source, rank);

	if (thread == GASPDB_NULL || index < 0 ||
	    index >= GASPDB_TEAM_RANKS_MAX)
		return;
	if (t->source->threads[thread].log ||
	    t->n_missing++ < GASPDB_MEMBERS_MISSING_MAX)
		gaspdb_insert(
			t->registry->store, GASPDB_INSERT_team_member,
			GASPDB_VALUES(team_member){
				[GASPDB_TEAM_MEMBER_TEAM] = gaspdb_int(team),
				[GASPDB_TEAM_MEMBER_RANK] = gaspdb_int(index),
				[GASPDB_TEAM_MEMBER_THREAD] =
					gaspdb_int(thread) });
}

/* Is this a new team beyond the limit? A child of a team left out counts too,
   because it would look like a team without parent. */
static bool is_too_many(const struct gaspdb_teams *t,
			const struct identity *key, uint64_t parent)
{
	if (parent && !key->parent && t->any_left_out)
		return true;
	return t->identities.n == GASPDB_TEAMS_MAX &&
	       gaspdb_names_find(&t->identities, key, sizeof *key) ==
		       GASPDB_ABSENT;
}

static int64_t size_of(uint64_t stated)
{
	return stated > GASPDB_RANKS_MAX ? GASPDB_RANKS_MAX : (int64_t)stated;
}

/* id parent ordinal rank size kind name first */
void gaspdb_team_define(struct gaspdb_teams *t, const struct gaspdb_field *f,
			int64_t rank)
{
	int64_t parent = gaspdb_team_id(t, f[1].u);
	struct gaspdb_team *team;
	struct identity key = {
		.ordinal = f[2].u,
		.first = f[7].i,
		.parent = parent == GASPDB_NULL ? 0 : parent,
	};
	bool added;
	uint32_t i;

	if (is_too_many(t, &key, f[1].u)) {
		gaspdb_team_leave_out(t);
		return;
	}
	i = gaspdb_names_add(&t->identities, &key, sizeof key, &added);
	t->team =
		gaspdb_mem_grow(t->team, &t->capacity, i + 1, sizeof *t->team);
	team = &t->team[i];
	if (added)
		*team = (struct gaspdb_team){
			.parent = (uint32_t)key.parent,
			.ordinal = gaspdb_number(f[2].u),
			.size = size_of(f[4].u),
			.kind = gaspdb_text_add(t->registry, f[5].s),
		};
	if (f[6].s.n > 0) /* a later record may add the name */
		team->name = gaspdb_text_add(t->registry, f[6].s);
	if (gaspdb_team_id(t, f[0].u) == i + 1) /* repeated */
		return;
	gaspdb_map_put(&t->local, f[0].u, i + 1);
	t->found.id = 0;
	team->inter |= f[3].i >= team->size;
	/* Rank 0 writes the list of members, but its log may be missing. */
	add_member(t, i + 1, f[3].i, rank);
}

/* The next run of ranks of a TEAM_SOURCES record. Ranks are below size; *after:
   end of the previous run. false: malformed. */
static bool next_run(struct gaspdb_bytes *b, int64_t size, int64_t *first,
		     int64_t *n, int64_t *after)
{
	uint64_t step, count;

	if (!gaspdb_get_varint(b, &step) || !gaspdb_get_varint(b, &count) ||
	    step < 1 || count < 1 || step > (uint64_t)(size - *after) ||
	    count > (uint64_t)(size - *after) - (step - 1))
		return false;
	*first = *after + (int64_t)(step - 1);
	*n = (int64_t)count;
	*after = *first + *n;
	return true;
}

static struct gaspdb_bytes bytes_of(struct gaspdb_text text)
{
	const uint8_t *p = (const uint8_t *)text.p;

	return (struct gaspdb_bytes){ .at = p, .end = p + text.n };
}

static bool all_runs_good(struct gaspdb_bytes b, int64_t size)
{
	int64_t first, n, after = 0;

	while (gaspdb_bytes_left(&b))
		if (!next_run(&b, size, &first, &n, &after))
			return false;
	return true;
}

static void add_source(struct gaspdb_teams *t, int64_t team, int64_t thread,
		       int64_t first, int64_t n)
{
	gaspdb_insert(t->registry->store, GASPDB_INSERT_team_source,
		      GASPDB_VALUES(team_source){
			      [GASPDB_TEAM_SOURCE_TEAM] = gaspdb_int(team),
			      [GASPDB_TEAM_SOURCE_THREAD] = gaspdb_int(thread),
			      [GASPDB_TEAM_SOURCE_FIRST] = gaspdb_int(first),
			      [GASPDB_TEAM_SOURCE_N] = gaspdb_int(n) });
}

/* team runs; repeated by each thread of a process. */
bool gaspdb_team_sources(struct gaspdb_teams *t, const struct gaspdb_field *f,
			 int64_t rank)
{
	const int64_t team = gaspdb_team_id(t, f[0].u);
	const int64_t thread = gaspdb_thread_of_rank(t->source, rank);
	struct gaspdb_bytes runs = bytes_of(f[1].s);
	int64_t first, n, size, after = 0;

	if (team == GASPDB_NULL || thread == GASPDB_NULL ||
	    gaspdb_map_get(&t->sources_known, f[0].u) != GASPDB_ABSENT)
		return true;
	size = t->team[team - 1].size;
	if (!all_runs_good(runs, size))
		return false;
	gaspdb_map_put(&t->sources_known, f[0].u, 1);
	if (!gaspdb_bytes_left(&runs))
		add_source(t, team, thread, 0, 0);
	while (next_run(&runs, size, &first, &n, &after))
		add_source(t, team, thread, first, n);
	return true;
}

/*
 * Place of a part of the member list that begins at index: the counter up to
 * which members are known; NULL: the part is known. Every thread of rank 0
 * writes the list, and later blocks repeat it. After damage its beginning can
 * come last, which leaves a hole.
 */
static uint64_t *place_in_list(struct gaspdb_team *t, uint64_t index)
{
	if (index >= t->hole && index < t->hole_end)
		return &t->hole;
	if (index < t->n_known)
		return NULL;
	if (index > t->n_known) {
		t->hole = t->n_known;
		t->hole_end = index;
	}
	return &t->n_known;
}

/* Number of the `count` ranks that exist; a process is a member once. */
static int64_t ranks_there(const struct gaspdb_source *s, int64_t start,
			   int64_t stride, uint64_t count)
{
	const int64_t last = s->n_ranks - 1;
	uint64_t n;

	if (start < 0 || start > last)
		return 0;
	if (stride == 0)
		n = 1;
	else if (stride > 0)
		n = 1 + (uint64_t)(last - start) / (uint64_t)stride;
	else
		n = 1 + (uint64_t)start / -(uint64_t)stride;
	return (int64_t)(n < count ? n : count);
}

/* Adds n members from index on. Skips ranks without a thread in one step,
   because there may be very many. */
static void add_members(struct gaspdb_teams *t, int64_t team, int64_t index,
			int64_t start, int64_t stride, int64_t n)
{
	const bool down = stride < 0;
	const int64_t low = down ? start + stride * (n - 1) : start;
	const int64_t step = n > 1 ? (down ? -stride : stride) : 1;

	for (int64_t i = 0; i < n; i++) {
		const int64_t rank = low + i * step;
		const int64_t next = gaspdb_source_next_rank(t->source, rank);

		if (next == rank)
			add_member(t, team, index + (down ? n - 1 - i : i),
				   rank);
		else
			i += (next - rank - 1) / step;
	}
}

/* team index start stride count */
void gaspdb_team_members(struct gaspdb_teams *t, const struct gaspdb_field *f)
{
	const int64_t team = gaspdb_team_id(t, f[0].u);
	const int64_t n = ranks_there(t->source, f[2].i, f[3].i, f[4].u);
	uint64_t *known;

	if (team == GASPDB_NULL || f[1].u >= GASPDB_TEAM_RANKS_MAX)
		return;
	known = place_in_list(&t->team[team - 1], f[1].u);
	if (!known)
		return;
	*known = f[1].u + (uint64_t)n;
	/* The first counts even if its rank is of another world. */
	t->team[team - 1].inter |=
		f[4].u && f[1].u + (uint64_t)(n ? n - 1 : 0) >=
				  (uint64_t)t->team[team - 1].size;
	add_members(t, team, (int64_t)f[1].u, f[2].i, f[3].i, n);
}

/*
 * Is it an intercommunicator? Only these have ranks beyond their size. If the
 * logs with such ranks are missing or of another world, the parent decides: a
 * child of an intercommunicator is one, unless it merges the two groups.
 */
static bool is_inter(const struct gaspdb_teams *t,
		     const struct gaspdb_team *team, const char *kind)
{
	if (team->inter || !strcmp(kind, "inter") || !strcmp(kind, "spawn"))
		return true;
	return team->parent && t->team[team->parent - 1].inter &&
	       strcmp(kind, "merge") != 0;
}

/* Writes table team. Parents come before their children. */
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
			GASPDB_VALUES(team){
				[GASPDB_TEAM_ID] = gaspdb_int(i + 1),
				[GASPDB_TEAM_PARENT] =
					gaspdb_int(team->parent ? team->parent
								: GASPDB_NULL),
				[GASPDB_TEAM_ORDINAL] =
					gaspdb_int(team->ordinal),
				[GASPDB_TEAM_KIND] = gaspdb_str(kind),
				[GASPDB_TEAM_NAME] = gaspdb_str(
					gaspdb_text_get(r, team->name)),
				[GASPDB_TEAM_SIZE] = gaspdb_int(team->size),
				[GASPDB_TEAM_INTER] =
					gaspdb_int(team->inter) });
	}
}
