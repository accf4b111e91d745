// SPDX-License-Identifier: GPL-3.0-or-later
// Where a range is active: a data-flow problem over the optimized function.
#include "cli/plugin/plugin.h"

#include <cfganal.h>

namespace gaspdb
{
void pass_forward(struct state *s, enum kind kind)
{
	if (kind == MARK)
		s->marked = true;
	else if (kind == INSIDE)
		s->from = true;
	else if (kind == OUTSIDE)
		s->from = s->marked = false;
}

void pass_backward(struct state *s, enum kind kind)
{
	if (kind == MARK)
		s->fresh = true;
	else if (kind == INSIDE)
		s->to = true, s->fresh = false;
	else if (kind == OUTSIDE)
		s->to = s->fresh = false;
}

flow::flow(const range &range, function *f)
    : r(range), fun(f), has_inside(false), has_mark(false)
{
	basic_block b;

	FOR_EACH_BB_FN(b, fun)
	for (gimple_stmt_iterator i = gsi_start_bb(b); !gsi_end_p(i);
	     gsi_next(&i)) {
		enum kind k = kind_of(r, gsi_stmt(i));

		kinds[gsi_stmt(i)] = k;
		has_inside |= k == INSIDE;
		has_mark |= k == MARK;
	}
}

static bool is_elsewhere(const range &r, location_t location)
{
	return is_somewhere(location) && !contains(r, location);
}

// Whether a loop is around the range, and not in it: it has the mark, or where
// there is none, code elsewhere.
bool flow::is_around(edge back)
{
	basic_block header = back->dest, latch = back->src;
	std::set<basic_block> body = { header, latch };
	std::vector<basic_block> todo = { header, latch };

	if (!has_mark && is_elsewhere(r, back->goto_locus))
		return true;
	while (!todo.empty()) {
		basic_block b = todo.back();
		edge e;
		edge_iterator i;

		todo.pop_back();
		for (gimple_stmt_iterator s = gsi_start_bb(b); !gsi_end_p(s);
		     gsi_next(&s)) {
			const gimple *stmt = gsi_stmt(s);

			if (has_mark ? kind(stmt) == MARK
				     : kind(stmt) != INSIDE &&
					       !is_gimple_debug(stmt) &&
					       is_elsewhere(r, gimple_location(
								       stmt)))
				return true;
		}
		if (b == header)
			continue;
		FOR_EACH_EDGE(e, i, b->preds)
		if (body.insert(e->src).second)
			todo.push_back(e->src);
	}
	return false;
}

void flow::close_loops()
{
	basic_block b;

	mark_dfs_back_edges();
	FOR_EACH_BB_FN(b, fun)
	{
		edge e;
		edge_iterator i;

		FOR_EACH_EDGE(e, i, b->succs)
		// A loop that begins with the range's end breaks at the mark
		// itself.
		if (e->flags & EDGE_DFS_BACK && is_around(e) &&
		    (!has_mark || in[e->dest->index].fresh))
			closed.insert(e);
	}
}

bool flow::step_forward(basic_block b)
{
	const struct state before = in[b->index], after = out[b->index];
	struct state *s = &in[b->index];
	edge e;
	edge_iterator i;

	FOR_EACH_EDGE(e, i, b->preds)
	if (!closed.count(e)) {
		s->from |= out[e->src->index].from;
		s->marked |= out[e->src->index].marked;
	}
	struct state now = *s;
	for (gimple_stmt_iterator g = gsi_start_bb(b); !gsi_end_p(g);
	     gsi_next(&g))
		pass_forward(&now, kind(gsi_stmt(g)));
	out[b->index].from = now.from;
	out[b->index].marked = now.marked;
	return before.from != s->from || before.marked != s->marked ||
	       after.from != now.from || after.marked != now.marked;
}

bool flow::step_backward(basic_block b)
{
	const struct state before = in[b->index];
	struct state *s = &out[b->index];
	edge e;
	edge_iterator i;

	FOR_EACH_EDGE(e, i, b->succs)
	if (!closed.count(e)) {
		s->to |= in[e->dest->index].to;
		s->fresh |= in[e->dest->index].fresh;
	}
	struct state now = *s;
	for (gimple_stmt_iterator g = gsi_last_bb(b); !gsi_end_p(g);
	     gsi_prev(&g))
		pass_backward(&now, kind(gsi_stmt(g)));
	in[b->index].to = now.to;
	in[b->index].fresh = now.fresh;
	return before.to != now.to || before.fresh != now.fresh;
}

void flow::solve()
{
	const size_t n = (size_t)last_basic_block_for_fn(fun);
	bool changed = true;
	basic_block b;

	in.assign(n, {});
	out.assign(n, {});
	while (changed) {
		changed = false;
		FOR_EACH_BB_FN(b, fun)
		changed |= step_forward(b);
		FOR_EACH_BB_REVERSE_FN(b, fun)
		changed |= step_backward(b);
	}
}
} // namespace gaspdb
