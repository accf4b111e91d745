// SPDX-License-Identifier: GPL-3.0-or-later
// Where the timer of a range starts and ends: where it becomes active, and
// inactive.
#include "cli/plugin/plugin.h"

namespace gaspdb
{
void changes::at_statements(flow &f, range *r, basic_block b)
{
	struct state s = f.in[b->index], t = f.out[b->index];
	std::vector<bool> to; // after each statement, from the last

	for (gimple_stmt_iterator g = gsi_last_bb(b); !gsi_end_p(g);
	     gsi_prev(&g)) {
		to.push_back(t.to);
		pass_backward(&t, f.kind(gsi_stmt(g)));
	}
	for (gimple_stmt_iterator g = gsi_start_bb(b); !gsi_end_p(g);
	     gsi_next(&g)) {
		gimple *stmt = gsi_stmt(g);
		const enum kind k = f.kind(stmt);

		s.to = to.back() || k == INSIDE;
		if (k == INSIDE && !f.is_active(s))
			list.push_back({ r, START, stmt, NULL, NULL });
		if (k == MARK && s.marked &&
		    f.is_active(s)) { // a copy of the range follows another
			list.push_back({ r, END, stmt, NULL, NULL });
			list.push_back({ r, START, stmt, NULL, NULL });
		}
		pass_forward(&s, k);
		s.to = to.back();
		to.pop_back();
		if (k == INSIDE && !s.to && !stmt_ends_bb_p(stmt))
			list.push_back({ r, END, NULL, stmt, NULL });
	}
}

// Whether the timer runs at the end of a block.
static bool leaves_active(flow &f, basic_block b)
{
	gimple *last = last_stmt(b);

	return f.is_active(f.out[b->index]) ||
	       (last && f.kind(last) == INSIDE && stmt_ends_bb_p(last));
}

void changes::at_edges(flow &f, range *r, basic_block b)
{
	const bool active = leaves_active(f, b);
	edge e;
	edge_iterator i;

	FOR_EACH_EDGE(e, i, b->succs)
	{
		const bool stays = f.is_active(f.in[e->dest->index]);

		if (e->flags & EDGE_ABNORMAL ||
		    e->dest == EXIT_BLOCK_PTR_FOR_FN(f.fun))
			continue;
		if (active && f.closed.count(e) &&
		    stays) { // the next execution
			list.push_back({ r, END, NULL, NULL, e });
			list.push_back({ r, START, NULL, NULL, e });
		} else if (active && !stays) {
			list.push_back({ r, END, NULL, NULL, e });
		} else if (!active && stays) {
			list.push_back({ r, START, NULL, NULL, e });
		}
	}
}

// Where a longjmp arrives the timer may run: after setjmp, and at labels of
// nonlocal gotos.
void changes::at_receivers(flow &f, range *r)
{
	basic_block b;
	bool leaves = false;
	edge e;
	edge_iterator i;

	FOR_EACH_BB_FN(b, f.fun)
	FOR_EACH_EDGE(e, i, b->succs)
	leaves |= e->flags & EDGE_ABNORMAL && leaves_active(f, b);
	if (!leaves)
		return;
	FOR_EACH_BB_FN(b, f.fun)
	{
		gimple_stmt_iterator g = gsi_start_nondebug_after_labels_bb(b);
		gimple *first = gsi_end_p(g) ? NULL : gsi_stmt(g);

		if (!first || f.is_active(f.in[b->index]) ||
		    gimple_call_internal_p(first, IFN_ABNORMAL_DISPATCHER) ||
		    !bb_has_abnormal_pred(b))
			continue;
		if (!is_gimple_call(first) ||
		    !(gimple_call_flags(first) & ECF_RETURNS_TWICE))
			list.push_back({ r, LEFT, first, NULL, NULL });
		else if (!stmt_ends_bb_p(first))
			list.push_back({ r, LEFT, NULL, first, NULL });
		else if (find_fallthru_edge(b->succs))
			list.push_back({ r, LEFT, NULL, NULL,
					 find_fallthru_edge(b->succs) });
	}
}
} // namespace gaspdb
