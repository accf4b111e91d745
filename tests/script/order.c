/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The order of a log's records.  By time; of one moment first what ends, the
 * last begun first, then what begins, in the order of the script's lines.
 * What takes no time is whole in its place.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/script/script.h"

static int by_start(const void *a, const void *b)
{
	const struct script_moment *p = a, *q = b;

	if (p->t != q->t)
		return p->t < q->t ? -1 : 1;
	return p->line < q->line ? -1 : p->line > q->line;
}

static int by_end(const void *a, const void *b)
{
	const struct script_moment *p = a, *q = b;

	if (p->t != q->t)
		return p->t < q->t ? -1 : 1;
	return p->begun > q->begun ? -1 : p->begun < q->begun;
}

/* The thread's starts, and its ends but those that follow at once. */
static void collect(const struct script *s, size_t thread,
		    struct script_moment *starts, size_t *n_starts,
		    struct script_moment *ends, size_t *n_ends)
{
	*n_starts = *n_ends = 0;
	for (size_t i = 0; i < s->n_lines; i++) {
		const struct script_line *l = &s->line[i];
		bool whole = l->start == l->end;

		if (l->thread != thread)
			continue;
		if (l->start != SCRIPT_NEVER)
			starts[(*n_starts)++] = (struct script_moment){
				.line = l, .t = l->start, .whole = whole
			};
		else
			ends[(*n_ends)++] = (struct script_moment){
				.line = l, .t = l->end, .end = true
			};
	}
	qsort(starts, *n_starts, sizeof *starts, by_start);
	for (size_t i = 0; i < *n_starts; i++) {
		const struct script_line *l = starts[i].line;

		if (l->end != SCRIPT_NEVER && !starts[i].whole)
			ends[(*n_ends)++] = (struct script_moment){
				.line = l, .t = l->end, .end = true, .begun = i
			};
	}
	qsort(ends, *n_ends, sizeof *ends, by_end);
}

/* Ends of work are matched by this argument, too. */
static const char *paired_by(const struct script_line *l)
{
	const char *name = !strcmp(l->operation->type, "work") ? "work"
							       : "entity";

	for (size_t i = 0; i < l->n_values; i++)
		if (!strcmp(l->value[i].name.text, name))
			return l->value[i].value.text;
	return "";
}

static bool may_cross(const struct script_line *a, const struct script_line *b)
{
	return a->operation != b->operation ||
	       (!strcmp(a->operation->model, "Mapping") &&
		strcmp(paired_by(a), paired_by(b)));
}

/* An end belongs to the last start of its operation: a log cannot say else. */
static enum gaspdb_status check_pairs(const struct script_moment *m, size_t n,
				      struct gaspdb_error *err)
{
	for (size_t i = 0; i < n; i++) {
		const struct script_line *l = m[i].line, *k;

		if (l->kind != SCRIPT_EVENT || m[i].end || l->end < 0 ||
		    m[i].whole)
			continue;
		for (size_t j = i + 1; j < n && m[j].line != l; j++) {
			k = m[j].line;
			if (!m[j].end && !m[j].whole &&
			    !may_cross(k, l) &&
			    (k->end == SCRIPT_NEVER || k->end > l->end))
				return script_fail(err, &k->at,
						   "'%s' crosses the one of "
						   "line %u: their ends "
						   "cannot be told apart",
						   k->what.text, l->at.line);
		}
	}
	return GASPDB_OK;
}

enum gaspdb_status script_order(struct script *s, size_t thread,
				struct script_moment **moment, size_t *n,
				struct gaspdb_error *err)
{
	size_t size = (s->n_lines + 1) * sizeof **moment, n_starts, n_ends;
	struct script_moment *starts = script_alloc(s, size),
			     *ends = script_alloc(s, size), *all;
	const int64_t cut = s->thread[thread].cut;

	collect(s, thread, starts, &n_starts, ends, &n_ends);
	*moment = all = script_alloc(s, 2 * size);
	*n = 0;
	for (size_t i = 0, j = 0; i < n_starts || j < n_ends;) {
		bool end = i == n_starts ||
			   (j < n_ends && ends[j].t <= starts[i].t);

		all[(*n)++] = end ? ends[j++] : starts[i++];
	}
	while (cut != SCRIPT_NEVER && *n > 0 && all[*n - 1].t > cut)
		--*n;
	return check_pairs(all, *n, err);
}
