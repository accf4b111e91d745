// SPDX-License-Identifier: GPL-3.0-or-later
// Where executions of ranges begin: the pass before all optimizations that puts
// Fortran's marks, and moves C's and C++'s to where they were written.
#include "cli/plugin/plugin.h"

#include <cfganal.h>

namespace gaspdb
{
// Whether a statement tells where code is.  A debug statement has the line of
// what it is about; a load, in Fortran, that of the variable's declaration.
static bool has_place(const gimple *s)
{
	switch (gimple_code(s)) {
	case GIMPLE_DEBUG:
	case GIMPLE_LABEL:
	case GIMPLE_NOP:
	case GIMPLE_PREDICT:
		return false;
	default:
		return !gimple_clobber_p(s) &&
		       is_somewhere(gimple_location(s)) &&
		       !(is_gimple_assign(s) && !gimple_store_p(s));
	}
}

enum before { RANGES, ANOTHERS, UNKNOWN };

// Whose the last code of a block is.
static enum before last_code(const range &r, basic_block b)
{
	for (gimple_stmt_iterator g = gsi_last_bb(b); !gsi_end_p(g);
	     gsi_prev(&g)) {
		gimple *s = gsi_stmt(g);

		if (!is_gimple_debug(s) && kind_of(r, s) == INSIDE)
			return RANGES;
		if (has_place(s))
			return ANOTHERS;
	}
	return UNKNOWN;
}

// Whether the code before a block is the range's, on any way that leads there:
// then it is no execution's begin.
static bool follows_range(const range &r, basic_block b)
{
	std::set<basic_block> seen;
	std::vector<basic_block> todo = { b };

	while (!todo.empty()) {
		edge e;
		edge_iterator i;

		b = todo.back();
		todo.pop_back();
		FOR_EACH_EDGE(e, i, b->preds)
		{
			const enum before before = last_code(r, e->src);

			if (before == RANGES)
				return true;
			if (before == UNKNOWN && seen.insert(e->src).second)
				todo.push_back(e->src);
		}
	}
	return false;
}

// Where a statement of the range follows one that is not.
static void put_marks_of(const range &r, basic_block b)
{
	bool inside = follows_range(r, b);

	for (gimple_stmt_iterator g = gsi_start_bb(b); !gsi_end_p(g);
	     gsi_next(&g)) {
		gimple *s = gsi_stmt(g);

		if (is_gimple_debug(s))
			continue;
		if (kind_of(r, s) != INSIDE) {
			inside &= !has_place(s);
			continue;
		}
		if (!inside)
			gsi_insert_before(&g,
					  gimple_build_debug_begin_stmt(
						  gimple_block(s),
						  gimple_location(s)),
					  GSI_SAME_STMT);
		inside = true;
	}
}

// Whether a way back to a loop's begin is decided in the range: then the loop is
// in it.
static bool repeats_inside(const range &r, edge back)
{
	gimple *last = last_stmt(back->src);

	if (last && gimple_code(last) == GIMPLE_COND)
		return kind_of(r, last) == INSIDE;
	return contains(r, back->goto_locus) &&
	       last_code(r, back->src) != ANOTHERS;
}

// Whether a block begins a loop that is in the range, and all that come from
// before it can have something at their end.
static bool begins_inner_loop(const range &r, basic_block b)
{
	bool loops = false;
	edge e;
	edge_iterator i;

	FOR_EACH_EDGE(e, i, b->preds)
	if (e->flags & EDGE_DFS_BACK) {
		loops = true;
		if (!repeats_inside(r, e))
			return false;
	} else if (!single_succ_p(e->src) || e->flags & EDGE_COMPLEX ||
		   e->src == ENTRY_BLOCK_PTR_FOR_FN(cfun) ||
		   (last_stmt(e->src) && stmt_ends_bb_p(last_stmt(e->src)))) {
		return false;
	}
	return loops;
}

// A mark before a loop of the range: the compiler has put it behind the loop's
// label, where it would begin an execution each time.
static void move_mark(gimple_stmt_iterator *mark, basic_block b)
{
	edge e;
	edge_iterator i;

	FOR_EACH_EDGE(e, i, b->preds)
	if (!(e->flags & EDGE_DFS_BACK)) {
		gimple_stmt_iterator end = gsi_last_bb(e->src);

		gsi_insert_after(&end, gimple_copy(gsi_stmt(*mark)),
				 GSI_NEW_STMT);
	}
	gsi_remove(mark, true);
}

static void move_marks_of(const range &r, basic_block b)
{
	gimple_stmt_iterator g = gsi_start_bb(b);

	while (!gsi_end_p(g) && !has_place(gsi_stmt(g)))
		if (!is_mark(r, gsi_stmt(g)))
			gsi_next(&g);
		else if (begins_inner_loop(r, b))
			move_mark(&g, b);
		else
			return;
}

unsigned put_marks(function *fun)
{
	basic_block b;

	if (is_fortran)
		read_directives(expand_location(DECL_SOURCE_LOCATION(
							current_function_decl))
					.file);
	if (!MAY_HAVE_DEBUG_MARKER_STMTS || ranges.empty())
		return 0;
	mark_dfs_back_edges();
	for (const range &r : ranges) {
		if (!is_candidate(r))
			continue;
		FOR_EACH_BB_FN(b, fun)
		if (is_fortran)
			put_marks_of(r, b);
		else
			move_marks_of(r, b);
	}
	return 0;
}
} // namespace gaspdb
