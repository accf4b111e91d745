/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Neighbours, as runs of consecutive ranks. A member waits for the last to
 * arrive of its runs. A segment tree over the ranks has the last of each two,
 * of each four and so on, so that a run of n ranks takes O(log n).
 */
#include "analysis/collectives/neighbors.h"

#include <stdlib.h>

#include "sql/passes/collectives.h"

/* Values of `members`. */
enum { FIRST_RUN, N_RUNS, N_VALUES };

static const struct gaspdb_awaited none_awaited = { .last = GASPDB_NONE };

void gaspdb_neighbors_open(struct gaspdb_neighbors *nb, struct gaspdb_run *run)
{
	*nb = (struct gaspdb_neighbors){ .run = run, .team = GASPDB_NONE };
	gaspdb_groups_init(&nb->members, 1, N_VALUES);
	nb->stmt = gaspdb_prepare(run, gaspdb_sql_neighbors);
}

static void load_team(struct gaspdb_neighbors *nb, int64_t team)
{
	nb->team = team;
	nb->n_runs = 0;
	gaspdb_groups_clear(&nb->members);
	gaspdb_bind(nb->run, nb->stmt, 1, &team);
	while (gaspdb_row(nb->run, nb->stmt)) {
		const int64_t process = gaspdb_run_process(
			nb->run, sqlite3_column_int64(nb->stmt, 0));
		int64_t *v = gaspdb_group(nb->run, &nb->members, &process);

		if (!v || !gaspdb_grow(nb->run, &nb->runs, nb->n_runs,
				       &nb->runs_room, sizeof *nb->runs))
			return;
		if (!v[N_RUNS]++)
			v[FIRST_RUN] = (int64_t)nb->n_runs;
		nb->runs[nb->n_runs++] = (struct gaspdb_source_run){
			.first = sqlite3_column_int64(nb->stmt, 1),
			.n = sqlite3_column_int64(nb->stmt, 2)
		};
	}
}

/* Combine two sets of members: the later of their last arrivals. */
static struct gaspdb_awaited both(const struct gaspdb_instance *in,
				  struct gaspdb_awaited a,
				  struct gaspdb_awaited b)
{
	a.missing |= b.missing;
	if (b.last != GASPDB_NONE &&
	    (a.last == GASPDB_NONE ||
	     gaspdb_instance_is_later(in, b.last, a.last)))
		a.last = b.last;
	return a;
}

/* Build the segment tree: the children of node k are 2 k and 2 k + 1, the leaf
   of rank r is size + r. */
static bool build_tree(struct gaspdb_neighbors *nb,
		       const struct gaspdb_instance *in, int64_t size)
{
	struct gaspdb_awaited *tree = nb->tree;

	if (size > nb->tree_room) {
		tree = gaspdb_resized(nb->run, nb->tree, 2 * (size_t)size,
				      sizeof *tree);
		if (!tree)
			return false;
		nb->tree = tree;
		nb->tree_room = size;
	}
	for (int64_t r = 0; r < size; r++)
		tree[size + r] = (struct gaspdb_awaited){ .last = GASPDB_NONE,
							  .missing = true };
	for (size_t i = 0; i < in->n; i++)
		if (in->ranks[i] >= 0 && in->ranks[i] < size)
			tree[size + in->ranks[i]] = (struct gaspdb_awaited){
				.last = gaspdb_member_sends(in, &in->members[i])
						? (int64_t)i
						: GASPDB_NONE
			};
	for (int64_t k = size - 1; k > 0; k--)
		tree[k] = both(in, tree[2 * k], tree[2 * k + 1]);
	return true;
}

static struct gaspdb_awaited last_of_run(const struct gaspdb_neighbors *nb,
					 const struct gaspdb_instance *in,
					 int64_t size,
					 const struct gaspdb_source_run *run)
{
	int64_t from = size + run->first, to = from + run->n;
	struct gaspdb_awaited found = none_awaited;

	for (; from < to; from /= 2, to /= 2) {
		if (from % 2)
			found = both(in, found, nb->tree[from++]);
		if (to % 2)
			found = both(in, found, nb->tree[--to]);
	}
	return found;
}

static struct gaspdb_awaited awaited_by(const struct gaspdb_neighbors *nb,
					const struct gaspdb_instance *in,
					int64_t size, const int64_t *member)
{
	struct gaspdb_awaited found = none_awaited;

	for (int64_t i = 0; i < member[N_RUNS]; i++)
		found = both(in, found,
			     last_of_run(nb, in, size,
					 &nb->runs[member[FIRST_RUN] + i]));
	return found;
}

bool gaspdb_neighbors_find(struct gaspdb_neighbors *nb, int64_t team,
			   int64_t size, struct gaspdb_instance *in,
			   struct gaspdb_awaited *awaited)
{
	if (team != nb->team)
		load_team(nb, team);
	if (!nb->members.n || nb->run->status != GASPDB_OK ||
	    !build_tree(nb, in, size))
		return false;
	in->awaited = awaited;
	for (size_t i = 0; i < in->n; i++) {
		const int64_t process =
			gaspdb_run_process(nb->run, in->members[i].thread);
		const int64_t *member =
			gaspdb_groups_find(&nb->members, &process);

		awaited[i] =
			member ? awaited_by(nb, in, size, member)
			       : (struct gaspdb_awaited){ .last = GASPDB_NONE,
							  .unknown = true };
	}
	return true;
}

void gaspdb_neighbors_close(struct gaspdb_neighbors *nb)
{
	sqlite3_finalize(nb->stmt);
	gaspdb_groups_fini(&nb->members);
	free(nb->runs);
	free(nb->tree);
}
