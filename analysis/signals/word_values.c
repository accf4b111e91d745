/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The last WRITES_MAX writes of known values to each piece. Few suffice: the
 * last write that satisfies a wait is one of the last of all.
 */
#include "analysis/signals/word_values.h"

#include <stdlib.h>
#include <string.h>

enum { WRITES_MAX = 64 }; /* of a piece */

struct known_write {
	struct gaspdb_value_write what;
	int64_t returned_ns; /* first return of a wait after it */
};

struct gaspdb_piece_values {
	struct known_write *writes; /* in order */
	size_t n, room;
};

typedef struct gaspdb_word_values values;

bool gaspdb_word_values_begin(values *v, size_t n)
{
	if (n > v->room) {
		struct gaspdb_piece_values *pieces =
			gaspdb_resized(v->run, v->pieces, n, sizeof *pieces);

		if (!pieces)
			return false;
		memset(pieces + v->room, 0, (n - v->room) * sizeof *pieces);
		v->pieces = pieces;
		v->room = n;
	}
	for (size_t i = 0; i < n; i++)
		v->pieces[i].n = 0;
	v->any = false;
	return true;
}

void gaspdb_word_values_add(values *v, size_t piece,
			    const struct gaspdb_value_write *write)
{
	struct gaspdb_piece_values *p = &v->pieces[piece];

	if (p->n == WRITES_MAX) {
		p->n--;
		memmove(p->writes, p->writes + 1, p->n * sizeof *p->writes);
	}
	if (!gaspdb_grow(v->run, &p->writes, p->n, &p->room, sizeof *p->writes))
		return;
	v->any = true;
	p->writes[p->n++] = (struct known_write){ *write, GASPDB_NOT_RETURNED };
}

/* --- comparisons ---------------------------------------------------------- */

enum answer { NO, MAYBE, YES };

/* Comparisons have the numbers of collector/events/README.md. order: sign of
   the difference, -1, 0 or 1. */
static bool holds(int64_t comparison, int order)
{
	switch (comparison) {
	case 0:
		return order == 0;
	case 1:
		return order != 0;
	case 2:
		return order > 0;
	case 3:
		return order >= 0;
	case 4:
		return order < 0;
	default:
		return order <= 0;
	}
}

static int64_t sign_extended(int64_t value, int64_t bytes)
{
	const unsigned unused = 64 - 8 * (unsigned)bytes;

	return (int64_t)((uint64_t)value << unused) >> unused;
}

static uint64_t zero_extended(int64_t value, int64_t bytes)
{
	const unsigned unused = 64 - 8 * (unsigned)bytes;

	return (uint64_t)value << unused >> unused;
}

/* Does a written value satisfy a wait? The log does not say whether the word is
   signed, so both orders must agree. */
static enum answer satisfies(const struct gaspdb_wanted *w,
			     const struct gaspdb_value_write *write)
{
	const int64_t bytes = write->bytes;
	const int64_t a = sign_extended(write->value, bytes);
	const int64_t b = sign_extended(w->value, bytes);
	const uint64_t ua = zero_extended(write->value, bytes);
	const uint64_t ub = zero_extended(w->value, bytes);
	const bool is_word = w->bytes == bytes &&
			     ((uint64_t)write->object - (uint64_t)w->object) %
					     (uint64_t)bytes ==
				     0;
	bool first, second;

	if (!is_word || w->comparison < 0 || w->comparison > 5)
		return MAYBE;
	first = holds(w->comparison, (a > b) - (a < b));
	second = holds(w->comparison, (ua > ub) - (ua < ub));
	return first != second ? MAYBE : first ? YES : NO;
}

/* --- which write ended a wait --------------------------------------------- */

/* The last write that satisfies a wait, or may; NULL: none. */
static const struct known_write *find(const struct gaspdb_piece_values *p,
				      const struct gaspdb_wanted *w,
				      enum answer *answer)
{
	for (size_t i = p->n; i-- > 0;) {
		*answer = satisfies(w, &p->writes[i].what);
		if (*answer != NO)
			return &p->writes[i];
	}
	return NULL;
}

static void mark_returned(struct gaspdb_piece_values *p, int64_t at_ns)
{
	if (at_ns == GASPDB_NOT_RETURNED)
		return;
	for (size_t i = 0; i < p->n; i++)
		if (p->writes[i].returned_ns == GASPDB_NOT_RETURNED)
			p->writes[i].returned_ns = at_ns;
}

static bool differs(const struct gaspdb_last_write *a,
		    const struct gaspdb_last_write *than)
{
	return a->write.event != than->write.event;
}

void gaspdb_value_answer_join(struct gaspdb_value_answer *answer,
			      const struct gaspdb_value_answer *other)
{
	const struct gaspdb_last_write last =
		gaspdb_last_write_later(&answer->last, &other->last);

	if (differs(&last, &answer->last))
		answer->certain = other->certain;
	answer->last = last;
	answer->refuted |= other->refuted;
}

void gaspdb_word_values_query(values *v, size_t piece,
			      const struct gaspdb_wanted *wanted,
			      const struct gaspdb_last_write *unknown,
			      int64_t return_ns,
			      struct gaspdb_value_answer *answer)
{
	struct gaspdb_piece_values *p = &v->pieces[piece];
	struct gaspdb_value_answer one = { .last = *unknown };
	enum answer satisfied = NO;
	const struct known_write *k = find(p, wanted, &satisfied);

	if (k) {
		const struct gaspdb_last_write known = { k->what.write,
							 k->returned_ns };

		one.last = gaspdb_last_write_later(unknown, &known);
		one.certain = satisfied == YES && !differs(&one.last, &known);
	}
	mark_returned(p, return_ns);
	one.refuted = !one.last.write.event && p->n;
	gaspdb_value_answer_join(answer, &one);
}

void gaspdb_word_values_return(values *v, size_t from, size_t until,
			       int64_t return_ns)
{
	for (size_t i = from; v->any && i < until; i++)
		mark_returned(&v->pieces[i], return_ns);
}

void gaspdb_word_values_free(values *v)
{
	for (size_t i = 0; i < v->room; i++)
		free(v->pieces[i].writes);
	free(v->pieces);
}
