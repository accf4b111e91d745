/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splits by weights: largest remainder, with fractions carried on. */
#include "analysis/entities/shares.h"

#include <stdlib.h>
#include <string.h>

#include "common/wide.h"
#include "sql/passes/entities.h"

static void add_part(struct gaspdb_shares *s, struct gaspdb_run *run,
		     int64_t mix, int64_t entity, uint64_t weight)
{
	struct gaspdb_mix *m;

	if (mix < 0 || mix >= s->n || s->mix[mix].n == GASPDB_MIX_PARTS_MAX ||
	    !gaspdb_grow(run, &s->part, s->n_parts, &s->part_room,
			 sizeof *s->part))
		return;
	m = &s->mix[mix];
	if (m->n == 0)
		*m = (struct gaspdb_mix){ .first = s->n_parts, .thread = -1 };
	m->n++;
	m->sum += weight;
	s->part[s->n_parts++] =
		(struct gaspdb_mix_part){ .entity = entity, .weight = weight };
}

void gaspdb_shares_open(struct gaspdb_shares *s, struct gaspdb_run *run)
{
	sqlite3_stmt *stmt;

	*s = (struct gaspdb_shares){ .n = gaspdb_select_number(run, gaspdb_sql_most_entity) + 1 };
	s->mix = gaspdb_zeroed(run, (size_t)s->n, sizeof *s->mix);
	stmt = gaspdb_prepare(run, gaspdb_sql_entity_parts);
	while (s->mix && gaspdb_row(run, stmt))
		add_part(s, run, gaspdb_column(stmt, 0), gaspdb_column(stmt, 1),
			 (uint64_t)gaspdb_column(stmt, 2));
	sqlite3_finalize(stmt);
}

void gaspdb_shares_close(struct gaspdb_shares *s)
{
	free(s->mix);
	free(s->part);
}

/* Index of a part. sign 1: with the largest credit; -1: with the smallest one,
   among parts with a share.  Ties: the first. */
static size_t pick(const struct gaspdb_mix *m,
		   const struct gaspdb_mix_part *part, enum gaspdb_split what,
		   int sign, const struct gaspdb_share *shares)
{
	size_t best = m->n;

	for (size_t i = 0; i < m->n; i++)
		if ((sign > 0 ? part[i].weight > 0 : shares[i].amount > 0) &&
		    (best == m->n || sign * part[i].credit[what] >
					     sign * part[best].credit[what]))
			best = i;
	return best;
}

/* Gives what is left, or takes what is too much, a unit at a time. */
static void settle(const struct gaspdb_mix *m, struct gaspdb_mix_part *part,
		   enum gaspdb_split what, int64_t left,
		   struct gaspdb_share *shares)
{
	const int sign = left > 0 ? 1 : -1;

	for (; left; left -= sign) {
		const size_t i = pick(m, part, what, sign, shares);

		shares[i].amount += sign;
		part[i].credit[what] -= sign * (int64_t)m->sum;
	}
}

/* The whole units of a part's share; the fraction is added to its credit. */
static int64_t whole_of(const struct gaspdb_mix *m,
			struct gaspdb_mix_part *part, enum gaspdb_split what,
			int64_t amount)
{
	const gaspdb_wide share = (gaspdb_wide)(uint64_t)amount * part->weight;
	int64_t whole = (int64_t)(share / m->sum);

	part->credit[what] += (int64_t)(share % m->sum);
	if (part->credit[what] >= (int64_t)m->sum) {
		part->credit[what] -= (int64_t)m->sum;
		whole++;
	}
	return whole;
}

size_t gaspdb_split(struct gaspdb_shares *s, int64_t thread, int64_t entity,
		    enum gaspdb_split what, int64_t amount,
		    struct gaspdb_share shares[GASPDB_MIX_PARTS_MAX])
{
	struct gaspdb_mix *m = &s->mix[entity];
	struct gaspdb_mix_part *part = s->part + m->first;
	int64_t left = amount;

	if (m->n == 0) {
		shares[0] = (struct gaspdb_share){ entity, amount };
		return 1;
	}
	if (m->thread != thread) {
		for (size_t i = 0; i < m->n; i++)
			memset(part[i].credit, 0, sizeof part[i].credit);
		m->thread = thread;
	}
	for (size_t i = 0; i < m->n; i++) {
		shares[i].entity = part[i].entity;
		shares[i].amount = whole_of(m, &part[i], what, amount);
		left -= shares[i].amount;
	}
	settle(m, part, what, left, shares);
	return m->n;
}
